/**
 * Tells which groups of several answers are the same group. Most are identified by their key alone, but days, weeks
 * and months by their place in time. The form of their keys is not shown, so all the usual ones are read:
 * `2026-10-05` (also at the head of a date-time), `2026-W41`, `2026-10`, and a plain number of a week or month. The
 * year of a plain number follows from the window: no window reaches half a year beyond its middle, so the nearest
 * such week or month is meant.
 */
import { Temporal } from "temporal-polyfill";

import type { Dimension } from "../../contract/enums.js";
import type { Group, GroupedSummary } from "../../contract/models.js";
import type { Window } from "../period/windows.js";
import { calendars } from "./calendar-forms.js";

/** Groups of different answers with the same identity are one group. */
export interface PlacedGroup {
  readonly group: Group;
  readonly identity: string;
  /** Days, weeks and months whose key can be read have a place in time. */
  readonly ordinal: number | undefined;
}

/** Makes the identity of a key with its type: the number 1, the text "1" and null are three keys. */
export function keyIdentity(key: Group["key"]): string {
  return JSON.stringify(key);
}

/**
 * Gives each group of the windows' answers its identity. Days, weeks and months have one of their own in each year; a
 * week that a seam cuts has the same on both sides. Other dimensions are identified by their key alone.
 */
export function placeGroups(
  answers: readonly GroupedSummary[],
  windows: readonly Window[],
  dimension: Dimension,
): readonly (readonly PlacedGroup[])[] {
  const placed: PlacedGroup[][] = [];
  for (const [index, window] of windows.entries()) {
    const before = placed.at(-1)?.at(-1);
    const groups = answers[index]?.groups ?? [];
    placed.push(
      groups.map((group, position) => {
        const key = keyIdentity(group.key);
        if (!isTimeline(dimension)) return { group, identity: key, ordinal: undefined };
        const ordinal = ordinalOf(group.key, dimension, window);
        if (ordinal !== undefined) return { group, identity: `${key}@${ordinal}`, ordinal };
        // A key that can't be read, and is the same on both sides of a seam, is the week that the seam cuts.
        const isCutWeek = dimension === "week" && position === 0 && before?.group.key === group.key;
        return { group, identity: isCutWeek ? before.identity : `${key}#${index}`, ordinal };
      }),
    );
  }
  return placed;
}

type Days = Pick<Window, "firstDay" | "lastDay">;

export type TimelineDimension = "day" | "week" | "month";

export function isTimeline(dimension: string): dimension is TimelineDimension {
  return dimension === "day" || dimension === "week" || dimension === "month";
}

/**
 * Numbers the day, week or month, counted from a fixed one so that neighbours differ by 1.
 *
 * @returns `undefined` for a key of an unknown form, which then stands only for itself
 */
export function ordinalOf(key: Group["key"], dimension: Dimension, window: Days): number | undefined {
  if (!isTimeline(dimension) || key === null || typeof key === "boolean") return undefined;
  const text = String(key);
  const date = dayOfKey(key);
  if (date !== undefined) return dateOrdinal(date, dimension);
  if (dimension === "month") {
    const [, year, month] = /^(\d{4})-(\d{2})(?![\d-])/.exec(text) ?? [];
    return year && month
      ? Number(year) * 12 + Number(month) - 1
      : nearestMonth(plainNumber(text, 12), window);
  }
  if (dimension === "day") return undefined;
  const [, weekYear, week] = /^(\d{4})-?W?(\d{2})$/.exec(text) ?? [];
  if (weekYear && week) return weekOrdinal(Number(weekYear), Number(week));
  return nearestWeek(plainNumber(/^W?(\d{1,2})$/.exec(text)?.[1] ?? "", 53), window);
}

/** Gives the date that a key is or begins with, YYYY-MM-DD. */
export function dayOfKey(key: Group["key"]): string | undefined {
  return typeof key === "string" ? /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(key)?.[0] : undefined;
}

export function dateOrdinal(date: string, dimension: TimelineDimension): number | undefined {
  try {
    return calendars[dimension][0].placeOf(Temporal.PlainDate.from(date, { overflow: "reject" }));
  } catch {
    return undefined;
  }
}

const [{ placeOf: epochWeek }] = calendars.week;

/** The first week of ISO 8601 is the one with 4 January. A service that counts otherwise is a week off, evenly. */
function weekOrdinal(year: number, week: number): number {
  return epochWeek(Temporal.PlainDate.from({ year, month: 1, day: 4 })) + week - 1;
}

function plainNumber(text: string, highest: number): number | undefined {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number <= highest ? number : undefined;
}

function nearestMonth(month: number | undefined, window: Days): number | undefined {
  if (month === undefined || month === 0) return undefined;
  return nearestTo(window, "month", (year) => year * 12 + month - 1);
}

function nearestWeek(week: number | undefined, window: Days): number | undefined {
  return week === undefined ? undefined : nearestTo(window, "week", (year) => weekOrdinal(year, week));
}

function nearestTo(window: Days, unit: "week" | "month", ordinalIn: (year: number) => number) {
  const middle = middleOf(window);
  const centre = calendars[unit][0].placeOf(middle);
  const candidates = [-1, 0, 1].map((offset) => ordinalIn(middle.year + offset));
  return candidates.toSorted((a, b) => Math.abs(a - centre) - Math.abs(b - centre))[0];
}

function middleOf({ firstDay, lastDay }: Days): Temporal.PlainDate {
  const first = Temporal.PlainDate.from(firstDay);
  return first.add({ days: Math.floor(first.until(lastDay, { largestUnit: "day" }).days / 2) });
}
