/** Delays calls so that the service's rate limits aren't reached (section 8). */
import { rateLimits, type RateBucket } from "../api/values.js";
import { t } from "../languages/language.js";
import { steadyNow, systemClock, type Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import type { RateLimiter } from "./options.js";

/** Returns the error of a slot that is free too late. */
export function noSlotWithin(ms: number): ComandaError {
  const seconds = Math.ceil(ms / 1000);
  return new ComandaError(
    "rate_limited",
    t`Rate limit reached: the next request can be sent in ${seconds} s.`,
  );
}

/**
 * Returns a limiter in this process with the limits of section 8: 5 requests a minute for each summary, 300 in 3 minutes for the rest.
 * Create one for each store and environment, and share it between their clients.
 *
 * @param clock for tests; default: the system's
 */
export function createMemoryRateLimiter(clock: Clock = systemClock): RateLimiter {
  /** In the order of the requests: when each is sent, and once its response is there, when it was counted. */
  const taken = new Map<RateBucket, Set<{ at: number }>>();
  const blockedUntil = new Map<RateBucket, number>();
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const { limit, windowMs } = rateLimits[bucket];
      const slot = { at: steadyNow(clock) };
      const deadline = slot.at + maxWaitMs;
      const slots = taken.get(bucket) ?? new Set();
      taken.set(bucket, slots);
      for (const each of slots) if (each.at <= slot.at - windowMs) slots.delete(each);
      slots.add(slot);
      try {
        for (;;) {
          const all = [...slots];
          const before = all.slice(0, all.indexOf(slot)).map(({ at }) => at);
          const last = before.sort((a, b) => b - a)[limit - 1] ?? -Infinity;
          const now = steadyNow(clock);
          // A waiting slot counts from the time when its request will be sent, and later ones follow it.
          slot.at = Math.max(now, blockedUntil.get(bucket) ?? 0, last + windowMs);
          if (slot.at <= now) break;
          if (slot.at > deadline) throw noSlotWithin(slot.at - now);
          await onWait?.(slot.at - now);
          await clock.sleep(slot.at - steadyNow(clock), signal);
        }
      } catch (error) {
        slots.delete(slot);
        throw error;
      }
      return {
        settle: (sent) => {
          if (sent) slot.at = steadyNow(clock);
          else slots.delete(slot);
        },
      };
    },
    blocked: (bucket, ms) =>
      void blockedUntil.set(bucket, Math.max(blockedUntil.get(bucket) ?? 0, steadyNow(clock) + ms)),
  };
}
