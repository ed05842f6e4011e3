/**
 * More than a week and the days a week before have days in common, and orders may have changed between the two
 * answers. Both lists then say what the younger answer says of these days.
 */
import { dateOrdinal } from "../merge/calendar-forms.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import type { Period } from "../period/period.js";
import type { Aged } from "../results.js";

interface DaysOfPeriod extends Aged<GroupList> {
  readonly period: Period;
}

/** @returns both lists by day, in the same order; as they are where their days can't be read */
export function withSharedDays<Days extends DaysOfPeriod>(left: Days, other: Days): readonly [Days, Days] {
  const [edges, otherEdges] = [edgesOf(left), edgesOf(other)];
  if (!edges || !otherEdges) return [left, other];
  const [first, last] = [Math.max(edges.first, otherEdges.first), Math.min(edges.last, otherEdges.last)];
  const isShared = ({ ordinal = Number.NaN }) => first <= ordinal && ordinal <= last;
  return left.age.askedAt < other.age.askedAt
    ? [withDays(left, other, isShared), other]
    : [left, withDays(other, left, isShared)];
}

function withDays<Days extends DaysOfPeriod>(
  older: Days,
  younger: DaysOfPeriod,
  isShared: (day: PlacedGroup) => boolean,
): Days {
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
 * @returns `undefined` where an edge may cut a day, or days can't be read or are those of another zone
 */
function edgesOf({ period, figures: { placed } }: DaysOfPeriod) {
  const [first, last] = [period.from, period.to].map(({ date }) => dateOrdinal(date, "day") ?? Number.NaN);
  if (period.kind === "instants" || first === undefined || last === undefined) return undefined;
  if (!placed.every(({ ordinal = Number.NaN }) => first <= ordinal && ordinal <= last)) return undefined;
  return { first, last: period.kind === "running" ? last - 1 : last };
}
