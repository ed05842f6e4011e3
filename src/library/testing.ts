/** `comanda/testing` emulates the whole service of the specification in this process, for the tests of your own program. */
import { requireFunctions } from "../client/transport.js";
import type { Emulator, EmulatorOptions } from "./emulator.js";

export type * from "./emulator.js";

/**
 * Starts an emulator in this process. It and its functions throw `ComandaError` `invalid_input` for an argument that isn't valid, such
 * as an unknown store or a misspelled fault.
 *
 * @throws {ComandaError} `configuration` for a port that can't be opened, and in a runtime that lacks one of the web's globals
 */
export async function startEmulator(options?: EmulatorOptions): Promise<Emulator> {
  const { Headers, Request, Response, TextDecoder, TextEncoder } = globalThis;
  requireFunctions({ Request, Response, Headers, TextDecoder, TextEncoder });
  return (await import("./emulator.js")).startEmulator(options);
}
