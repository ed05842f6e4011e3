/** The layer that repeats a request where {@link decide} says so. */
import type { Clock } from "../../shared/clock.js";
import { rateLimits, type RateBucket } from "../../contract/limits.js";
import { callback, callbackFailed } from "./callback.js";
import type { Attempted, Call, Send } from "./outcome.js";
import type { RateLimiter } from "./rate-limit.js";
import { decide } from "./retry.js";
import type { WaitNotice } from "./wait-notice.js";

export interface RetryOptions {
  readonly clock: Clock;
  /** At least 0 and below 1, like `Math.random`. */
  readonly random: () => number;
  readonly maxRepeats: number;
  /** Milliseconds that one call may spend on rate limits, and on pauses that the service asks for. */
  readonly maxWaitMs: number;
  readonly onWait?: ((notice: WaitNotice) => void) | undefined;
  /** Told of each rate limit that the service reports, so that others hold back as well. */
  readonly limiter: Pick<RateLimiter, "blocked"> | undefined;
}

export function retrying(options: RetryOptions, next: Send): Send {
  const { clock, random, maxRepeats, maxWaitMs, onWait, limiter } = options;
  return async <Value>(call: Call<Value>): Promise<Attempted<Value>> => {
    const { operation, progress, request } = call;
    const bucket = operation.bucket ?? "general";
    const pause = async (reason: WaitNotice["reason"], ms: number) => {
      const notice = { reason, ms, operation: operation.id, attempts: progress.attempts };
      callback("onWait", () => onWait?.(notice));
      await clock.sleep(ms, request.signal);
    };
    const mayWait = (ms: number) => {
      if (progress.waitedMs + ms > maxWaitMs) return false;
      progress.waitedMs += ms;
      return true;
    };
    for (let repeats = 0; ;) {
      const attempted = await next(call);
      if (attempted.kind === "success") return attempted;
      const decision = decide({
        attempted,
        repeats,
        maxRepeats: isSpent(call) ? 0 : maxRepeats,
        repeatable: operation.repeatable,
        windowMs: rateLimits[bucket].windowMs,
        random: random(),
        now: clock.now(),
      });
      switch (decision.kind) {
        case "return":
          return attempted;
        case "repeat":
          repeats += 1;
          await pause("no_answer", decision.afterMs);
          break;
        case "pause":
          if (!mayWait(decision.afterMs)) return attempted;
          repeats += 1;
          await pause("no_answer", decision.afterMs);
          break;
        case "wait":
          await block(limiter, bucket, decision.afterMs);
          if (isSpent(call) || !mayWait(decision.afterMs)) return attempted;
          await pause("rate_limited", decision.afterMs);
      }
    }
  };
}

async function block(limiter: RetryOptions["limiter"], bucket: RateBucket, ms: number): Promise<void> {
  try {
    await limiter?.blocked(bucket, ms);
  } catch (error) {
    throw callbackFailed("rateLimiter.blocked", error);
  }
}

/** It can't be sent again as it was: its body is used up, or half of an answer has been handed on. */
export function isSpent({ request: { body }, progress }: Call<unknown>): boolean {
  const once = typeof body === "object" && "reopens" in body && !body.reopens;
  return once || progress.delivered === true;
}
