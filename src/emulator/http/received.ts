/** Logs the last requests and lists them without secrets. */
import { createHash } from "node:crypto";

import { isObject, parseJson } from "../../base/basics.js";

export interface ReceivedRequest {
  readonly request_id: string;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Values of each query parameter. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** JSON value, form fields or text; `null` if the body is empty or wasn't read. */
  readonly body: unknown;
  /** Kind of the credential; `null` if the request has none. */
  readonly credential: "bearer" | "api_key" | "partner_key" | null;
  /** Store of the credential; `null` if the credential wasn't accepted. */
  readonly store_id: number | null;
  /** Operation id, or the path of a test's route; `null` if neither matches. */
  readonly operation: string | null;
  /** Message of the refusal; `null` if the request wasn't refused. */
  readonly refused_by: string | null;
  /** HTTP status; `null` before the answer, and if a fault prevents one. */
  readonly status: number | null;
  /** Kind of the fault that applied; `null` if none did. */
  readonly fault: string | null;
  /** Cause of an internal error of the emulator or of a test's handler; `null` if there was none. */
  readonly cause: string | null;
  /** Time by the emulator's clock, in ISO 8601. */
  readonly at: string;
}

export interface ReceivedMatch {
  readonly method?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
  readonly operation?: string | undefined;
}

export interface LoggedCall extends Writable<Omit<ReceivedRequest, "request_id" | "query" | "body" | "at">> {
  readonly number: number;
  /** Address with the query. */
  readonly url: string;
  readonly time: number;
  /** Body; `null` if it wasn't read. */
  body: string | null;
}

type Writable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

/** Returns the public form of a logged call, computed only when it is listed. */
function asReceived({ number, url, time, body, ...call }: LoggedCall): ReceivedRequest {
  const search = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  const query = [...search.keys()].map((name): [string, string[]] => [
    name,
    search.getAll(name).map((value) => withoutSecret(value, name)),
  ]);
  const isForm = call.operation === "token" || call.operation === "revoke";
  const text = body ?? "";
  const sent = isForm ? Object.fromEntries(new URLSearchParams(text)) : (parseJson(text) ?? text);
  return {
    ...call,
    request_id: `req-${number}`,
    query: Object.fromEntries(query),
    body: text === "" ? null : withoutSecrets(sent),
    at: new Date(time).toISOString(),
  };
}

/** Replaces secrets, which section 5.3, rule 5, forbids in logs, with hashes, so that equal secrets are recognizable. */
function withoutSecrets(value: unknown, name = ""): unknown {
  if (typeof value === "string") return withoutSecret(value, name);
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(member));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]));
}

function withoutSecret(text: string, name: string): string {
  const isSecret = /^(?:code|code_verifier)$|token|secret|(?:api|partner)[_-]?key|password/i.test(name);
  return isSecret ? `sha256:${createHash("sha256").update(text).digest("hex").slice(0, 16)}` : text;
}

const capacity = 1_000;
/** The unexpected requests that an error lists. */
const listed = 20;

const isOfApi = ({ path }: LoggedCall) => path.startsWith("/api/");
const isUnexpected = (call: LoggedCall) => isOfApi(call) && call.operation === null;

export class RequestLog {
  readonly #calls: LoggedCall[] = [];
  /** The first unexpected requests that are older than {@link capacity}, and their number. */
  readonly #olderUnexpected: LoggedCall[] = [];
  #olderUnexpectedCount = 0;
  #count = 0;

  begin(method: string, path: string, url: string, time: number): LoggedCall {
    this.#count += 1;
    const unknown = { credential: null, store_id: null, operation: null, refused_by: null };
    const unanswered = { body: null, status: null, fault: null, cause: null };
    const call: LoggedCall = { number: this.#count, method, path, url, time, ...unknown, ...unanswered };
    this.#calls.push(call);
    const oldest = this.#calls.length > capacity ? this.#calls.shift() : undefined;
    if (oldest && isUnexpected(oldest)) {
      this.#olderUnexpectedCount += 1;
      if (this.#olderUnexpected.length < listed) this.#olderUnexpected.push(oldest);
    }
    return call;
  }

  clear(): void {
    this.#calls.length = 0;
    this.#olderUnexpected.length = 0;
    this.#olderUnexpectedCount = 0;
  }

  /** Lists all requests, oldest first, including those to pages and the control API. */
  entries(): ReceivedRequest[] {
    return this.#calls.map(asReceived);
  }

  /** Lists matching requests to the API, oldest first. */
  received({ method, path = "", operation }: ReceivedMatch = {}): ReceivedRequest[] {
    const calls = this.#calls.filter(
      (call) =>
        isOfApi(call) &&
        call.method === (method?.toUpperCase() ?? call.method) &&
        call.path.includes(path) &&
        call.operation === (operation ?? call.operation),
    );
    return calls.map(asReceived);
  }

  /**
   * @throws {Error} if the API has received requests since the start or {@link clear} that match no operation and no test's route; the
   *   message lists the first ones
   */
  assertNoUnexpected(): void {
    const recent = this.#calls.filter(isUnexpected);
    const count = this.#olderUnexpectedCount + recent.length;
    if (count === 0) return;
    const first = [...this.#olderUnexpected, ...recent].slice(0, listed);
    const lines = first.map(({ method, path, status }) => `${method} ${path}: ${status ?? "no answer"}`);
    if (count > first.length) lines.push(`and ${count - first.length} more`);
    throw new Error(`Requests matched no operation of the API:\n${lines.join("\n")}`);
  }
}
