/** `comanda/testing` emulates the whole service of the specification in this process, for the tests of your own program. */
import { requireFunctions } from "../client/transport.js";
import type { EmulatorOptions } from "../emulator/inputs.js";

export type { EmulatorClientOptions } from "./running-emulator.js";
export type { Order } from "../api/models.js";
export type { Client } from "../client/client.js";
export type { SettableClock } from "../emulator/domain/time.js";
export type { RouteAnswer, RouteCall, RouteHandler, RouteMethod } from "../emulator/http/incoming.js";
export type { OwnersDecision } from "../emulator/http/oauth.js";
export type { ReceivedMatch, ReceivedRequest } from "../emulator/http/received.js";
export type { App, AppChange, Driver, DriverChange, Installation } from "../emulator/inputs.js";
export type { EmulatorOptions, FaultInput, NewOrder } from "../emulator/inputs.js";
export type { Store, StoreDriverInput, StoreInput } from "../emulator/inputs.js";
export type { ChosenReading, Readings } from "../emulator/readings.js";

/**
 * Starts an emulator in this process. It and its functions throw `ComandaError` `invalid_input` for an argument that isn't valid, such
 * as an unknown store or a misspelled fault.
 *
 * @throws {ComandaError} `configuration` for a port that can't be opened, and in a runtime that lacks one of the web's globals, such as
 *   jest's jsdom environment
 */
export async function startEmulator(options: EmulatorOptions = {}) {
  const { Request, Response, Headers, ReadableStream, TextDecoder, TextEncoder } = globalThis;
  requireFunctions({ Request, Response, Headers, ReadableStream, TextDecoder, TextEncoder });
  return (await import("./running-emulator.js")).runEmulator(options);
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;
/** Credentials of a store. */
export type SignedIn = ReturnType<Emulator["signIn"]>;
