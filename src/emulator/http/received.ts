/** Tells in full what programs sent to the API, but for the secrets in it. */
import { createHash } from "node:crypto";

import { isObject, parseJson } from "../../api/json.js";
import type { LoggedCall, RequestLog } from "./log.js";

export interface ReceivedRequest {
  readonly method: string;
  /** The path has no query. */
  readonly path: string;
  /** Each name has its values. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The body is JSON, a form's fields, or a text; null without one, and where nothing looked at it. */
  readonly body: unknown;
  /** A credential of this kind came along. */
  readonly credential: "bearer" | "api_key" | "partner_key" | null;
  /**
   * The operation has its name in the OpenAPI document, or is the path that a test has put an answer to; null for no
   * call of the API's.
   */
  readonly operation: string | null;
  /** The request was refused for this reason, in words; null where it wasn't. */
  readonly refused_by: string | null;
  /** It is null while the request is not answered, and where no answer was sent on purpose. */
  readonly status: number | null;
  /** A fault of this kind was acted out on it. */
  readonly fault: string | null;
  /** The emulator's time is in ISO 8601. */
  readonly at: string;
}

/** Every named condition must hold. */
export interface ReceivedMatch {
  readonly method?: string;
  /** The path contains this. */
  readonly path?: string;
  readonly operation?: string;
}

/** Lists the oldest first; requests for pages and the control surface don't count. */
export function receivedRequests(log: RequestLog, match: ReceivedMatch = {}): ReceivedRequest[] {
  return log
    .calls()
    .filter(
      (call) =>
        call.path.startsWith("/api/") &&
        (match.method === undefined || call.method === match.method.toUpperCase()) &&
        (match.path === undefined || call.path.includes(match.path)) &&
        (match.operation === undefined || call.operation === match.operation),
    )
    .map(receivedOf);
}

function receivedOf(call: LoggedCall): ReceivedRequest {
  const { operation } = call;
  const query = new URL(call.url).searchParams;
  return {
    method: call.method,
    path: call.path,
    query: Object.fromEntries(
      [...new Set(query.keys())].map((name) => [name, query.getAll(name).map((value) => told(name, value))]),
    ),
    body: bodyOf(call),
    credential: call.credential,
    operation,
    refused_by: call.refusedBy,
    status: call.status,
    fault: call.fault,
    at: new Date(call.time).toISOString(),
  };
}

function bodyOf({ body, operation }: LoggedCall): unknown {
  if (body === null || body === "") return null;
  if (operation === "token" || operation === "revoke")
    return Object.fromEntries(
      [...new URLSearchParams(body)].map(([name, value]) => [name, told(name, value)]),
    );
  const json = parseJson(body);
  return json === undefined ? body : withoutSecrets(json);
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "string" ? told(name, member) : withoutSecrets(member),
    ]),
  );
}

/**
 * Section 5.3, rule 5, forbids secrets in logs. Two requests with the same secret can still be told from two with
 * others.
 */
function told(name: string, value: string): string {
  if (!/^(?:code|code_verifier)$|token|secret|(?:api|partner)[_-]?key|password/i.test(name)) return value;
  return `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 16)}`;
}

/** @throws {Error} where none came within the time; it names those that did */
export function waitForReceived(
  log: RequestLog,
  match: ReceivedMatch,
  timeoutMs: number,
): Promise<ReceivedRequest> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [found] = receivedRequests(log, match).filter(
        ({ status, fault }) => status !== null || fault !== null,
      );
      if (!found) return;
      stop();
      resolve(found);
    };
    const timer = setTimeout(() => {
      stop();
      const came = receivedRequests(log).map(({ method, path }) => `${method} ${path}`);
      const others = came.length === 0 ? "None came at all." : `There came ${came.join(", ")}.`;
      reject(new Error(`No request ${JSON.stringify(match)} came within ${timeoutMs} ms. ${others}`));
    }, timeoutMs);
    const stopListening = log.onAnswer(look);
    const stop = () => {
      clearTimeout(timer);
      stopListening();
    };
    look();
  });
}

/** @throws {Error} that names each request that no call of the API, and no answer of a test's own, is for */
export function assertNoUnexpected(log: RequestLog): void {
  const unexpected = receivedRequests(log).filter(({ operation }) => operation === null);
  if (unexpected.length === 0) return;
  const lines = unexpected.map(({ method, path, status }) => `${method} ${path}: ${status ?? "no answer"}`);
  throw new Error(`Requests came that the API doesn't have:\n${lines.join("\n")}`);
}
