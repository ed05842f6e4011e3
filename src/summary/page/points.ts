/** The groups of a section as its pictures and its table show them. */
import type { Group } from "../../contract/summary.js";
import { distinctLabels } from "../present/labels.js";
import { flatten } from "../present/text.js";
import { addMetrics, noOrders, type Metrics } from "../merge/sums.js";
import type { ReportPart, ReportSection } from "./report.js";

export interface ShownGroup extends Metrics {
  /** In the table. */
  readonly name: string;
  /** At the axis of a picture. */
  readonly short: string;
}

const isoDay = /^\d{4}-\d{2}-\d{2}$/;
const dayMs = 86_400_000;

export function shownGroups({ dimension, groups }: ReportSection, part: ReportPart): readonly ShownGroup[] {
  const isDay = ({ key }: Group) => typeof key === "string" && isoDay.test(key);
  if (dimension === "day" && groups.length > 0 && groups.every(isDay)) return everyDay(groups, part);
  const shown = dimension === "hour" ? everyHour(groups) : groups;
  const names = distinctLabels(shown).map(pageText);
  return shown.map((group, index) => {
    const name = names[index] ?? "";
    return { ...figuresOf(group), name, short: name };
  });
}

/** Without what would turn the direction of the text around it, or is no character at all in HTML. */
function pageText(label: string): string {
  return (
    flatten(label)
      .replaceAll(/[\s\uFFFD]+/gu, " ")
      .trim() || "(empty)"
  );
}

/** The hours from the first with orders to the last: those between have a place, the night of a closed store has none. */
function everyHour(all: readonly Group[]): readonly Group[] {
  const sold = ({ total_order_count }: Group) => total_order_count > 0;
  const groups = all.slice(all.findIndex(sold), all.findLastIndex(sold) + 1);
  const byHour = new Map(groups.map((group) => [Number(group.key ?? Number.NaN), group]));
  const hours = [...byHour.keys()].sort((a, b) => a - b);
  if (hours.some((hour) => !Number.isInteger(hour) || hour < 0 || hour > 23)) return groups;
  const every: Group[] = [];
  for (let hour = hours[0] ?? 0; hour <= (hours.at(-1) ?? -1); hour += 1) {
    const label = `${String(hour).padStart(2, "0")}:00`;
    every.push(byHour.get(hour) ?? { key: hour, label, ...noOrders });
  }
  return every;
}

/** A day without orders has no group, but a place in the picture. */
function everyDay(groups: readonly Group[], { days: period, locale }: ReportPart): readonly ShownGroup[] {
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
    const group = byDay.get(new Date(day).toISOString().slice(0, 10));
    days.push({
      ...(group ? figuresOf(group) : noOrders),
      name: long.format(day),
      short: short.format(day),
    });
  }
  return days;
}

function figuresOf({ total_order_count, total_revenue, average_order_value }: Group): Metrics {
  return { total_order_count, total_revenue, average_order_value };
}

/** Bars beyond this many say less than their sum. */
const mostBars = 12;

/** The groups with most revenue, the others as one. */
export function pointGroups(groups: readonly ShownGroup[]): readonly ShownGroup[] {
  const ranked = groups.toSorted((a, b) => b.total_revenue - a.total_revenue);
  if (ranked.length <= mostBars) return ranked;
  const others = ranked.slice(mostBars - 1);
  const name = `${others.length} others`;
  const sum = addMetrics(others);
  return [...ranked.slice(0, mostBars - 1), { ...sum, name, short: name }];
}
