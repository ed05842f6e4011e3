/**
 * The layers of the client hand these to each other. A layer is a function around a {@link Send}; it knows nothing of the
 * others, and none but the outermost throws for what a service or a network did.
 */
import type { RateBucket } from "../../api/limits.js";
import type { Scope } from "../../api/operations.js";
import type { ComandaError } from "../errors.js";
import type { HttpRequest } from "../http/transport.js";
import type { Signature } from "./signature.js";
import type { ReadSuccess } from "./judge.js";
import type { ObservedCall } from "./observer.js";
import type { Attempt, FailedAttempt, Verdict } from "./outcome.js";

/** Sends one request of a call; the innermost layer decides nothing. */
export type Send = <Value>(call: Call<Value>) => Promise<Attempt<Value>>;

/** One call of an operation on its way through the layers. */
export interface Call<Value> {
  readonly operation: CalledOperation;
  readonly request: HttpRequest;
  /** The observer is told this of it. */
  readonly observed: ObservedCall;
  /** Shared by all the requests of this call. */
  readonly progress: Progress;
  readonly read: ReadSuccess<Value>;
}

/** An operation of the contract, or a call of any other path, as far as the layers have to know it. */
export interface CalledOperation {
  readonly id: string;
  readonly scopes: readonly Scope[];
  readonly bucket: RateBucket | null;
  /** May it be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** The credentials that an operation takes, in order of preference. */
  readonly credentials: readonly Signature[];
}

export interface Progress {
  /** Requests that were begun. */
  attempts: number;
  /** Milliseconds spent as the service asked, which `maxWaitMs` bounds for the call as a whole. */
  waitedMs: number;
  /** The credential that signs the call, once that is chosen. */
  credential?: Signature;
  /** The credential that would have signed it, had the service not refused that. */
  refused?: Signature;
  /** The latest attempt of a write after which it may have been done. */
  doubt?: FailedAttempt;
  /** The verdict on the call if it ends now; absent where no request of it is over. */
  verdict?: Verdict;
  /** The stream of the body failed. */
  fault?: ComandaError;
}

/** Can't the call be sent again, since its body is used up? */
export function isSpent({ request: { body } }: Call<unknown>): boolean {
  return typeof body === "object" && "reopens" in body && !body.reopens;
}
