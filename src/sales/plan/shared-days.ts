/**
 * More than a week and the days a week before have days in common, and orders may have changed between the two
 * answers. Both lists then say what the younger answer says of these days.
 */
import { dayOrdinal } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { endOfPeriodDay, startOfPeriodDay } from "../period/business-day.js";
import { isBefore, parseDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import type { Aged } from "../results.js";

export interface DaysOfPeriod extends Aged<GroupList> {
  readonly period: Period;
}

/** @returns both lists by day, in the same order; as they are where their days can't be read */
export function withSharedDays<Days extends DaysOfPeriod>(left: Days, other: Days): readonly [Days, Days] {
  const [edges, otherEdges] = [edgesOf(left), edgesOf(other)];
  if (!edges || !otherEdges) return [left, other];
  const [first, last] = [Math.max(edges.first, otherEdges.first), Math.min(edges.last, otherEdges.last)];
  return left.age.askedAt < other.age.askedAt
    ? [withDays(left, other, { first, last }), other]
    : [left, withDays(other, left, { first, last })];
}

interface Edges {
  readonly first: number;
  readonly last: number;
}

function withDays<Days extends DaysOfPeriod>(
  older: Days,
  younger: DaysOfPeriod,
  { first, last }: Edges,
): Days {
  const isShared = ({ ordinal = Number.NaN }) => first <= ordinal && ordinal <= last;
  const placed = [
    ...older.figures.placed.filter((day) => !isShared(day)),
    ...younger.figures.placed.filter(isShared),
  ].toSorted((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  const grouped = { ...older.figures.grouped, groups: placed.map(({ group }) => group) };
  return { ...older, figures: { grouped, placed } };
}

/**
 * Gives the first and the last day that lie wholly within a period.
 *
 * @returns `undefined` where days can't be read, or are those of another zone: then those at an edge are cut
 */
function edgesOf({ period, figures: { placed } }: DaysOfPeriod): Edges | undefined {
  const { kind, from, to, start, end } = period;
  const [first, last] = [parseDate(from.date), parseDate(to.date)];
  const isInPeriod = ({ ordinal = Number.NaN }) =>
    dayOrdinal(first) <= ordinal && ordinal <= dayOrdinal(last);
  if (kind === "instants" || !placed.every(isInPeriod)) return undefined;
  return {
    first: dayOrdinal(first) + (isBefore(startOfPeriodDay(first, period), start) ? 1 : 0),
    last: dayOrdinal(last) - (isBefore(end, endOfPeriodDay(last, period)) ? 1 : 0),
  };
}
