/** Programs make the transport of Node's own network stack here; their options are checked by rules first. */
import { createTransport as transportOf, type TransportOptions } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import {
  aTimeout,
  checkOptions,
  must,
  objectWith,
  optional,
  trueOrFalse,
  type Rules,
} from "../client/checks.js";

/**
 * Makes a transport of HTTP/1.1 over a pool of connections, for `ClientOptions.transport`. It knows more than `fetch`
 * does: a request that certainly never left is repeated, and an idle connection is given up before the service may
 * end it. Close it when you are done with it, or idle connections keep the program alive for a second.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
export function createTransport(options: TransportOptions = {}): Transport {
  checkOptions(rules, options, "createTransport");
  // The program may live long, so no flag of its engine is touched.
  return transportOf({ shortLived: false, ...options });
}

const rules: Rules<TransportOptions> = {
  env: optional(objectWith({})),
  connectTimeoutMs: optional(aTimeout),
  connections: optional(
    must(
      "a whole number of at least 1, and not Infinity",
      (value) => Number.isInteger(value) && Number(value) >= 1,
    ),
  ),
  shortLived: optional(trueOrFalse),
};
