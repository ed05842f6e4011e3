/**
 * What a client tells of each call: when its request is built, at each attempt, and in the end. What has to hold for every
 * call, whichever way it is made, is kept here: nothing goes around it, and nothing has to be guessed from bytes.
 */
import type { TransportFailure } from "../http/transport.js";
import { callback, callbackFailed } from "./callback.js";
import type { CallVerdict, ObservedCall } from "./outcome.js";
import type { Signature } from "./signature.js";

/** One request of a call that is about to go out. */
export interface ObservedRequest {
  /** Which request of its call this is, from 1. */
  readonly attempt: number;
  /** What it is signed with. */
  readonly credential: Signature | undefined;
}

/** One request of a call that is over. */
export interface ObservedAttempt extends ObservedRequest {
  /** Milliseconds. */
  readonly ms: number;
  /** May a part of it have left this machine? */
  readonly sent: boolean;
  /** Absent where no answer came. */
  readonly httpStatus?: number;
  /** When the service answered by its own clock, in milliseconds since the epoch; absent where it doesn't say. */
  readonly answeredAt?: number;
  /** Absent where an answer came. */
  readonly failure?: TransportFailure;
  /** What the call comes to if it ends here: of its requests so far, not of this one alone. */
  readonly verdict: CallVerdict;
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
  ended?(call: ObservedCall, outcome: CallVerdict["outcome"]): void | Promise<void>;
}

/** One observer of several, told in this order. */
export function together(observers: readonly (CallObserver | undefined)[]): CallObserver {
  const all = observers.filter((each) => each !== undefined);
  return {
    async begins(call) {
      for (const each of all) await each.begins?.(call);
    },
    async sends(call, request) {
      for (const each of all) await each.sends?.(call, request);
    },
    attempted(call, attempt) {
      for (const each of all) each.attempted?.(call, attempt);
    },
    async ended(call, outcome) {
      for (const each of all) await each.ended?.(call, outcome);
    },
  };
}

/** One request that is over. The URL never holds a secret. */
export interface AttemptNotice {
  /** The id of the operation in the contract. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Which request of its call this was, from 1. */
  readonly attempt: number;
  /** Milliseconds. */
  readonly ms: number;
  /** Absent where no answer came. */
  readonly httpStatus?: number;
  /** Absent where an answer came. */
  readonly failure?: TransportFailure;
}

/** Tells each request that was begun. */
export function attemptObserver(onAttempt: (notice: AttemptNotice) => void): CallObserver {
  return {
    attempted({ operation, method, url }, { attempt, ms, sent, httpStatus, failure }) {
      if (failure === "aborted" && !sent) return;
      const result = { ...(httpStatus !== undefined && { httpStatus }), ...(failure && { failure }) };
      const answer = httpStatus === undefined ? {} : { answer: { httpStatus } };
      callback("onAttempt", () => onAttempt({ operation, method, url, attempt, ms, ...result }), answer);
    },
  };
}

/** Waits for what an observer does before or after; its failure is named as its own. */
export async function observed(
  name: "begins" | "sends" | "ended",
  run: () => void | Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw callbackFailed(`observer.${name}`, error);
  }
}
