/** Node's own transport, whose network stack is loaded when the first request goes out: most commands need none. */
import type { Transport } from "./transport.js";
import type { TransportOptions } from "./undici-transport.js";

export function createLazyTransport(options: TransportOptions = {}): Transport {
  let loading: Promise<Transport> | undefined;
  const load = async () => (await import("./undici-transport.js")).createTransport(options);
  return {
    send: async (request) => (await (loading ??= load())).send(request),
    close: async () => {
      await (await loading)?.close();
    },
  };
}
