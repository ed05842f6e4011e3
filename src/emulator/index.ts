/** The whole service of the specification on a port of this machine, for people, scripts and tests. */
import { createServer } from "node:http";

import { getRequestListener, RequestError } from "@hono/node-server";

import { invalid, refused } from "./domain/refused.js";
import { createApp } from "./http/app.js";
import { jsonAnswer } from "./http/incoming.js";
import { authorizePath } from "./http/pages.js";
import { localClientId, localRedirectUri, partnerKey } from "./seed/cast.js";
import { createService, type ServiceOptions } from "./service.js";

export interface EmulatorOptions extends ServiceOptions {
  /** 0, and nothing, take a free one. */
  readonly port?: number;
  /** The server listens there, by default at 127.0.0.1. Other machines may come in then, so set {@link controlToken} too. */
  readonly host?: string;
  /**
   * The process is the emulator's alone: the global `Request` and `Response` may be replaced by lighter ones, which
   * saves a third of each request. Default false, since another program's globals are not ours to touch.
   */
  readonly ownsProcess?: boolean;
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/** Unless another address is named, the service is reachable from this machine alone. */
const loopback = "127.0.0.1";
/** Milliseconds that a request may still take when the emulator ends. */
const grace = 500;

/**
 * Starts the emulator.
 *
 * @throws {Error} with the system's `code`, for example `EADDRINUSE`, where the port can't be opened
 */
export async function startEmulator(options: EmulatorOptions = {}) {
  const { host = loopback, port: wanted = 0 } = options;
  const service = createService(options);
  const app = createApp(service);
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      "stream" in incoming || "stream" in outgoing
        ? app.fetch(request)
        : app.fetch(request, { incoming, outgoing }),
    {
      hostname: loopback,
      // Node itself reads on past a body that nobody wanted.
      autoCleanupIncoming: false,
      overrideGlobalObjects: options.ownsProcess ?? false,
      errorHandler: (error) => {
        const unreadable = invalid("The address or the Host of the request can't be read");
        const { body, status } = error instanceof RequestError ? unreadable : refused(500, "Internal error");
        return jsonAnswer(body, status);
      },
    },
  );
  const server = createServer((incoming, outgoing) => {
    // Node's own `Date` is the machine's.
    outgoing.setHeader("date", new Date(service.world.clock.now()).toUTCString());
    void listener(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: wanted, host, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  // A server that listens everywhere is reached by this machine itself, too.
  const reached = host === "0.0.0.0" || host === "::" ? loopback : host;
  const url = `http://${reached.includes(":") ? `[${reached}]` : reached}:${address.port}`;
  return {
    /** The origin, without a slash at the end. */
    url,
    /** Sections 1 and 5.1 have these names. */
    baseUrl: url,
    authUrl: url + authorizePath,
    partnerKey,
    /** An approved app with every scope. */
    clientId: localClientId,
    /** The first address that is registered for the app beside the usual one, or that one. */
    redirectUri: options.redirectUris?.[0] ?? localRedirectUri,
    clock: service.world.clock,
    world: service.world,
    service,
    /** A request without a connection. */
    request: app.request,
    /** Ends within a second, whoever is still connected. */
    close: () =>
      new Promise<void>((resolve) => {
        const force = setTimeout(() => {
          server.closeAllConnections();
        }, grace);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
