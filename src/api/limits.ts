/** Section 8 has the limits, and section 5 the lifetimes. */

/** A sliding window allows at most `limit` requests in any `windowMs` milliseconds, counted for each store. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

const fivePerMinute: RateLimit = { limit: 5, windowMs: 60_000 };

/** Each endpoint of the first three has a window of its own; all the others share one. */
export const rateLimits = {
  summary: fivePerMinute,
  summary_grouped: fivePerMinute,
  history: fivePerMinute,
  general: { limit: 300, windowMs: 180_000 },
} as const satisfies Record<string, RateLimit>;

export type RateBucket = keyof typeof rateLimits;

/** An access token lives this many seconds (section 5.2). */
export const accessTokenSeconds = 7200;

/** Section 5.2. */
export const codeVerifierLength = { min: 43, max: 128 } as const;

/** Section 8: the end of a summary period lies at most this many months after its start. */
export const summaryPeriodMonths = 6;

/** Section 8: a summary period starts at most this many years in the past. */
export const summaryHistoryYears = 3;

/** Section 4.8. */
export const customerOriginLength = 255;
