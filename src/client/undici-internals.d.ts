/**
 * The parts of undici that are imported past its front door, which loads fetch, WebSocket and caches as well
 * and costs eight times the start-up. undici has no `exports` map, so these paths are open; its version is
 * pinned, and test/client holds the behaviour that is relied upon.
 */
declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";
  const pool: typeof Pool;
  export default pool;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";
  const envHttpProxyAgent: typeof EnvHttpProxyAgent;
  export default envHttpProxyAgent;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export default connect;
}

declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import type { buildConnector } from "undici";
  /** The public type hides that the socket is handed back at once, while it is still connecting. */
  const build: (
    options?: buildConnector.BuildOptions,
  ) => (...parameters: Parameters<buildConnector.connector>) => Socket;
  export default build;
}
