/**
 * Tells which groups of several answers are the same group. Most are identified by their key alone, but days, weeks
 * and months by their place in time. The form of their keys is not shown, so all the usual ones are read:
 * `2026-10-05` (also at the head of a date-time), `2026-W41`, `2026-10`, and a plain number of a week or month, which
 * is that of the window.
 */
import { hasDates, type DateField, type Dimension } from "../../contract/enums.js";
import type { Group, GroupedSummary } from "../../contract/models.js";
import { parseDateTime } from "../period/calendar.js";
import type { ZonedWindow, Window } from "../period/windows.js";
import { calendars, dateOrdinal } from "./calendar-forms.js";

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

/** Gives a group its identity. Days, weeks and months have one of their own in each year. */
export function placedGroup(group: Group, dimension: Dimension, place: number): PlacedGroup {
  const key = keyIdentity(group.key);
  return isTimeline(dimension)
    ? { group, identity: `${key}@${place}`, ordinal: place }
    : { group, identity: key, ordinal: undefined };
}

/** Gives each group of the windows' answers its identity. A week that a seam cuts has the same on both sides. */
export function placeGroups(
  answers: readonly GroupedSummary[],
  windows: readonly Window[],
  dimension: Dimension,
): readonly (readonly PlacedGroup[])[] {
  const placed: PlacedGroup[][] = [];
  for (const [index, window] of windows.entries()) {
    const before = placed.at(-1)?.at(-1);
    const groups = answers[index]?.groups ?? [];
    const placeOf = placesIn(window, dimension);
    placed.push(
      groups.map((group, position) => {
        const ordinal = placeOf(group.key);
        if (ordinal !== undefined || !isTimeline(dimension))
          return placedGroup(group, dimension, ordinal ?? position);
        // A key that can't be read, and is the same on both sides of a seam, is the week that the seam cuts.
        const isCutWeek = dimension === "week" && position === 0 && before?.group.key === group.key;
        const identity = isCutWeek ? before.identity : `${keyIdentity(group.key)}#${index}`;
        return { group, identity, ordinal };
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
 * Makes a function that numbers the days, weeks or months of a window, counted from a fixed one so that neighbours
 * differ by 1. It gives `undefined` for a key of an unknown form, which then stands only for itself. A service that
 * begins a year with another week than ISO 8601 is a week off, evenly.
 */
export function placesIn(
  { firstDay, lastDay }: Days,
  dimension: Dimension,
): (key: Group["key"]) => number | undefined {
  if (!isTimeline(dimension)) return () => undefined;
  const [first = NaN, last = NaN] = [firstDay, lastDay].map((day) => dateOrdinal(day, dimension));
  const places = new Map<Group["key"], number>();
  // Where the service counts in another zone, its days may reach beyond the window's.
  for (let place = first - 1; place <= last + 1; place += 1)
    for (const form of calendars[dimension][0].keys) places.set(form(place), place);
  return (key) => {
    const date = dayOfKey(key);
    return date === undefined ? places.get(key) : dateOrdinal(date, dimension);
  };
}

/** Gives the date that a key is or begins with, YYYY-MM-DD. */
export function dayOfKey(key: Group["key"]): string | undefined {
  return typeof key === "string" ? /^\d{4}-\d{2}-\d{2}(?![\d-])/.exec(key)?.[0] : undefined;
}

/**
 * Finds a group of another time than was asked for. The service groups by the store's zone (section 4.7) and doesn't
 * name it: a day or month outside of the window proves that its zone is not the one in which the window was cut.
 * Weeks prove nothing, since the service decides which is the first of a year.
 */
export function keyOutside(
  groups: readonly Group[],
  dimension: Dimension,
  { window, zone, dateField }: ZonedWindow & { readonly dateField: DateField | undefined },
): string | undefined {
  if ((dimension !== "day" && dimension !== "month") || hasDates(dateField)) return undefined;
  const [first = NaN, last = NaN] = [window.start, window.end].map((moment) =>
    dateOrdinal(parseDateTime(moment, zone).toPlainDate().toString(), dimension),
  );
  const placeOf = placesIn(window, dimension);
  const outside = groups.find(({ key }) => {
    const place = placeOf(key);
    return place !== undefined && (place < first || place > last);
  });
  return outside && String(outside.key);
}
