/**
 * Adds days, weeks, months, hours and weekdays without orders, which the service leaves out. Their keys and labels
 * follow the form of the groups that it did give; where no known form fits all of these, or several that differ,
 * nothing is added.
 */
import { Temporal } from "temporal-polyfill";

import type { DateField, Dimension } from "../../contract/enums.js";
import { daysBetween, parseDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import { periodsOf, type Compared, type PeriodFigures } from "../results.js";
import { isTimeline, keyIdentity, type PlacedGroup } from "./group-identity.js";
import type { GroupList } from "./groups.js";
import { readingsOf, type Reading } from "./readings.js";
import { noOrders } from "./sums.js";

interface FillContext {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  readonly dateField: DateField | undefined;
}

/** Adds the groups without orders to each period. Days still to come aren't added. */
export function fillCompared(
  figures: Compared<PeriodFigures<GroupList>>,
  dimension: Dimension,
  context: FillContext,
): Compared<PeriodFigures<GroupList>> {
  const { current, previous } = figures;
  const [now = current.figures, then] = fillAlike(periodsOf(figures), dimension, context);
  return {
    current: { ...current, figures: now },
    ...(previous && then && { previous: { ...previous, figures: then } }),
  };
}

type Side = Pick<PeriodFigures<GroupList>, "figures" | "period">;

/** Adds groups like {@link fillCompared}. The groups of all sides tell the form, so that it is the same in each. */
export function fillAlike(
  sides: readonly Side[],
  dimension: Dimension,
  context: FillContext,
): readonly GroupList[] {
  const readings = readingsOf(
    sides.flatMap(({ figures }) => figures.placed),
    dimension,
  );
  return sides.map(({ figures, period }) => fillGroups(figures, readings, { dimension, period, context }));
}

interface Filling {
  readonly dimension: Dimension;
  readonly period: Period;
  readonly context: FillContext;
}

function fillGroups(list: GroupList, readings: readonly Reading[], filling: Filling): GroupList {
  const [first, ...others] = readings.flatMap((reading) => {
    const groups = fillPlaces(list, reading, filling);
    return groups ? [groups] : [];
  });
  if (!first || others.some((other) => keysOf(other) !== keysOf(first))) return list;
  return { grouped: { ...list.grouped, groups: first.map(({ group }) => group) }, placed: first };
}

/** Gives the keys of groups, sorted, so that lists in another order compare as equal. */
function keysOf(placed: readonly PlacedGroup[]): string {
  return JSON.stringify(placed.map(({ group: { key, label } }) => JSON.stringify([key, label])).toSorted());
}

/**
 * @returns `undefined` where two groups have one place, or one has none in the period, so that the form was misread
 */
function fillPlaces(
  { placed }: GroupList,
  { key, label, placeOf, placeOfDay }: Reading,
  filling: Filling,
): readonly PlacedGroup[] | undefined {
  const groupsByPlace = new Map(placed.map((placed) => [placeOf(placed), placed]));
  const places = placesOf(filling, placeOfDay, [...groupsByPlace.keys()]);
  if (
    groupsByPlace.size < placed.length ||
    ![...groupsByPlace.keys()].every((place) => places.includes(place ?? NaN))
  )
    return undefined;
  const hasOrdinal = isTimeline(filling.dimension);
  return places.map((place): PlacedGroup => {
    const group = { key: key(place), label: label(place), ...noOrders };
    const identity = keyIdentity(group.key);
    const emptyGroup = hasOrdinal
      ? { group, identity: `${identity}@${place}`, ordinal: place }
      : { group, identity, ordinal: undefined };
    return groupsByPlace.get(place) ?? emptyGroup;
  });
}

function placesOf(
  { dimension, period, context: { now, dateField } }: Filling,
  placeOfDay: Reading["placeOfDay"],
  placesWithOrders: readonly (number | undefined)[],
): readonly number[] {
  if (placeOfDay === undefined) return hoursOf(period);
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(period.zone).toPlainDate();
  const until = dateField === "scheduled_date" ? period.to.date : today.toString();
  const [first, last] = [period.from.date, period.to.date < until ? period.to.date : until].map(parseDate);
  if (!first || !last) return [];
  if (dimension === "day_of_week") {
    const days = daysBetween(first, last);
    const places = range(0, Math.min(6, days)).map((day) => placeOfDay(first.add({ days: day })));
    return places.toSorted((a, b) => a - b);
  }
  // Where the service counts in another zone, its days may reach beyond those that were asked for.
  const numbers = placesWithOrders.flatMap((place) => place ?? []);
  return range(Math.min(placeOfDay(first), ...numbers), Math.max(placeOfDay(last), ...numbers));
}

function hoursOf({ start, end }: Period): readonly number[] {
  if (start.until(end, { largestUnit: "hour" }).hours >= 23) return range(0, 23);
  const [first, last] = [start.hour, end.hour];
  return first <= last ? range(first, last) : [...range(0, last), ...range(first, 23)];
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
