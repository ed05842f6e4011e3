/** comanda's one error class. Its codes are stable, and each has an exit code. */
import type { HintFacts } from "./hint-facts.js";

/** The exit code of each code. Both are stable: scripts and tests depend on them. */
const exitCodes = {
  lock_timeout: 8,
  callback_failed: 1,
  usage: 2,
  invalid_input: 2,
  invalid_request: 2,
  configuration: 2,
  state_unusable: 2,
  not_signed_in: 3,
  token_refused: 3,
  forbidden: 4,
  access_denied: 4,
  not_found: 5,
  status_conflict: 6,
  rate_limited: 7,
  unreachable: 8,
  server_error: 8,
  unexpected_answer: 8,
  outcome_unknown: 9,
  interrupted: 130,
} as const;

/** The command line also exits with these codes. They are internal, so the package's types leave them out. */
export interface CommandCodes {
  /** @internal */
  readonly codes:
    | ("internal" | "check_failed" | "some_failed" | "alert_holds")
    | ("output_closed" | "output_failed" | "terminated");
}

/**
 * The stable code of a {@link ComandaError}. A `switch` over all of them is exhaustive; a later version may add codes.
 *
 * - `lock_timeout`: another process held a lock for longer than the wait.
 * - `callback_failed`: a function of the program (a credential, `onWait`, a transport …) failed; see the error's `cause`.
 * - `usage`: the command line isn't valid, or one of several stores has to be chosen.
 * - `invalid_input`: an argument, a file or a line on stdin isn't valid.
 * - `invalid_request`: the service refused the request's body or query: API code 4000, or an HTTP 400 without a known code.
 * - `configuration`: a setting is missing or isn't valid.
 * - `state_unusable`: one of comanda's files is damaged, newer, unreadable, or accessible to other users.
 * - `not_signed_in`: the store has no credential that the call accepts.
 * - `token_refused`: the service refused the credential: HTTP 401, API code 4010, or a refused renewal.
 * - `forbidden`: a scope is missing: HTTP 403.
 * - `access_denied`: the user refused the sign-in, or isn't the store's owner.
 * - `not_found`: the order or the path doesn't exist: HTTP 404, API code 4041.
 * - `status_conflict`: the order's status can't be changed: API code 4002.
 * - `rate_limited`: the rate limit is reached (HTTP 429), or waiting for a free slot would take longer than allowed.
 * - `unreachable`: a read had no complete response, or a write could not be sent. Also: PostgreSQL (COMANDA_STATE) accepts no connection.
 * - `server_error`: the service failed to respond to a read: HTTP 5xx. After a write, the code is `outcome_unknown`.
 * - `unexpected_answer`: the response isn't from the API: HTML, truncated JSON, a redirect, an HTTP 408 or 418, a body over the limit.
 * - `outcome_unknown`: the request was sent, but no response of the API says whether it was processed.
 * - `interrupted`: the caller's signal ended a read, or a write that hadn't been sent.
 */
export type ErrorCode = keyof typeof exitCodes | CommandCodes[keyof CommandCodes];

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

/** The source of an outcome. `api`: the API (sections 4 and 7). `gateway`: a response that may not be the API's. `nobody`: no response. */
export const evidences = ["api", "gateway", "nobody"] as const;
export type Evidence = (typeof evidences)[number];

/** `refused`: by the service. `failed`: certainly not done. `unknown`: may have been done; a read is never unknown. */
export const outcomes = ["done", "refused", "failed", "unknown"] as const;

/** The outcome of a call with all its requests, in the same form in the client, the journal, the output and the program. */
export interface Outcome<Value = unknown> {
  readonly outcome: (typeof outcomes)[number];
  /** `null` without a response. */
  readonly httpStatus: number | null;
  /** comanda's code; `null` for a success. */
  readonly code: ErrorCode | null;
  /** The API's code, for example 4002 (section 7); `null` without one. */
  readonly serviceCode: number | null;
  /** `null` if nothing was sent. */
  readonly evidence: Evidence | null;
  /** Requests, including those that could not be sent. */
  readonly attempts: number;
  /** The response's data, if the outcome is `done`. */
  readonly value: Value | null;
}

/**
 * Thrown for everything that a person or script can act on. It is also the {@link Outcome} of a call that isn't done.
 *
 * Use `code` to distinguish errors, because it is stable: `if (isComandaError(error, "not_found"))`. `message` and `hint` may
 * change. None of the three contains a secret; `cause` is what a function or signal of the program has thrown.
 *
 * `instanceof` works for errors of every copy of this package in the program, ES module or CommonJS.
 */
export class ComandaError extends Error implements Outcome<null> {
  override readonly name = "ComandaError";
  readonly value = null;
  readonly code: ErrorCode;
  /** What to do next, in one or more lines. */
  readonly hint: string | undefined = undefined;
  /**
   * Facts for the hint's last lines, until {@link completeHint} adds their words.
   *
   * @internal
   */
  declare readonly hintFacts: HintFacts | undefined;
  /** Field of an input that isn't valid, for example `cart.0.item_id`. */
  readonly field: string | undefined = undefined;
  /** `done` if a function of the program failed after the response that confirms it. */
  readonly outcome: Outcome["outcome"] = "failed";
  readonly httpStatus: number | null = null;
  readonly serviceCode: number | null = null;
  /** The service's `message` and `details` (section 7). */
  readonly serviceMessage: string | null = null;
  readonly details: string | null = null;
  readonly evidence: Evidence | null = null;
  readonly attempts: number = 0;
  /** Method of the client, for example `dispatchOrder`; `request` for a path that the contract doesn't describe. */
  readonly operation: string | null = null;
  readonly method: string | null = null;
  /** Below the base URL, without the query. */
  readonly path: string | null = null;
  /** Order in the path. */
  readonly orderId: string | null = null;
  /** Headers of the response, with names in lower case. Our own credentials are masked. */
  readonly headers: Readonly<Record<string, string>> | undefined = undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    const { cause, hintFacts, ...facts } = options;
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, definedIn(facts));
    this.code = code;
    // Not enumerable, so that no log contains it.
    Object.defineProperty(this, "hintFacts", { value: hintFacts, writable: true });
  }

  /**
   * Returns the same error with another message. A new hint replaces the whole hint.
   *
   * @internal
   */
  reworded(message: string, options: ErrorOptions = {}): ComandaError {
    const { code, cause } = this;
    const hintFacts = "hint" in options ? undefined : this.hintFacts;
    return new ComandaError(code, message, Object.assign({ cause, hintFacts }, this, options));
  }

  /** Returns everything except `cause` and the stack, for logs. */
  toJSON(): Readonly<Record<string, unknown>> {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }

  /** Exit code of the program (`comanda help exit-codes`). */
  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

type Facts = Omit<
  ComandaError,
  "name" | "message" | "stack" | "code" | "value" | "reworded" | "toJSON" | "exitCode"
>;

/** Further facts of an error. Never pass an OAuth error as `cause`, because it may contain a code or a token. */
export type ErrorOptions = { readonly [Name in keyof Facts]?: Facts[Name] | undefined };

/** Returns the fields that aren't undefined, which counts as absent. */
export function definedIn(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns whether it is one of comanda's errors, with this code if one is passed. */
export function isComandaError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is ComandaError & { readonly code: Code } {
  return error instanceof ComandaError && (code === undefined || error.code === code);
}

/** Adds an interface's words to the hint of an error, and returns it. */
export function completeHint<Thrown>(thrown: Thrown, hintOf: (facts: HintFacts) => string): Thrown {
  if (thrown instanceof ComandaError && thrown.hintFacts) {
    const hint = [thrown.hint, hintOf(thrown.hintFacts)].filter(Boolean).join("\n");
    Object.assign(thrown, { hint: hint || undefined, hintFacts: undefined });
  }
  return thrown;
}

shareInstances(ComandaError, "comanda.ComandaError");

/**
 * Lets `instanceof` recognize instances of other copies of a class: a program may load this package twice, as an ES module and through
 * `require`.
 *
 * @param name the same in every copy
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

/** Returns the `code` of a system error, for example `ENOENT`; `undefined` for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
