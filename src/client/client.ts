/** The shared API module: one method an operation, and everything between it and the network. */
import type {
  CallableOperation,
  CancelInput,
  DriverInput,
  GroupedSummary,
  GroupedSummaryQuery,
  OperationInputs,
  OperationOutputs,
  PrefilledOrder,
  PrefilledOrderBody,
  ReadOrder,
  Summary,
  SummaryQuery,
} from "../api/models.js";
import { isObject } from "../api/json.js";
import { operations } from "../api/operations.js";
import { callSchemas } from "../api/schemas.js";
import { buildAnyRequest, type AnyRequest } from "./any-call.js";
import { normalizeBaseUrl } from "./base-url.js";
import { createCaller, type CallOptions, type Result, type Stopping } from "./call.js";
import {
  aCount,
  aSignal,
  aTimeout,
  checkInput,
  checkOptions,
  fromInput,
  optional,
  type Rules,
} from "./checks.js";
import { systemClock, type Clock } from "./clock.js";
import { neededFor, signedHeaders, type CredentialKind, type Credentials } from "./credentials.js";
import { notSignedIn, type OptionNames } from "./explain.js";
import { fetchTransport, type Fetch } from "./fetch.js";
import { anyCallId } from "./judge.js";
import type { CallObserver, WaitNotice } from "./observer.js";
import { createMemoryRateLimiter, type RateLimiter } from "./rate-limit.js";
import { buildRequest, type BuiltCall } from "./request.js";
import type { Transport } from "./transport.js";

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
   * failure counts as one after sending. Default: the platform's, also where that is replaced later. Node's own tells why no
   * connection came about: then the request certainly never left, and is repeated whatever its method.
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
  /** Told before each wait, with its length. What it throws ends the call, as `callback_failed`. */
  readonly onWait?: (notice: WaitNotice) => void;
  /**
   * Told of each call, from the moment that its request is built: it may refuse it, or write it down. `fileSession` brings
   * one, by which what the command line promises of a store holds for a program too.
   */
  readonly observer?: CallObserver;
  /**
   * Told once, when the access token works no more and calls that take the API key too are sent with that from then on.
   * An error that it throws ends the call, as `callback_failed`.
   */
  readonly onFallback?: () => void;
}

/** The command line's own client speaks of flags, and ends as a person stops it. */
export interface CommandLineOptions extends ClientOptions {
  readonly optionNames?: OptionNames;
  readonly stopping?: Stopping;
}

const programNames: OptionNames = { baseUrl: "baseUrl", timeoutMs: "timeoutMs", maxWaitMs: "maxWaitMs" };

/**
 * The operations of the partner API, one method each. Every method throws {@link ComandaError} and nothing else; switch
 * on its `code`. Besides those that a method names, any may throw:
 *
 * - `invalid_input`: an argument isn't what it should be; nothing was sent.
 * - `not_signed_in`: `credentials` has none that the call takes; nothing was sent.
 * - `token_refused` (HTTP 401, code 4010), after one renewal; `forbidden` (HTTP 403): a scope is missing.
 * - `invalid_request`: the service refused the request (code 4000, HTTP 400); `error.answer` has its words.
 * - `rate_limited`: HTTP 429, or a wait of more than `maxWaitMs`.
 * - `unreachable`: no complete answer; `server_error`: HTTP 5xx; `unexpected_answer`: not one of the API's.
 * - `outcome_unknown`: a write was sent, and nothing tells whether it was done. Code 4002 after such a request is one too: the
 *   order was done before, or refused.
 * - `interrupted`: the signal ended the call.
 * - `callback_failed`: a function that you gave threw; `error.cause` is what.
 *
 * These are repeated: a request that never got out, up to `maxRetries` times; one that a rate limit refused, until
 * `maxWaitMs` is used up; one whose token was refused, once. After a request may have been received, a GET and the
 * driver's PUT are repeated, a POST never. A PUT or POST of which no answer tells whether it was done is
 * `outcome_unknown`. Redirects are never followed.
 *
 * The first signature that `credentials` has is taken, never two at once (section 5.1). A status change whose
 * access token is refused, also after its renewal, is sent with the API key where there is one.
 */
export interface Client {
  /**
   * Dispatches an order: delivery to `released`, takeout and onsite to `waiting_to_catch`. Section 4.3. Access token
   * with the scope `orders`, or API key. POST: after `outcome_unknown`, look at the order before you repeat it.
   *
   * @param orderId section 2.1, `id`: digits, as a number or a text
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  dispatchOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Marks a delivery order that is `released` as `delivered`. Section 4.4. Access token with the scope `orders`, or API
   * key. POST; to repeat it after `outcome_unknown` does no harm: one that is done is refused as `status_conflict`.
   *
   * @param orderId as of {@link dispatchOrder}
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  deliverOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Finalizes an order: `closed`, for good. Section 4.5. Credentials, repetition and errors as of
   * {@link deliverOrder}.
   *
   * @param orderId as of {@link dispatchOrder}
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  finalizeOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Cancels an order: `canceled`, for good; by way of `canceling` where it was paid online. Section 4.2. Credentials,
   * repetition and errors as of {@link deliverOrder}.
   *
   * @param orderId as of {@link dispatchOrder}
   * @param input `cancellation_reason` is stored with the order
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  cancelOrder(orderId: number | string, input?: CancelInput, options?: CallOptions): Promise<Result<null>>;
  /**
   * Gives a delivery order that the store itself delivers a driver, or another one. Section 4.1. Access token with the
   * scopes `orders` and `drivers`. PUT: repeated, since the same twice comes to the same.
   *
   * @param orderId as of {@link dispatchOrder}
   * @param input `driver_id`: a whole number of at least 1. `driver_fee`: in the store's currency, at least 0, at most
   *   two decimals, as a number or as a text that goes out digit by digit (`"7.50"`); 0 is a delivery at no cost,
   *   `null` takes the fee away, absent keeps it
   * @throws {ComandaError} `invalid_request` (code 4000: no delivery order, a driver of another store …), `not_found`
   */
  assignDriver(
    orderId: number | string,
    input: DriverInput,
    options?: CallOptions,
  ): Promise<Result<ReadOrder>>;
  /**
   * Count, revenue and average of a period's orders. Section 4.6. Access token with the scope `orders`. GET: repeated.
   * The service answers 5 a minute.
   *
   * @param query at most 6 months, at most 3 years back; which orders count, its `filters` say (section 4.8)
   * @throws {ComandaError} `invalid_request` (code 4000) for a period that the service doesn't take
   */
  summary(query: SummaryQuery, options?: CallOptions): Promise<Result<Summary>>;
  /**
   * The same, split by `group_by`; `hour` doesn't go with `scheduled_date`. Section 4.7. Credentials, limit and errors
   * as of {@link summary}, counted apart from it.
   */
  groupedSummary(query: GroupedSummaryQuery, options?: CallOptions): Promise<Result<GroupedSummary>>;
  /**
   * Makes an order that opens in the store's digital menu with the cart filled. Section 4.9. API key alone. POST: after
   * `outcome_unknown`, look in the store's portal before you repeat it, since that may make a second one.
   *
   * @param order checked against the section; fields that it doesn't name go out as they are
   * @throws {ComandaError} `invalid_request` (code 4000)
   */
  createPrefilledOrder(order: PrefilledOrderBody, options?: CallOptions): Promise<Result<PrefilledOrder>>;
  /**
   * Any call below the base URL: section 4.12 names operations that it doesn't show. A GET, HEAD, PUT or DELETE is
   * repeated as RFC 9110, section 9.2.2, allows; a POST or PATCH never, once it may have been received. It counts
   * towards the rate limits as section 8 has it for the path.
   *
   * @returns status, headers and body of the 2xx as they came, our own credentials masked in the headers
   * @throws {ComandaError} for every answer but a 2xx
   */
  request(input: AnyRequest, options?: CallOptions): Promise<Result<null>>;
  /**
   * Ends what the client itself holds open. The platform's `fetch` looks after its own connections, and a transport that was
   * given is left alone; calls that are running go on.
   */
  close(): Promise<void>;
}

/**
 * A client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * The options are as their types have them; src/library/client.ts checks what programs give.
 *
 * @throws {ComandaError} `configuration` for a base URL that can't be used
 */
export function createClient(options: CommandLineOptions): Client {
  const { credentials, fetch, transport = fetchTransport(fetch), rateLimiter } = options;
  const { clock = systemClock, optionNames = programNames } = options;
  const place = {
    clock,
    baseUrl: normalizeBaseUrl(options.baseUrl, options.allowInsecure, optionNames.baseUrl),
  };
  const call = createCaller({
    credentials,
    transport,
    limiter: rateLimiter === false ? undefined : (rateLimiter ?? createMemoryRateLimiter(clock)),
    observer: options.observer ?? {},
    clock,
    random: options.random ?? Math.random,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxWaitMs: options.maxWaitMs ?? 300_000,
    maxRetries: options.maxRetries ?? 3,
    onWait: options.onWait,
    onFallback: options.onFallback,
    optionNames,
    stopping: options.stopping,
  });

  async function run<Id extends CallableOperation>(
    id: Id,
    input: OperationInputs[Id] | (() => OperationInputs[Id]),
    callOptions: CallOptions = noOptions,
  ): Promise<Result<OperationOutputs[Id]>> {
    const built = fromInput(operations[id], () => {
      checkCallOptions(callOptions);
      return buildRequest(place, id, typeof input === "function" ? input() : input);
    });
    return call(built, callOptions);
  }

  return {
    dispatchOrder: (order_id, callOptions) => run("dispatchOrder", { order_id }, callOptions),
    deliverOrder: (order_id, callOptions) => run("deliverOrder", { order_id }, callOptions),
    finalizeOrder: (order_id, callOptions) => run("finalizeOrder", { order_id }, callOptions),
    // A spread of what was given would leave out the getters of a class.
    cancelOrder: (order_id, input = {}, callOptions) =>
      run("cancelOrder", () => ({ order_id, ...checkInput(callSchemas().cancelInput, input) }), callOptions),
    assignDriver: (order_id, input, callOptions) =>
      run("assignDriver", () => ({ order_id, ...checkInput(callSchemas().driverInput, input) }), callOptions),
    summary: (query, callOptions) => run("summary", query, callOptions),
    groupedSummary: (query, callOptions) => run("groupedSummary", query, callOptions),
    createPrefilledOrder: (order, callOptions) => run("createPrefilledOrder", order, callOptions),
    request: async (input, callOptions = noOptions) => {
      const built = fromInput(anyCall(input), () => {
        checkCallOptions(callOptions);
        return buildAnyRequest(place, input);
      });
      return call(built, callOptions);
    },
    // The platform's fetch has nothing to close.
    close: () => Promise.resolve(),
  };
}

/** Errors name what was asked for, as far as it can be read. */
function anyCall(input: unknown) {
  try {
    return { id: anyCallId, ...(isObject(input) && { method: input["method"], path: input["path"] }) };
  } catch {
    return { id: anyCallId };
  }
}

const noOptions: CallOptions = {};

function checkCallOptions(options: CallOptions): void {
  if (options !== noOptions) checkOptions(callRules, options, "A call", "invalid_input");
}

const callRules: Rules<CallOptions> = {
  signal: optional(aSignal),
  timeoutMs: optional(aTimeout),
  maxRetries: optional(aCount),
};

export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names, secrets masked: `authorization: Bearer ****`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Describes what a client with these options would send, for `--dry-run`, by the code that makes the real request. No
 * credential is asked for.
 *
 * @param available the kinds of credentials that the store has; their values are not needed
 */
export function createDescriber(options: CommandLineOptions, available: readonly CredentialKind[]) {
  const { clock = systemClock, credentials } = options;
  const place = { clock, baseUrl: normalizeBaseUrl(options.baseUrl, options.allowInsecure) };
  const describe = ({ operation, request: { method, url, headers, body } }: BuiltCall): DescribedRequest => {
    const signature = operation.credentials.find((candidate) =>
      neededFor[candidate].every((kind) => available.includes(kind)),
    );
    if (signature === undefined) throw notSignedIn(operation, credentials);
    const masks = Object.fromEntries(neededFor[signature].map((kind) => [kind, "****"]));
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
    return { method, url, headers: signedHeaders(headers, masks), ...(text !== undefined && { body: text }) };
  };
  return {
    /** @throws {ComandaError} `invalid_input`; `not_signed_in` where the call would fail for want of a credential */
    operation: <Id extends CallableOperation>(id: Id, input: OperationInputs[Id]): DescribedRequest =>
      fromInput(operations[id], () => describe(buildRequest(place, id, input))),
    any: (input: AnyRequest): DescribedRequest =>
      fromInput(anyCall(input), () => describe(buildAnyRequest(place, input))),
  };
}

export type Describer = ReturnType<typeof createDescriber>;
