/** Names groups for people, so that no two of one list have the same name, and what they are split by. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { Mark, Unit } from "../merge/parts.js";
import { weekdayName } from "../merge/calendar-words.js";
import { withoutDirection } from "./number-format.js";
import { flatten } from "./text.js";
import { t, translated } from "../../shared/language.js";

type LabeledGroup = Pick<Group, "key" | "label">;

/**
 * Gives a group's label; its key where it has none. Names that look the same have their key behind them: two drivers
 * called Ana are `Ana (11)` and `Ana (12)`, and a text "Não informado" is `Não informado ("Não informado")` beside
 * the group without a value.
 */
export function distinctLabels(groups: readonly LabeledGroup[]): readonly string[] {
  const names = groups.map(nameOf);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(visibleForm(name), (counts.get(visibleForm(name)) ?? 0) + 1);
  return groups.map((group, index) => {
    const name = names[index] ?? "";
    return (counts.get(visibleForm(name)) ?? 0) > 1 ? `${name} (${keyText(group.key)})` : name;
  });
}

export interface LabelOptions {
  readonly dimension: Dimension;
  readonly locale: string;
  /** Weekdays have long or short names; the default is `long`. */
  readonly weekdays?: "long" | "short";
}

/**
 * Names groups like {@link distinctLabels}, but writes days, months and weekdays in the reader's locale, and reads
 * hours without a label off their keys.
 */
export function localLabels(
  groups: readonly LabeledGroup[],
  { dimension, locale, weekdays }: LabelOptions,
): readonly string[] {
  const labelOf = ({ key, label }: LabeledGroup) => {
    if (dimension === "hour") return label ?? hourText(key);
    if (dimension === "day_of_week") return weekdayName({ key, label }, locale, weekdays);
    return dimension === "day" || dimension === "month" ? (dateText(key, locale) ?? label) : label;
  };
  return distinctLabels(groups.map(({ key, label }) => ({ key, label: labelOf({ key, label }) })));
}

/**
 * Writes a day or a month in the reader's locale. English writes ISO 8601, since 05/10 is one day in London and
 * another in New York.
 *
 * @returns `undefined` for any other key
 */
function dateText(key: Group["key"], locale: string): string | undefined {
  if (typeof key !== "string" || !/^\d{4}-\d{2}(?:-\d{2})?$/.test(key)) return undefined;
  if (/^en\b/.test(locale)) return key;
  const month = { year: "numeric", month: "2-digit", timeZone: "UTC" } as const;
  const form = key.length > "2026-10".length ? ({ ...month, day: "2-digit" } as const) : month;
  return withoutDirection(new Intl.DateTimeFormat(locale, form).format(Date.parse(key)));
}

/** Reads an hour such as 9, `09` or `09:00`. */
export function hourOf({ key }: Pick<Group, "key">): number | undefined {
  const hour = /^(\d{1,2})(?::00)?$/.exec(String(key))?.[1];
  return hour !== undefined && Number(hour) <= 23 ? Number(hour) : undefined;
}

function hourText(key: Group["key"]): string | null {
  const hour = hourOf({ key });
  return hour === undefined ? null : `${String(hour).padStart(2, "0")}:00`;
}

/** Says behind a name how much of a week or month lies in the period, or that it isn't over. */
export function markText({ part, isRunning }: Mark, previous?: Unit): string {
  if (!part) return isRunning ? ` (${t`so far`})` : "";
  const { days, daysOfUnit } = part;
  if (previous) return ` (${t`${days} of ${daysOfUnit} days, against ${previous.days}`})`;
  return ` (${days < daysOfUnit ? t`${days} of ${daysOfUnit} days` : t`so far`})`;
}

/** A blank name is shown in quotes. */
function nameOf({ key, label }: LabeledGroup): string {
  const name = label ?? nameOfKey(key);
  return name.trim() === "" ? JSON.stringify(name) : name;
}

export function nameOfKey(key: Group["key"]): string {
  return key === null ? t`(none)` : String(key);
}

function keyText(key: Group["key"]): string {
  return key === null ? t`none` : JSON.stringify(key);
}

/**
 * Makes names comparable by their looks on a page or in a terminal: blanks at the ends don't count, nor which control
 * character it is.
 */
function visibleForm(name: string): string {
  return flatten(name).replaceAll(/\s+/gu, " ").trim().normalize();
}

/** Words a dimension as the heading of a column: `day of week`. */
export function headingOf(dimension: Dimension): string {
  return translated(englishHeadingOf(dimension));
}

export function englishHeadingOf(dimension: Dimension): string {
  return dimension.replaceAll("_", " ").replace(/ id$/, "");
}

/** A section has this heading, and the first column of its table has that one. */
export const sectionTitles: Readonly<
  Record<Dimension | "heatmap", { readonly title: string; readonly column: string }>
> = {
  hour: { title: "By hour", column: "Hour" },
  day: { title: "By day", column: "Day" },
  day_of_week: { title: "By weekday", column: "Weekday" },
  week: { title: "By week", column: "Week" },
  month: { title: "By month", column: "Month" },
  order_type: { title: "By order type", column: "Order type" },
  order_timing: { title: "By timing", column: "Timing" },
  sales_channel: { title: "By channel", column: "Channel" },
  customer_origin: { title: "By origin", column: "Origin" },
  payment_method_id: { title: "By payment method", column: "Payment method" },
  driver_id: { title: "By driver", column: "Driver" },
  status: { title: "By status", column: "Status" },
  heatmap: { title: "Weekdays by hours", column: "Hour" },
};
