/**
 * The last requests that the emulator answered. Only what an entry names is ever kept: no header, no query,
 * no body, so that no token, key, code or verifier can be in it (section 5.3, rule 5).
 */
export interface LogEntry {
  readonly request_id: string;
  /** The emulator's time, ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** `null` while it is not answered, and where no answer was given on purpose. */
  readonly status: number | null;
  /** The store that the credential stands for. */
  readonly store_id: number | null;
  /** The kind of the fault that was acted out on it. */
  readonly fault: string | null;
  /** What a 500 of the emulator's own came from; `null` for every other answer. */
  readonly cause: string | null;
}

/** One request as it is being answered. Texts are made only when they are asked for. */
export interface LoggedCall {
  number: number;
  time: number;
  method: string;
  path: string;
  status: number | null;
  storeId: number | null;
  operation: string | null;
  fault: string | null;
  cause: string | null;
}

const capacity = 1_000;

export class RequestLog {
  /** A ring: where it is full, the next call takes the oldest one's place. */
  #calls: LoggedCall[] = [];
  #kept = 0;
  #count = 0;

  begin(method: string, path: string, time: number): LoggedCall {
    this.#count += 1;
    return {
      number: this.#count,
      time,
      method,
      path,
      status: null,
      storeId: null,
      operation: null,
      fault: null,
      cause: null,
    };
  }

  /** Keeps a call; the oldest give way. */
  keep(call: LoggedCall): void {
    this.#calls[this.#kept % capacity] = call;
    this.#kept += 1;
  }

  /** Oldest first. */
  entries(): LogEntry[] {
    const oldest = this.#kept > capacity ? this.#kept % capacity : 0;
    const inOrder = [...this.#calls.slice(oldest), ...this.#calls.slice(0, oldest)];
    return inOrder.map(entryOf);
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
