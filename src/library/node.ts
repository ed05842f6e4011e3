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
export {
  fileSession,
  type FileSession,
  type FileSessionClientOptions,
  type FileSessionOptions,
} from "./file-session.js";
export { createTransport } from "./transport.js";
export type { TransportOptions } from "../client/http.js";
