/** The limits of section 8: sliding windows for each store and bucket, on the emulator's clock. */
import { rateLimits, type RateBucket, type RateLimit } from "../../contract/limits.js";

/** The times of the last `limit` calls, oldest overwritten first: one number a call, no allocation. */
class Window {
  readonly #times: Float64Array;
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(private readonly rate: RateLimit) {
    this.#times = new Float64Array(rate.limit).fill(Number.NEGATIVE_INFINITY);
  }

  take(now: number): number {
    // Somebody set the clock back: calls of the future say nothing about this minute.
    if (now < this.#newest) this.#times.fill(Number.NEGATIVE_INFINITY);
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    const freeAt = oldest + this.rate.windowMs;
    if (freeAt > now) return freeAt - now;
    this.#times[this.#next] = now;
    this.#newest = now;
    this.#next = (this.#next + 1) % this.rate.limit;
    return 0;
  }
}

export class RateLimiter {
  enabled: boolean;
  readonly #windows = new Map<RateBucket, Map<number, Window>>();

  constructor(enabled: boolean) {
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
    if (!window) stores.set(storeId, (window = new Window(rateLimits[bucket])));
    return window.take(now);
  }

  /** Forgets every call. */
  clear(): void {
    this.#windows.clear();
  }
}
