/** The shared API module: one method an operation. It builds the request; `call.ts` takes it to the network and judges the answer. */
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
import { operations } from "../api/operations.js";
import type { CallableOperation, Operation, OperationOutputs } from "../api/operations.js";
import { querySchemas } from "../api/input.js";
import { parseOrderId } from "../base/basics.js";
import { ComandaError } from "../base/errors.js";
import { createCaller, type BuiltCall, type Result } from "./call.js";
import { mayBeCutOff } from "./judge.js";
import { checkInput, inputError, type CallOptions, type InternalOptions } from "./options.js";
import { normalizeBaseUrl } from "./transport.js";

/**
 * The operations of the partner API, one method each. Every method throws only {@link ComandaError}; its `code` tells errors apart.
 * Besides the codes that a method lists, any method may throw:
 *
 * - `invalid_input`: an argument isn't valid. `not_signed_in`: `credentials` has none that the call accepts. Nothing was sent.
 * - `token_refused` (HTTP 401, code 4010) after one renewal. `forbidden` (HTTP 403): a scope is missing.
 * - `invalid_request` (code 4000, HTTP 400): the service refused the request.
 * - `rate_limited`: HTTP 429, or a wait of more than `maxWaitMs`.
 * - `unreachable`: no complete response. `server_error`: HTTP 5xx. `unexpected_answer`: the response isn't the API's.
 * - `outcome_unknown`: a PUT or POST was sent, but no response says whether it was done. Code 4002 after such a request is also
 *   unknown: the order was changed before, or the change was refused.
 * - `interrupted`: the signal ended the call. `callback_failed`: one of your functions threw `error.cause`, or took longer than
 *   `timeoutMs`. `error.outcome` is the request's outcome: `done` if it was confirmed before.
 *
 * The client retries a request that was never sent (up to `maxRetries` times), one that a rate limit refused (until `maxWaitMs` is
 * used up), and one whose token was refused (once). It retries a GET and the driver's PUT even if they may have been received, and
 * never a POST. It never follows a redirect.
 *
 * A request is signed with the first credential that `credentials` returns, and never with two (section 5.1). If a status change's
 * access token is refused, also after its renewal, the change is signed with the API key, if there is one.
 */
export interface Client {
  /**
   * Dispatches an order: delivery to `released`, takeout and onsite to `waiting_to_catch`. Section 4.3. Access token
   * with the scope `orders`, or API key. POST: after `outcome_unknown`, check the order before you try again.
   *
   * @param orderId section 2.1, `id`: digits, as a number or a string
   * @throws {ComandaError} `status_conflict` (code 4002), `not_found` (code 4041)
   */
  dispatchOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Marks a delivery order that is `released` as `delivered`. Section 4.4. Like {@link dispatchOrder}, but you can safely try again
   * after `outcome_unknown`: a delivered order is refused as `status_conflict`.
   */
  deliverOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /** Finalizes an order: `closed`, permanently. Section 4.5. Like {@link deliverOrder}. */
  finalizeOrder(orderId: number | string, options?: CallOptions): Promise<Result<null>>;
  /**
   * Requests an order's cancellation. Section 4.2. Like {@link deliverOrder}. The outcome `done` means that the service accepted it.
   * An order that was paid online by card becomes `canceling`, then `canceled` or its previous status again (section 3): no operation
   * shows which.
   *
   * @param input `cancellation_reason` is stored with the order
   */
  cancelOrder(orderId: number | string, input?: CancelInput, options?: CallOptions): Promise<Result<null>>;
  /**
   * Assigns a driver to a delivery order that the store delivers itself, or replaces the driver. Section 4.1. Access token with the
   * scopes `orders` and `drivers`. PUT: retried, because assigning twice has the same result.
   *
   * @param orderId like that of {@link dispatchOrder}
   * @param input `driver_id`: an integer of at least 1. `driver_fee`: in the store's currency, at least 0, at most two
   *   decimals, as a number or as a string that is sent digit by digit (`"7.50"`); with 0, the driver is paid nothing; `null`
   *   removes the fee, and without the field the fee stays
   * @throws {ComandaError} `invalid_request` (code 4000: not a delivery order, a driver of another store …), `not_found`
   */
  assignDriver(
    orderId: number | string,
    input: DriverInput,
    options?: CallOptions,
  ): Promise<Result<ReadOrder>>;
  /**
   * Returns the count, revenue and average of a period's orders. Section 4.6. Access token with the scope `orders`. GET: retried.
   * The service allows 5 requests a minute.
   *
   * @param query at most 6 months, at most 3 years back; `filters` select the orders (section 4.8)
   * @throws {ComandaError} `invalid_request` (code 4000) for a period that the service doesn't accept
   */
  summary(query: SummaryQuery, options?: CallOptions): Promise<Result<Summary>>;
  /**
   * Returns the same, grouped by `group_by`; `hour` can't be used with `scheduled_date`. Section 4.7. Like {@link summary}, with a
   * separate rate limit.
   */
  groupedSummary(query: GroupedSummaryQuery, options?: CallOptions): Promise<Result<GroupedSummary>>;
  /**
   * Creates a pre-filled order, which opens in the store's digital menu. Section 4.9. API key only. POST: you can try
   * again after `outcome_unknown`: at worst, there are two pre-filled orders.
   *
   * @throws {ComandaError} `invalid_request` (code 4000)
   */
  createPrefilledOrder(order: PrefilledOrderBody, options?: CallOptions): Promise<Result<PrefilledOrder>>;
  /**
   * Makes a call whose request another module has built, such as that of `request`.
   *
   * @internal
   */
  call<Value>(built: BuiltCall<Value>, options?: CallOptions): Promise<Result<Value>>;
}

/**
 * Returns a client of one store at one environment. It loads and opens nothing before its first call.
 *
 * @throws {ComandaError} `configuration` for a base URL that can't be used
 */
export function createClient(options: InternalOptions): Client {
  const { baseUrl, allowInsecure, credentials } = options;
  const source = credentials.signedStore && "environment";
  const call = createCaller(normalizeBaseUrl(baseUrl, allowInsecure, source), options);
  return {
    dispatchOrder: async (orderId, own) => call(buildRequest("dispatchOrder", undefined, orderId), own),
    deliverOrder: async (orderId, own) => call(buildRequest("deliverOrder", undefined, orderId), own),
    finalizeOrder: async (orderId, own) => call(buildRequest("finalizeOrder", undefined, orderId), own),
    cancelOrder: async (orderId, input, own) => call(buildRequest("cancelOrder", input ?? {}, orderId), own),
    assignDriver: async (orderId, input, own) => call(buildRequest("assignDriver", input, orderId), own),
    summary: async (query, own) => call(buildRequest("summary", query), own),
    groupedSummary: async (query, own) => call(buildRequest("groupedSummary", query), own),
    createPrefilledOrder: async (order, own) => call(buildRequest("createPrefilledOrder", order), own),
    call,
  };
}

const contract: { readonly [Id in CallableOperation]: Operation<OperationOutputs[Id]> } = operations;

/**
 * Builds the request of an operation, without a credential.
 *
 * @throws {ComandaError} `invalid_input`
 */
function buildRequest<Id extends CallableOperation>(
  id: Id,
  input: unknown,
  orderId?: unknown,
): BuiltCall<OperationOutputs[Id]> {
  const { [id]: operation } = contract;
  const { method, query, body: form, leadsTo = [] } = operation;
  const headers: Record<string, string> = {};
  const order = operation.path.includes("{order_id}") ? parseOrderId(orderId) : null;
  let driverId: unknown;
  let search = "";
  let body: string | undefined;
  try {
    if (order === undefined) {
      const message = "The order id must contain only digits, as a string or a number.";
      throw new ComandaError("invalid_input", message, { field: "order_id" });
    }
    if (query) {
      const pairs: string[] = [];
      for (const [name, value] of Object.entries(checkInput(querySchemas()[query], input))) {
        if (typeof value === "string") pairs.push(`${name}=${encodeURIComponent(value)}`);
        else
          for (const { field, operator, values } of value ?? []) {
            // Section 4.8 spells the names with plain brackets, so they are sent unchanged.
            const parameter = filterParameter(`${field}_${operator}`);
            for (const each of values) pairs.push(`${parameter}=${encodeURIComponent(each.toWellFormed())}`);
          }
      }
      search = `?${pairs.join("&")}`;
    }
    if (form) {
      const fields: Readonly<Record<string, unknown>> = checkInput((form.input ?? form.schema)(), input);
      driverId = fields["driver_id"];
      const members: string[] = [];
      for (const [name, value] of Object.entries(fields)) {
        // The digits of an amount are sent as they were typed: `JSON.stringify` would turn 7.50 into 7.5. A JSON number has no leading
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
  return {
    operation,
    path: operation.path.replace("{order_id}", String(order)),
    order,
    request: { method, search, headers, ...(body !== undefined && { body }) },
    // An empty body is a success of a status change.
    read: (response, json) =>
      mayBeCutOff(response)
        ? undefined
        : operation.response.read?.(json, response.body, { orderId: order, driverId, leadsTo }),
  };
}
