/** The network as this machine's environment wants it, and what is said about that. */
import { createTransport, type Transport } from "../client/index.js";
import { proxiesFor } from "../client/http/proxy.js";

import type { Invocation } from "./leaf.js";

export function openTransport({
  context: { env },
  output,
}: Pick<Invocation, "context" | "output">): Transport {
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    output.warnOnce(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so no certificate is checked: whoever stands in between can read the " +
        "store's credentials. Unset it; NODE_EXTRA_CA_CERTS adds an authority of your own.",
    );
  }
  return createTransport({ env });
}

/**
 * Before anything is done, rather than at the first request of many.
 *
 * @param baseUrl where calls will go
 * @throws {ComandaError} `configuration` for a proxy that can't be used
 */
export function checkProxy({ context: { env } }: Pick<Invocation, "context">, baseUrl: string): void {
  proxiesFor(env, baseUrl);
}
