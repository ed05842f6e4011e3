/** The parts of undici that http.ts imports without its main entry. */
declare module "undici/lib/dispatcher/pool.js" {
  import type { Dispatcher, Pool } from "undici";
  import type symbols from "undici/lib/core/symbols.js";
  interface Connected {
    readonly [symbols.kSocket]: {
      readonly [symbols.kParser]: { onHeadersComplete(status: number, ...rest: readonly unknown[]): number };
    };
  }
  interface Connects {
    on(event: "connect", listener: (origin: URL, targets: readonly [Dispatcher, Connected]) => void): this;
  }
  const OnePool: new (...from: ConstructorParameters<typeof Pool>) => Connects & Pool;
  export default OnePool;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  export { ProxyAgent as default } from "undici";
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export default connect;
}

declare module "undici/lib/core/symbols.js" {
  namespace symbols {
    const kSocket: unique symbol;
    const kParser: unique symbol;
  }
  export default symbols;
}
