/** The layer that keeps calls within the windows of section 8 before the service has to refuse them. */
import type { Clock } from "../../shared/clock.js";
import { t } from "../../shared/language.js";
import type { RateBucket } from "../../contract/limits.js";
import { ComandaError } from "../../shared/errors.js";
import { callback, callbackFailed } from "./callback.js";
import type { Send } from "./outcome.js";
import type { WaitNotice } from "./wait-notice.js";

export interface AcquireOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; where no place becomes free within them, it fails at once rather than after them. */
  readonly maxWaitMs: number;
  /** Called before each wait, with its length in milliseconds. */
  readonly onWait?: (ms: number) => void;
}

/** A place in a window. Must be settled once. */
export interface Permit {
  /** @param sent false gives the place back: the service can't have counted the request */
  settle(sent: boolean): void | Promise<void>;
}

/** Counts the requests of one store at one environment. */
export interface RateLimiter {
  /**
   * Resolves when the request may go out.
   *
   * @throws {ComandaError} `rate_limited` where that would take longer than `maxWaitMs`
   * @throws the signal's reason
   */
  acquire(bucket: RateBucket, options: AcquireOptions): Promise<Permit>;
  /** The service answered 429: nothing of this bucket goes out for `ms` milliseconds. */
  blocked(bucket: RateBucket, ms: number): void | Promise<void>;
}

/** What every limiter throws where a place is free too late. */
export function noPlaceWithin(ms: number): ComandaError {
  const seconds = Math.ceil(ms / 1000);
  return new ComandaError("rate_limited", t`The service's rate limit leaves no free place for ${seconds} s.`);
}

export interface RateLimitOptions {
  readonly limiter: RateLimiter | undefined;
  readonly clock: Clock;
  /** Milliseconds that one call may spend on rate limits, the service's own included. */
  readonly maxWaitMs: number;
  readonly onWait?: ((notice: WaitNotice) => void) | undefined;
  readonly optionNames: { readonly maxWaitMs: string };
}

export function rateLimited(options: RateLimitOptions, next: Send): Send {
  const { limiter, clock, maxWaitMs, onWait, optionNames } = options;
  if (!limiter) return next;
  return async (call) => {
    const { operation, progress, request } = call;
    if (operation.bucket === null) return next(call);
    const since = clock.now();
    let permit: Permit;
    try {
      permit = await limiter.acquire(operation.bucket, {
        signal: request.signal,
        maxWaitMs: Math.max(0, maxWaitMs - progress.waitedMs),
        onWait: (ms) => {
          const notice = {
            reason: "rate_limit",
            ms,
            operation: operation.id,
            attempts: progress.attempts,
          } as const;
          callback("onWait", () => onWait?.(notice));
        },
      });
    } catch (error) {
      throw withHint(callbackFailed("rateLimiter.acquire", error), optionNames.maxWaitMs);
    }
    progress.waitedMs += Math.max(0, clock.now() - since);
    let sent = true;
    try {
      const attempted = await next(call);
      sent = attempted.kind !== "no_answer" || attempted.error.sent;
      return attempted;
    } finally {
      await settle(permit, sent);
    }
  };
}

/** A limiter knows of the wait, and not what whoever waits may change. */
function withHint(error: ComandaError, optionName: string): ComandaError {
  if (error.code !== "rate_limited" || error.hint !== undefined) return error;
  return new ComandaError(error.code, error.message, {
    hint: longerWaitHint(optionName),
    cause: error.cause,
  });
}

export function longerWaitHint(optionName: string): string {
  return t`Try again later, or allow a longer wait: ${optionName}.`;
}

/** No promise of its own where the limiter needs none. */
function settle(permit: Permit, sent: boolean): void | Promise<void> {
  const blame = (error: unknown) => callbackFailed(t`settle of the rate limiter's permit`, error);
  try {
    return permit.settle(sent)?.catch((error: unknown) => {
      throw blame(error);
    });
  } catch (error) {
    throw blame(error);
  }
}
