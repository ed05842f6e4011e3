/** The usual transport, loaded with its network stack when the first request goes out. */
import type { Transport } from "./transport.js";
import { transportSettings, type TransportOptions } from "./transport-options.js";

export function createLazyTransport(options: TransportOptions = {}): Transport {
  const settings = transportSettings(options);
  let loaded: Promise<Transport> | undefined;
  let ready: Transport | undefined;
  const load = async (): Promise<Transport> => {
    const { createTransport } = await import("./undici-transport.js");
    ready = createTransport(settings);
    return ready;
  };
  return {
    // Without a turn of the event loop more than it needs, once it is there.
    send: (request) =>
      ready ? ready.send(request) : (loaded ??= load()).then((transport) => transport.send(request)),
    close: async () => {
      await (await loaded)?.close();
    },
  };
}
