/**
 * Which day, week or month of a period is set against which of the other. Days are paired by their place. Weeks and months
 * may be cut by the edges of a period: whole ones are paired with whole ones, from the first on, and what an edge cuts with
 * what the same edge of the other period cuts.
 */
import { dateOrdinal, type TimelineDimension } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { canBeCut, isPart, isSamePart, unitsOf, type Unit } from "../merge/parts.js";
import type { PeriodFigures } from "../results.js";

export interface Pairs {
  /** The place in the other period, by the place in the current one. */
  readonly previousOf: ReadonlyMap<number, number>;
  /** What of the current period is set against something of another length. */
  readonly unequal: ReadonlySet<number>;
}

type Side = PeriodFigures<GroupList>;

/** @param byWeekday are days of months set against the same weekdays? */
export function pairsOf(
  current: Side,
  previous: Side,
  dimension: TimelineDimension,
  byWeekday = false,
): Pairs {
  if (dimension === "day" && byWeekday && areMonths(current, previous)) return byWeeks(current, previous);
  if (!canBeCut(dimension)) return byPlace(current, previous, dimension);
  const [now, then] = [current, previous].map(({ period, figures }) =>
    unitsOf(dimension, period, figures.placed),
  );
  if (!now?.length || !then?.length) return byPlace(current, previous, dimension);
  // The only one is what the period itself is compared with.
  const isOnlyOne = now.length === 1 && then.length === 1;
  const paired = isOnlyOne ? zip(now, then) : pairUnits(now, then);
  const unequal = isOnlyOne ? [] : paired.filter(([left, other]) => !isSamePart(left, other));
  return {
    previousOf: new Map(paired.map(([left, other]) => [left.ordinal, other.ordinal])),
    unequal: new Set(unequal.map(([unit]) => unit.ordinal)),
  };
}

type UnitPair = readonly [current: Unit, previous: Unit];

function pairUnits(now: readonly Unit[], then: readonly Unit[]): readonly UnitPair[] {
  const isHead = ({ isCutBefore }: Unit) => isCutBefore;
  const isTail = ({ isCutBefore, isCutAfter }: Unit) => isCutAfter && !isCutBefore;
  const isWhole = (unit: Unit) => !isPart(unit);
  return [isHead, isWhole, isTail].flatMap((is) => zip(now.filter(is), then.filter(is)));
}

function zip(now: readonly Unit[], then: readonly Unit[]): readonly UnitPair[] {
  return now.flatMap((unit, index) => {
    const other = then[index];
    return other ? [[unit, other] as const] : [];
  });
}

/** Whole months, or what has been of them. Not where the same dates were asked for. */
export function areMonths(...sides: readonly Pick<Side, "period">[]): boolean {
  return sides.every(({ period }) => period.months !== undefined && period.byDate !== true);
}

/** So many whole weeks earlier that the two begin as near as can be. */
function byWeeks(current: Side, previous: Side): Pairs {
  const [now, then] = [reachOf(current, "day"), reachOf(previous, "day")];
  const shift = Math.round((now.first - then.first) / 7) * 7;
  const places = Array.from({ length: now.to - now.from + 1 }, (_, index) => now.first + now.from + index);
  const paired = places
    .map((place) => [place, place - shift] as const)
    .filter(([, other]) => then.first + then.from <= other && other <= then.first + then.to);
  return { previousOf: new Map(paired), unequal: new Set() };
}

/** The first with the first, as far as both reach. */
function byPlace(current: Side, previous: Side, dimension: TimelineDimension): Pairs {
  const [now, then] = [reachOf(current, dimension), reachOf(previous, dimension)];
  const from = Math.min(now.from, then.from);
  const length = Math.max(0, Math.min(now.to, then.to) - from + 1);
  const places = Array.from({ length }, (_, index) => from + index);
  return {
    previousOf: new Map(places.map((place) => [now.first + place, then.first + place])),
    unequal: new Set(),
  };
}

/**
 * Gives the first and last place of the groups. Where the service counts in another zone, they may lie outside of the
 * period.
 */
function reachOf({ period, figures }: Side, dimension: TimelineDimension) {
  const first = dateOrdinal(period.from.date, dimension) ?? 0;
  const last = dateOrdinal(period.to.date, dimension) ?? first;
  const places = figures.placed.flatMap(({ ordinal }) => (ordinal === undefined ? [] : ordinal - first));
  return { first, from: Math.min(0, ...places), to: Math.max(last - first, ...places) };
}
