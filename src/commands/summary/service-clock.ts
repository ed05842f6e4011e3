/**
 * How far the service's clock is ahead of this machine's, as its answers tell. A clock that runs ahead would make figures
 * final that aren't, and let others expire, so the age of figures goes by the service's clock where the two are apart.
 */
import type { CallObserver } from "../../client/index.js";
import { t } from "../../shared/language.js";
import { describeMoment } from "../../summary/period/period.js";
import type { Invocation } from "../context.js";

export interface ServiceClock {
  /** For the client whose answers tell. */
  readonly observer: CallObserver;
  /** Milliseconds, less than 0 where it is behind; 0 where the two agree, or nothing has told yet. */
  readonly ahead: () => number;
}

/** Within that a figure's age is right enough, and a `Date` that stood still on its way does no harm. */
const toleranceMs = 5 * 60_000;

/** One for each service; the first that is apart is said. */
export function serviceClocks({ context: { clock }, output }: Invocation): (zone: string) => ServiceClock {
  let isSaid = false;
  const say = (aheadMs: number, zone: string) => {
    if (isSaid) return;
    isSaid = true;
    const [own, service] = [clock.now(), clock.now() + aheadMs].map((at) => describeMoment(at, zone));
    output.warn(
      t`By this machine's clock it is ${own ?? ""}, by the service's ${service ?? ""}: days such as yesterday may be others than you mean. How old figures are goes by the service's clock. Let the system set its clock by the network (NTP).`,
    );
  };
  return (zone) => {
    let aheadMs = 0;
    return {
      observer: {
        attempted(_, { answeredAt, ms, verdict }) {
          // Somebody in between has a clock of its own.
          if (answeredAt === undefined || verdict.outcome !== "done") return;
          const apart = answeredAt - (clock.now() - ms / 2);
          aheadMs = Math.abs(apart) > toleranceMs ? apart : 0;
          if (aheadMs !== 0) say(aheadMs, zone);
        },
      },
      ahead: () => aheadMs,
    };
  };
}
