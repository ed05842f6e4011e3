/**
 * `comanda/node` requires Node. It contains the stores that are signed in on this machine, as in examples/dispatch.mjs, and a
 * transport. Importing it has no effects and loads no network module.
 *
 * @packageDocumentation
 */
import { createTransport as transportOf, type TransportOptions } from "../client/http.js";
import { callFields, checkOptions, optionKinds } from "../client/options.js";
import { completeHint } from "../base/errors.js";
import type { Transport } from "../client/transport.js";
import type { FileSession, FileSessionOptions } from "./file-session.js";
import { programHint } from "./hints.js";

export type { FileSession, FileSessionClientOptions, FileSessionOptions } from "./file-session.js";
export type { TransportOptions } from "../client/http.js";

/**
 * Reads the sign-in of a store that `comanda login` has saved. Nothing else in this library reads or writes a disk.
 *
 * @throws {ComandaError} `not_signed_in` if no store is signed in, `invalid_input` for an unknown store, `usage` if there are several
 *   stores and none is chosen, `state_unusable` for a file that isn't valid, `configuration` for a setting that isn't valid
 */
export async function fileSession(options: FileSessionOptions = {}): Promise<FileSession> {
  // eslint-disable-next-line no-restricted-globals -- a program of any kind imports this: its own environment is the default, and its process id marks a refresh
  const host = process;
  const { text, object, callback } = optionKinds();
  checkOptions(options, { store: text, folder: text, env: object, onWarning: callback });
  try {
    return await (await import("./file-session.js")).openFileSession(options, host);
  } catch (error) {
    throw completeHint(error, programHint);
  }
}

/**
 * Creates a transport for `ClientOptions.transport`: HTTP/1.1 over a pool of connections. Unlike `fetch`, it reports exactly whether
 * a request was sent, and closes an idle connection before the service does. Close it when you no longer need it; otherwise, idle
 * connections keep the program running for a second.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { object, count } = optionKinds();
  checkOptions(options, { env: object, connectTimeoutMs: callFields().timeoutMs, connections: count });
  return transportOf(options);
}
