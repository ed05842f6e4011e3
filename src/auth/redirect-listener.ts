/** Waits on this machine for the browser to come back: RFC 8252, section 7.3. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

import type { Clock } from "../client/clock.js";
import { ComandaError, systemErrorCode } from "../client/errors.js";
import { currentLanguage, t, translated } from "../languages/language.js";
import {
  judgeRequest,
  refuseRequest,
  type CallbackRequest,
  type OutcomePage,
  type PendingCallback,
  type ReceivedCallback,
} from "./callback.js";
import { isOfAnotherUser } from "./peer-user.js";

export interface RedirectListener {
  /** Pending until a valid callback comes, perhaps for ever; never rejects. */
  readonly received: Promise<ReceivedCallback>;
  /** Frees the port and ends every connection, so that the program can exit. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly listen: { readonly port: number; readonly addresses: readonly string[] };
  readonly pending: PendingCallback;
  /** Times how long the browser has to fetch the page of the outcome. */
  readonly clock: Clock;
  /** Gets the reason of a refusal, never the content of the request. */
  readonly onRefused?: (reason: string) => void;
  /** Another user of this machine delivered an answer, which was refused. */
  readonly onForeign?: () => void;
  /** Milliseconds for a request to arrive; 5,000 by default. */
  readonly requestTimeoutMs?: number;
}

/** @throws {ComandaError} `configuration`, at once, where the port is taken or can't be used */
export async function listenForRedirect(options: ListenOptions): Promise<RedirectListener> {
  const { port, addresses } = options.listen;
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

function createHandler({ pending, clock, onRefused, onForeign }: ListenOptions) {
  const { address } = pending;
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
    const wait = new AbortController();
    const timeUp = clock.sleep(followMs, wait.signal);
    await Promise.race([shown, timeUp.catch(() => undefined)]);
    wait.abort();
  };

  const handle: Handler = (message, response) => {
    const request = requestIn(message);
    if (outcome !== undefined && refuseRequest(request, outcomeAddress) === undefined) {
      response.once("close", outcome.shown);
      send(response, outcome.page === "signed_in" ? 200 : 400, outcome.page);
      return;
    }
    const callback = judgeRequest(request, pending);
    if (callback.kind === "refused") {
      onRefused?.(callback.reason);
      send(response, callback.status, "unrelated");
    } else if (isOfAnotherUser(message.socket)) {
      onForeign?.();
      send(response, 403, "unrelated");
    } else if (settled) {
      onRefused?.("already_answered");
      send(response, 409, "already_answered");
    } else {
      settled = true;
      resolve({
        callback,
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
  // The listener stays: an error after the start (no file descriptors left, say) must not end the program.
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

type PageName = OutcomePage | "unrelated" | "already_answered";

/** These pages are static, so that nothing of a request can reach the browser in them. */
const texts = {
  signed_in: ["You are signed in", "comanda can now work for the store. You can close this page."],
  access_denied: [
    "Access was not given",
    "It was refused at the portal, or asked of somebody who isn't the store's Owner. Nothing was stored. You can close this page.",
  ],
  failed: [
    "The sign-in did not succeed",
    "Nothing was stored. The terminal that you started it from says why. You can close this page.",
  ],
  unrelated: [
    "This is not the answer to a sign-in",
    "Nothing was changed. If you are signing in, go on in the page that comanda opened.",
  ],
  already_answered: ["This sign-in was answered already", "Nothing was changed. You can close this page."],
} as const satisfies Readonly<Record<PageName, readonly [title: string, text: string]>>;

const style = `
:root { color-scheme: light dark; --ink: #1d2125; --soft: #596069; --paper: #f4f2ee; --card: #fff; --line: #ddd8d0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae6; --soft: #a9adb2; --paper: #17191b; --card: #202326; --line: #33373b }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
main { max-width: 27rem; padding: 2.25rem 2.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem }
p { margin: 0; color: var(--soft) }
p.name { font-size: .8125rem; font-weight: 600; letter-spacing: .04em }
h1 { margin: .5rem 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
`;

export function callbackPage(name: PageName): string {
  const [title, text] = texts[name].map(translated);
  return `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · comanda</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="name">comanda</p>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}

/** With these headers a browser loads and keeps nothing, frames no page and tells no other site. */
function pageHeaders(): Record<string, string> {
  // The policy names the one style sheet by its hash, so nothing else can style the page, let alone run in it.
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  };
}
