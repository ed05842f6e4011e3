/** Keeps the last requests that came, and tells of them in full, but for the secrets in them. */
import { createHash } from "node:crypto";

import { isObject, parseJson } from "../../api/json.js";

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

/** Every named condition must hold. */
export interface ReceivedMatch {
  readonly method?: string;
  /** The path contains this. */
  readonly path?: string;
  readonly operation?: string;
}

/** A request is being answered. Texts are made only when somebody asks for them. */
export class LoggedCall {
  status: number | null = null;
  storeId: number | null = null;
  operation: string | null = null;
  fault: string | null = null;
  cause: string | null = null;
  /** The body is there as far as it was looked at. */
  body: string | null = null;
  credential: ReceivedRequest["credential"] = null;
  refusedBy: string | null = null;

  /** @param url has the query */
  constructor(
    readonly number: number,
    readonly method: string,
    readonly path: string,
    readonly url: string,
    readonly time: number,
  ) {}

  told(): ReceivedRequest {
    const query = new URLSearchParams(/\?([^#]*)/.exec(this.url)?.[1]);
    const names = [...new Set(query.keys())];
    return {
      request_id: `req-${this.number}`,
      method: this.method,
      path: this.path,
      query: Object.fromEntries(
        names.map((name) => [name, query.getAll(name).map((value) => told(name, value))]),
      ),
      body: this.#toldBody(),
      credential: this.credential,
      store_id: this.storeId,
      operation: this.operation,
      refused_by: this.refusedBy,
      status: this.status,
      fault: this.fault,
      cause: this.cause,
      at: new Date(this.time).toISOString(),
    };
  }

  #toldBody(): unknown {
    const { body, operation } = this;
    if (body === null || body === "") return null;
    if (operation === "token" || operation === "revoke")
      return withoutSecrets(Object.fromEntries(new URLSearchParams(body)));
    const json = parseJson(body);
    return json === undefined ? body : withoutSecrets(json);
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    typeof member === "string" ? told(name, member) : withoutSecrets(member),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Section 5.3, rule 5, forbids secrets in logs. Two requests with the same secret can still be told from two with
 * others.
 */
function told(name: string, value: string): string {
  if (!/^(?:code|code_verifier)$|token|secret|(?:api|partner)[_-]?key|password/i.test(name)) return value;
  return `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 16)}`;
}

const capacity = 1_000;

export class RequestLog {
  /** The log is a ring: where it is full, the next call takes the oldest one's place. */
  #calls: LoggedCall[] = [];
  #kept = 0;
  #count = 0;
  readonly #listeners = new Set<() => void>();

  begin(method: string, path: string, url: string, time: number): LoggedCall {
    this.#count += 1;
    const call = new LoggedCall(this.#count, method, path, url, time);
    this.#calls[this.#kept % capacity] = call;
    this.#kept += 1;
    return call;
  }

  /** Tells those who wait. */
  answered(): void {
    for (const listener of this.#listeners) listener();
  }

  clear(): void {
    this.#calls = [];
    this.#kept = 0;
  }

  #all(): readonly LoggedCall[] {
    const oldest = this.#kept > capacity ? this.#kept % capacity : 0;
    return [...this.#calls.slice(oldest), ...this.#calls.slice(0, oldest)];
  }

  /** Lists the oldest first, those for pages and the control surface too. */
  entries(): ReceivedRequest[] {
    return this.#all().map((call) => call.told());
  }

  /** Lists the requests to the API, the oldest first. */
  received({ method, path = "", operation }: ReceivedMatch = {}): ReceivedRequest[] {
    const matching = this.#all().filter(
      (call) =>
        call.path.startsWith("/api/") &&
        (method === undefined || call.method === method.toUpperCase()) &&
        call.path.includes(path) &&
        (operation === undefined || call.operation === operation),
    );
    return matching.map((call) => call.told());
  }

  /** @throws {Error} where none came within the time; it names those that did */
  waitFor(match: ReceivedMatch, timeoutMs: number): Promise<ReceivedRequest> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#listeners.delete(look);
      };
      const look = () => {
        const found = this.received(match).find(({ status, fault }) => status !== null || fault !== null);
        if (!found) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        const came = this.received().map(({ method, path }) => `${method} ${path}`);
        const others = came.length === 0 ? "None came at all." : `There came ${came.join(", ")}.`;
        reject(new Error(`No request ${JSON.stringify(match)} came within ${timeoutMs} ms. ${others}`));
      }, timeoutMs);
      this.#listeners.add(look);
      look();
    });
  }

  /** @throws {Error} that names each request that no call of the API, and no answer of a test's own, is for */
  assertNoUnexpected(): void {
    const unexpected = this.received().filter(({ operation }) => operation === null);
    if (unexpected.length === 0) return;
    const lines = unexpected.map(({ method, path, status }) => `${method} ${path}: ${status ?? "no answer"}`);
    throw new Error(`Requests came that the API doesn't have:\n${lines.join("\n")}`);
  }
}
