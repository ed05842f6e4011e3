/**
 * Adds days, weeks, months, hours and weekdays without orders, which the service leaves out. Their keys and labels
 * follow the form of the groups that it did give; where no known form fits all of these, or several that differ,
 * nothing is added.
 */
import { hasDates, type DateField, type Dimension } from "../../contract/enums.js";
import { zonedNow } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import { periodsOf, type Compared, type PeriodFigures } from "../results.js";
import { dateOrdinal } from "./calendar-forms.js";
import { readingsOf, type Reading } from "./calendar-names.js";
import { placedGroup, type PlacedGroup } from "./group-identity.js";
import type { GroupList } from "./groups.js";
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
  { now, dateField }: FillContext,
): readonly GroupList[] {
  const readings = readingsOf(
    sides.flatMap(({ figures }) => figures.placed),
    dimension,
  );
  return sides.map(({ figures, period }) => {
    const [first, ...others] = readings.flatMap((reading) => {
      const groups = fillPlaces(figures, reading, { dimension, period, now, dateField });
      return groups ? [groups] : [];
    });
    if (!first || others.some((other) => keysOf(other) !== keysOf(first))) return figures;
    return { grouped: { ...figures.grouped, groups: first.map(({ group }) => group) }, placed: first };
  });
}

interface Filling extends FillContext {
  readonly dimension: Dimension;
  readonly period: Period;
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
  { nameOf, placeOf, placeOfDay }: Reading,
  filling: Filling,
): readonly PlacedGroup[] | undefined {
  const groupsByPlace = new Map(placed.map((placed) => [placeOf(placed), placed]));
  const placesWithOrders = [...groupsByPlace.keys()].flatMap((place) => place ?? []);
  const places = placeOfDay ? placesOf(filling, placeOfDay, placesWithOrders) : hoursOf(filling.period);
  const areAllRead = groupsByPlace.size === placed.length && placesWithOrders.length === placed.length;
  if (!areAllRead || !placesWithOrders.every((place) => places.includes(place))) return undefined;
  return places.map(
    (place) =>
      groupsByPlace.get(place) ?? placedGroup({ ...nameOf(place), ...noOrders }, filling.dimension, place),
  );
}

function placesOf(
  { dimension, period, now, dateField }: Filling,
  placeOfDay: (day: number) => number,
  placesWithOrders: readonly number[],
): readonly number[] {
  const today = zonedNow(now, period.zone).toPlainDate().toString();
  const isOver = hasDates(dateField) || period.to.date < today;
  const [first, last] = [period.from.date, isOver ? period.to.date : today].map((date) =>
    dateOrdinal(date, "day"),
  );
  if (first === undefined || last === undefined) return [];
  if (dimension === "day_of_week") {
    const days = range(first, Math.min(first + 6, last));
    return days.map(placeOfDay).toSorted((a, b) => a - b);
  }
  // Where the service counts in another zone, its days may reach beyond those that were asked for.
  return range(
    Math.min(placeOfDay(first), ...placesWithOrders),
    Math.max(placeOfDay(last), ...placesWithOrders),
  );
}

function hoursOf({ start, end }: Period): readonly number[] {
  if (start.until(end, { largestUnit: "hour" }).hours >= 23) return range(0, 23);
  const [first, last] = [start.hour, end.hour];
  return first <= last ? range(first, last) : [...range(0, last), ...range(first, 23)];
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
