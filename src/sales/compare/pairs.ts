/**
 * Decides which group of a period is compared with which of the other. Days are paired by their place. Weeks and months
 * may be cut by the edges of a period: whole ones are paired with whole ones, from the first on, and a cut one with the
 * one that the same edge of the other period cuts. All other groups are paired by their identity.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { dateOrdinal } from "../merge/calendar-forms.js";
import { isTimeline, type TimelineDimension } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { canBeCut, isPart, isSamePart, unitsOf, type Unit } from "../merge/parts.js";
import type { PeriodFigures } from "../results.js";

/** A side may be missing, never both. */
export interface GroupPair {
  readonly current: Group | undefined;
  readonly previous: Group | undefined;
  /** It is false for groups of different lengths, and for a day that one of the periods doesn't have. */
  readonly isFair: boolean;
}

type Side = PeriodFigures<GroupList>;

/**
 * Lists the current period's groups in their order, then those that only the previous one has.
 *
 * @param byWeekday compares days of months with the same weekdays
 */
export function pairGroups(
  current: Side,
  previous: Side,
  dimension: Dimension,
  byWeekday = false,
): readonly GroupPair[] {
  const isInTime = isTimeline(dimension) && [current, previous].every(hasPlaces);
  if (!isInTime) return pairByIdentity(current, previous);
  const { previousOf, unequal } = pairPlaces(current, previous, dimension, byWeekday);
  const groupsBefore = new Map(previous.figures.placed.map(({ ordinal = NaN, group }) => [ordinal, group]));
  const pairs = current.figures.placed.map(({ ordinal = NaN, group }) => ({
    current: group,
    previous: groupsBefore.get(previousOf.get(ordinal) ?? NaN),
    isFair: !unequal.has(ordinal),
  }));
  const paired = new Set(pairs.map((pair) => pair.previous));
  const places = new Set(previousOf.values());
  const unpaired = [...groupsBefore].filter(([, group]) => !paired.has(group));
  return [
    ...pairs,
    ...unpaired.map(([place, group]) => ({
      ...{ current: undefined, previous: group },
      isFair: places.has(place),
    })),
  ];
}

function hasPlaces({ figures }: Side): boolean {
  return figures.placed.every(({ ordinal }) => ordinal !== undefined);
}

function pairByIdentity(...sides: readonly [current: Side, previous: Side]): readonly GroupPair[] {
  const [groups, groupsBefore] = sides.map(
    ({ figures }) => new Map(figures.placed.map(({ identity, group }) => [identity, group])),
  );
  const identities = new Set(sides.flatMap(({ figures }) => figures.placed.map(({ identity }) => identity)));
  return [...identities].map((identity) => ({
    current: groups?.get(identity),
    previous: groupsBefore?.get(identity),
    isFair: true,
  }));
}

interface PlacePairs {
  /** The place in the current period leads to the place in the other. */
  readonly previousOf: ReadonlyMap<number, number>;
  /** These places of the current period are compared with something of another length. */
  readonly unequal: ReadonlySet<number>;
}

function pairPlaces(
  current: Side,
  previous: Side,
  dimension: TimelineDimension,
  byWeekday: boolean,
): PlacePairs {
  const [units = [], unitsBefore = []] = canBeCut(dimension)
    ? [current, previous].map(({ period, figures }) => unitsOf(dimension, period, figures.placed))
    : [];
  if (units.length === 0 || unitsBefore.length === 0) {
    const isByWeekday = dimension === "day" && byWeekday && areMonths(current, previous);
    return { previousOf: pairDays(current, previous, dimension, isByWeekday), unequal: new Set() };
  }
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

/**
 * Pairs the first with the first, as far as both reach. By weekday, days are so many whole weeks apart that the two
 * periods begin as near as can be.
 */
function pairDays(
  current: Side,
  previous: Side,
  dimension: TimelineDimension,
  isByWeekday: boolean,
): ReadonlyMap<number, number> {
  const [reach, reachBefore] = [reachOf(current, dimension), reachOf(previous, dimension)];
  const distance = reach.first - reachBefore.first;
  const shift = isByWeekday ? Math.round(distance / 7) * 7 : distance;
  const [from, to] = [
    Math.max(reach.from, reachBefore.from + shift),
    Math.min(reach.to, reachBefore.to + shift),
  ];
  const places = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return new Map(places.map((place) => [place, place - shift]));
}

/**
 * Gives the first and last place of the groups. Where the service counts in another zone, they may lie outside of the
 * period.
 */
function reachOf({ period, figures }: Side, dimension: TimelineDimension) {
  const [first = 0, last = first] = [period.from, period.to].map(({ date }) => dateOrdinal(date, dimension));
  const places = figures.placed.flatMap(({ ordinal }) => ordinal ?? []);
  return { first, from: Math.min(first, ...places), to: Math.max(last, ...places) };
}
