/** Acts a fault out: as an answer where that will do, on the socket where it has to be the connection. */
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

import { rateLimited } from "../../domain/choices.js";
import { refuse } from "../answers.js";
import type { Bindings } from "../../service.js";
import type { Fault } from "./fault.js";

/** Every answer that a fault made carries its kind here, so that nobody takes it for the service's. */
const faultHeader = "x-emulator-fault";

const page = "<!doctype html><html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>";

/**
 * Answers a request as the fault wants it.
 *
 * @param process answers it as it should be; called at most once
 * @throws {Error} where the fault needs a socket and the request came without one
 */
export async function actOut(
  fault: Fault,
  bindings: Bindings,
  process: () => Promise<Response>,
): Promise<Response> {
  if (fault.kind === "delay") {
    if (fault.when === "before") await delay(fault.ms);
    const answer = await process();
    if (fault.when === "after") await delay(fault.ms);
    return answer;
  }
  bindings.outgoing?.setHeader(faultHeader, fault.kind);
  // An answer that is cut short has to be there first.
  const answer = fault.when === "after" || fault.kind === "truncate" ? await process() : undefined;
  switch (fault.kind) {
    case "status":
      return statusAnswer(fault);
    case "garbage":
      return text('{"code": 4\u0000\ufffd[[[', "application/json", fault.status ?? 200);
    case "html":
      return text(page, "text/html; charset=utf-8", fault.status ?? 200);
    case "redirect":
      return new Response(null, { status: fault.status ?? 302, headers: { location: fault.location } });
    case "empty":
      return new Response(null, { status: fault.status ?? 200 });
    case "oversize":
      return text(JSON.stringify("x".repeat(Math.max(fault.bytes - 2, 0))), "application/json", 200);
    case "rate_limit":
      return refuse(rateLimited(fault.retry_after));
    case "reset":
      socketOf(bindings).resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "not_http":
      socketOf(bindings).end("220 ready\r\n\r\n\u0001\u0002 this is not HTTP\r\n");
      return RESPONSE_ALREADY_SENT;
    case "truncate":
      return truncate(outgoingOf(bindings), answer);
    case "hang":
      await closed(outgoingOf(bindings));
      return RESPONSE_ALREADY_SENT;
  }
}

function statusAnswer(fault: Extract<Fault, { kind: "status" }>): Response {
  // These statuses have no body (RFC 9110, section 6.4.1).
  if ([204, 205, 304].includes(fault.status)) {
    return new Response(null, { status: fault.status, headers: fault.headers ?? {} });
  }
  const body = fault.body ?? JSON.stringify({ message: `Fault: HTTP ${fault.status}` });
  return text(body, fault.content_type ?? "application/json", fault.status, fault.headers);
}

function text(body: string, type: string, status: number, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { "content-type": type, ...headers } });
}

/** Promises the whole body and sends half of it; of an empty body it promises more than there is. */
async function truncate(outgoing: ServerResponse, answer: Response | undefined): Promise<Response> {
  const body = Buffer.from((await answer?.text()) ?? "");
  const status = answer === undefined || answer.status === 204 ? 200 : answer.status;
  outgoing.writeHead(status, {
    "content-type": answer?.headers.get("content-type") ?? "application/json",
    "content-length": Math.max(body.length, 16),
  });
  outgoing.write(body.length > 0 ? body.subarray(0, Math.floor(body.length / 2)) : "{", () => {
    outgoing.socket?.destroy();
  });
  return RESPONSE_ALREADY_SENT;
}

function closed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.closed || outgoing.destroyed) resolve();
    else outgoing.once("close", resolve);
  });
}

function outgoingOf({ outgoing }: Bindings): ServerResponse {
  if (!outgoing) throw new Error("This fault acts on a connection, and the request came without one.");
  return outgoing;
}

function socketOf(bindings: Bindings) {
  const { socket } = outgoingOf(bindings);
  if (!socket) throw new Error("The connection is gone.");
  return socket;
}
