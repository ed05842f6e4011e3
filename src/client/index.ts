/** The shared API module: the typed client of the partner API that every command calls. */
export {
  createClient,
  type AnyResult,
  type AssignDriverResult,
  type Client,
  type GroupedSummaryResult,
  type PrefilledOrderResult,
  type RawResult,
  type StatusChangeResult,
  type SummaryResult,
} from "./client.js";
export type { ClientOptions } from "./client-options.js";
export { httpMethods, type HttpMethod } from "./recognise-call.js";
export type { AnyRequest } from "./any-request.js";
export type { AnyCallOptions, CallOptions, StatusChangeOptions } from "./call/caller.js";
export type {
  AttemptNotice,
  CallObserver,
  CallVerdict,
  ObservedAttempt,
  ObservedCall,
  ObservedRequest,
  WaitNotice,
} from "./call/observer.js";
export type { Credentials } from "./call/credentials.js";
export type { FallbackNotice } from "./call/sign.js";
export { createDescriber, type DescribedRequest, type Describer } from "./describe-request.js";
export {
  createMemoryRateLimiter,
  type AcquireOptions,
  type Permit,
  type RateLimiter,
} from "./call/rate-limit.js";
export type { Destination } from "./request.js";
export type { CredentialKind, Signature } from "./call/signature.js";
export {
  TransportError,
  type AnswerHead,
  type BodySink,
  type BodyStream,
  type HttpAnswer,
  type HttpRequest,
  type Transport,
  type TransportFailure,
} from "./http/transport.js";
export type { TransportOptions } from "./http/undici-transport.js";
export { createLazyTransport as createTransport } from "./http/lazy-transport.js";
export type { CancelInput } from "../contract/models.js";
export type { GroupedSummaryQuery, SummaryQuery } from "../contract/models.js";
