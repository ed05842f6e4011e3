/** Delays calls so that the service's rate limits aren't reached (section 8). */
import * as z from "zod/mini";

import { oneOf } from "../api/schema.js";
import { rateLimits } from "../api/values.js";
import { once } from "../base/basics.js";
import { t } from "../languages/language.js";
import { steadyNow, systemClock, type Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import { callFields, checkInput, checkOptions, optionKinds, type RateLimiter } from "./options.js";

/** Milliseconds between requests for a window after a second 429 within the window, so that the service isn't flooded again. */
export const slowMs = 1000;

export function noSlotWithin(ms: number, isSlowed: boolean): ComandaError {
  const message = isSlowed
    ? t`comanda slows down because the service returned 429 twice: the next request can be sent in ${Math.ceil(ms / 1000)} s.`
    : limitReached(ms);
  return new ComandaError("rate_limited", message, { hintFacts: { about: "max_wait" } });
}

export function limitReached(ms: number): string {
  return t`Rate limit reached: the next request can be sent in ${Math.ceil(ms / 1000)} s.`;
}

/** The arguments of a limiter's functions. A time that isn't a number would delay all later calls forever. */
const limiterInput = once(() => {
  const { maxWaitMs } = callFields();
  return z.object({ bucket: oneOf(Object.keys(rateLimits)), maxWaitMs, ms: maxWaitMs });
});

/**
 * Returns a limiter in this process with the limits of section 8: 5 requests a minute for each summary, 300 in 3 minutes for the rest.
 * Create one for each store and environment, and share it between their clients.
 *
 * @param clock for tests; default: the system's
 */
export function createMemoryRateLimiter(clock: Clock = systemClock): RateLimiter {
  checkOptions({ clock }, { clock: optionKinds().clock });
  const begin = () => ({
    /** In the order of the requests: when each is sent, and once its response is there, when it was counted. */
    slots: new Set<{ at: number }>(),
    /** The latest 429, the end of its wait, and until when requests are {@link slowMs} apart. */
    blockedAt: -Infinity,
    until: 0,
    slowUntil: 0,
  });
  const limits = { summary: begin(), summary_grouped: begin(), history: begin(), general: begin() };
  return {
    async acquire(bucket, options) {
      checkInput(limiterInput(), { bucket, maxWaitMs: options.maxWaitMs });
      const { signal, maxWaitMs, onWait } = options;
      const { limit, windowMs } = rateLimits[bucket];
      const slot = { at: steadyNow(clock) };
      const deadline = slot.at + maxWaitMs;
      const { slots } = limits[bucket];
      for (const each of slots) if (each.at <= slot.at - windowMs) slots.delete(each);
      slots.add(slot);
      try {
        for (;;) {
          const all = [...slots];
          const before = all.slice(0, all.indexOf(slot)).map(({ at }) => at);
          before.sort((a, b) => b - a);
          const { until, slowUntil } = limits[bucket];
          const now = steadyNow(clock);
          const free = Math.max(now, until, (before[limit - 1] ?? -Infinity) + windowMs);
          // A waiting slot counts from the time when its request will be sent, and later ones follow it.
          slot.at = Math.max(free, slowUntil > now ? (before[0] ?? -Infinity) + slowMs : 0);
          if (slot.at <= now) break;
          const isSlowed = slot.at > free;
          if (slot.at > deadline) throw noSlotWithin(slot.at - now, isSlowed);
          await onWait?.(slot.at - now, isSlowed ? "slowed_down" : "rate_limit");
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
    blocked(bucket, ms = 0) {
      checkInput(limiterInput(), { bucket, ms });
      const limit = limits[bucket];
      const now = steadyNow(clock);
      limit.until = Math.max(limit.until, now + ms);
      const { windowMs } = rateLimits[bucket];
      if (limit.blockedAt > now - windowMs) limit.slowUntil = limit.until + windowMs;
      limit.blockedAt = now;
    },
  };
}
