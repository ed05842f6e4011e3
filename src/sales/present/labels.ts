/** The names of groups as people read them: no two of one list are the same. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { Unit } from "../merge/parts.js";
import { weekdayName } from "../merge/weekday-names.js";
import { withoutDirection } from "./number-format.js";
import { flatten } from "./text.js";
import { t } from "../../shared/language.js";

type Named = Pick<Group, "key" | "label">;

/**
 * A group's label; its key where it has none. Names that look the same have their key behind them: two drivers called
 * Ana are `Ana (11)` and `Ana (12)`, and a text "Não informado" is `Não informado ("Não informado")` beside those that
 * have none.
 */
export function distinctLabels(groups: readonly Named[]): readonly string[] {
  const names = groups.map(nameOf);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(looks(name), (counts.get(looks(name)) ?? 0) + 1);
  return groups.map((group, index) => {
    const name = names[index] ?? "";
    return (counts.get(looks(name)) ?? 0) > 1 ? `${name} (${keyText(group.key)})` : name;
  });
}

export interface LabelOptions {
  readonly dimension: Dimension;
  readonly locale: string;
  /** How weekdays are called; `long` by default. */
  readonly weekdays?: "long" | "short";
}

/**
 * As {@link distinctLabels}, but days and months are written and weekdays are called as the reader's locale calls them, as numbers are, and hours that the
 * service gave no label are read off their keys.
 */
export function localLabels(
  groups: readonly Named[],
  { dimension, locale, weekdays }: LabelOptions,
): readonly string[] {
  const labelOf = ({ key, label }: Named) => {
    if (dimension === "hour") return label ?? hourText(key);
    if (dimension === "day_of_week") return weekdayName({ key, label }, locale, weekdays);
    return dimension === "day" || dimension === "month" ? (dateText(key, locale) ?? label) : label;
  };
  return distinctLabels(groups.map(({ key, label }) => ({ key, label: labelOf({ key, label }) })));
}

/**
 * A day or a month as the reader's locale writes it. In English, where 05/10 is one day in London and another in New York,
 * as ISO 8601 does.
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

/** 9, `09` or `09:00`. */
export function hourOf({ key }: Pick<Group, "key">): number | undefined {
  const hour = /^(\d{1,2})(?::00)?$/.exec(String(key))?.[1];
  return hour !== undefined && Number(hour) <= 23 ? Number(hour) : undefined;
}

function hourText(key: Group["key"]): string | null {
  const hour = hourOf({ key });
  return hour === undefined ? null : `${String(hour).padStart(2, "0")}:00`;
}

/** Behind the name of a week or month: how much of it lies in the period, where that isn't all of it. */
export function partText(part: Unit | undefined, previous?: Unit): string {
  if (!part) return "";
  const { days, daysOfUnit } = part;
  if (previous) return ` (${t`${days} of ${daysOfUnit} days, against ${previous.days}`})`;
  return ` (${days < daysOfUnit ? t`${days} of ${daysOfUnit} days` : t`so far`})`;
}

/** A blank name is shown in quotes. */
function nameOf({ key, label }: Named): string {
  const name = label ?? nameOfKey(key);
  return name.trim() === "" ? JSON.stringify(name) : name;
}

export function nameOfKey(key: Group["key"]): string {
  return key === null ? t`(none)` : String(key);
}

function keyText(key: Group["key"]): string {
  return key === null ? t`none` : JSON.stringify(key);
}

/** What tells names apart on a page or in a terminal: not blanks at the ends, nor which control character it is. */
function looks(name: string): string {
  return flatten(name).replaceAll(/\s+/gu, " ").trim().normalize();
}
