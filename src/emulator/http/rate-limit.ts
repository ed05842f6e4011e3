/** Section 8 sets these limits: a window for each store and bucket, on the emulator's clock. */
import { rateLimits, type RateBucket, type RateLimit } from "../../contract/limits.js";
import { usualReadings, type Readings } from "../readings.js";

/** The times of the last `limit` calls, oldest overwritten first: one number a call, no allocation. */
class Window {
  readonly #times: Float64Array;
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rate: RateLimit,
    private readonly readings: Readings,
  ) {
    this.#times = new Float64Array(rate.limit).fill(Number.NEGATIVE_INFINITY);
  }

  take(now: number): number {
    // Somebody set the clock back: calls of the future say nothing about this minute.
    if (now < this.#newest) this.#times.fill(Number.NEGATIVE_INFINITY);
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    const freeAt = this.#endOf(oldest);
    if (freeAt > now && this.readings.limit_counts === "admitted") return freeAt - now;
    this.#times[this.#next] = now;
    this.#newest = now;
    this.#next = (this.#next + 1) % this.rate.limit;
    return Math.max(freeAt - now, 0);
  }

  /** A call stops to count at this time. */
  #endOf(time: number): number {
    const { windowMs } = this.rate;
    const start = this.readings.limit_window === "fixed" ? Math.floor(time / windowMs) * windowMs : time;
    return start + windowMs;
  }
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
    let stores = this.#windows.get(bucket);
    if (!stores) this.#windows.set(bucket, (stores = new Map<number, Window>()));
    let window = stores.get(storeId);
    if (!window) stores.set(storeId, (window = new Window(rateLimits[bucket], this.readings)));
    return window.take(now);
  }

  /** Forgets every call. */
  clear(): void {
    this.#windows.clear();
  }
}
