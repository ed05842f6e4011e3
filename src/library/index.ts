/**
 * A typed client of the order management partner API.
 *
 * ```js
 * import { createClient } from "comanda";
 *
 * const client = createClient({
 *   baseUrl: "https://api.service.example",
 *   credentials: { bearer: process.env.ACCESS_TOKEN },
 * });
 * await client.dispatchOrder("4711");
 * ```
 *
 * Failures throw {@link ComandaError}, whose `code` is stable. Importing this module has no effects, and it runs wherever `fetch`
 * exists. `comanda/node` requires Node, and `comanda/testing` emulates the service. Sections refer to the API's specification.
 *
 * @packageDocumentation
 */
import { guardedTransport } from "./callbacks.js";
import { checkOptions, clientFields, type ClientOptions } from "../client/options.js";
import { createClient as clientOf, type Client } from "../client/client.js";
import type { Result } from "../client/call.js";
import { completeHint, isComandaError, type ComandaError } from "../base/errors.js";
import { clientHint } from "./hints.js";

/**
 * Creates a client of one store. It loads and opens nothing before its first call.
 *
 * @throws {ComandaError} `invalid_input` for an option that isn't valid, `configuration` for a base URL that can't be used
 */
export function createClient(options: ClientOptions): Client {
  const { transport, ...checked } = checkOptions(options, clientFields(options));
  try {
    const guarded = transport && guardedTransport(transport);
    return clientOf({ ...checked, transport: guarded, hintOf: clientHint });
  } catch (error) {
    throw completeHint(error, clientHint);
  }
}

/**
 * Returns the outcome of a call without `try`: its result, or its error, which has the same fields. An error's `code` isn't `null`.
 *
 * ```js
 * const outcomes = await Promise.all(ids.map((id) => outcomeOf(client.dispatchOrder(id))));
 * const open = outcomes.filter(({ outcome }) => outcome === "unknown");
 * ```
 *
 * @throws what isn't a {@link ComandaError}
 */
export async function outcomeOf<Value>(call: Promise<Result<Value>>): Promise<Result<Value> | ComandaError> {
  try {
    return await call;
  } catch (error) {
    if (isComandaError(error)) return error;
    throw error;
  }
}

export { salesFigures, type SalesClient, type SalesFiguresOptions } from "./sales-figures.js";
export type { Client } from "../client/client.js";
export { request, type AnyRequest, type HttpMethod } from "../client/any-call.js";
export type { AuthScheme } from "../api/operations.js";
export type { Result } from "../client/call.js";

export type { CallOptions, ClientOptions, Credential, Credentials, WaitNotice } from "../client/options.js";
export type { CallJournal, CallObserver } from "../client/options.js";
export type { ObservedAttempt, ObservedCall, ObservedRequest } from "../client/options.js";
export type { AcquireOptions, Permit, RateLimiter } from "../client/options.js";
export { createMemoryRateLimiter } from "../client/rate-limit.js";
export type { Clock } from "../base/clock.js";

export { TransportError, type TransportFailure } from "../client/transport.js";
export type { Fetch, FetchAnswer, FetchInit } from "../client/transport.js";
export type { HttpRequest, HttpResponse, Transport } from "../client/transport.js";

export { ComandaError, isComandaError, type ErrorCode, type ErrorOptions } from "../base/errors.js";
export type { Evidence, Outcome } from "../base/errors.js";

export { dimensions, orderStatuses, orderTimings, orderTypes, rateLimits } from "../api/values.js";
export type { DateField, Dimension, OrderStatus, OrderTiming, OrderType } from "../api/values.js";
export type { RateBucket, RateLimit } from "../api/values.js";
export type { CancelInput, DriverInput, Order, ReadOrder } from "../api/models.js";
export type { PrefilledOrder, PrefilledOrderBody } from "../api/models.js";
export type { FilterName, Filters, Summary, SummaryQuery } from "../api/models.js";
export type { Group, GroupedSummary, GroupedSummaryQuery } from "../api/models.js";
