/**
 * Compares earlier figures with those of now: earlier figures plus changes are the figures of now. The file is pure.
 */
import type { Group } from "../../contract/models.js";
import { numberFromCents } from "../../contract/money.js";
import { memberByKey, pairMembers } from "../merge/members.js";
import {
  addMetrics,
  isNothing,
  metricsOfSum,
  subtractSum,
  totalsAgree,
  type Metrics,
} from "../merge/sums.js";

/** Changes are listed by these; the days come first, since all figures are made of them. */
export const changeSections = ["day", "sales_channel", "status"] as const;
export type ChangeSection = (typeof changeSections)[number];

export type GroupsBySection = ReadonlyMap<ChangeSection, readonly Group[]>;

export interface FigureChange extends Pick<Group, "key" | "label"> {
  readonly before: Metrics;
  readonly now: Metrics;
  readonly orders: number;
  /** The revenue of now is this much more than before, in the store's currency. */
  readonly revenue: number;
}

export interface Changes {
  readonly before: Metrics;
  readonly now: Metrics;
  /**
   * In each list the changes add up to the whole change. A section is missing where it wasn't known then, or has
   * another total than the days.
   */
  readonly sections: ReadonlyMap<ChangeSection, readonly FigureChange[]>;
}

/** @returns `undefined` where the days of one side aren't known */
export function changesBetween(before: GroupsBySection, now: GroupsBySection): Changes | undefined {
  const [daysBefore, daysNow] = [before.get("day"), now.get("day")];
  if (!daysBefore || !daysNow) return undefined;
  const sections = changeSections.flatMap((section) => {
    const [groupsBefore, groupsNow] = [before.get(section), now.get(section)];
    const isComparable =
      groupsBefore && groupsNow && totalsAgree(groupsBefore, daysBefore) && totalsAgree(groupsNow, daysNow);
    return isComparable ? [[section, changedGroups(groupsBefore, groupsNow)] as const] : [];
  });
  return { before: addMetrics(daysBefore), now: addMetrics(daysNow), sections: new Map(sections) };
}

/**
 * Adds up stores' changes: days by their date, other groups by their key. A section is missing where a store lacks
 * it.
 */
export function addChanges(storeChanges: readonly Changes[]): Changes {
  const sections = changeSections.flatMap((section) => {
    const lists = storeChanges.flatMap(({ sections }) => sections.get(section) ?? []);
    const isKnown = storeChanges.every(({ sections }) => sections.has(section));
    const side = (moment: "before" | "now") => lists.map((change) => ({ ...change, ...change[moment] }));
    return isKnown ? [[section, changedGroups(side("before"), side("now"))] as const] : [];
  });
  return {
    before: addMetrics(storeChanges.map(({ before }) => before)),
    now: addMetrics(storeChanges.map(({ now }) => now)),
    sections: new Map(sections),
  };
}

/**
 * Groups stand in the order of now; those that have no order any more follow. Several groups of one key are one: the
 * same day, or channel, of several stores.
 */
function changedGroups(before: readonly Group[], now: readonly Group[]): readonly FigureChange[] {
  const members = pairMembers(now.map(memberByKey), before.map(memberByKey));
  return members.flatMap(([{ key, label, sum }, { sum: sumBefore }]) => {
    const change = subtractSum(sum, sumBefore);
    if (isNothing(change)) return [];
    return {
      ...{ key, label, before: metricsOfSum(sumBefore), now: metricsOfSum(sum) },
      ...{ orders: change.orders, revenue: numberFromCents(change.revenue) },
    };
  });
}
