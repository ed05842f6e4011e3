/** Receives the browser's redirect on this machine: RFC 8252, section 7.3. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { finished } from "node:stream/promises";

import { ComandaError, systemErrorCode } from "../base/errors.js";
import { currentLanguage, t, translated } from "../languages/language.js";
import { judgeParameters, loopbackAddresses, type Callback, type PendingCallback } from "./authorize.js";

export interface ReceivedCallback {
  readonly callback: Callback;
  /** Shows the outcome of the sign-in in the browser. Resolves when the page was sent or the browser has disconnected. */
  readonly answer: (page: "signed_in" | "failed") => Promise<void>;
}

/**
 * Listens on the redirect URI's port.
 *
 * @param onForeign called when another user of this machine delivered a callback, which was rejected
 * @returns `received` resolves with the first valid callback; `close` frees the port and ends every connection
 * @throws {ComandaError} `configuration` if the port is in use or can't be used
 */
export async function listenForRedirect(pending: PendingCallback, onForeign: () => void) {
  const { address } = pending;
  let deliver: (received: ReceivedCallback) => void;
  const received = new Promise<ReceivedCallback>((resolve) => (deliver = resolve));
  let isAnswered = false;

  const handle: RequestListener = (request, response) => {
    const show = (status: number, page: keyof typeof titles) =>
      response.writeHead(status, pageHeaders).end(callbackPage(page));
    const callback = judgeRequest(request, pending, isAnswered);
    if (typeof callback === "number") {
      if (callback === foreign) onForeign();
      show(callback, "unrelated");
      return;
    }
    isAnswered = true;
    const answer: ReceivedCallback["answer"] = (page) =>
      finished(show(page === "signed_in" ? 200 : 400, page)).catch(() => undefined);
    deliver({ callback, answer });
  };

  const servers: Server[] = [];
  const close = async () => {
    const closed = servers.map((server) => once(server.close(), "close"));
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
  };
  const port = Number(address.port || "80");
  for (const host of loopbackAddresses(address)) {
    const server = createServer(handle);
    try {
      await once(server.listen({ host, port, exclusive: true }), "listening");
    } catch (error) {
      const code = systemErrorCode(error) ?? t`unknown error`;
      // Many machines have no `::1`.
      if (servers.length > 0 && ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(code)) continue;
      await close();
      const reason = code === "EADDRINUSE" ? t`the port is in use` : code;
      const message = t`comanda can't listen on ${`${address.hostname}:${port}`}: ${reason}.`;
      throw new ComandaError("configuration", message, { hintFacts: { about: "redirect_port" } });
    }
    servers.push(server);
  }
  return { received, close };
}

const foreign = 403;

/** Returns the callback, or the HTTP status of the rejection: only the first `GET` with the exact path and `Host` is valid. */
function judgeRequest(
  request: IncomingMessage,
  pending: PendingCallback,
  isAnswered: boolean,
): Callback | number {
  const { method, url = "", headersDistinct, socket } = request;
  const [host, another] = headersDistinct["host"] ?? [];
  // A different host name that resolves to this machine belongs to another site (DNS rebinding).
  if (host?.toLowerCase() !== pending.address.host || another !== undefined) return 400;
  const [path, query] = url.split(/\?(.*)/s, 2);
  if (path !== pending.address.pathname) return 404;
  if (method !== "GET") return 405;
  const callback = judgeParameters(new URLSearchParams(query), pending);
  if (!callback) return 400;
  if (isOfAnotherUser(socket)) return foreign;
  return isAnswered ? 409 : callback;
}

/**
 * Returns whether the connection comes from another user of this machine, according to Linux's proc_pid_net(5). Such a user can
 * read the authorization URL with its state in `/proc`, and deliver a code for another store first. Root can read everything
 * anyway, and the browser may belong to the user who called sudo.
 */
function isOfAnotherUser({ remotePort, localPort }: Socket): boolean {
  const allowed = [process.getuid?.(), 0, Number(process.env["SUDO_UID"] ?? 0)];
  const lines = ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap(linesOf);
  const portOf = (address = "") => Number.parseInt(address.split(":")[1] ?? "", 16);
  const ends = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) => portOf(local) === remotePort && portOf(remote) === localPort);
  // A socket that its program has closed has inode 0 and is listed as root's, whoever opened it.
  const isAllowed = ends.every(({ 7: user, 9: inode }) => inode !== "0" && allowed.includes(Number(user)));
  return lines.length > 0 && !(ends.length > 0 && isAllowed);
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "latin1").trim().split("\n").slice(1);
  } catch {
    return [];
  }
}

/** The pages are static, so that no part of a request can be injected into them. The terminal shows why a sign-in failed. */
const titles = {
  signed_in: "You are signed in",
  failed: "The sign-in failed",
  unrelated: "This page isn't part of a sign-in",
} as const;

function callbackPage(name: keyof typeof titles): string {
  const title = translated(titles[name]);
  const text = t`You can close this page and return to the terminal.`;
  return `<!doctype html>
<html lang="${currentLanguage()}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · comanda</title>
<main><h1>${title}</h1><p>${text}</p></main></html>
`;
}

/** These headers forbid the browser to load resources, cache or frame the page, or send its address to another site. */
const pageHeaders = {
  allow: "GET",
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
};
