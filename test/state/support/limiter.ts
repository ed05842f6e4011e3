import type { RateLimiter } from "../../../src/client/options.js";
import { openLimiter } from "../../../src/state/limits.js";
import type { State } from "../../../src/state/state.js";

export const limitedStore = "a";

export function limiterOf(
  folder: Pick<State, "clock" | "database" | "warn">,
  store = limitedStore,
): RateLimiter {
  const limiter = openLimiter(folder, store, {});
  if (limiter === false) throw new Error("nothing is counted");
  return limiter;
}
