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
    // Once the transport is there, a request must not wait for another turn of the event loop.
    send: (request) =>
      transport ? transport.send(request) : (loading ??= load()).then((loaded) => loaded.send(request)),
    close: async () => {
      await (await loading)?.close();
    },
  };
}
