/**
 * `comanda/node` needs Node. It gives the stores that are signed in on this machine, and a transport of Node's own network
 * stack.
 *
 * ```js
 * import { createClient } from "comanda";
 * import { fileSession } from "comanda/node";
 *
 * const { clientOptions } = await fileSession({ store: "centro" });
 * const client = createClient(clientOptions);
 * ```
 *
 * Importing it does nothing and loads no network stack.
 *
 * @packageDocumentation
 */
import { createTransport as transportOf, type TransportOptions } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import type { FileSession, FileSessionOptions } from "./file-session.js";
import { programHint, withHints } from "./hints.js";

export type { FileSession, FileSessionClientOptions, FileSessionOptions } from "./file-session.js";
export type { TransportOptions } from "../client/http.js";

/**
 * Reads the session of a store that `comanda login` has stored. No other part of this library touches a disk.
 *
 * @throws {ComandaError} `not_signed_in` where no store is known, `invalid_input` for a store that isn't, `usage`
 * where there are several and none is chosen, `state_unusable` where a file can't be used, `configuration` for settings that can't be used
 */
export async function fileSession(options: FileSessionOptions = {}): Promise<FileSession> {
  // eslint-disable-next-line no-restricted-globals -- here the program is somebody else's: its process is asked for its id, and its environment is the default
  const host = process;
  return withHints(programHint, async () =>
    (await import("./file-session.js")).openFileSession(options, host),
  );
}

/**
 * Makes a transport of HTTP/1.1 over a pool of connections, for `ClientOptions.transport`. It knows more than `fetch`
 * does: a request that certainly never left is repeated, and an idle connection is given up before the service may
 * end it. Close it when you are done with it, or idle connections keep the program alive for a second.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  // The program may live long, so no flag of its engine is touched.
  return transportOf({ shortLived: false, ...options });
}
