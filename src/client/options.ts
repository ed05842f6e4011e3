/** What a program gives its client: options, credentials, what is told of each call. */
import { isObject, unknownNames } from "../base/basics.js";
import type { AuthScheme } from "../api/operations.js";
import type { RateBucket } from "../api/values.js";
import type { Clock } from "../base/clock.js";
import { ComandaError, type Outcome } from "../base/errors.js";
import type { Fetch, HttpResponse, HttpRequest, Transport, TransportFailure } from "./transport.js";

export interface ClientOptions {
  /**
   * The API host of one environment, the `base_url` of the specification, for example `https://api.service.example`.
   * It may carry a path prefix. `http:` for this machine alone.
   */
  readonly baseUrl: string;
  /**
   * Allows `http:` to another machine, such as an emulator in a container of its own. Credentials and orders go out in the
   * clear, so it is for tests alone. Default false.
   */
  readonly allowInsecure?: boolean;
  /** One function for each credential that the store has (section 5.1); each call asks for the one that it takes. */
  readonly credentials: Credentials;
  /**
   * Requests go through this `fetch`: one with a proxy or tracing, a test's. It may have sent a request more than once, so every
   * failure counts as one after sending. Default: the platform's, also where that is replaced later.
   */
  readonly fetch?: Fetch;
  /** Requests go through this transport instead: one of `createTransport` of `comanda/node`. It is yours to close. */
  readonly transport?: Transport;
  /**
   * Holds requests back before the service's limits are reached (section 8). Share one between the clients of one
   * store. Default: one of this client's own, in memory. `false`: none; the service remains the authority.
   */
  readonly rateLimiter?: RateLimiter | false;
  /** The time, and what waits between attempts; for tests. Default: the system's. */
  readonly clock?: Clock;
  /** At least 0 and below 1; spreads the pauses between attempts. Default `Math.random`. */
  readonly random?: () => number;
  /**
   * Milliseconds that one call may spend waiting on rate limits, its own and the service's, and for a service that says
   * with a 5xx when it is back. At least 0; default 300,000. With 0 a call fails at once, as `rate_limited`; with
   * `Infinity` it waits as long as it takes.
   */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds for one exchange, connecting included; a call that is repeated has as many for each. Above 0;
   * default 30,000. `Infinity`, and whatever is above 24.8 days, comes to 24.8 days.
   */
  readonly timeoutMs?: number;
  /**
   * A call may be repeated this often after a failure, where that does no harm; a wait on a rate limit doesn't count.
   * A whole number of at least 0, or `Infinity`; default 3.
   */
  readonly maxRetries?: number;
  /** Called before each wait, with its length, and awaited. An error that it throws ends the call. */
  readonly onWait?: (notice: WaitNotice) => unknown;
  /** Told of each call, from the moment that its request is built: it may refuse it, or write it down. */
  readonly observer?: CallObserver;
  /** Stores each request that may change something before it is sent. Default: none. */
  readonly journal?: CallJournal;
  /**
   * Told once, when the access token works no more and calls that take the API key too are sent with that from then on. A promise
   * that it returns is awaited.
   */
  readonly onFallback?: () => unknown;
}

/** The options of `comanda`'s own interfaces: the library sets some of them, and the command line the others. */
export interface InternalOptions extends ClientOptions {
  /** Checks the options of each call, for programs without types. */
  readonly checkCall?: (options: CallOptions) => void;
  /** In place of {@link observer}. */
  readonly observers?: readonly CallObserver[];
  /** Completes an error that has {@link ComandaError.hintFacts}, and is awaited: a program has options, a command line has flags. */
  readonly completeHint?: (error: ComandaError) => unknown;
  /**
   * A program that is told to stop by `signal` learns what became of the writes that are sent with it: the answers to those that
   * are out are awaited, until `grace` comes.
   */
  readonly stopping?: { readonly signal: AbortSignal; readonly grace: AbortSignal };
}

export interface CallOptions {
  /**
   * Ends the call, whatever it is waiting for: a credential, a rate limit, a pause, the service. The error is
   * `outcome_unknown` for a write that was sent, `interrupted` for all else; its `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** In place of the client's. */
  readonly timeoutMs?: number;
  /** In place of the client's. */
  readonly maxRetries?: number;
  /**
   * Called before each request of this call is recorded and sent, and awaited. An error that it throws ends the call.
   *
   * @internal
   */
  readonly beforeSending?: (() => void | Promise<void>) | undefined;
}

const kinds = {
  "a boolean": (value: unknown) => typeof value === "boolean",
  "a function": (value: unknown) => typeof value === "function",
  "a number above 0": (value: unknown) => typeof value === "number" && value > 0,
  "a number of at least 0": (value: unknown) => typeof value === "number" && value >= 0,
  "a rate limiter or false": (value: unknown) => value === false || isObject(value),
  "a string": (value: unknown) => typeof value === "string",
  "an AbortSignal": (value: unknown) => isObject(value) && "throwIfAborted" in value,
  "an object": isObject,
};

/** What each option must be. */
type OptionKinds<Options> = Readonly<Record<keyof Options, keyof typeof kinds>>;

export const callOptionKinds: OptionKinds<CallOptions> = {
  signal: "an AbortSignal",
  // A timer of 0 would end at once, and leave a write's outcome unknown.
  timeoutMs: "a number above 0",
  maxRetries: "a number of at least 0",
  beforeSending: "a function",
};

export const clientOptionKinds: OptionKinds<ClientOptions> = {
  baseUrl: "a string",
  allowInsecure: "a boolean",
  credentials: "an object",
  fetch: "a function",
  transport: "an object",
  rateLimiter: "a rate limiter or false",
  clock: "an object",
  random: "a function",
  maxWaitMs: "a number of at least 0",
  timeoutMs: callOptionKinds.timeoutMs,
  maxRetries: callOptionKinds.maxRetries,
  onWait: "a function",
  observer: "an object",
  journal: "an object",
  onFallback: "a function",
};

/** @throws {ComandaError} `invalid_input` with the field */
export function checkCall(options: CallOptions): void {
  checkOptions(options, callOptionKinds);
}

/**
 * Checks the options of a program, which may have no types.
 *
 * @throws {ComandaError} `invalid_input` with the field
 */
export function checkOptions<Options extends object>(
  options: Options,
  allowed: OptionKinds<Options>,
  required: readonly (keyof Options)[] = [],
): void {
  const refusal = (field: string, message: string, hint?: string) =>
    new ComandaError("invalid_input", message, { field, hint });
  if (!isObject(options)) throw refusal("options", "The options must be an object.");
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(allowed, name));
  if (unknown !== undefined) {
    const [message = "", hint] = unknownNames([unknown], Object.keys(allowed)).split("\n");
    throw refusal(unknown, `The options object ${message}`, hint);
  }
  for (const [field, kind] of Object.entries<keyof typeof kinds>(allowed)) {
    const { [field]: value } = options;
    const isAbsent = value === undefined && !required.some((name) => name === field);
    if (!isAbsent && !kinds[kind](value)) throw refusal(field, `${field} must be ${kind}.`);
  }
}

/** A function of the program's has failed; `name` is its option. */
export class CallbackError extends Error {
  constructor(
    override readonly name: string,
    override readonly cause: unknown,
  ) {
    super();
  }
}

/**
 * The credentials of one store at one environment (section 5.1). A function that is absent, or that gives `undefined`,
 * is a credential that the store hasn't got. Each is asked once for a call that takes it: keep what is dear to get.
 *
 * An error that one throws ends the call: a `ComandaError` as it is, any other as `callback_failed` with the error as its
 * `cause`. A call that is aborted doesn't wait for one that is running.
 */
export interface Credentials {
  /** The OAuth access token, without `Bearer`; refreshed by then where it had to be. */
  bearer?(): Promise<string | undefined>;
  /**
   * Asked when the service has refused `refused` (HTTP 401, or code 4010): once for each token, however many calls of
   * the client it was refused to; where it fails, those that wait for it fail, and the next call asks again. Each call
   * is then repeated once with the new token, whatever its method: a refusal comes before anything was done. A call
   * that is aborted doesn't end a renewal, since others may wait for it.
   *
   * @returns another token; `undefined` where there is none to be had
   */
  renew?(refused: string): Promise<string | undefined>;
  /**
   * Was a token that `renew` gave not renewed for it, but by another process before? Where that is refused, too, it is renewed
   * in its turn.
   *
   * @internal
   */
  isAdopted?(token: string): boolean;
  /** The store's legacy key, `X-API-KEY`. */
  apiKey?(): Promise<string | undefined>;
  /** `X-PARTNER-KEY`; goes along with the API key where a call is signed as a partner. */
  partnerKey?(): Promise<string | undefined>;
}

/** The names of the functions in {@link Credentials} that a scheme needs. */
export const secretsOf: Readonly<Record<AuthScheme, readonly ("bearer" | "apiKey" | "partnerKey")[]>> = {
  bearer: ["bearer"],
  api_key: ["apiKey"],
  partner: ["apiKey", "partnerKey"],
};

/** A call whose request is built. It holds no header, and no secret. */
export interface ObservedCall extends Pick<HttpRequest, "method" | "url" | "body"> {
  /** Counts the calls of this client, from 1. */
  readonly number: number;
  /** The operation's id in the contract; `request` for a call that the contract doesn't know. */
  readonly operation: string;
  /** Below the base URL, without its query. */
  readonly path: string;
  /** The order that the path names; `null` where it names none. */
  readonly order: string | null;
}

/** One request of a call that is about to go out. */
export interface ObservedRequest {
  /** The place of this request among those of its call, from 1. */
  readonly attempt: number;
  /** The credential that signs it. */
  readonly credential: AuthScheme;
}

/** One request of a call that is over. */
export interface ObservedAttempt extends ObservedRequest {
  /** Milliseconds. */
  readonly ms: number;
  /** May a part of it have left this machine? */
  readonly sent: boolean;
  /** `undefined` if there was no complete response. Our own credentials are masked. */
  readonly answer?: HttpResponse | undefined;
  /** `undefined` if there was a response. */
  readonly failure?: TransportFailure | undefined;
  /** The verdict on the call if it ends here: on its requests so far, not on this one alone. */
  readonly verdict: Outcome;
}

/**
 * Each function is told of every call of the client. What one of them throws ends the call: a `ComandaError` as it is,
 * anything else as `callback_failed`.
 */
export interface CallObserver {
  /** Before anything is done for the call. It is waited for; where it throws, nothing goes out. */
  begins?(call: ObservedCall): void | Promise<void>;
  /** Before the first byte of each request. It is waited for; where it throws, the request doesn't go out. */
  sends?(call: ObservedCall, request: ObservedRequest): void | Promise<void>;
  /** Once for each `sends`. It is waited for. A failure here makes nothing undone: the call ends, though the service may have done it. */
  attempted?(call: ObservedCall, attempt: ObservedAttempt): void | Promise<void>;
  /** Called at the end of each call, whatever came of it, and waited for. */
  ended?(call: ObservedCall, outcome: Outcome["outcome"]): void | Promise<void>;
}

/**
 * A durable record of the changes that a client sends, so of no GET or HEAD. It isn't a {@link CallObserver}: a request is sent only
 * once its row is stored.
 *
 * What a function throws ends the call, as an observer's error does.
 */
export interface CallJournal {
  /**
   * Stores that this request is about to be sent. The request is sent after this has resolved, and never if it rejects. Nothing may
   * refuse the request after that.
   */
  willSend(call: ObservedCall, request: ObservedRequest): Promise<void>;
  /** Records what the call has come to so far; the row may be written later. */
  attempted(call: ObservedCall, attempt: ObservedAttempt): void | Promise<void>;
  /** Resolves once all rows of the call are written. */
  ended(call: ObservedCall): Promise<void>;
}

/** Said before the client waits, so that a person knows why nothing happens. */
export interface WaitNotice {
  /**
   * `rate_limited`: the service said so. `rate_limit`: our own count of the window says so, before the service
   * has to. `no_answer`: the service was not reached or failed, and the call is repeated.
   */
  readonly reason: "rate_limited" | "rate_limit" | "no_answer";
  /** Milliseconds. */
  readonly ms: number;
  /** The id of the operation in the contract. */
  readonly operation: string;
  /** Requests of this call so far. */
  readonly attempts: number;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; where no place becomes free within them, it fails at once rather than after them. */
  readonly maxWaitMs: number;
  /** Called before each wait, with its length in milliseconds. Await it: an error that it throws ends the wait. */
  readonly onWait?: (ms: number) => unknown;
}

/** A place in a window. Must be settled once. */
export interface Permit {
  /** @param sent false gives the place back: the service can't have counted the request */
  settle(sent: boolean): void | Promise<void>;
}

/** Counts the requests of one store at one environment. */
export interface RateLimiter {
  /**
   * Resolves when the request may go out.
   *
   * @throws {ComandaError} `rate_limited` where that would take longer than `maxWaitMs`
   * @throws the signal's reason
   */
  acquire(bucket: RateBucket, options: AcquireOptions): Promise<Permit>;
  /** The service answered 429: nothing of this bucket goes out for `ms` milliseconds. */
  blocked(bucket: RateBucket, ms: number): void | Promise<void>;
}
