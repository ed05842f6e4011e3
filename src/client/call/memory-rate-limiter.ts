/** A rate limiter for one process: a log of timestamps for each bucket (sliding window). */
import { systemClock, type Clock } from "../../shared/clock.js";
import { rateLimits, type RateBucket, type RateLimit } from "../../contract/limits.js";
import { noPlaceWithin, type AcquireOptions, type Permit, type RateLimiter } from "./rate-limit.js";

/** One request: when it took its place, later when its answer came, which is when it was counted at the latest. */
interface TakenPlace {
  at: number;
}

interface Window {
  /** The places in the order in which they were asked for. */
  readonly places: TakenPlace[];
  blockedUntil: number;
}

/**
 * The limits of section 8, kept in this process: 5 requests a minute for each summary, 300 in 3 minutes for the rest.
 * Keep one for each store and environment, whose windows are counted apart, and share it between their clients.
 *
 * @param clock for tests; default: the system's
 */
export function createMemoryRateLimiter(clock: Clock = systemClock): RateLimiter {
  const windows = new Map<RateBucket, Window>();
  const windowOf = (bucket: RateBucket): Window => {
    const window = windows.get(bucket);
    if (window) return window;
    const created = { places: [], blockedUntil: 0 };
    windows.set(bucket, created);
    return created;
  };
  return {
    acquire: (bucket, options) => acquire(windowOf(bucket), rateLimits[bucket], clock, options),
    blocked: (bucket, ms) => {
      const window = windowOf(bucket);
      window.blockedUntil = Math.max(window.blockedUntil, clock.now() + ms);
    },
  };
}

async function acquire(
  window: Window,
  limit: RateLimit,
  clock: Clock,
  { signal, maxWaitMs, onWait }: AcquireOptions,
): Promise<Permit> {
  forget(window, clock.now() - limit.windowMs);
  const deadline = clock.now() + maxWaitMs;
  const place: TakenPlace = { at: clock.now() };
  window.places.push(place);
  try {
    for (;;) {
      const now = clock.now();
      // A place that waits counts from the moment that it will go out: those behind it line up after that.
      place.at = Math.max(now, freeAt(window, place, limit));
      if (place.at <= now) break;
      if (place.at > deadline) throw noPlaceWithin(place.at - now);
      onWait?.(place.at - now);
      await clock.sleep(place.at - now, signal);
    }
  } catch (error) {
    remove(window, place);
    throw error;
  }
  return {
    settle: (sent) => {
      if (sent) place.at = clock.now();
      else remove(window, place);
    },
  };
}

/** When no more than `limit - 1` of the requests before this one lie in the window. */
function freeAt({ places, blockedUntil }: Window, place: TakenPlace, { limit, windowMs }: RateLimit): number {
  const before = places.slice(0, places.indexOf(place)).map(({ at }) => at);
  const last = before.sort((a, b) => b - a)[limit - 1];
  return last === undefined ? blockedUntil : Math.max(blockedUntil, last + windowMs);
}

function forget({ places }: Window, until: number): void {
  const first = places.findIndex(({ at }) => at > until);
  places.splice(0, first === -1 ? places.length : first);
}

function remove({ places }: Window, place: TakenPlace): void {
  const index = places.indexOf(place);
  if (index !== -1) places.splice(index, 1);
}
