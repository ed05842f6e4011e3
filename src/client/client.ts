/** The shared API module: one method an operation, and everything between it and the network. */
import type * as z from "zod/mini";

import type {
  CancelInput,
  DriverInput,
  GroupedSummary,
  GroupedSummaryQuery,
  PrefilledOrder,
  PrefilledOrderBody,
  ReadOrder,
  Summary,
  SummaryQuery,
} from "../api/models.js";
import { callSchemas } from "../api/schemas.js";
import type { AnyRequest } from "./any-request.js";
import { createCaller, type Caller, type CallOptions, type CallResult } from "./call/caller.js";
import { checkInput, fromInput } from "./checks.js";
import { clientSettings, type CommandLineOptions } from "./client-options.js";
import type { HttpAnswer } from "./http/transport.js";
import { watchFilters, type FilterWatch } from "./unlisted-values.js";

/** The answer to a status change is not shown (sections 4.2 to 4.5), so there is nothing more. */
export interface StatusChangeResult {
  /** A 2xx. */
  readonly httpStatus: number;
  /** Requests of this call that were begun, those that never got out included. */
  readonly attempts: number;
}

export interface RawResult extends StatusChangeResult {
  /** The body exactly as the service sent it: fields that are not documented, and amounts to the last digit. */
  readonly raw: string;
}
export interface AssignDriverResult extends RawResult {
  /** The updated order of section 2.1: those of its fields that came as documented. */
  readonly order: ReadOrder;
}
export interface SummaryResult extends RawResult {
  /** Section 2.8. Amounts are in the store's currency, as JSON numbers. */
  readonly summary: Summary;
}
export interface GroupedSummaryResult extends RawResult {
  /** Section 4.7, rule 4. */
  readonly groupedSummary: GroupedSummary;
}
export interface PrefilledOrderResult extends RawResult {
  /** Section 2.7. */
  readonly prefilledOrder: PrefilledOrder;
}

/** The 2xx that a call of any path was answered with. */
export interface AnyResult extends Pick<HttpAnswer, "headers" | "setCookies" | "body"> {
  readonly httpStatus: number;
  readonly attempts: number;
}

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
  dispatchOrder(orderId: number | string, options?: CallOptions): Promise<StatusChangeResult>;
  /**
   * Marks a delivery order that is `released` as `delivered`. Section 4.4. Access token with the scope `orders`, or API
   * key. POST; to repeat it after `outcome_unknown` does no harm: one that is done is refused as `status_conflict`.
   *
   * @param orderId as of {@link dispatchOrder}
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  deliverOrder(orderId: number | string, options?: CallOptions): Promise<StatusChangeResult>;
  /**
   * Finalizes an order: `closed`, for good. Section 4.5. Credentials, repetition and errors as of
   * {@link deliverOrder}.
   *
   * @param orderId as of {@link dispatchOrder}
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  finalizeOrder(orderId: number | string, options?: CallOptions): Promise<StatusChangeResult>;
  /**
   * Cancels an order: `canceled`, for good; by way of `canceling` where it was paid online. Section 4.2. Credentials,
   * repetition and errors as of {@link deliverOrder}.
   *
   * @param orderId as of {@link dispatchOrder}
   * @param input `cancellation_reason` is stored with the order
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  cancelOrder(
    orderId: number | string,
    input?: CancelInput,
    options?: CallOptions,
  ): Promise<StatusChangeResult>;
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
  ): Promise<AssignDriverResult>;
  /**
   * Count, revenue and average of a period's orders. Section 4.6. Access token with the scope `orders`. GET: repeated.
   * The service answers 5 a minute.
   *
   * @param query at most 6 months, at most 3 years back; which orders count, its `filters` say (section 4.8)
   * @throws {ComandaError} `invalid_request` (code 4000) for a period that the service doesn't take
   */
  summary(query: SummaryQuery, options?: CallOptions): Promise<SummaryResult>;
  /**
   * The same, split by `group_by`; `hour` doesn't go with `scheduled_date`. Section 4.7. Credentials, limit and errors
   * as of {@link summary}, counted apart from it.
   */
  groupedSummary(query: GroupedSummaryQuery, options?: CallOptions): Promise<GroupedSummaryResult>;
  /**
   * Makes an order that opens in the store's digital menu with the cart filled. Section 4.9. API key alone. POST: after
   * `outcome_unknown`, look in the store's portal before you repeat it, since that may make a second one.
   *
   * @param order checked against the section; fields that it doesn't name go out as they are
   * @throws {ComandaError} `invalid_request` (code 4000)
   */
  createPrefilledOrder(order: PrefilledOrderBody, options?: CallOptions): Promise<PrefilledOrderResult>;
  /**
   * Any call below the base URL: section 4.12 names operations that it doesn't show. A GET, HEAD, PUT or DELETE is
   * repeated as RFC 9110, section 9.2.2, allows; a POST or PATCH never, once it may have been received. It counts
   * towards the rate limits as section 8 has it for the path.
   *
   * @returns status, headers and body of the 2xx as they came, our own credentials masked in the headers
   * @throws {ComandaError} for every answer but a 2xx
   */
  request(input: AnyRequest, options?: CallOptions): Promise<AnyResult>;
  /**
   * The same methods with what the answer was beside what it said: `const { data, status, headers } = await
   * client.withResponse().summary(query)`.
   */
  withResponse(): ClientWithResponse;
  /**
   * Ends what the client itself holds open. The platform's `fetch` looks after its own connections, and a transport that was
   * given is left alone; calls that are running go on.
   */
  close(): Promise<void>;
}

/** A method's result, and the answer that it was read from. */
export interface WithResponse<Data> {
  /** The method itself gives this. */
  readonly data: Data;
  /** The HTTP status. */
  readonly status: number;
  /** By lower-case names; our own credentials are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests of the call that were begun, those that never got out included. */
  readonly attempts: number;
}

/** The methods of a client that make a call. */
type Calls = Omit<Client, "withResponse" | "close">;

export type ClientWithResponse = {
  readonly [Method in keyof Calls]: (
    ...parameters: Parameters<Calls[Method]>
  ) => Promise<WithResponse<Awaited<ReturnType<Calls[Method]>>>>;
};

/**
 * A client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * The options are as their types have them; src/library/client.ts checks what programs give.
 *
 * @throws {ComandaError} `configuration` for a base URL that can't be used
 */
export function createClient(options: CommandLineOptions): Client {
  const filters = options.onWarning && watchFilters(options.onWarning);
  const settings = clientSettings(options, filters?.observer);
  const calls = callsOf(createCaller(settings), filters);
  return {
    dispatchOrder: dataOf(calls.dispatchOrder),
    deliverOrder: dataOf(calls.deliverOrder),
    finalizeOrder: dataOf(calls.finalizeOrder),
    cancelOrder: dataOf(calls.cancelOrder),
    assignDriver: dataOf(calls.assignDriver),
    summary: dataOf(calls.summary),
    groupedSummary: dataOf(calls.groupedSummary),
    createPrefilledOrder: dataOf(calls.createPrefilledOrder),
    request: dataOf(calls.request),
    withResponse: () => calls,
    // The platform's fetch has nothing to close.
    close: () => Promise.resolve(),
  };
}

function dataOf<Arguments extends readonly unknown[], Data>(
  method: (...parameters: Arguments) => Promise<WithResponse<Data>>,
): (...parameters: Arguments) => Promise<Data> {
  return async (...parameters) => (await method(...parameters)).data;
}

function callsOf(caller: Caller, filters: FilterWatch | undefined): ClientWithResponse {
  return {
    dispatchOrder: async (order_id, callOptions) =>
      changed(await caller.operation("dispatchOrder", { order_id }, callOptions)),
    deliverOrder: async (order_id, callOptions) =>
      changed(await caller.operation("deliverOrder", { order_id }, callOptions)),
    finalizeOrder: async (order_id, callOptions) =>
      changed(await caller.operation("finalizeOrder", { order_id }, callOptions)),
    cancelOrder: async (order_id, input = {}, callOptions) => {
      const fields = { order_id, ...fieldsOf(callSchemas().cancelInput, input) };
      return changed(await caller.operation("cancelOrder", fields, callOptions));
    },
    assignDriver: async (order_id, input, callOptions) => {
      const fields = { order_id, ...fieldsOf(callSchemas().driverInput, input) };
      const result = await caller.operation("assignDriver", fields, callOptions);
      filters?.shows("sales_channel", [result.value.sales_channel]);
      return answered(result, (order) => ({ order }));
    },
    summary: async (query, callOptions) =>
      answered(await caller.operation("summary", query, callOptions), (summary) => ({ summary })),
    groupedSummary: async (query, callOptions) => {
      const result = await caller.operation("groupedSummary", query, callOptions);
      const keys = result.value.groups.map(({ key }) => key);
      filters?.shows(query.group_by, keys);
      return answered(result, (groupedSummary) => ({ groupedSummary }));
    },
    createPrefilledOrder: async (order, callOptions) =>
      answered(await caller.operation("createPrefilledOrder", order, callOptions), (prefilledOrder) => ({
        prefilledOrder,
      })),
    request: async (input, callOptions) => {
      const result = await caller.any(input, callOptions);
      const { answer, attempts } = result;
      const { status: httpStatus, headers, setCookies, body } = answer;
      return withResponse(result, { httpStatus, headers, ...(setCookies && { setCookies }), body, attempts });
    },
  };
}

/** Checks what goes with an order's id, and gives it as it was checked: a spread would leave out the getters of a class. */
function fieldsOf<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  return fromInput(() => checkInput(schema, input));
}

function changed(result: CallResult<null>): WithResponse<StatusChangeResult> {
  const { answer, attempts } = result;
  return withResponse(result, { httpStatus: answer.status, attempts });
}

/** @param name puts the value under its name beside the raw body */
function answered<Value, Named>(
  result: CallResult<Value>,
  name: (value: Value) => Named,
): WithResponse<Named & RawResult> {
  const { value, answer, attempts } = result;
  return withResponse(result, { ...name(value), raw: answer.body, httpStatus: answer.status, attempts });
}

function withResponse<Data>({ answer, attempts }: CallResult<unknown>, data: Data): WithResponse<Data> {
  return { data, status: answer.status, headers: answer.headers, attempts };
}
