/** The usual transport, loaded with its network stack when the first request goes out. */
import type { Transport } from "./transport.js";
import { transportSettings, type TransportOptions } from "./transport-options.js";

/**
 * The transport that every client has by default: undici, HTTP/1.1 over a pool of connections. Close it when you are
 * done with it, or idle connections keep the program alive for a second.
 *
 * @throws {ComandaError} `configuration` for an option that can't be used
 */
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
