/** Waits on this machine for the browser to come back: RFC 8252, section 7.3. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import type { Clock } from "../shared/clock.js";
import { t } from "../shared/language.js";
import { ComandaError, systemErrorCode } from "../shared/errors.js";
import {
  judgeRequest,
  refuseRequest,
  type Callback,
  type CallbackRequest,
  type PendingCallback,
} from "./callback.js";
import { callbackPage, pageHeaders, type PageName } from "./callback-pages.js";
import type { RedirectAddress } from "./redirect-address.js";

/** The first valid callback. The browser waits for its page until the outcome is known. */
export interface ReceivedCallback {
  readonly callback: Callback;
  /**
   * Shows the outcome at an address of its own, so that the code doesn't stay in the address bar or the history.
   * Resolves when the browser has come for that page, is gone, or doesn't come in time.
   */
  readonly answer: (page: OutcomePage) => Promise<void>;
}

export type OutcomePage = "signed_in" | "access_denied" | "failed";

export interface RedirectListener {
  /** Pending until a valid callback comes, perhaps for ever; never rejects. */
  readonly received: Promise<ReceivedCallback>;
  /** Frees the port and ends every connection, so that the program can exit. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly address: RedirectAddress & { readonly listen: NonNullable<RedirectAddress["listen"]> };
  readonly pending: PendingCallback;
  /** Counts the time that the browser is given to come for the page of the outcome. */
  readonly clock: Clock;
  /** Told why a request was refused; never what it held. */
  readonly onRefused?: (reason: string) => void;
  /** Milliseconds for a request to arrive; 5,000 by default. */
  readonly requestTimeoutMs?: number;
}

/** @throws {ComandaError} `configuration`, at once, where the port is taken or can't be used */
export async function listenForRedirect(options: ListenOptions): Promise<RedirectListener> {
  const { port, addresses } = options.address.listen;
  const { received, handle } = createHandler(options);
  const servers: Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer));
  };
  try {
    for (const host of addresses) {
      const server = createRedirectServer(handle, options.requestTimeoutMs ?? 5000);
      if (await listen(server, host, port)) servers.push(server);
    }
    if (servers.length === 0) throw listenError("EADDRNOTAVAIL", addresses.join(t` and `), port);
  } catch (error) {
    await close();
    throw error;
  }
  return { received, close };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds for a browser to follow a redirect on its own machine; one that never does must not hold anybody up. */
const followMs = 3000;

function createHandler({ address, pending, clock, onRefused }: ListenOptions) {
  const { promise: received, resolve } = withResolvers<ReceivedCallback>();
  const headers = pageHeaders();
  const outcomeAddress = { host: address.host, path: `${address.path.replace(/\/$/, "")}/outcome` };
  let settled = false;
  let outcome: { readonly page: OutcomePage; readonly shown: () => void } | undefined;

  const send = (response: ServerResponse, status: number, page: PageName): void => {
    response.writeHead(status, status === 405 ? { ...headers, allow: "GET" } : headers);
    response.end(callbackPage(page));
  };

  /** Sends the browser on, and waits until it has been shown the page there. */
  const sendOn = async (response: ServerResponse, page: OutcomePage): Promise<void> => {
    const { promise: shown, resolve: show } = withResolvers<undefined>();
    outcome = { page, shown: () => show(undefined) };
    response.writeHead(303, { ...headers, location: outcomeAddress.path, "content-length": "0" }).end();
    const waited = new AbortController();
    const timeUp = clock.sleep(followMs, waited.signal);
    await Promise.race([shown, timeUp.catch(() => undefined)]);
    waited.abort();
  };

  const handle: Handler = (message, response) => {
    const request = requestIn(message);
    if (outcome !== undefined && refuseRequest(request, outcomeAddress) === undefined) {
      response.once("close", outcome.shown);
      send(response, outcome.page === "signed_in" ? 200 : 400, outcome.page);
      return;
    }
    const judged = judgeRequest(request, address, pending);
    if (judged.kind === "refused") {
      onRefused?.(judged.reason);
      send(response, judged.status, judged.status === 404 ? "not_found" : "unrelated");
    } else if (settled) {
      onRefused?.("already_answered");
      send(response, 409, "already_answered");
    } else {
      settled = true;
      resolve({
        callback: judged,
        answer: async (page) => {
          if (!response.destroyed) await sendOn(response, page);
        },
      });
    }
  };
  return { received, handle };
}

function requestIn({ method = "", url: target = "", rawHeaders }: IncomingMessage): CallbackRequest {
  const hosts = rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === "host" && index % 2);
  return { method, target, hosts };
}

function createRedirectServer(handle: Handler, requestTimeoutMs: number): Server {
  const server = createServer(
    {
      // A code has at most 4,096 characters; a browser's own headers need the rest.
      maxHeaderSize: 16_384,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    },
    handle,
  );
  server.maxConnections = 100;
  return server;
}

/** `false` where the machine has no such address: many have no `::1`. */
async function listen(server: Server, host: string, port: number): Promise<boolean> {
  const { promise, resolve, reject } = withResolvers<boolean>();
  // It stays: an error after the start (no file descriptors left, say) must not end the program.
  server.on("error", (error) => {
    const code = systemErrorCode(error) ?? "";
    if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") resolve(false);
    else reject(listenError(code, host, port));
  });
  server.listen({ host, port, exclusive: true }, () => resolve(true));
  return promise;
}

function listenError(code: string, host: string, port: number): ComandaError {
  const problem =
    code === "EADDRINUSE"
      ? t`is in use by another program`
      : t`can't be listened on (${code || t`unknown error`})`;
  return new ComandaError(
    "configuration",
    t`Port ${port} of ${host}, where the browser is to come back to, ${problem}.`,
    {
      hint: t`End the program that uses it (another comanda login?), or register another redirect address and set it with comanda env set <name> --redirect-uri <uri> ….`,
    },
  );
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

/** `Promise.withResolvers`, which Node 20 doesn't have. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((ok, fail) => {
    resolve = ok;
    reject = fail;
  });
  return { promise, resolve, reject };
}
