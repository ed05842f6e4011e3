/** The dispatcher for hosts that may lie behind a proxy; loaded only where the environment names one. */
import type { Dispatcher, Pool } from "undici";
import connect from "undici/lib/api/api-connect.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import PoolClass from "undici/lib/dispatcher/pool.js";

import type { ProxySettings } from "./proxy.js";

export function proxyDispatcher(settings: ProxySettings, options: Pool.Options): Dispatcher {
  return new EnvHttpProxyAgent({
    ...options,
    ...settings,
    // undici's front door gives every dispatcher its `connect`, which the tunnel is made with; past it, we do.
    clientFactory: (origin, clientOptions) =>
      Object.assign(new PoolClass(origin, clientOptions), { connect }),
  });
}
