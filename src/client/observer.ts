/**
 * A client tells its observer of each call: when its request is built, at each attempt, before each wait, and in the end.
 * A rule that has to hold for every call, whichever way it is made, is kept by an observer: no call goes around it, and
 * nothing has to be guessed from bytes.
 */
import type { Signature } from "./credentials.js";
import type { Outcome } from "./errors.js";
import type { HttpAnswer, HttpRequest, TransportFailure } from "./transport.js";

/** A call whose request is built. It holds no header, and no secret. */
export interface ObservedCall extends Pick<HttpRequest, "method" | "url" | "body"> {
  /** Counts the calls of this client, from 1. */
  readonly number: number;
  /** The operation's id in the contract; `request` for a call that the contract doesn't know. */
  readonly operation: string;
  /** Below the base URL, without its query. */
  readonly path: string;
  /** The order that the path names; `null` where it names none. */
  readonly order: string | null;
}

/** One request of a call that is about to go out. */
export interface ObservedRequest {
  /** The place of this request among those of its call, from 1. */
  readonly attempt: number;
  /** The credential that signs it. */
  readonly credential: Signature | undefined;
}

/** One request of a call that is over. */
export interface ObservedAttempt extends ObservedRequest {
  /** Milliseconds. */
  readonly ms: number;
  /** May a part of it have left this machine? */
  readonly sent: boolean;
  /** Absent where none came. */
  readonly answer?: HttpAnswer;
  /** Absent where an answer came. */
  readonly failure?: TransportFailure;
  /** The verdict on the call if it ends here: on its requests so far, not on this one alone. */
  readonly verdict: Outcome;
}

/**
 * Each function is told of every call of the client. What one of them throws ends the call: a `ComandaError` as it is,
 * anything else as `callback_failed`.
 */
export interface CallObserver {
  /** Before anything is done for the call. It is waited for; where it throws, nothing goes out. */
  begins?(call: ObservedCall): void | Promise<void>;
  /** Before the first byte of each request. It is waited for; where it throws, the request doesn't go out. */
  sends?(call: ObservedCall, request: ObservedRequest): void | Promise<void>;
  /** Once for each `sends`. A failure here makes nothing undone: the call ends, though the service may have done it. */
  attempted?(call: ObservedCall, attempt: ObservedAttempt): void;
  /** Called at the end of each call, whatever came of it, and waited for. */
  ended?(call: ObservedCall, outcome: Outcome["outcome"]): void | Promise<void>;
}

/** Said before the client waits, so that a person knows why nothing happens. */
export interface WaitNotice {
  /**
   * `rate_limited`: the service said so. `rate_limit`: our own count of the window says so, before the service
   * has to. `no_answer`: the service was not reached or failed, and the call is repeated.
   */
  readonly reason: "rate_limited" | "rate_limit" | "no_answer";
  /** Milliseconds. */
  readonly ms: number;
  /** The id of the operation in the contract. */
  readonly operation: string;
  /** Requests of this call so far. */
  readonly attempts: number;
}
