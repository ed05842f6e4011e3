/** The shared API module: one method an operation. It builds the request; `call.ts` takes it to the network and judges the answer. */
import type { Asked } from "../api/responses.js";
import { filterParameter } from "../api/filters.js";
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
import {
  type CallableOperation,
  operations,
  type Operation,
  type OperationOutputs,
} from "../api/operations.js";
import { querySchemas } from "../api/input.js";
import { parseOrderId } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { createCaller, type BuiltCall, type Result } from "./call.js";
import { checkInput, inputError } from "./explain.js";
import { isPage } from "./judge.js";
import type { CallOptions, InternalOptions } from "./options.js";
import { normalizeBaseUrl } from "./transport.js";

/**
 * The operations of the partner API, one method each. Every method throws {@link ComandaError} and nothing else; switch
 * on its `code`. Besides those that a method names, any may throw:
 *
 * - `invalid_input`: an argument isn't what it should be; `not_signed_in`: `credentials` has none that the call takes. Nothing
 *   was sent.
 * - `token_refused` (HTTP 401, code 4010), after one renewal; `forbidden` (HTTP 403): a scope is missing.
 * - `invalid_request`: the service refused the request (code 4000, HTTP 400).
 * - `rate_limited`: HTTP 429, or a wait of more than `maxWaitMs`.
 * - `unreachable`: no complete answer; `server_error`: HTTP 5xx; `unexpected_answer`: not one of the API's.
 * - `outcome_unknown`: a PUT or POST was sent, and nothing tells whether it was done. Code 4002 after such a request is one too:
 *   the order was done before, or refused.
 * - `interrupted`: the signal ended the call; `callback_failed`: a function that you gave threw, and `error.cause` is what.
 *
 * These are repeated: a request that never got out, up to `maxRetries` times; one that a rate limit refused, until
 * `maxWaitMs` is used up; one whose token was refused, once. After a request may have been received, a GET and the
 * driver's PUT are repeated, a POST never. Redirects are never followed.
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
   * Marks a delivery order that is `released` as `delivered`. Section 4.4. As {@link dispatchOrder}, but to repeat it after
   * `outcome_unknown` does no harm: one that is done is refused as `status_conflict`.
   */
  deliverOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /** Finalizes an order: `closed`, for good. Section 4.5. As {@link deliverOrder}. */
  finalizeOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Cancels an order: `canceled`, for good; by way of `canceling` where it was paid online. Section 4.2. As
   * {@link deliverOrder}.
   *
   * @param input `cancellation_reason` is stored with the order
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
  /** The same, split by `group_by`; `hour` doesn't go with `scheduled_date`. Section 4.7. As {@link summary}, counted apart. */
  groupedSummary(query: GroupedSummaryQuery, options?: CallOptions): Promise<Result<GroupedSummary>>;
  /**
   * Makes an order that opens in the store's digital menu with the cart filled. Section 4.9. API key alone. POST: after
   * `outcome_unknown`, look in the store's portal before you repeat it, since that may make a second one.
   *
   * @throws {ComandaError} `invalid_request` (code 4000)
   */
  createPrefilledOrder(order: PrefilledOrderBody, options?: CallOptions): Promise<Result<PrefilledOrder>>;
  /**
   * Takes a call to the network whose request a function beside the client builds, such as `request`.
   *
   * @internal
   */
  call<Value>(built: BuiltCall<Value>, options?: CallOptions): Promise<Result<Value>>;
}

/**
 * A client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * @throws {ComandaError} `configuration` for a base URL that can't be used
 */
export function createClient(options: InternalOptions): Client {
  const baseUrl = normalizeBaseUrl(options.baseUrl, options.allowInsecure);
  const call = createCaller(baseUrl, options);
  const run = async <Id extends CallableOperation>(
    id: Id,
    orderId: unknown,
    input: unknown,
    callOptions: CallOptions | undefined,
  ) => call(buildRequest(id, orderId, input), callOptions);

  return {
    dispatchOrder: (orderId, callOptions) => run("dispatchOrder", orderId, undefined, callOptions),
    deliverOrder: (orderId, callOptions) => run("deliverOrder", orderId, undefined, callOptions),
    finalizeOrder: (orderId, callOptions) => run("finalizeOrder", orderId, undefined, callOptions),
    cancelOrder: (orderId, input, callOptions) => run("cancelOrder", orderId, input, callOptions),
    assignDriver: (orderId, input, callOptions) => run("assignDriver", orderId, input, callOptions),
    summary: (query, callOptions) => run("summary", null, query, callOptions),
    groupedSummary: (query, callOptions) => run("groupedSummary", null, query, callOptions),
    createPrefilledOrder: (order, callOptions) => run("createPrefilledOrder", null, order, callOptions),
    call,
  };
}

/** How the contract reads the response to each operation. */
const responses: {
  readonly [Id in CallableOperation]: {
    readonly response: {
      readonly read: (json: unknown, text: string, asked: Asked) => OperationOutputs[Id] | undefined;
    };
  };
} = operations;

/**
 * Builds the request of an operation, without a credential.
 *
 * @param orderId `null` if the operation isn't about one order
 * @throws {ComandaError} `invalid_input`
 */
function buildRequest<Id extends CallableOperation>(
  id: Id,
  orderId: unknown,
  input: unknown,
): BuiltCall<OperationOutputs[Id]> {
  const operation: Operation = operations[id];
  const { method, query, body: form, leadsTo = [] } = operation;
  const { read } = responses[id].response;
  const headers: Record<string, string> = {};
  const order = parseOrderId(orderId) ?? null;
  let driverId: unknown;
  let search = "";
  let body: string | undefined;
  try {
    if (order === null && orderId !== null)
      throw new ComandaError("invalid_input", "The order id must be digits only, as a string or a number.", {
        field: "order_id",
      });
    if (query) {
      const pairs: string[] = [];
      for (const [name, value] of Object.entries(checkInput(querySchemas()[query], input))) {
        if (typeof value === "string") pairs.push(`${name}=${encodeURIComponent(value)}`);
        else
          for (const { field, operator, values } of value ?? []) {
            // Section 4.8 spells the names with plain brackets, so they go out as they are.
            const parameter = filterParameter(`${field}_${operator}`);
            for (const each of values) pairs.push(`${parameter}=${encodeURIComponent(each.toWellFormed())}`);
          }
      }
      search = `?${pairs.join("&")}`;
    }
    if (form && (form.required || input !== undefined)) {
      const fields: Readonly<Record<string, unknown>> = checkInput((form.input ?? form.schema)(), input);
      driverId = fields["driver_id"];
      const members: string[] = [];
      for (const [name, value] of Object.entries(fields)) {
        // The digits of an amount go out as they were typed: `JSON.stringify` would turn 7.50 into 7.5. A JSON number has no leading
        // zeros (RFC 8259, section 6).
        const isTyped = typeof value === "string" && name === "driver_fee";
        const text = isTyped ? value.replace(/^0+(?=\d)/, "") : (JSON.stringify(value) as string | undefined);
        if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
      }
      if (members.length > 0 || form.required) {
        headers["content-type"] = "application/json";
        body = `{${members.join(",")}}`;
      }
    }
  } catch (error) {
    throw inputError(error, operation);
  }
  const asked = { orderId: order, driverId, leadsTo };
  return {
    operation,
    path: operation.path.replace("{order_id}", String(order)),
    order,
    request: { method, search, headers, ...(body !== undefined && { body }) },
    // An empty body is a success of a status change.
    read: (response, json) =>
      response.body === "" && isPage(response) ? undefined : read(json, response.body, asked),
  };
}
