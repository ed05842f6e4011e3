/**
 * Keeps the last requests that the emulator answered. An entry has no header, no query and no body, so that no token, key, code
 * or verifier can be in it (section 5.3, rule 5); `received.ts` tells of those without their secrets.
 */
export interface LogEntry {
  readonly request_id: string;
  /** The emulator's time is in ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** The path has no query. */
  readonly path: string;
  /** It is `null` while the request is not answered, and where no answer was sent on purpose. */
  readonly status: number | null;
  /** The credential stands for this store. */
  readonly store_id: number | null;
  /** A fault of this kind was acted out on it. */
  readonly fault: string | null;
  /** A 500 of the emulator's own came from this; `null` for every other answer. */
  readonly cause: string | null;
}

/** A request is being answered. Texts are made only when they are needed. */
export interface LoggedCall {
  readonly number: number;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** The address has its query. */
  readonly url: string;
  status: number | null;
  storeId: number | null;
  operation: string | null;
  fault: string | null;
  cause: string | null;
  /** The body is there as far as it was looked at. */
  body: string | null;
  /** The credential of this kind decides. */
  credential: "bearer" | "api_key" | "partner_key" | null;
  refusedBy: string | null;
}

const capacity = 1_000;

export class RequestLog {
  /** The log is a ring: where it is full, the next call takes the oldest one's place. */
  #calls: LoggedCall[] = [];
  #kept = 0;
  #count = 0;
  readonly #listeners = new Set<() => void>();

  /** Keeps a call; the oldest give way. Each field is listed: spreading an object here took a tenth of a status change. */
  begin({ method, path, time, url }: Pick<LoggedCall, "method" | "path" | "time" | "url">): LoggedCall {
    this.#count += 1;
    const call: LoggedCall = {
      number: this.#count,
      time,
      method,
      path,
      url,
      status: null,
      storeId: null,
      operation: null,
      fault: null,
      cause: null,
      body: null,
      credential: null,
      refusedBy: null,
    };
    this.#calls[this.#kept % capacity] = call;
    this.#kept += 1;
    return call;
  }

  /** Lists the oldest first. */
  calls(): readonly LoggedCall[] {
    const oldest = this.#kept > capacity ? this.#kept % capacity : 0;
    return [...this.#calls.slice(oldest), ...this.#calls.slice(0, oldest)];
  }

  entries(): LogEntry[] {
    return this.calls().map(entryOf);
  }

  /** @returns a function that ends it */
  onAnswer(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells those who listen. */
  answered(): void {
    for (const listener of this.#listeners) listener();
  }

  clear(): void {
    this.#calls = [];
    this.#kept = 0;
  }
}

export function entryOf(call: LoggedCall): LogEntry {
  return {
    request_id: `req-${call.number}`,
    time: new Date(call.time).toISOString(),
    method: call.method,
    path: call.path,
    status: call.status,
    store_id: call.storeId,
    fault: call.fault,
    cause: call.cause,
  };
}
