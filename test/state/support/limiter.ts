import type { RateBucket, RateLimit } from "../../../src/api/values.js";
import type { RateLimiter } from "../../../src/client/options.js";
import { openLimiter } from "../../../src/state/limits.js";
import type { State } from "../../../src/state/state.js";

export const limitedStore = "a";

/** @param rate replaces the specification's limit of each bucket */
export function limiterOf(
  folder: Pick<State, "clock" | "database" | "warn">,
  store = limitedStore,
  rate?: RateLimit,
): RateLimiter {
  const limits: Record<RateBucket, RateLimit> | undefined = rate && {
    summary: rate,
    summary_grouped: rate,
    history: rate,
    general: rate,
  };
  const limiter = openLimiter(folder, store, {}, limits);
  if (limiter === false) throw new Error("nothing is counted");
  return limiter;
}
