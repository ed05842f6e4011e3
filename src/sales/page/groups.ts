/** Makes the groups of a section as its pictures and its table show them. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { t } from "../../shared/language.js";
import { isRepeated } from "../compare/group-days.js";
import { compareGroups, type ComparedGroup } from "../compare/groups.js";
import type { Change } from "../compare/metrics.js";
import { areMonths } from "../compare/pairs.js";
import { isTimeline } from "../merge/group-identity.js";
import { noOrders, type Metrics } from "../merge/sums.js";
import type { GroupedFigures } from "../plan/plans.js";
import { hourOf, localLabels } from "../present/labels.js";
import { flatten } from "../present/text.js";

export interface ShownGroup extends Metrics {
  readonly name: string;
  /** The axis of a picture shows this name. */
  readonly short: string;
  /** The group is compared with these figures. Absent where they aren't known. */
  readonly previous?: Metrics;
  /** The revenue changed by this much, where it isn't the difference of the two amounts. */
  readonly change?: Change;
  readonly days?: { readonly current: number; readonly previous: number };
}

export interface ShownSection {
  readonly groups: readonly ShownGroup[];
  /** The figures are averages of a day: a month has more of some weekdays than another. */
  readonly perDay: boolean;
  /** Days are compared with the same weekdays of other months. */
  readonly byWeekday: boolean;
}

interface SectionOptions {
  readonly dateField: DateField | undefined;
  /** The tag is one of BCP 47. */
  readonly locale: string;
}

export function shownSection(
  section: GroupedFigures,
  dimension: Dimension,
  { dateField, locale }: SectionOptions,
): ShownSection {
  const { groups: comparedGroups, ...basis } = againstBefore(section, dimension, dateField);
  const groups = dimension === "hour" ? openHours(comparedGroups) : comparedGroups;
  const { runningDay } = section.current.period;
  return { ...basis, groups: namedGroups(groups, dimension, { locale, runningDay }) };
}

type UnnamedGroup = Group & Omit<ShownGroup, "name" | "short">;

function againstBefore(
  { current, previous }: GroupedFigures,
  dimension: Dimension,
  dateField: DateField | undefined,
): Omit<ShownSection, "groups"> & { readonly groups: readonly UnnamedGroup[] } {
  const alone = { groups: current.figures.grouped.groups, perDay: false, byWeekday: false };
  if (!previous) return alone;
  const compared = compareGroups(current, previous, dimension, { dateField, byWeekday: true });
  if (isRepeated(dimension)) {
    const daily = compared.flatMap((group) => dailyGroup(group) ?? []);
    // The sum of five Tuesdays must not be compared with that of four.
    return daily.length < compared.length ? alone : { groups: daily, perDay: true, byWeekday: false };
  }
  const groups = compared.flatMap(({ current: group, previous: before }): UnnamedGroup[] => {
    // The 31st of a month has no day in one of 30; the heading tells that the two differ in length.
    if (isTimeline(dimension)) return group ? [{ ...group, ...(before && { previous: before }) }] : [];
    const shown = group ?? (before && { ...before, ...noOrders });
    return shown ? [{ ...shown, previous: before ?? noOrders }] : [];
  });
  return { groups, perDay: false, byWeekday: dimension === "day" && areMonths(current, previous) };
}

/** @returns `undefined` where it isn't known how many of its days the periods have */
function dailyGroup({ current, previous, daily }: ComparedGroup): UnnamedGroup | undefined {
  const [group, perDay] = [current ?? previous, daily?.perDay];
  if (!group || !daily || !perDay) return undefined;
  const [now, then] = daily.sides.map((side) => side.days?.days ?? 0);
  const average = (side: Group | undefined) => side?.average_order_value ?? 0;
  return {
    ...{ key: group.key, label: group.label, ...perDay.current, average_order_value: average(current) },
    previous: { ...perDay.previous, average_order_value: average(previous) },
    change: perDay.change.total_revenue,
    days: { current: now ?? 0, previous: then ?? 0 },
  };
}

function namedGroups(
  groups: readonly UnnamedGroup[],
  dimension: Dimension,
  { locale, runningDay }: { readonly locale: string; readonly runningDay: string | undefined },
): readonly ShownGroup[] {
  const names = localLabels(groups, { dimension, locale });
  const shortNames = localLabels(groups, { dimension, locale, weekdays: "short" });
  const dayAndMonth = { day: "2-digit", month: "2-digit", timeZone: "UTC" } as const;
  const shortDay = new Intl.DateTimeFormat(locale, dayAndMonth);
  const longDay = new Intl.DateTimeFormat(locale, { ...dayAndMonth, weekday: "short", year: "numeric" });
  return groups.map((group, index) => {
    let [name = "", short = ""] = [names[index], shortNames[index]];
    const { key } = group;
    if (dimension === "day" && typeof key === "string" && /^\d{4}-\d{2}-\d{2}$/.test(key)) {
      name = longDay.format(Date.parse(key)) + (key === runningDay ? ` (${t`so far`})` : "");
      short = shortDay.format(Date.parse(key));
    } else if (dimension === "hour") short = String(hourOf(group) ?? short);
    return { ...group, name: pageText(name), short: pageText(short) };
  });
}

/** Drops what would turn the direction of the text around it, or is no character at all in HTML. */
function pageText(label: string): string {
  return (
    flatten(label)
      .replaceAll(/[\s\uFFFD]+/gu, " ")
      .trim() || "(empty)"
  );
}

/** Cuts the longest pause from the hours: a place that is open from 11 to 2 has an axis from 11 to 2. */
function openHours(groups: readonly UnnamedGroup[]): readonly UnnamedGroup[] {
  const byHour = new Map(groups.map((group) => [hourOf(group), group]));
  if (byHour.has(undefined) || byHour.size < groups.length) return groups;
  const hoursWithOrders = [...byHour].flatMap(([hour = 0, { total_order_count, previous }]) =>
    total_order_count > 0 || (previous?.total_order_count ?? 0) > 0 ? [hour] : [],
  );
  return hoursWithoutPause(hoursWithOrders).flatMap((hour) => byHour.get(hour) ?? []);
}

/**
 * Lists the hours from the end of the longest pause on.
 *
 * @param hoursWithOrders are from 0 to 23
 */
export function hoursWithoutPause(hoursWithOrders: readonly number[]): readonly number[] {
  const hours = hoursWithOrders.toSorted((a, b) => a - b);
  // Each pause ends at one of the hours; the first to be looked at is the one over midnight.
  const pauses = hours.map((end, index) => ({ end, length: (end - (hours.at(index - 1) ?? end) + 23) % 24 }));
  const [longest] = pauses.toSorted((a, b) => b.length - a.length);
  if (!longest) return [];
  return Array.from({ length: 24 - longest.length }, (_, place) => (longest.end + place) % 24);
}
