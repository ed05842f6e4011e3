/** The dispatcher for hosts that may lie behind a proxy; loaded only where the environment names one. */
import type { Dispatcher, Pool } from "undici";
import connect from "undici/lib/api/api-connect.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import PoolClass from "undici/lib/dispatcher/pool.js";

import { systemErrorCode } from "../errors.js";
import type { ProxySettings } from "./proxy.js";

export function proxyDispatcher(settings: ProxySettings, options: Pool.Options): Dispatcher {
  return new EnvHttpProxyAgent({ ...options, ...settings, clientFactory: clientOfProxy });
}

/**
 * The connections to the proxy itself. undici's front door gives every dispatcher its `connect`, which makes the
 * tunnel; past the front door, we do.
 */
function clientOfProxy(origin: URL, options: object): Dispatcher {
  const pool = new PoolClass(origin, options);
  return Object.assign(pool, {
    connect: async (tunnel: Dispatcher.ConnectOptions) => {
      try {
        return await connect.call(pool, tunnel);
      } catch (error) {
        throw atProxy(systemErrorCode(error) === "UND_ERR_SOCKET" ? proxyReset() : error);
      }
    },
  });
}

/** It was the proxy that could not be reached: of the service nothing is known. */
function atProxy(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { atProxy: true }) : error;
}

/** For its own socket errors, undici asks the proxy for a tunnel again at once: 2,000 times a second, for ever. */
function proxyReset(): Error {
  return Object.assign(new Error("the proxy ended the connection"), { code: "ECONNRESET" });
}
