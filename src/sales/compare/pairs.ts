/**
 * Decides which day, week or month of a period is compared with which of the other. Days are paired by their place.
 * Weeks and months may be cut by the edges of a period: whole ones are paired with whole ones, from the first on, and
 * a cut one with the one that the same edge of the other period cuts.
 */
import { dateOrdinal } from "../merge/calendar-forms.js";
import type { TimelineDimension } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { canBeCut, isPart, isSamePart, unitsOf, type Unit } from "../merge/parts.js";
import type { PeriodFigures } from "../results.js";

export interface Pairs {
  /** The place in the current period leads to the place in the other. */
  readonly previousOf: ReadonlyMap<number, number>;
  /** These places of the current period are compared with something of another length. */
  readonly unequal: ReadonlySet<number>;
}

type Side = PeriodFigures<GroupList>;

/** @param byWeekday compares days of months with the same weekdays */
export function pairsOf(
  current: Side,
  previous: Side,
  dimension: TimelineDimension,
  byWeekday = false,
): Pairs {
  if (dimension === "day" && byWeekday && areMonths(current, previous)) return byWeeks(current, previous);
  if (!canBeCut(dimension)) return byPlace(current, previous, dimension);
  const [units, unitsBefore] = [current, previous].map(({ period, figures }) =>
    unitsOf(dimension, period, figures.placed),
  );
  if (!units?.length || !unitsBefore?.length) return byPlace(current, previous, dimension);
  // A single unit of each period is compared as the periods themselves are.
  const isOnlyOne = units.length === 1 && unitsBefore.length === 1;
  const paired = isOnlyOne ? zip(units, unitsBefore) : pairUnits(units, unitsBefore);
  const unequal = isOnlyOne ? [] : paired.filter(([left, other]) => !isSamePart(left, other));
  return {
    previousOf: new Map(paired.map(([left, other]) => [left.ordinal, other.ordinal])),
    unequal: new Set(unequal.map(([unit]) => unit.ordinal)),
  };
}

type UnitPair = readonly [current: Unit, previous: Unit];

function pairUnits(units: readonly Unit[], unitsBefore: readonly Unit[]): readonly UnitPair[] {
  const isHead = ({ isCutBefore }: Unit) => isCutBefore;
  const isTail = ({ isCutBefore, isCutAfter }: Unit) => isCutAfter && !isCutBefore;
  const isWhole = (unit: Unit) => !isPart(unit);
  return [isHead, isWhole, isTail].flatMap((belongs) =>
    zip(units.filter(belongs), unitsBefore.filter(belongs)),
  );
}

function zip(units: readonly Unit[], unitsBefore: readonly Unit[]): readonly UnitPair[] {
  return units.flatMap((unit, index) => {
    const other = unitsBefore[index];
    return other ? [[unit, other] as const] : [];
  });
}

/** Tells whether the periods are whole months, or what has been of them, and the same dates weren't asked for. */
export function areMonths(...sides: readonly Pick<Side, "period">[]): boolean {
  return sides.every(({ period }) => period.months !== undefined && period.byDate !== true);
}

/** Pairs days so many whole weeks apart that the two periods begin as near as can be. */
function byWeeks(current: Side, previous: Side): Pairs {
  const [reach, reachBefore] = [reachOf(current, "day"), reachOf(previous, "day")];
  const shift = Math.round((reach.first - reachBefore.first) / 7) * 7;
  const places = Array.from(
    { length: reach.to - reach.from + 1 },
    (_, index) => reach.first + reach.from + index,
  );
  const paired = places
    .map((place) => [place, place - shift] as const)
    .filter(
      ([, other]) =>
        reachBefore.first + reachBefore.from <= other && other <= reachBefore.first + reachBefore.to,
    );
  return { previousOf: new Map(paired), unequal: new Set() };
}

/** Pairs the first with the first, as far as both reach. */
function byPlace(current: Side, previous: Side, dimension: TimelineDimension): Pairs {
  const [reach, reachBefore] = [reachOf(current, dimension), reachOf(previous, dimension)];
  const from = Math.min(reach.from, reachBefore.from);
  const length = Math.max(0, Math.min(reach.to, reachBefore.to) - from + 1);
  const places = Array.from({ length }, (_, index) => from + index);
  return {
    previousOf: new Map(places.map((place) => [reach.first + place, reachBefore.first + place])),
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
