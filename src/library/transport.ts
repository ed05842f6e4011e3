/** Programs make the transport of Node's own network stack here; their options are checked by a schema first. */
import * as z from "zod/mini";

import { createTransport as transportOf, type TransportOptions } from "../client/http.js";
import type { Transport } from "../client/transport.js";
import { aTimeout, checkOptions, must, objectWith, optionsOf } from "../client/checks.js";
import { once } from "../api/once.js";

/**
 * Makes a transport of HTTP/1.1 over a pool of connections, for `ClientOptions.transport`. It knows more than `fetch`
 * does: a request that certainly never left is repeated, and an idle connection is given up before the service may
 * end it. Close it when you are done with it, or idle connections keep the program alive for a second.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
export function createTransport(options: TransportOptions = {}): Transport {
  checkOptions(schema(), options, "createTransport");
  // The program may live long, so no flag of its engine is touched.
  return transportOf({ shortLived: false, ...options });
}

const schema = once(() => {
  const connectionsRule = must("a whole number of at least 1, and not Infinity");
  return optionsOf({
    env: z.optional(objectWith({})),
    connectTimeoutMs: z.optional(aTimeout()),
    connections: z.optional(z.int(connectionsRule).check(z.minimum(1, connectionsRule))),
    shortLived: z.optional(z.boolean(must("true or false"))),
  } satisfies Record<keyof TransportOptions, z.ZodMiniType>);
});
