/** The emulator in this process, its exchanges with its callers held against the OpenAPI document. */
import { startEmulator as start, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import {
  startEmulator as startPublic,
  type Emulator as PublicEmulator,
  type EmulatorOptions as PublicOptions,
} from "../../src/public/emulator.js";

import { watchPort } from "./exchanges.js";

export async function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  return watched(await start(options));
}

/** As programs have it that use the package. */
export async function startPublicEmulator(options?: PublicOptions): Promise<PublicEmulator> {
  return watched(await startPublic(options));
}

function watched<Started extends { readonly url: string; close(): Promise<void> }>(
  emulator: Started,
): Started {
  const unwatch = watchPort(Number(new URL(emulator.url).port));
  const close = emulator.close.bind(emulator);
  return Object.assign(emulator, {
    close: async () => {
      await close();
      unwatch();
    },
  });
}
