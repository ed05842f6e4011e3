/** Keeps the last requests that came, and tells of them in full, but for the secrets in them. */
import { createHash } from "node:crypto";

import { isObject, parseJson } from "../../base/basics.js";

export interface ReceivedRequest {
  readonly request_id: string;
  readonly method: string;
  /** The path has no query. */
  readonly path: string;
  /** Each name has its values. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The body is JSON, a form's fields, or a text; null without one, and where nothing looked at it. */
  readonly body: unknown;
  /** A credential of this kind came along. */
  readonly credential: "bearer" | "api_key" | "partner_key" | null;
  /** The credential stands for this store. */
  readonly store_id: number | null;
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
  /** A 500 of the emulator's own, or of a test's own answer, came from this; null for every other answer. */
  readonly cause: string | null;
  /** The emulator's time is in ISO 8601. */
  readonly at: string;
}

export interface ReceivedMatch {
  readonly method?: string;
  /** The path contains this. */
  readonly path?: string;
  readonly operation?: string;
}

export interface LoggedCall extends Writable<Omit<ReceivedRequest, "request_id" | "query" | "body" | "at">> {
  readonly number: number;
  /** It has the query. */
  readonly url: string;
  readonly time: number;
  /** The body is there as far as it was looked at. */
  body: string | null;
}

type Writable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

/** Texts are made only when somebody asks for them. */
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

/**
 * Section 5.3, rule 5, forbids secrets in logs. Two requests with the same secret can still be asReceived from two with
 * others.
 */
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

export class RequestLog {
  readonly #calls: LoggedCall[] = [];
  #count = 0;

  begin(method: string, path: string, url: string, time: number): LoggedCall {
    this.#count += 1;
    const unknown = { credential: null, store_id: null, operation: null, refused_by: null };
    const unanswered = { body: null, status: null, fault: null, cause: null };
    const call: LoggedCall = { number: this.#count, method, path, url, time, ...unknown, ...unanswered };
    this.#calls.push(call);
    if (this.#calls.length > capacity) this.#calls.shift();
    return call;
  }

  clear(): void {
    this.#calls.length = 0;
  }

  /** Lists the oldest first, those for pages and the control surface too. */
  entries(): ReceivedRequest[] {
    return this.#calls.map(asReceived);
  }

  /** Lists the requests to the API, the oldest first. */
  received({ method, path = "", operation }: ReceivedMatch = {}): ReceivedRequest[] {
    return this.entries().filter(
      (call) =>
        call.path.startsWith("/api/") &&
        call.method === (method?.toUpperCase() ?? call.method) &&
        call.path.includes(path) &&
        call.operation === (operation ?? call.operation),
    );
  }

  /** @throws {Error} that names each request that no call of the API, and no answer of a test's own, is for */
  assertNoUnexpected(): void {
    const unexpected = this.received().filter(({ operation }) => operation === null);
    if (unexpected.length === 0) return;
    const lines = unexpected.map(({ method, path, status }) => `${method} ${path}: ${status ?? "no answer"}`);
    throw new Error(`Requests came that the API doesn't have:\n${lines.join("\n")}`);
  }
}
