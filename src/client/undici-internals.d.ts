/** The parts of undici that http.ts imports past its front door. */
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
