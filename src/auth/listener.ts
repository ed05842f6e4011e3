/** Waits on this machine for the browser to come back: RFC 8252, section 7.3. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { finished } from "node:stream/promises";

import { ComandaError, systemErrorCode } from "../client/errors.js";
import { currentLanguage, t, translated } from "../languages/language.js";
import { judgeParameters, loopbackAddresses, type Callback, type PendingCallback } from "./authorize.js";
import { isOfAnotherUser } from "./peer-user.js";

export interface ReceivedCallback {
  readonly callback: Callback;
  /** Tells the browser how the sign-in ended, once that is certain. Resolves when the page is out, or the browser is gone. */
  readonly answer: (page: "signed_in" | "access_denied" | "failed") => Promise<void>;
}

export interface RedirectListener {
  /** Pending until a valid callback comes, perhaps for ever; never rejects. */
  readonly received: Promise<ReceivedCallback>;
  /** Frees the port and ends every connection, so that the program can exit. */
  close(): Promise<void>;
}

/**
 * @param told gets the reason of a refusal, never the content of the request; `foreign` for another user of this machine
 * @param requestTimeoutMs milliseconds for a request to arrive
 * @throws {ComandaError} `configuration`, at once, where the port is taken or can't be used
 */
export async function listenForRedirect(
  pending: PendingCallback,
  told: (reason: string) => void,
  requestTimeoutMs = 5000,
): Promise<RedirectListener> {
  const { address } = pending;
  let deliver: (received: ReceivedCallback) => void;
  const received = new Promise<ReceivedCallback>((resolve) => (deliver = resolve));
  let isAnswered = false;

  const handle: RequestListener = (request, response) => {
    const show = (status: number, page: keyof typeof texts) =>
      response.writeHead(status, pageHeaders).end(callbackPage(page));
    const callback = judgeRequest(request, pending, isAnswered);
    if ("status" in callback) {
      told(callback.reason);
      show(callback.status, callback.reason === "already_answered" ? callback.reason : "unrelated");
      return;
    }
    isAnswered = true;
    deliver({
      callback,
      async answer(page) {
        if (response.destroyed) return;
        await finished(show(page === "signed_in" ? 200 : 400, page)).catch(() => undefined);
      },
    });
  };

  const servers: Server[] = [];
  const close = async () => {
    const closed = servers.map((server) => once(server.close(), "close"));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  const limits = {
    // A code has at most 4,096 characters; a browser's own headers need the rest.
    maxHeaderSize: 16_384,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
  };
  const port = Number(address.port || "80");
  for (const host of loopbackAddresses(address)) {
    const server = createServer(limits, handle);
    server.maxConnections = 100;
    try {
      await once(server.listen({ host, port, exclusive: true }), "listening");
    } catch (error) {
      const code = systemErrorCode(error) ?? "";
      // Many machines have no `::1`.
      if (servers.length > 0 && ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(code)) continue;
      await close();
      throw unusablePort(code, host, port);
    }
    // An error after the start (no file descriptors left, say) must not end the program.
    server.on("error", () => undefined);
    servers.push(server);
  }
  return { received, close };
}

/** Only `GET` on the exact path with the right `Host` can be an answer. */
function judgeRequest(
  { method, url = "", headersDistinct, socket }: IncomingMessage,
  pending: PendingCallback,
  isAnswered: boolean,
): Callback | { readonly status: number; readonly reason: string } {
  const hosts = headersDistinct["host"] ?? [];
  const [path, query] = url.split(/\?(.*)/s, 2);
  const isOurs = hosts.length === 1 && hosts[0]?.toLowerCase() === pending.address.host;
  // Another name that leads here is a page of somebody else's (DNS rebinding).
  if (!isOurs) return { status: 400, reason: "wrong_host" };
  if (path !== pending.address.pathname) return { status: 404, reason: "wrong_path" };
  if (method !== "GET") return { status: 405, reason: "wrong_method" };
  const callback = judgeParameters(new URLSearchParams(query), pending);
  if (typeof callback === "string") return { status: 400, reason: callback };
  if (isOfAnotherUser(socket)) return { status: 403, reason: "foreign" };
  return isAnswered ? { status: 409, reason: "already_answered" } : callback;
}

function unusablePort(code: string, host: string, port: number): ComandaError {
  const isTaken = code === "EADDRINUSE";
  const problem = isTaken
    ? t`is in use by another program`
    : t`can't be listened on (${code || t`unknown error`})`;
  const message = t`Port ${port} of ${host}, where the browser is to come back to, ${problem}.`;
  return new ComandaError("configuration", message, {
    hint: t`End the program that uses it (another comanda login?), or register another redirect address and set it with comanda env set <name> --redirect-uri <uri> ….`,
  });
}

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
} as const;

export function callbackPage(name: keyof typeof texts): string {
  const [title, text] = texts[name].map(translated);
  return `<!doctype html>
<html lang="${currentLanguage()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · comanda</title>
<main><h1>${title}</h1><p>${text}</p></main>
</html>
`;
}

/** With these headers a browser loads and keeps nothing, frames no page and tells no other site. */
const pageHeaders = {
  allow: "GET",
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
};
