/** What a program passes to its client: options, credentials, and functions that observe its calls. */
import { isObject, unknownNames } from "../base/basics.js";
import type { AuthScheme } from "../api/operations.js";
import type { RateBucket } from "../api/values.js";
import type { Clock } from "../base/clock.js";
import { ComandaError, type Outcome } from "../base/errors.js";
import type { SignedStore } from "../base/hint-facts.js";
import { isSendable } from "./transport.js";
import type { Fetch, HttpResponse, HttpRequest, Limits, Transport, TransportFailure } from "./transport.js";

/**
 * Each function is awaited until the call's `signal` or `timeoutMs` at most (`acquire`: plus `maxWaitMs`). Before a request, one that
 * fails or takes too long ends the call, and nothing is sent. After a response, one that fails ends the call with the outcome of the
 * response, and the call goes on without one that takes too long, but isn't retried. A `ComandaError` that a function throws keeps its
 * code, and anything else becomes the `cause` of `callback_failed`. `comanda help library` lists all functions in their order.
 */
export interface ClientOptions {
  /** API host of one environment, for example `https://api.service.example`, with an optional path. `http:` only on this machine. */
  readonly baseUrl: string;
  /** Allows `http:` to another machine. Credentials and orders are sent unencrypted, so use it only in tests. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** The credentials that the store has (section 5.1), as strings or functions. Each call uses the one that it accepts. */
  readonly credentials: Credentials;
  /**
   * `fetch` for the requests, such as one with a proxy or tracing. It may send a request more than once, so every failure counts as one
   * after sending. Default: the platform's, even if it is replaced later.
   */
  readonly fetch?: Fetch | undefined;
  /** Transport for the requests instead of `fetch`, such as `createTransport` of `comanda/node`. You close it. */
  readonly transport?: Transport | undefined;
  /**
   * Delays requests so that the service's limits aren't reached (section 8). Share one between the clients of a store. Default: this
   * client's own, in memory. `false`: none.
   */
  readonly rateLimiter?: RateLimiter | false | undefined;
  /** Clock for times and waits, for tests. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Returns at least 0 and below 1, and varies the pauses between attempts. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * Milliseconds that one call may wait for rate limits, its own and the service's, and for a 5xx with `Retry-After`. At least 0;
   * default 300,000. With 0, a call fails at once as `rate_limited`. `Infinity` sets no limit.
   */
  readonly maxWaitMs?: number | undefined;
  /** Milliseconds for each request, connecting included. Above 0; `Infinity` means 24.8 days. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Name and version of the program, such as `shop/2.1`, for the header `User-Agent`, before `comanda/<version>`. */
  readonly userAgent?: string | undefined;
  /** Retries of a call after a failure, if a retry is safe. Waits for rate limits don't count. Integer or `Infinity`; default 3. */
  readonly maxRetries?: number | undefined;
  /** Called before each wait. An error that it throws ends the call. */
  readonly onWait?: ((notice: WaitNotice) => unknown) | undefined;
  /** Observes each call, and may refuse it. */
  readonly observer?: CallObserver | undefined;
  /** Stores each request that may change something before it is sent. Default: none. */
  readonly journal?: CallJournal | undefined;
  /**
   * Called once, when the access token no longer works and calls are signed with the API key instead if they accept it. A promise is
   * awaited.
   */
  readonly onFallback?: (() => unknown) | undefined;
}

/** The options of comanda's own interfaces: the library sets some of them, and the command line sets others. */
export interface InternalOptions extends ClientOptions {
  /** Checks the options of each call, for programs without types. */
  readonly checkCall?: ((options: CallOptions) => void) | undefined;
  /** Calls each function in these options. Default: without limits, because comanda's own functions have theirs. */
  readonly guard?: Guard | undefined;
  /** Adds the program's words to the hint of an error. Default: none, because the command line adds its own later. */
  readonly completeHint?: ((error: ComandaError) => unknown) | undefined;
  /** If `signal` ends the program, it still awaits the responses to writes that were sent with that signal, until `grace` ends. */
  readonly stopping?: { readonly signal: AbortSignal; readonly grace: AbortSignal };
}

/** `timeoutMs`, `maxRetries` and `maxWaitMs` replace the client's. */
export interface CallOptions extends Pick<ClientOptions, "timeoutMs" | "maxRetries"> {
  /**
   * Ends the call, also while it waits for something. The error is `outcome_unknown` for a write that was sent, otherwise `interrupted`; its
   * `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
  /** For a web handler, use 0: it gets `rate_limited` at once instead of a wait. */
  readonly maxWaitMs?: number | undefined;
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
  "a number above 0 and at most 300,000": (value: unknown) =>
    typeof value === "number" && value > 0 && value <= 300_000,
  "a number of at least 0": (value: unknown) => typeof value === "number" && value >= 0,
  "a string": (value: unknown) => typeof value === "string",
  "a string that isn't empty": (value: unknown) => typeof value === "string" && value !== "",
  "an integer of at least 1": (value: unknown) => Number.isInteger(value) && Number(value) >= 1,
  "an integer of at least 0, or Infinity": (value: unknown) =>
    value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 0),
  "a CallJournal": isObject,
  "a Clock": isObject,
  "a RateLimiter or false": (value: unknown) => value === false || isObject(value),
  "a SalesClient": isObject,
  "a TokenStore": isObject,
  "a Transport": isObject,
  "visible ASCII": (value: unknown) => typeof value === "string" && /^[\x20-\x7e]*$/.test(value),
  'at most 4,096 visible ASCII characters without spaces, and without "Bearer", or a function': (
    value: unknown,
  ) => typeof value === "function" || value === "" || isSendable(value),
  "an AbortSignal": (value: unknown) => isObject(value) && "throwIfAborted" in value,
  "a client of createClient": (value: unknown) => isObject(value) && typeof value["call"] === "function",
  "an object": isObject,
};

/** Returns whether it isn't an object of a class, which may have further fields. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return !isObject(prototype) || Object.getPrototypeOf(prototype) === null;
}

type Kind = keyof typeof kinds;
export type OptionKinds<Options> = Readonly<Record<keyof Options, Kind>>;

/** The functions of each kind of object. An object of a program may have others, too. */
const functionsOf: Readonly<Partial<Record<Kind, Readonly<Record<string, "required" | "optional">>>>> = {
  "a CallJournal": { willSend: "required", attempted: "required", ended: "required" },
  "a Clock": { now: "required", sleep: "required", monotonic: "optional" },
  "a RateLimiter or false": { acquire: "required", blocked: "required" },
  "a SalesClient": { summary: "required", groupedSummary: "required" },
  "a TokenStore": { load: "required", save: "required", lock: "required" },
  "a Transport": { send: "required", close: "required" },
};

export const callOptionKinds: OptionKinds<CallOptions> = {
  signal: "an AbortSignal",
  // A timer of 0 would end at once, and make a write's outcome unknown.
  timeoutMs: "a number above 0",
  maxRetries: "an integer of at least 0, or Infinity",
  maxWaitMs: "a number of at least 0",
  beforeSending: "a function",
};

export const clientOptionKinds: OptionKinds<ClientOptions> = {
  baseUrl: "a string",
  allowInsecure: "a boolean",
  credentials: "an object",
  fetch: "a function",
  transport: "a Transport",
  rateLimiter: "a RateLimiter or false",
  clock: "a Clock",
  random: "a function",
  maxWaitMs: callOptionKinds.maxWaitMs,
  timeoutMs: callOptionKinds.timeoutMs,
  userAgent: "visible ASCII",
  maxRetries: callOptionKinds.maxRetries,
  onWait: "a function",
  observer: "an object",
  journal: "a CallJournal",
  onFallback: "a function",
};

export const observerKinds: OptionKinds<CallObserver> = { sends: "a function", attempted: "a function" };

const credential: Kind =
  'at most 4,096 visible ASCII characters without spaces, and without "Bearer", or a function';
export const credentialOptionKinds: OptionKinds<Credentials> = {
  bearer: credential,
  renew: "a function",
  isAdopted: "a function",
  signedStore: "an object",
  apiKey: credential,
  partnerKey: credential,
};

/**
 * Checks the options of a program without types.
 *
 * @param name of the options, for errors
 * @param prefix of their names: empty, or the option that contains them with a dot
 * @throws {ComandaError} `invalid_input` with the field
 */
export function checkOptions<Options extends object>(
  options: Options,
  allowed: OptionKinds<Options>,
  required: readonly (keyof Options)[] = [],
  name = "options",
  prefix = "",
): void {
  const refusal = (field: string, message: string, hint?: string) =>
    new ComandaError("invalid_input", message, { field, hint });
  if (!isObject(options)) throw refusal(name, `${name} must be an object.`);
  const unknown = isPlain(options) && Object.keys(options).find((field) => !Object.hasOwn(allowed, field));
  if (typeof unknown === "string") {
    const [message = "", hint] = unknownNames([unknown], Object.keys(allowed)).split("\n");
    throw refusal(prefix + unknown, `${name} ${message}`, hint);
  }
  for (const [field, kind] of Object.entries<Kind>(allowed)) {
    const { [field]: value } = options;
    if (value === undefined && !required.some((each) => each === field)) continue;
    const whole = prefix + field;
    if (!kinds[kind](value)) throw refusal(whole, `${whole} must be ${kind}.`);
    if (!isObject(value)) continue;
    for (const [member, need] of Object.entries(functionsOf[kind] ?? {})) {
      const { [member]: given } = value;
      const isAbsent = given === undefined && need === "optional";
      if (!isAbsent && typeof given !== "function")
        throw refusal(`${whole}.${member}`, `${whole}.${member} must be a function.`);
    }
  }
}

/** A function of the program has thrown `cause`, or took too long. `name` is its option. */
export class CallbackError extends Error {
  constructor(
    override readonly name: string,
    override readonly cause: unknown,
    readonly isLate = false,
  ) {
    super();
  }
}

/**
 * Calls a function of the program within the limits of a call.
 *
 * @throws {CallbackError} if it fails or takes too long; a `ComandaError` stays as it is
 */
export type Guard = <Value>(
  name: string,
  limits: Limits,
  run: () => Value | Promise<Value>,
) => Value | Promise<Value>;

/** A credential, or a function that returns it. `undefined` or an empty text means that the store has no such credential. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

/**
 * The credentials of one store at one environment (section 5.1). Each function is called once for every call that accepts it, so cache
 * what is expensive.
 *
 * An error that one throws ends the call. A call that is aborted doesn't wait for a running function.
 */
export interface Credentials {
  /** The OAuth access token, without `Bearer`. A function refreshes it if necessary. */
  readonly bearer?: Credential | undefined;
  /**
   * Renews a token that the service has refused (HTTP 401, code 4010). Called once for each token, however many calls it was refused
   * to. If it fails, the calls that wait for it fail, and the next call tries again. Each call is then sent once more with the new
   * token, whatever its method, because a refusal precedes any change. Aborting a call doesn't end a renewal.
   *
   * @returns another token, or `undefined`
   */
  readonly renew?: ((refused: string) => Promise<string | undefined>) | undefined;
  /**
   * Returns whether another process had already renewed the token that `renew` returned. If it is refused, too, it is renewed itself.
   *
   * @internal
   */
  readonly isAdopted?: ((token: string) => boolean) | undefined;
  /**
   * The store of this machine to which these belong, for hints.
   *
   * @internal
   */
  readonly signedStore?: SignedStore | undefined;
  /** The store's legacy key, `X-API-KEY`. */
  readonly apiKey?: Credential | undefined;
  /** `X-PARTNER-KEY`, which is sent with the API key if a call is signed as a partner. */
  readonly partnerKey?: Credential | undefined;
}

/** A call whose request is built, without headers and secrets. */
export interface ObservedCall extends Pick<HttpRequest, "method" | "url" | "body"> {
  /** Counts the calls of this client, from 1. */
  readonly number: number;
  /** Id of the operation; `request` for a call that the contract doesn't describe. */
  readonly operation: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  /** Order in the path; `null` if there is none. */
  readonly order: string | null;
}

/** One request of a call before it is sent. */
export interface ObservedRequest {
  /** Counts the requests of the call, from 1. */
  readonly attempt: number;
  readonly credential: AuthScheme;
}

/** One request of a call with its result. */
export interface ObservedAttempt extends ObservedRequest {
  /** Milliseconds until the response or the failure. */
  readonly ms: number;
  /** Whether a part of it may have left this machine. */
  readonly sent: boolean;
  /** `undefined` without a complete response. Our own credentials are masked. */
  readonly answer?: HttpResponse | undefined;
  /** `undefined` if there was a response. */
  readonly failure?: TransportFailure | undefined;
  /** The outcome of the call if it ended here, which depends on all of its requests until then. */
  readonly verdict: Outcome;
}

/** Observes every call of the client. What a function throws ends the call. */
export interface CallObserver {
  /** Called before the first byte of each request. If it throws, the request isn't sent. */
  readonly sends?: ((call: ObservedCall, request: ObservedRequest) => unknown) | undefined;
  /** Called after each request, and after the journal. If it throws, the call ends with the outcome of the response. */
  readonly attempted?: ((call: ObservedCall, attempt: ObservedAttempt) => unknown) | undefined;
}

/**
 * A durable record of the changes that a client sends, so not of a GET or HEAD. It isn't a {@link CallObserver}: a request is sent only
 * once its row is stored. What a function throws ends the call; after a response, with the outcome of the response.
 */
export interface CallJournal {
  /** Stores that this request is about to be sent. It is sent after this resolves, and never if it rejects. */
  willSend(call: ObservedCall, request: ObservedRequest): Promise<void>;
  /** Records the outcome until now; the row may be written later. */
  attempted(call: ObservedCall, attempt: ObservedAttempt): void | Promise<void>;
  /** Resolves once all rows of the call are written. */
  ended(call: ObservedCall): Promise<void>;
}

/** Announces a wait. */
export interface WaitNotice {
  /**
   * `rate_limited`: the service's limit. `rate_limit`: our own count, before that is reached. `slowed_down`: requests are a second apart,
   * because the service has returned two HTTP 429 within the limit's window. `no_answer`: a retry after a failure.
   */
  readonly reason: "rate_limited" | "rate_limit" | "slowed_down" | "no_answer";
  /** Milliseconds. */
  readonly ms: number;
  /** Id of the operation. */
  readonly operation: string;
  /** Requests of this call until now. */
  readonly attempts: number;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. If no slot is free within them, the limiter fails at once. */
  readonly maxWaitMs: number;
  /** Called before each wait, with its milliseconds and reason (default: `rate_limit`). Await it: an error that it throws ends the wait. */
  readonly onWait?: ((ms: number, reason?: "rate_limit" | "slowed_down") => unknown) | undefined;
}

/** A slot within a limit. Must be settled once. */
export interface Permit {
  /** @param sent `false` frees the slot, because the service can't have counted the request */
  settle(sent: boolean): void | Promise<void>;
}

/** Limits the requests of one store at one environment. */
export interface RateLimiter {
  /**
   * Resolves when the request may be sent.
   *
   * @throws {ComandaError} `rate_limited` if that would take longer than `maxWaitMs`
   * @throws the signal's reason
   */
  acquire(bucket: RateBucket, options: AcquireOptions): Promise<Permit>;
  /** Sends nothing of this bucket for `ms` milliseconds, after an HTTP 429. */
  blocked(bucket: RateBucket, ms: number): void | Promise<void>;
}
