/** What figures said then, and what they say now. What was said and the changes are what is said now. Pure. */
import type { Group } from "../../contract/models.js";
import { numberFromCents } from "../../contract/money.js";
import { keyIdentity } from "../merge/group-identity.js";
import {
  addToSum,
  addMetrics,
  emptySum,
  noOrders,
  subtractSum,
  totalsAgree,
  type Metrics,
} from "../merge/sums.js";

/** What changes are listed by: the days first, which all figures are made of. */
export const changeSections = ["day", "sales_channel", "status"] as const;
export type ChangeSection = (typeof changeSections)[number];

export type SaidGroups = ReadonlyMap<ChangeSection, readonly Group[]>;

export interface FigureChange extends Pick<Group, "key" | "label"> {
  readonly before: Metrics;
  readonly now: Metrics;
  readonly orders: number;
  /** Revenue now, less that before, in the store's currency. */
  readonly revenue: number;
}

export interface Changes {
  readonly before: Metrics;
  readonly now: Metrics;
  /**
   * In each list the changes add up to the whole change. A section isn't there where it wasn't known then, or has another
   * total than the days.
   */
  readonly sections: ReadonlyMap<ChangeSection, readonly FigureChange[]>;
}

/** @returns `undefined` where the days of one side aren't known */
export function changesBetween(before: SaidGroups, now: SaidGroups): Changes | undefined {
  const [daysBefore, daysNow] = [before.get("day"), now.get("day")];
  if (!daysBefore || !daysNow) return undefined;
  const sections = changeSections.flatMap((section) => {
    const [then, today] = [before.get(section), now.get(section)];
    const isWhole = then && today && totalsAgree(then, daysBefore) && totalsAgree(today, daysNow);
    return isWhole ? [[section, changedGroups(then, today)] as const] : [];
  });
  return { before: addMetrics(daysBefore), now: addMetrics(daysNow), sections: new Map(sections) };
}

/** Stores' days are added by their date, other groups by their key. A section isn't there where a store lacks it. */
export function addChanges(all: readonly Changes[]): Changes {
  const sections = changeSections.flatMap((section) => {
    const lists = all.flatMap(({ sections }) => sections.get(section) ?? []);
    const isKnown = all.every(({ sections }) => sections.has(section));
    const side = (of: "before" | "now") => lists.map((change) => ({ ...change, ...change[of] }));
    return isKnown ? [[section, changedGroups(side("before"), side("now"))] as const] : [];
  });
  return {
    before: addMetrics(all.map(({ before }) => before)),
    now: addMetrics(all.map(({ now }) => now)),
    sections: new Map(sections),
  };
}

/** Groups stand as they do now; what has no order any more follows. */
function changedGroups(before: readonly Group[], now: readonly Group[]): readonly FigureChange[] {
  const [then, today] = [byIdentity(before), byIdentity(now)];
  return [...new Set([...today.keys(), ...then.keys()])].flatMap((identity) => {
    const [left, right] = [then.get(identity), today.get(identity)];
    const named = right ?? left;
    if (!named || totalsAgree([left ?? noOrders], [right ?? noOrders])) return [];
    const change = subtractSum(addToSum(emptySum, right ?? noOrders), addToSum(emptySum, left ?? noOrders));
    const { key, label } = named;
    return {
      ...{ key, label, before: metricsOf(left), now: metricsOf(right) },
      ...{ orders: change.orders, revenue: numberFromCents(change.revenue) },
    };
  });
}

/** Days as they stand in the calendar, whatever a service adds to their keys. */
function byIdentity(groups: readonly Group[]): ReadonlyMap<string, Group> {
  const byKey = new Map<string, Group>();
  for (const group of groups) {
    const identity = keyIdentity(group.key);
    const before = byKey.get(identity);
    byKey.set(identity, before ? { ...group, ...addMetrics([before, group]) } : group);
  }
  return byKey;
}

function metricsOf(group: Group | undefined): Metrics {
  return addMetrics(group ? [group] : []);
}
