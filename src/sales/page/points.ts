/** Makes the groups of a section as its pictures and its table show them. */
import type { Group } from "../../contract/models.js";
import { weekdayName } from "../merge/weekday-names.js";
import { hourOf, localLabels } from "../present/labels.js";
import { flatten } from "../present/text.js";
import { addMetrics, noOrders, type Metrics } from "../merge/sums.js";
import type { AgainstBefore, ReportGroup, ReportPart, ReportSection, ShownGroup } from "./report.js";
import { t } from "../../shared/language.js";

const isoDay = /^\d{4}-\d{2}-\d{2}$/;
const dayMs = 86_400_000;

export function shownGroups({ dimension, groups }: ReportSection, part: ReportPart): readonly ShownGroup[] {
  const isDay = ({ key }: Group) => typeof key === "string" && isoDay.test(key);
  if (dimension === "day" && groups.length > 0 && groups.every(isDay)) return everyDay(groups, part);
  if (dimension === "day_of_week") return groups.map((group) => weekday(group, part));
  const groupsToShow = dimension === "hour" ? openHours(groups) : groups;
  const names = localLabels(groupsToShow, { dimension, locale: part.locale }).map(pageText);
  return groupsToShow.map((group, index) => {
    const name = names[index] ?? "";
    const hour = dimension === "hour" ? hourOf(group) : undefined;
    return { ...figuresOf(group), name, short: hour === undefined ? name : String(hour) };
  });
}

function weekday(group: ReportGroup, { locale }: ReportPart): ShownGroup {
  const nameIn = (length: "long" | "short") => pageText(weekdayName(group, locale, length));
  return { ...figuresOf(group), name: nameIn("long"), short: nameIn("short") };
}

/** Drops what would turn the direction of the text around it, or is no character at all in HTML. */
function pageText(label: string): string {
  return (
    flatten(label)
      .replaceAll(/[\s\uFFFD]+/gu, " ")
      .trim() || "(empty)"
  );
}

/**
 * Cuts the longest pause from the hours of the clock, so that a place that is open from 11 to 2 has an axis from 11
 * to 2. Hours without orders between the others keep their place; the closed night has none.
 */
function openHours(groups: readonly ReportGroup[]): readonly ReportGroup[] {
  const byHour = new Map(groups.map((group) => [hourOf(group), group]));
  if (byHour.has(undefined) || byHour.size < groups.length) return groups;
  const hoursWithOrders = [...byHour].flatMap(([hour, group]) =>
    hour !== undefined && hasOrders(group) ? [hour] : [],
  );
  return hoursWithoutPause(hoursWithOrders).map(
    (hour) => byHour.get(hour) ?? { key: hour, label: null, ...noOrders },
  );
}

function hasOrders({ total_order_count, previous }: ReportGroup): boolean {
  return total_order_count > 0 || (previous !== undefined && previous.total_order_count > 0);
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
  const longest = pauses.reduce((most, pause) => (pause.length > most.length ? pause : most), {
    end: 0,
    length: -1,
  });
  return Array.from(
    { length: hours.length === 0 ? 0 : 24 - longest.length },
    (_, place) => (longest.end + place) % 24,
  );
}

/** Adds days without orders: they have no group, but a place in the picture. */
function everyDay(
  groups: readonly ReportGroup[],
  { days: period, runningDay, locale }: ReportPart,
): readonly ShownGroup[] {
  const byDay = new Map(groups.map((group) => [String(group.key), group]));
  // Where the service counts in another zone, its days may reach beyond those that were asked for.
  const keys = [...period, ...byDay.keys()].sort();
  const [first = "", last = ""] = [keys[0], keys.at(-1)];
  const long = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    timeZone: "UTC",
  });
  const short = new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit", timeZone: "UTC" });
  const days: ShownGroup[] = [];
  for (let day = Date.parse(first); day <= Date.parse(last); day += dayMs) {
    const date = new Date(day).toISOString().slice(0, 10);
    const group = byDay.get(date);
    days.push({
      ...(group ? figuresOf(group) : noOrders),
      name: `${long.format(day)}${date === runningDay ? ` (${t`so far`})` : ""}`,
      short: short.format(day),
    });
  }
  return days;
}

function figuresOf({ previous, change, days, ...group }: ReportGroup): Metrics & AgainstBefore {
  const { total_order_count, total_revenue, average_order_value } = group;
  return {
    ...{ total_order_count, total_revenue, average_order_value },
    ...(previous && { previous }),
    ...(change && { change }),
    ...(days && { days }),
  };
}

/** More bars than this say less than their sum. */
const maxBars = 12;

/** Lists the groups with the most revenue, and sums up the others as one. */
export function pointGroups(groups: readonly ShownGroup[]): readonly ShownGroup[] {
  const ranked = groups.toSorted((a, b) => b.total_revenue - a.total_revenue);
  if (ranked.length <= maxBars) return ranked;
  const others = ranked.slice(maxBars - 1);
  const name = t`${others.length} others`;
  const previous = others.flatMap((group) => group.previous ?? []);
  const sum = {
    ...addMetrics(others),
    ...(previous.length === others.length && { previous: addMetrics(previous) }),
  };
  return [...ranked.slice(0, maxBars - 1), { ...sum, name, short: name }];
}
