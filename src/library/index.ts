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
 * ```
 *
 * Failures are thrown as {@link ComandaError}; switch on its `code`, which is stable.
 *
 * Importing it does nothing. It runs wherever there is a `fetch`: in Node, in a browser, in a worker. `comanda/node` has what
 * needs Node, and `comanda/testing` the service for tests. Sections are those of the partner API's specification.
 *
 * @packageDocumentation
 */
import { withGuardedCallbacks } from "./callbacks.js";
import { checkCall, checkOptions, clientOptionKinds, type ClientOptions } from "../client/options.js";
import { createClient as clientOf, type Client } from "../client/client.js";
import { completeHint } from "../base/errors.js";
import { clientHint } from "./hints.js";

/**
 * Makes a client of one store at one environment. Nothing is loaded or opened before its first call.
 *
 * @throws {ComandaError} `invalid_input` for an option that isn't valid, `configuration` for a base URL that can't be used
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options, clientOptionKinds, ["credentials"]);
  try {
    return clientOf({
      ...withGuardedCallbacks(options),
      checkCall,
      completeHint: (error) => completeHint(error, clientHint),
    });
  } catch (error) {
    throw completeHint(error, clientHint);
  }
}

export { salesFigures, type SalesClient, type SalesFiguresOptions } from "./sales-figures.js";
export type { Client } from "../client/client.js";
export { request, type AnyRequest, type HttpMethod } from "../client/any-call.js";
export type { AuthScheme } from "../api/operations.js";
export type { Result } from "../client/call.js";
export type {
  AcquireOptions,
  CallJournal,
  CallObserver,
  CallOptions,
  ClientOptions,
  Credentials,
  ObservedAttempt,
  ObservedCall,
  ObservedRequest,
  Permit,
  RateLimiter,
  WaitNotice,
} from "../client/options.js";

export { createMemoryRateLimiter } from "../client/rate-limit.js";
export type { Clock } from "../base/clock.js";

export {
  TransportError,
  type Fetch,
  type FetchAnswer,
  type FetchInit,
  type HttpResponse,
  type HttpRequest,
  type Transport,
  type TransportFailure,
} from "../client/transport.js";

export {
  ComandaError,
  isComandaError,
  type ErrorCode,
  type ErrorOptions,
  type Evidence,
  type Outcome,
} from "../base/errors.js";

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
} from "../api/values.js";
export { rateLimits, type RateBucket, type RateLimit } from "../api/values.js";
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
