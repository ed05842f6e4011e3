/** What a list of drivers states: the store, the days, the time zone and the request time. */
import type * as z from "zod";

import type { RecentDrivers } from "../core/drivers.js";
import type { OwedAtStore } from "../core/drivers-owed.js";
import type * as results from "../core/results.js";
import { t } from "../languages/language.js";
import { describeAge, describePeriod, periodJson } from "../sales/period.js";

/** A driver of `driver list`. */
export type ListedDriver = z.output<typeof results.listedDriver>;

/** Returns the sentence above a store's drivers. */
export function recentSentence(label: string, { figures }: RecentDrivers): string {
  const { period } = figures;
  return t`${label}: drivers with orders ${describePeriod(period)}, ${describeAge(figures, period.zone)}.`;
}

/** Returns a store's drivers, each with the facts of the sentence. */
export function recentRows(label: string, { drivers, figures }: RecentDrivers): readonly ListedDriver[] {
  const { period, askedAt, cached } = figures;
  const asked = { asked_at: new Date(askedAt).toISOString(), cached };
  return drivers.map((driver) => ({ ...driver, store: label, period: periodJson(period), ...asked }));
}

/** Returns the sentence above the fees of a store's drivers. */
export function owedSentence({ document, period }: OwedAtStore): string {
  return t`Drivers of ${document.store}, ${describePeriod(period)}: orders assigned from this machine.`;
}
