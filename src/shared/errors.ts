/** What can go wrong: comanda's one error class, its stable codes, and the exit code that each ends the program with. */

/** The exit codes that scripts rely on. */
export const exitCodes = {
  done: 0,
  internal: 1,
  usage: 2,
  notSignedIn: 3,
  notAllowed: 4,
  notFound: 5,
  statusConflict: 6,
  rateLimited: 7,
  unreachable: 8,
  outcomeUnknown: 9,
  someFailed: 10,
  alert: 11,
  interrupted: 130,
  /** The code that a shell gives a program that SIGPIPE ended. */
  outputClosed: 141,
  terminated: 143,
} as const;

/** Every code a `ComandaError` can carry, to switch on. Names are stable: scripts and tests rely on them. */
export const exitCodeOf = {
  /** A fault of comanda's own. */
  internal: 1,
  /** Another process held a lock for longer than the wait. */
  lock_timeout: 8,
  /** A function that the program gave (a credential, `onWait`, a transport …) failed; the error's `cause` says how. */
  callback_failed: 1,
  /** `doctor` found something that has to be mended. */
  check_failed: 1,
  /** A command line that can't be understood. */
  usage: 2,
  /** An argument, a file or a line on stdin that isn't what it should be. */
  invalid_input: 2,
  /** The service refused the request's body or query: API code 4000, or an HTTP 400 that says no more. */
  invalid_request: 2,
  /** A setting that is missing or can't be used. */
  configuration: 2,
  /** A file of comanda's own that is corrupt, of a newer version, unreadable, or open to others. */
  state_unusable: 2,
  /** There is no credential for this call. */
  not_signed_in: 3,
  /** The service refused the credential: HTTP 401, API code 4010, or a refused renewal. */
  token_refused: 3,
  /** HTTP 403: a scope is missing. */
  forbidden: 4,
  /** The person who signed in refused, or isn't the store's owner. */
  access_denied: 4,
  /** HTTP 404, API code 4041. */
  not_found: 5,
  /** API code 4002: the order's status can't be changed. */
  status_conflict: 6,
  /** HTTP 429, or the wait for a free place would be longer than allowed. */
  rate_limited: 7,
  /** No complete answer came, to a question or to a write that never went out. */
  unreachable: 8,
  /** HTTP 5xx, to a question: of a write it is `outcome_unknown`. */
  server_error: 8,
  /** An answer that isn't the API's: HTML, truncated JSON, a redirect, an HTTP 408 or 418, a body over the limit. */
  unexpected_answer: 8,
  /** The request went out and no answer of the API came back: it may have been processed. */
  outcome_unknown: 9,
  /** Several orders: some did not succeed. */
  some_failed: 10,
  /** What `--alert` asked for has come true; the figures are there. */
  alert_holds: 11,
  /** `tie` found figures that don't agree. */
  figures_differ: 11,
  /** The caller's signal ended the call: a question, or a write that had not gone out. */
  interrupted: 130,
  /** Whoever read the output has gone, as in `| head`, and there was more to be done. */
  output_closed: 141,
  /** stdout can't be written to, as on a full disk; the command line alone. */
  output_failed: 2,
  /** Like `interrupted`, but by SIGTERM. Only the command line has it. */
  terminated: 143,
} as const;

export type ErrorCode = keyof typeof exitCodeOf;

/** What the service itself said, where it said anything (specification, section 7). */
export interface ServiceAnswer {
  readonly httpStatus: number;
  /** The API's integer code, for example 4002. */
  readonly code?: number;
  readonly message?: string;
  readonly details?: string;
}

/**
 * Whose word an outcome rests on. `api`: the service's own, in a body of section 7 or a success of section 4; `gateway`: an
 * answer came, and nothing in it shows that it is the service's; `nobody`: a request went out, and no whole answer came.
 */
export type Evidence = "api" | "gateway" | "nobody";

/** Which call an error is of. */
export interface FailedCall {
  /** The method of the client, for example `dispatchOrder`; `request` for a path that the contract doesn't know. */
  readonly operation: string;
  readonly method: string;
  /** Below the base URL, without its query. */
  readonly path: string;
  /** The order that the path names; `null` where it names none. */
  readonly order: string | null;
}

export interface ErrorOptions {
  /** The next step, in words: the command to type, the setting to check. */
  readonly hint?: string;
  readonly answer?: ServiceAnswer;
  readonly evidence?: Evidence | null;
  /** Requests of this call that were begun. */
  readonly attempts?: number;
  readonly call?: FailedCall | undefined;
  /** The answer's headers, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The field of an input that is wrong, for example `cart.0.item_id`. */
  readonly field?: string | undefined;
  /** For the program that called; never printed here. Never pass an OAuth error: it may carry a code or a token. */
  readonly cause?: unknown;
}

/**
 * Thrown for everything that can go wrong in a way a person or script can act upon.
 *
 * Tell errors apart by `code`, which is stable: `if (error instanceof ComandaError && error.code === "not_found")`.
 * `message` and `hint` are for people and may change. None of the three ever holds a secret; `cause` is what the
 * program's own function or signal gave, and whatever that holds.
 *
 * `instanceof` holds for errors of every copy of this package in the program, ES module or CommonJS.
 */
export class ComandaError extends Error {
  override readonly name = "ComandaError";
  /** What to switch on. */
  readonly code: ErrorCode;
  /** The next step, in one or more lines. */
  readonly hint: string | undefined;
  /** What the service said; `undefined` where no answer came or none was asked for. */
  readonly answer: ServiceAnswer | undefined;
  /** Who said so; null where nothing was sent. */
  readonly evidence: Evidence | null;
  /** Requests of this call that were begun, those that never got out included; 0 where none was. */
  readonly attempts: number | undefined;
  /** The field of an input that is wrong, for example `cart.0.item_id`. */
  readonly field: string | undefined;
  /** The client's method that failed, for example `dispatchOrder`. */
  readonly operation: string | undefined;
  readonly method: string | undefined;
  /** Below the base URL, without its query. */
  readonly path: string | undefined;
  /** The order that the call was about; null where it was about none. */
  readonly order_id: string | null | undefined;
  readonly http_status: number | undefined;
  /** The API's number, for example 4002 (section 7). */
  readonly service_code: number | undefined;
  readonly service_message: string | undefined;
  readonly details: string | undefined;
  /** The headers of the last answer, by lower-case names. Our own credentials are masked. */
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.answer = options.answer;
    this.evidence = options.evidence ?? null;
    this.attempts = options.attempts;
    this.field = options.field;
    this.headers = options.headers;
    const { call, answer } = options;
    this.operation = call?.operation;
    this.method = call?.method;
    this.path = call?.path;
    this.order_id = call?.order;
    this.http_status = answer?.httpStatus;
    this.service_code = answer?.code;
    this.service_message = answer?.message;
    this.details = answer?.details;
  }

  /** All of it but `cause` and the stack, for logs. */
  toJSON(): Readonly<Record<string, unknown>> {
    return { ...Object.fromEntries(Object.entries(this)), message: this.message };
  }

  /** The code that the program ends with (README, "Exit codes"). */
  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

shareInstances(ComandaError, "comanda.ComandaError");

/**
 * Lets `instanceof` hold between copies of a class: one program may load this package twice, as an ES module and
 * through `require`, and an error of the one must be known to the other.
 *
 * @param name the same in every copy
 */
export function shareInstances(shared: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(name);
  Object.defineProperty(shared.prototype, mark, { value: true });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: object, value: unknown): boolean {
      // A subclass of somebody's inherits this, and is asked for its own instances alone.
      if (this === shared) return typeof value === "object" && value !== null && mark in value;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}

/** The `code` of a system error, for example `ENOENT`; `undefined` for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
