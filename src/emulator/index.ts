/** The whole service of the specification on a port of this machine, for users, scripts and tests. */
import { once } from "node:events";
import { createServer } from "node:http";

import { getRequestListener, RequestError } from "@hono/node-server";

import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import { invalid, refused } from "./domain/refused.js";
import { createApp } from "./http/app.js";
import { jsonAnswer } from "./http/incoming.js";
import { authorizePath } from "./http/pages.js";
import { localClientId, localRedirectUri, partnerKey } from "./seed/cast.js";
import { createService, type ServiceOptions } from "./service.js";

export interface ServerOptions extends ServiceOptions {
  /** The host to listen on, by default 127.0.0.1. Any other host may admit other machines, so set {@link controlToken} as well. */
  readonly host?: string | undefined;
  /**
   * Whether only the emulator runs in this process. Then it replaces the global `Request` and `Response` with lighter ones, which
   * saves a third of each request's time. The default is false, because other programs use these globals.
   */
  readonly ownsProcess?: boolean | undefined;
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

const loopback = "127.0.0.1";
/** Milliseconds that a request may still take when the emulator ends. */
const grace = 500;

/**
 * Starts the emulator.
 *
 * @throws {ComandaError} `configuration` if the port can't be opened; `invalid_input` for readings or faults that aren't valid
 */
export async function startEmulator(options: ServerOptions = {}) {
  const { host = loopback, port: wanted = 0 } = options;
  const service = createService(options);
  const app = createApp(service);
  const listener = getRequestListener(app.fetch, {
    hostname: loopback,
    // Node discards a body that wasn't read.
    autoCleanupIncoming: false,
    overrideGlobalObjects: options.ownsProcess ?? false,
    errorHandler: (error) => {
      const unreadable = invalid("The address or the Host of the request can't be read");
      const { body, status } = error instanceof RequestError ? unreadable : refused(500, "Internal error");
      return jsonAnswer(body, status);
    },
  });
  const server = createServer((incoming, outgoing) => {
    // Node would send the machine's time in `Date`.
    outgoing.setHeader("date", new Date(service.world.clock.now()).toUTCString());
    void listener(incoming, outgoing);
  });
  try {
    await once(server.listen({ port: wanted, host, exclusive: true }), "listening");
  } catch (error) {
    throw listenError(error, `${host}:${wanted}`);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  // A server that listens on all interfaces is reachable at loopback as well.
  const reached = host === "0.0.0.0" || host === "::" ? loopback : host;
  const url = `http://${reached.includes(":") ? `[${reached}]` : reached}:${address.port}`;
  return {
    /** The origin, without a slash at the end. */
    url,
    /** The names of sections 1 and 5.1. */
    baseUrl: url,
    authUrl: url + authorizePath,
    partnerKey,
    /** An approved app with every scope. */
    clientId: localClientId,
    /** The first additional redirect address, or the usual one. */
    redirectUri: options.redirectUris?.[0] ?? localRedirectUri,
    clock: service.world.clock,
    world: service.world,
    service,
    /** Handles a request without a connection. */
    request: app.request,
    /** Stops the emulator within a second, even if clients are still connected. */
    close: async () => {
      const closed = once(server.close(), "close");
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearTimeout(force);
      service.closed.abort();
    },
  };
}

function listenError(error: unknown, address: string): ComandaError {
  const code = systemErrorCode(error) ?? "";
  const isAddress = ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL"].includes(code);
  let reason = isAddress ? t`this machine doesn't have this address` : code;
  if (code === "EADDRINUSE") reason = t`the port is in use`;
  if (code === "EACCES") reason = t`permission denied`;
  const hint = isAddress
    ? t`Choose another address, such as 0.0.0.0 for all network interfaces.`
    : t`Choose another port, or 0 for any free port.`;
  const message = t`comanda can't listen on ${address}: ${reason}.`;
  return new ComandaError("configuration", message, { hint, cause: error });
}
