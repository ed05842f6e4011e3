/** The emulator in this process, its exchanges with its callers held against the OpenAPI document. */
import { startEmulator as start, type Emulator, type EmulatorOptions } from "../../src/emulator/index.js";
import { watchPort } from "./exchanges.js";

export async function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await start(options);
  watchPort(Number(new URL(emulator.url).port));
  return emulator;
}
