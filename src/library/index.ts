/**
 * comanda as a library: a typed client of the order-management partner API.
 *
 * ```js
 * import { createClient } from "comanda";
 *
 * const client = createClient({
 *   baseUrl: "https://api.service.example",
 *   credentials: { bearer: async () => process.env.ACCESS_TOKEN },
 * });
 * await client.dispatchOrder("4711");
 * await client.close();
 * ```
 *
 * Failures are thrown as {@link ComandaError}; switch on its `code`, which is stable.
 *
 * Importing it does nothing. It runs wherever there is a `fetch`: in Node, in a browser, in a worker. `comanda/node` has what
 * needs Node, and `comanda/testing` the service for tests. Sections are those of the partner API's specification.
 *
 * @packageDocumentation
 */
export { createClient } from "./client.js";
export { salesFigures, type SalesClient, type SalesFiguresOptions } from "./sales-figures.js";
export type {
  AnyResult,
  AssignDriverResult,
  Client,
  ClientWithResponse,
  GroupedSummaryResult,
  PrefilledOrderResult,
  RawResult,
  StatusChangeResult,
  SummaryResult,
  WithResponse,
} from "../client/client.js";
export type { ClientOptions } from "../client/client-options.js";
export type { HttpMethod } from "../client/recognise-call.js";
export type { AnyRequest } from "../client/any-request.js";
export type { CallOptions } from "../client/call/caller.js";
export type {
  CallObserver,
  ObservedAttempt,
  ObservedCall,
  ObservedRequest,
  WaitNotice,
} from "../client/call/observer.js";
export type { Credentials } from "../client/call/credentials.js";
export type { Signature } from "../client/call/signature.js";

export {
  createMemoryRateLimiter,
  type AcquireOptions,
  type Permit,
  type RateLimiter,
} from "../client/call/rate-limit.js";
export type { Clock } from "../client/clock.js";

export {
  fetchTransport,
  type Fetch,
  type FetchAnswer,
  type FetchInit,
} from "../client/http/fetch-transport.js";
export {
  TransportError,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
  type TransportFailure,
} from "../client/http/transport.js";

export {
  ComandaError,
  type ErrorCode,
  type Evidence,
  type Outcome,
  type ServiceAnswer,
} from "../client/errors.js";

export {
  dimensions,
  orderStatuses,
  orderTimings,
  orderTypes,
  type DateField,
  type Dimension,
  type OrderStatus,
  type OrderTiming,
  type OrderType,
} from "../api/enums.js";
export type { FilterField, FilterOperator } from "../api/filters.js";
export { rateLimits, type RateBucket, type RateLimit } from "../api/limits.js";
export type {
  CancelInput,
  DriverInput,
  FilterName,
  Filters,
  Group,
  GroupedSummary,
  GroupedSummaryQuery,
  Order,
  PrefilledOrder,
  PrefilledOrderBody,
  ReadOrder,
  Summary,
  SummaryQuery,
} from "../api/models.js";
