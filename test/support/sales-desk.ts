/** A desk at the store `centro` of São Paulo, with so many orders that have been sold, where nobody waits for limits. */
import type { Emulator, EmulatorOptions } from "../../src/emulator/index.js";

import { Desk, tokenFor } from "./desk.js";
import { startEmulator } from "./emulators.js";

export interface SalesDesk {
  readonly desk: Desk;
  readonly emulator: Emulator;
  readonly close: () => Promise<void>;
}

/** @param settings that the store has beside its zone and its currency */
export async function openSalesDesk(options: EmulatorOptions, settings = ""): Promise<SalesDesk> {
  const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  const emulator = await startEmulator({ seed: 8, now: desk.clock, rateLimits: false, ...options });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  await desk.run(`stores set centro --tz America/Sao_Paulo --currency BRL ${settings}`.trim());
  return {
    desk,
    emulator,
    close: async () => {
      await emulator.close();
      desk.remove();
    },
  };
}
