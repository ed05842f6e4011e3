/**
 * A clock that runs ahead would make figures final that aren't, and let others expire. So the age of figures goes by the
 * service's clock where the two are apart, and a warning says so.
 */
import { serviceClock, type ServiceClock } from "../../client/call/service-clock.js";
import { t } from "../../shared/language.js";
import { describeMoment } from "../period/period.js";
import type { Machine } from "../../toolkit/machine.js";

/** One for each service; the first that is apart is said. */
export function serviceClocks({ context: { clock }, output }: Machine): (zone: string) => ServiceClock {
  let isSaid = false;
  return (zone) =>
    serviceClock(clock, (aheadMs) => {
      if (isSaid) return;
      isSaid = true;
      const [local, service] = [clock.now(), clock.now() + aheadMs].map((at) => describeMoment(at, zone));
      output.warn(
        t`By this machine's clock it is ${local ?? ""}, by the service's ${service ?? ""}: days such as yesterday may be others than you mean. How old figures are goes by the service's clock. Let the system set its clock by the network (NTP).`,
      );
    });
}
