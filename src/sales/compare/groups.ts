/** The groups of two periods, matched and set against each other. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import {
  isTimeline,
  keyIdentity,
  type PlacedGroup,
  type TimelineDimension,
} from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import type { PeriodFigures } from "../results.js";
import { noOrders } from "../merge/sums.js";
import { daysOfSides, isRepeated, type DaysOf, type RepeatedDimension } from "./group-days.js";
import { compareMetrics, type Change, type MetricsChange } from "./metrics.js";
import { pairsOf } from "./pairs.js";
import { perDay, type Daily, type DailySide, type PerDay } from "./per-day.js";

/** A group's change. A side without the group counts as 0. */
export interface GroupChange extends MetricsChange {
  /** The current period's; the previous period's where only that one has the group. */
  readonly key: Group["key"];
  readonly label: Group["label"];
  /** For days, weeks and months: what the current one is compared with; absent where only one side has it. */
  readonly previous_key?: Group["key"];
  /** Is it set against as many days? Only there where it isn't: no percentage is given then. */
  readonly comparable?: false;
  /** The averages of a day, for weekdays and hours: a period may have more of them than the other. */
  readonly per_day?: Daily<Change>;
}

/** A group of one period and what it is compared with in the other; a side may be missing, never both. */
export interface ComparedGroup {
  readonly current: Group | undefined;
  readonly previous: Group | undefined;
  readonly change: GroupChange;
  readonly daily?: DailyGroup;
}

export interface DailyGroup {
  readonly sides: readonly [current: DailySide, previous: DailySide];
  /** Absent where it isn't known how many days it has. */
  readonly perDay: PerDay | undefined;
}

/**
 * One entry for each group of either period: the current period's groups in their order, then those that the
 * previous one alone has. Groups are matched by key; days, weeks and months as {@link pairsOf} says, since their keys
 * differ from period to period.
 */
export function compareGroups(
  current: PeriodFigures<GroupList>,
  previous: PeriodFigures<GroupList>,
  dimension: Dimension,
  options: CompareOptions,
): readonly ComparedGroup[] {
  if (isTimeline(dimension) && [current, previous].every(hasPlaces))
    return compareInTime(current, previous, { dimension, ...options });
  const [now, then] = [groupsByKey(current, dimension), groupsByKey(previous, dimension)];
  const pairs = [...new Set([...now.keys(), ...then.keys()])].map((key) => ({
    current: now.get(key),
    previous: then.get(key),
  }));
  if (isRepeated(dimension)) return compareDaily([current, previous], pairs, { dimension, ...options });
  return pairs.map((pair) => ({
    ...pair,
    change: changeOf(pair.current, pair.previous),
  }));
}

export interface CompareOptions {
  readonly dateField: DateField | undefined;
  /** Are the days of months set against the same weekdays, as where one is drawn over the other? */
  readonly byWeekday?: boolean;
}

/** The changes of sums stand as they are; what is told of them to people is the change per day. */
function compareDaily(
  sides: readonly [current: PeriodFigures<GroupList>, previous: PeriodFigures<GroupList>],
  pairs: readonly Pick<ComparedGroup, "current" | "previous">[],
  { dimension, dateField }: CompareOptions & { readonly dimension: RepeatedDimension },
): readonly ComparedGroup[] {
  const [now, then] = daysOfSides(sides, dimension, dateField);
  return pairs.map(({ current, previous }) => {
    const shown = current ?? previous;
    const side = (metrics: Group | undefined, days: DaysOf | undefined): DailySide => ({
      metrics: metrics ?? noOrders,
      days: shown && days?.(shown),
    });
    const both = [side(current, now), side(previous, then)] as const;
    const daily = { sides: both, perDay: perDay([both], dimension) };
    const change = changeOf(current, previous);
    return {
      ...{ current, previous, daily },
      change: { ...change, ...(daily.perDay && { per_day: daily.perDay.change }) },
    };
  });
}

function compareInTime(
  current: PeriodFigures<GroupList>,
  previous: PeriodFigures<GroupList>,
  { dimension, byWeekday }: CompareOptions & { readonly dimension: TimelineDimension },
): readonly ComparedGroup[] {
  const { previousOf, unequal } = pairsOf(current, previous, dimension, byWeekday);
  const then = new Map(previous.figures.placed.map(({ ordinal, group }) => [ordinal, group]));
  const compared = (now: Group | undefined, before: Group | undefined, isFair: boolean): ComparedGroup => ({
    current: now,
    previous: before,
    change: {
      ...changeOf(now, before, isFair),
      ...(now && before && { previous_key: before.key }),
      ...(!isFair && { comparable: false }),
    },
  });
  const now = current.figures.placed.map(({ ordinal = 0, group }) =>
    compared(group, then.get(previousOf.get(ordinal)), !unequal.has(ordinal)),
  );
  const matched = new Set(now.map((group) => group.previous));
  const places = new Set(previousOf.values());
  const left = previous.figures.placed.filter(({ group }) => !matched.has(group));
  return [...now, ...left.map(({ ordinal = 0, group }) => compared(undefined, group, places.has(ordinal)))];
}

/** @param isFair no percentage is true of a week against a part of one, or of a day that one of the periods doesn't have */
function changeOf(current: Group | undefined, previous: Group | undefined, isFair = true): GroupChange {
  const { key, label } = current ?? previous ?? { key: null, label: null };
  const change = compareMetrics(current, previous);
  return { key, label, ...(isFair ? change : withoutPercent(change)) };
}

function withoutPercent(change: MetricsChange): MetricsChange {
  const without = ({ absolute }: Change): Change => ({ absolute, percent: null });
  return {
    total_order_count: without(change.total_order_count),
    total_revenue: without(change.total_revenue),
    average_order_value: without(change.average_order_value),
  };
}

function hasPlaces({ figures }: PeriodFigures<GroupList>): boolean {
  return figures.placed.every(({ ordinal }) => ordinal !== undefined);
}

/** The identity of a day, week or month holds its place; that of any other group its key, and what tells stores apart. */
function groupsByKey(
  { figures }: PeriodFigures<GroupList>,
  dimension: Dimension,
): ReadonlyMap<string, Group> {
  return numbered(figures.placed, ({ group, identity }) =>
    isTimeline(dimension) ? keyIdentity(group.key) : identity,
  );
}

/** Several groups of one key (the `11` of two years, say) are matched in their order. */
function numbered(
  placed: readonly PlacedGroup[],
  placeOf: (placed: PlacedGroup) => string,
): ReadonlyMap<string, Group> {
  const seen = new Map<string, number>();
  return new Map(
    placed.map((placed) => {
      const place = placeOf(placed);
      const count = seen.get(place) ?? 0;
      seen.set(place, count + 1);
      return [`${place}/${count}`, placed.group];
    }),
  );
}
