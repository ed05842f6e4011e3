/** The shared API module: one method an operation, and everything between it and the network. */
import { systemClock, type Clock } from "../clock/index.js";
import type { ReadOrder } from "../contract/order.js";
import type { PrefilledOrder, PrefilledOrderBody } from "../contract/prefilled-order.js";
import type { GroupedSummary, Summary } from "../contract/summary.js";
import type { AnyRequest } from "./any-request.js";
import {
  createCaller,
  type AnyCallOptions,
  type AnyResult,
  type AttemptNotice,
  type CallOptions,
} from "./caller.js";
import type { Credentials } from "./credentials.js";
import { describeAnyRequest, describeRequest, type DescribedRequest } from "./describe-request.js";
import type { CallableOperation, OperationInputs } from "./input.js";
import { createMemoryRateLimiter } from "./memory-rate-limiter.js";
import type { GroupedSummaryQuery, SummaryQuery } from "./query.js";
import { createLazyTransport } from "./lazy-transport.js";
import type { RateLimiter } from "./rate-limit.js";
import { normalizeBaseUrl } from "./request.js";
import type { CredentialKind } from "./signature.js";
import type { Transport } from "./transport.js";
import type { WaitNotice } from "./wait-notice.js";

export interface ClientOptions {
  /** The API host of one environment; may carry a path prefix. `http:` for this machine alone. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Default: undici, without a proxy. A transport that is given is the caller's to close. */
  readonly transport?: Transport;
  /** Default: one of this client's own, in memory. `false`: none; the service remains the authority. */
  readonly rateLimiter?: RateLimiter | false;
  readonly clock?: Clock;
  /** At least 0 and below 1. Default `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds that one call may spend waiting on rate limits. Default 300,000; 0 fails at once. */
  readonly maxWaitMs?: number;
  /** Milliseconds for one exchange, connecting included. Default 30,000. */
  readonly timeoutMs?: number;
  /** How often a call may be repeated where that does no harm. Default 3. */
  readonly maxRetries?: number;
  readonly userAgent?: string;
  readonly onWait?: (notice: WaitNotice) => void;
  /** Told of each request when it is over; never given a header or a body. */
  readonly onAttempt?: (notice: AttemptNotice) => void;
}

export interface StatusChangeResult {
  readonly httpStatus: number;
  /** Requests that were sent for this call. */
  readonly attempts: number;
}

/** `raw` is the body exactly as the service sent it. */
export interface RawResult extends StatusChangeResult {
  readonly raw: string;
}
export interface AssignDriverResult extends RawResult {
  /** The fields that came as documented. */
  readonly order: ReadOrder;
}
export interface SummaryResult extends RawResult {
  readonly summary: Summary;
}
export interface GroupedSummaryResult extends RawResult {
  readonly groupedSummary: GroupedSummary;
}
export interface PrefilledOrderResult extends RawResult {
  readonly prefilledOrder: PrefilledOrder;
}

/** Every method throws {@link ComandaError} and nothing else. */
export interface Client {
  /** Section 4.3. */
  dispatchOrder(orderId: string, options?: CallOptions): Promise<StatusChangeResult>;
  /** Section 4.4. */
  deliverOrder(orderId: string, options?: CallOptions): Promise<StatusChangeResult>;
  /** Section 4.5. */
  finalizeOrder(orderId: string, options?: CallOptions): Promise<StatusChangeResult>;
  /** Section 4.2. */
  cancelOrder(
    orderId: string,
    input?: { readonly reason?: string },
    options?: CallOptions,
  ): Promise<StatusChangeResult>;
  /** Section 4.1. */
  assignDriver(
    orderId: string,
    input: { readonly driverId: number; readonly driverFee?: number | string | null },
    options?: CallOptions,
  ): Promise<AssignDriverResult>;
  /** Section 4.6. */
  summary(query: SummaryQuery, options?: CallOptions): Promise<SummaryResult>;
  /** Section 4.7. */
  groupedSummary(query: GroupedSummaryQuery, options?: CallOptions): Promise<GroupedSummaryResult>;
  /** Section 4.9. */
  createPrefilledOrder(order: PrefilledOrderBody, options?: CallOptions): Promise<PrefilledOrderResult>;
  /**
   * Any call below the base URL: section 4.12 names operations that it doesn't show. A GET, HEAD, PUT or DELETE is
   * repeated as RFC 9110, section 9.2.2, allows; a POST or PATCH never, once it may have been received.
   *
   * @throws {ComandaError} for every answer but a 2xx; see {@link AnyCallOptions.onRefusal} for its body
   */
  request(input: AnyRequest, options?: AnyCallOptions): Promise<AnyResult>;
  /**
   * The request that a call would send, secrets masked; nothing is sent.
   *
   * @param available the kinds of credentials that the store has
   */
  describeRequest<Id extends CallableOperation>(
    id: Id,
    input: OperationInputs[Id],
    available: readonly CredentialKind[],
  ): DescribedRequest;
  /** As {@link describeRequest}, of {@link request}. A body that streams is left out. */
  describeAnyRequest(input: AnyRequest, available: readonly CredentialKind[]): DescribedRequest;
  /** Ends idle connections, so that a program can exit; a transport that was given is left alone. */
  close(): Promise<void>;
}

/** @throws {ComandaError} `configuration` where the base URL can't be used */
export function createClient(options: ClientOptions): Client {
  const { clock = systemClock, rateLimiter } = options;
  const target = {
    baseUrl: normalizeBaseUrl(options.baseUrl),
    userAgent: options.userAgent ?? "comanda",
  };
  // Somebody else's program may live long: no flag of its engine is touched.
  const transport = options.transport ?? createLazyTransport({ shortLived: false });
  const call = createCaller({
    ...target,
    clock,
    transport,
    credentials: options.credentials,
    limiter: rateLimiter === false ? undefined : (rateLimiter ?? createMemoryRateLimiter(clock)),
    random: options.random ?? Math.random,
    maxWaitMs: options.maxWaitMs ?? 300_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRepeats: options.maxRetries ?? 3,
    onWait: options.onWait,
    onAttempt: options.onAttempt,
  });
  const change = async (
    id: "dispatchOrder" | "deliverOrder" | "finalizeOrder" | "cancelOrder",
    input: { orderId: string; reason?: string },
    callOptions?: CallOptions,
  ): Promise<StatusChangeResult> => {
    const { httpStatus, attempts } = await call.operation(id, input, callOptions);
    return { httpStatus, attempts };
  };
  return {
    dispatchOrder: (orderId, callOptions) => change("dispatchOrder", { orderId }, callOptions),
    deliverOrder: (orderId, callOptions) => change("deliverOrder", { orderId }, callOptions),
    finalizeOrder: (orderId, callOptions) => change("finalizeOrder", { orderId }, callOptions),
    cancelOrder: (orderId, input, callOptions) => change("cancelOrder", { ...input, orderId }, callOptions),
    assignDriver: async (orderId, input, callOptions) => {
      const { value, raw, httpStatus, attempts } = await call.operation(
        "assignDriver",
        { ...input, orderId },
        callOptions,
      );
      return { order: value, raw, httpStatus, attempts };
    },
    summary: async (query, callOptions) => {
      const { value, raw, httpStatus, attempts } = await call.operation("summary", query, callOptions);
      return { summary: value, raw, httpStatus, attempts };
    },
    groupedSummary: async (query, callOptions) => {
      const { value, raw, httpStatus, attempts } = await call.operation("groupedSummary", query, callOptions);
      return { groupedSummary: value, raw, httpStatus, attempts };
    },
    createPrefilledOrder: async (order, callOptions) => {
      const { value, raw, httpStatus, attempts } = await call.operation(
        "createPrefilledOrder",
        order,
        callOptions,
      );
      return { prefilledOrder: value, raw, httpStatus, attempts };
    },
    request: (input, callOptions) => call.any(input, callOptions),
    describeRequest: (id, input, available) => describeRequest(target, id, input, available),
    describeAnyRequest: (input, available) => describeAnyRequest(target, input, available),
    close: async () => {
      if (!options.transport) await transport.close();
    },
  };
}
