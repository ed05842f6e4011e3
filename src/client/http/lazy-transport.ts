/** Node's own transport, whose network stack is loaded when the first request goes out: most commands need none. */
import type { Transport } from "./transport.js";
import type { TransportOptions } from "./undici-transport.js";

export function createLazyTransport(options: TransportOptions = {}): Transport {
  let loading: Promise<Transport> | undefined;
  let transport: Transport | undefined;
  const load = async () => {
    const { createTransport } = await import("./undici-transport.js");
    return (transport = createTransport(options));
  };
  return {
    // Without a turn of the event loop more than it needs, once it is there.
    send: (request) =>
      transport ? transport.send(request) : (loading ??= load()).then((loaded) => loaded.send(request)),
    close: async () => {
      await (await loading)?.close();
    },
  };
}
