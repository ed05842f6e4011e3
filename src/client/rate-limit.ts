/** Keeps calls within the windows of section 8 before the service has to refuse them. */
import { rateLimits, type RateBucket, type RateLimit } from "../api/limits.js";
import { t } from "../languages/language.js";
import { systemClock, type Clock } from "./clock.js";
import { ComandaError } from "./errors.js";

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

/** Makes the error that every limiter throws where a place is free too late. */
export function noPlaceWithin(ms: number): ComandaError {
  const seconds = Math.ceil(ms / 1000);
  return new ComandaError("rate_limited", t`The service's rate limit leaves no free place for ${seconds} s.`);
}

/** One request: when it took its place, later when its answer came, which is when it was counted at the latest. */
interface TakenPlace {
  at: number;
}

interface Window {
  /** The places in the order in which they were asked for. */
  places: TakenPlace[];
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
    const window = windows.get(bucket) ?? { places: [], blockedUntil: 0 };
    windows.set(bucket, window);
    return window;
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
  const windowBegins = clock.now() - limit.windowMs;
  window.places = window.places.filter(({ at }) => at > windowBegins);
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

/** Gives the time at which no more than `limit - 1` of the requests before this one lie in the window. */
function freeAt({ places, blockedUntil }: Window, place: TakenPlace, { limit, windowMs }: RateLimit): number {
  const before = places.slice(0, places.indexOf(place)).map(({ at }) => at);
  const last = before.sort((a, b) => b - a)[limit - 1];
  return last === undefined ? blockedUntil : Math.max(blockedUntil, last + windowMs);
}

function remove(window: Window, place: TakenPlace): void {
  window.places = window.places.filter((other) => other !== place);
}
