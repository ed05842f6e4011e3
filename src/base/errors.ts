/** comanda has one error class. Its codes are stable, and each ends the program with an exit code. */
import type { HintFacts } from "./hint-facts.js";

/** A `ComandaError` carries one of these codes. Names and exit codes are stable: scripts and tests rely on them. */
const exitCodes = {
  /** Another process held a lock for longer than the wait. */
  lock_timeout: 8,
  /** A function that the program gave (a credential, `onWait`, a transport …) failed; the error's `cause` says how. */
  callback_failed: 1,
  /** The command line can't be understood. */
  usage: 2,
  /** An argument, a file or a line on stdin isn't what it should be. */
  invalid_input: 2,
  /** The service refused the request's body or query: API code 4000, or an HTTP 400 that says no more. */
  invalid_request: 2,
  /** A setting is missing or can't be used. */
  configuration: 2,
  /** A file of comanda's own is corrupt, of a newer version, unreadable, or open to others. */
  state_unusable: 2,
  /** There is no credential for this call. */
  not_signed_in: 3,
  /** The service refused the credential: HTTP 401, API code 4010, or a refused renewal. */
  token_refused: 3,
  /** A scope is missing: HTTP 403. */
  forbidden: 4,
  /** The person who signed in refused, or isn't the store's owner. */
  access_denied: 4,
  /** The order or the path doesn't exist: HTTP 404, API code 4041. */
  not_found: 5,
  /** The order's status can't be changed: API code 4002. */
  status_conflict: 6,
  /** The rate limit is exceeded (HTTP 429), or the wait for a free place would be longer than allowed. */
  rate_limited: 7,
  /** No complete answer came, to a question or to a write that never went out. */
  unreachable: 8,
  /** The service failed to answer a question: HTTP 5xx. After a write, the code is `outcome_unknown`. */
  server_error: 8,
  /** The answer isn't the API's: HTML, truncated JSON, a redirect, an HTTP 408 or 418, a body over the limit. */
  unexpected_answer: 8,
  /** The request went out and no answer of the API came back: it may have been processed. */
  outcome_unknown: 9,
  /** The caller's signal ended the call, which was a question or a write that had not gone out. */
  interrupted: 130,
} as const;

/** The command line also exits with these codes. They are internal, so the package's types leave them out. */
export interface CommandCodes {
  /** @internal */ readonly internal: number;
  /** @internal */ readonly check_failed: number;
  /** @internal */ readonly some_failed: number;
  /** @internal */ readonly alert_holds: number;
  /** @internal */ readonly output_closed: number;
  /** @internal */ readonly output_failed: number;
  /** @internal */ readonly terminated: number;
}

export type ErrorCode = keyof typeof exitCodes | keyof CommandCodes;

export const exitCodeOf: Readonly<Record<ErrorCode, number>> = {
  ...exitCodes,
  internal: 1,
  check_failed: 1,
  some_failed: 10,
  alert_holds: 11,
  output_closed: 141,
  output_failed: 2,
  terminated: 143,
};

/**
 * On whose word an outcome rests. `api`: the service's own (sections 4 and 7). `gateway`: nothing in the answer shows that it is
 * the service's. `nobody`: a request went out, and no whole answer came.
 */
export const evidences = ["api", "gateway", "nobody"] as const;
export type Evidence = (typeof evidences)[number];

/**
 * `refused`: the service said no; `failed`: it certainly did not happen; `unknown`: it may have happened. What only asks
 * is never unknown.
 */
export const outcomes = ["done", "refused", "failed", "unknown"] as const;

/** What a call came to, all its requests together. It is this one form from the wire to the journal, the screen and the program. */
export interface Outcome<Value = unknown> {
  readonly outcome: (typeof outcomes)[number];
  /** `null` where no answer came. */
  readonly httpStatus: number | null;
  /** comanda's own name; `null` where all went well. */
  readonly code: ErrorCode | null;
  /** The API's number, for example 4002 (section 7); `null` where it gave none. */
  readonly serviceCode: number | null;
  /** Who said it. `null` where nothing was sent. */
  readonly evidence: Evidence | null;
  /** Requests that were begun, those that never got out included. */
  readonly attempts: number;
  /** What the service answered, where it is done. */
  readonly value: Value | null;
}

/**
 * Thrown for everything that can go wrong in a way a person or script can act upon. It is the {@link Outcome} of a call that
 * wasn't done, too.
 *
 * Tell errors apart by `code`, which is stable: `if (isComandaError(error, "not_found"))`. `message` and `hint` are for people
 * and may change. None of the three ever holds a secret; `cause` is what the program's own function or signal gave, and
 * whatever that holds.
 *
 * `instanceof` holds for errors of every copy of this package in the program, ES module or CommonJS.
 */
export class ComandaError extends Error implements Outcome<null> {
  override readonly name = "ComandaError";
  readonly value = null;
  /** Programs switch on this code. */
  readonly code: ErrorCode;
  /** The next step, in words and in one or more lines: the command to type, the setting to check. */
  readonly hint: string | undefined = undefined;
  /**
   * The facts of the hint's last lines, until {@link completeHint} puts them into words.
   *
   * @internal
   */
  declare readonly hintFacts: HintFacts | undefined;
  /** This field of an input is wrong, for example `cart.0.item_id`. */
  readonly field: string | undefined = undefined;
  readonly outcome: Exclude<Outcome["outcome"], "done"> = "failed";
  readonly httpStatus: number | null = null;
  readonly serviceCode: number | null = null;
  /** The service's own words: `message` and `details` of section 7. */
  readonly serviceMessage: string | null = null;
  readonly details: string | null = null;
  readonly evidence: Evidence | null = null;
  readonly attempts: number = 0;
  /** This method of the client failed, for example `dispatchOrder`; `request` for a path that the contract doesn't know. */
  readonly operation: string | null = null;
  readonly method: string | null = null;
  /** The path is below the base URL and has no query. */
  readonly path: string | null = null;
  /** The path names this order; null where it names none. */
  readonly orderId: string | null = null;
  /** The answer had these headers, by lower-case names. Our own credentials are masked. */
  readonly headers: Readonly<Record<string, string>> | undefined = undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    const { cause, hintFacts, ...facts } = options;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    Object.assign(this, facts);
    // Not enumerable, so that no log contains it.
    Object.defineProperty(this, "hintFacts", { value: hintFacts, writable: true });
  }

  /**
   * Gives the same error in other words. A new hint replaces all of the former one.
   *
   * @internal
   */
  reworded(message: string, options: ErrorOptions = {}): ComandaError {
    const { code, cause } = this;
    const hintFacts = "hint" in options ? undefined : this.hintFacts;
    return new ComandaError(code, message, Object.assign({ cause, hintFacts }, this, options));
  }

  /** Gives everything but `cause` and the stack, for logs. */
  toJSON(): Readonly<Record<string, unknown>> {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }

  /** The program ends with this code (README, "Exit codes"). */
  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

/**
 * What else is known of an error. The `cause` is for the program that called, and is never printed here. Never pass an OAuth
 * error: it may carry a code or a token.
 */
export type ErrorOptions = Partial<
  Omit<ComandaError, "name" | "message" | "stack" | "code" | "value" | "reworded" | "toJSON" | "exitCode">
>;

/** Is it one of comanda's errors, of this code where one is given? */
export function isComandaError(error: unknown, code?: ErrorCode): error is ComandaError {
  return error instanceof ComandaError && (code === undefined || error.code === code);
}

/** Completes the hint of an error in the words of an interface. Everything else is returned as it is. */
export function completeHint<Thrown>(thrown: Thrown, hintOf: (facts: HintFacts) => string): Thrown {
  if (thrown instanceof ComandaError && thrown.hintFacts) {
    const hint = [thrown.hint, hintOf(thrown.hintFacts)].filter(Boolean).join("\n");
    Object.assign(thrown, { hint: hint || undefined, hintFacts: undefined });
  }
  return thrown;
}

shareInstances(ComandaError, "comanda.ComandaError");

/**
 * Lets `instanceof` hold between copies of a class: one program may load this package twice, as an ES module and
 * through `require`, and each copy must recognize the errors of the other.
 *
 * @param name is the same in every copy
 */
export function shareInstances(shared: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(name);
  Object.defineProperty(shared.prototype, mark, { value: true });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: object, value: unknown): boolean {
      // A program's subclass inherits this, and must only recognize its own instances.
      if (this === shared) return typeof value === "object" && value !== null && mark in value;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}

/** Gives the `code` of a system error, for example `ENOENT`; `undefined` for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
