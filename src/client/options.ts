/** What a program passes to its client: options, credentials, and functions that observe its calls. */
import * as z from "zod/mini";

import { isObject, once } from "../base/basics.js";
import { check } from "../api/input.js";
import type { AuthScheme } from "../api/operations.js";
import { anyText } from "../api/responses.js";
import { custom } from "../api/schema.js";
import type { RateBucket } from "../api/values.js";
import type { Clock } from "../base/clock.js";
import { ComandaError, definedIn, type Outcome } from "../base/errors.js";
import type { HintFacts, SignedStore } from "../base/hint-facts.js";
import { inTime, isSendable, patienceMs } from "./transport.js";
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
  /**
   * The words of a program for the hint of an error; the command line adds its own later. A program may have no types, so the options of
   * its calls are checked, too, and its functions have limits. Those of the command line have their own.
   */
  readonly hintOf?: ((facts: HintFacts) => string) | undefined;
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

export const aFunction = () => custom((value) => typeof value === "function", "must be a function");
const optional = (fits: (value: unknown) => boolean, rule: string) => z.optional(custom(fits, rule));
export const aNumber = (fits: (value: number) => boolean, rule: string) =>
  custom<number>((value) => typeof value === "number" && fits(value), rule);
export const optionalNumber = (fits: (value: number) => boolean, rule: string) =>
  z.optional(aNumber(fits, rule));

/** An object of a program with these functions. It may have others, too. */
export const objectWith = (...names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, aFunction()])));

/** The kinds of options that several functions have. Each may be absent. */
export const optionKinds = once(() => {
  const callback = z.optional(aFunction());
  return {
    text: z.optional(anyText()),
    callback,
    object: optional(isObject, "must be an object"),
    boolean: optional((value) => typeof value === "boolean", "must be a boolean"),
    count: optionalNumber(
      (count) => count >= 1 && Number.isInteger(count),
      "must be an integer of at least 1",
    ),
    clock: z.optional(z.object({ now: aFunction(), sleep: aFunction(), monotonic: callback })),
    transport: z.optional(objectWith("send", "close")),
  };
});

/** The schema of each field, so that none of the options is forgotten. */
type Fields<Options = Record<string, unknown>> = Readonly<Record<keyof Options, z.ZodMiniType>>;

export const callFields = once(
  () =>
    ({
      signal: optional((value) => isObject(value) && "throwIfAborted" in value, "must be an AbortSignal"),
      // A timer of 0 would end at once, and make a write's outcome unknown.
      timeoutMs: optionalNumber((ms) => ms > 0, "must be a number above 0"),
      maxRetries: optionalNumber(
        (count) => count >= 0 && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY),
        "must be an integer of at least 0, or Infinity",
      ),
      maxWaitMs: optionalNumber((ms) => ms >= 0, "must be a number of at least 0"),
    }) satisfies Fields<Omit<CallOptions, "beforeSending">>,
);

export function clientFields(options: ClientOptions | undefined) {
  const { timeoutMs, maxRetries, maxWaitMs } = callFields();
  const { text, callback, object, boolean, clock, transport } = optionKinds();
  const credential = optional(
    (value) => typeof value === "function" || value === "" || isSendable(value),
    'must be at most 4,096 visible ASCII characters without spaces, and without "Bearer", or a function',
  );
  const credentials = {
    bearer: credential,
    renew: callback,
    isAdopted: callback,
    signedStore: object,
    apiKey: credential,
    partnerKey: credential,
  } satisfies Fields<Credentials>;
  const observer = { sends: callback, attempted: callback } satisfies Fields<CallObserver>;
  const limiter = objectWith("acquire", "blocked");
  return {
    timeoutMs,
    maxRetries,
    maxWaitMs,
    baseUrl: text,
    allowInsecure: boolean,
    credentials: objectOf(credentials, options?.credentials),
    fetch: callback,
    transport,
    rateLimiter: optional(
      (value) => value === false || z.safeParse(limiter, value).success,
      "must be false, or have the functions acquire and blocked",
    ),
    clock,
    random: callback,
    userAgent: optional(
      (value) => typeof value === "string" && /^[\x20-\x7e]*$/.test(value),
      "must be visible ASCII",
    ),
    onWait: callback,
    observer: z.optional(objectOf(observer, options?.observer)),
    journal: z.optional(objectWith("willSend", "attempted", "ended")),
    onFallback: callback,
  } satisfies Fields<ClientOptions>;
}

/** Returns the schema of an object with these fields. One of a class may have others, too. */
function objectOf(fields: Fields, value: unknown): z.ZodMiniType {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : null;
  const isPlain = !isObject(prototype) || Object.getPrototypeOf(prototype) === null;
  return isPlain ? z.strictObject(fields) : z.object(fields);
}

/**
 * Checks the options of a program without types.
 *
 * @returns a copy for spreads, which would omit what an object inherits, such as the getters of its class
 * @throws {ComandaError} like {@link checkInput}
 */
export function checkOptions<Options extends object>(options: Options, fields: Fields): Options {
  checkInput(objectOf(fields, options), options, "options");
  const read = (name: string) => [name, options[name as keyof Options]];
  return Object.fromEntries(Object.keys(fields).map(read)) as Options;
}

/**
 * @param owner the name of the input in messages
 * @returns the checked value, because a getter may return another one the second time
 * @throws {ComandaError} `invalid_input` with the field, what it must be, and the nearest name for an unknown one
 */
export function checkInput<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  owner?: string,
): z.output<Schema> {
  const checked = check(schema, value, owner);
  if (checked.ok) return checked.value;
  // A field that is undefined counts as absent, whatever its name is.
  const defined = isObject(value) ? check(schema, definedIn(value)) : checked;
  if (defined.ok) return defined.value;
  const [problem] = checked.problems;
  throw new ComandaError("invalid_input", problem.message, { field: owner, ...problem });
}

/**
 * Returns the error of a call without a request. An error while an input is read is the input's fault: a cycle, a BigInt, a getter that
 * throws, or a shape that the types forbid.
 */
export function inputError(
  thrown: unknown,
  about: { readonly id: string; readonly method?: unknown; readonly path?: unknown },
): ComandaError {
  const { id: operation, method, path } = about;
  const facts = {
    operation,
    method: typeof method === "string" ? method : null,
    path: typeof path === "string" ? path.replace(/\?.*/s, "") : null,
  };
  if (thrown instanceof ComandaError) return thrown.reworded(thrown.message, facts);
  // Only a program can pass such an input.
  return new ComandaError("invalid_input", "The input is not valid.", { ...facts, cause: thrown });
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
 * Calls a function of the program at most until the signal or timeout of its call.
 *
 * @throws {CallbackError} if it fails or takes too long; a `ComandaError` stays as it is
 */
export async function callLimited<Value>(
  name: string,
  limits: Limits,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    const late = () => new CallbackError(name, undefined, true);
    const called = async () => run();
    return await inTime(limits, called(), late, limits.signal && patienceMs);
  } catch (error) {
    if (error instanceof ComandaError || error instanceof CallbackError) throw error;
    throw new CallbackError(name, error);
  }
}

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
 * A durable record of the changes that clients send: a GET or HEAD has no row, so only `ended` is called for it. It isn't a
 * {@link CallObserver}: a request is sent only once its row is stored. What a function throws ends the call; after a response, with the
 * outcome of the response. All functions receive the same object for one call.
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
