/** How far the service's clock is ahead of this machine's, as its answers tell (RFC 9110, section 6.6.1). */
import type { Clock } from "../../shared/clock.js";
import type { CallObserver } from "./observer.js";

export interface ServiceClock {
  /** For the client whose answers tell. */
  readonly observer: CallObserver;
  /** Milliseconds, less than 0 where it is behind; 0 where the two agree, or nothing has told yet. */
  readonly ahead: () => number;
}

/** Within that a figure's age is right enough, and a `Date` that stood still on its way does no harm. */
const toleranceMs = 5 * 60_000;

/** @param onApart told with each answer by which the two don't agree */
export function serviceClock(clock: Clock, onApart?: (aheadMs: number) => void): ServiceClock {
  let aheadMs = 0;
  return {
    observer: {
      attempted(_, { answeredAt, ms, verdict }) {
        // Of what isn't the service's own answer, somebody in between may have told the time.
        if (answeredAt === undefined || verdict.evidence !== "api") return;
        const apart = answeredAt - (clock.now() - ms / 2);
        aheadMs = Math.abs(apart) > toleranceMs ? apart : 0;
        if (aheadMs !== 0) onApart?.(aheadMs);
      },
    },
    ahead: () => aheadMs,
  };
}
