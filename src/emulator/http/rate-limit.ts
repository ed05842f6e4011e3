/** Section 8 sets these limits: a window for each store and bucket, on the emulator's clock. */
import { rateLimits, type RateBucket } from "../../api/limits.js";
import { usualReadings, type Readings } from "../readings.js";

/** The times of the last `limit` calls, oldest overwritten first: one number a call, no allocation. */
interface Window {
  readonly times: Float64Array;
  /** The oldest call has this place. */
  next: number;
  newest: number;
}

export class RateLimiter {
  enabled: boolean;
  readonly #windows = new Map<RateBucket, Map<number, Window>>();

  constructor(
    enabled: boolean,
    private readonly readings: Readings = usualReadings,
  ) {
    this.enabled = enabled;
  }

  /**
   * Takes a place in the window of a store and bucket.
   *
   * @returns 0 where there was one, else the milliseconds until there is one; such a call takes no place
   */
  take(storeId: number, bucket: RateBucket, now: number): number {
    if (!this.enabled) return 0;
    const window = this.#windowOf(storeId, bucket);
    const { times, next } = window;
    // Somebody set the clock back: calls of the future say nothing about this minute.
    if (now < window.newest) times.fill(Number.NEGATIVE_INFINITY);
    const { windowMs } = rateLimits[bucket];
    const oldest = times[next] ?? Number.NEGATIVE_INFINITY;
    const isFixed = this.readings.limit_window === "fixed";
    const freeAt = (isFixed ? Math.floor(oldest / windowMs) * windowMs : oldest) + windowMs;
    if (freeAt > now && this.readings.limit_counts === "admitted") return freeAt - now;
    times[next] = now;
    window.newest = now;
    window.next = (next + 1) % times.length;
    return Math.max(freeAt - now, 0);
  }

  /** Switches the limits, and forgets every call. */
  switch(enabled: boolean): void {
    this.enabled = enabled;
    this.clear();
  }

  clear(): void {
    this.#windows.clear();
  }

  #windowOf(storeId: number, bucket: RateBucket): Window {
    let stores = this.#windows.get(bucket);
    if (!stores) this.#windows.set(bucket, (stores = new Map<number, Window>()));
    let window = stores.get(storeId);
    if (!window) {
      const times = new Float64Array(rateLimits[bucket].limit).fill(Number.NEGATIVE_INFINITY);
      stores.set(storeId, (window = { times, next: 0, newest: Number.NEGATIVE_INFINITY }));
    }
    return window;
  }
}
