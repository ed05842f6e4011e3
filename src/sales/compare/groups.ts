/** The groups of two periods are matched and compared. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { isTimeline, type TimelineDimension } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import type { PeriodFigures } from "../results.js";
import { noOrders } from "../merge/sums.js";
import { daysOfSides, isRepeated, type DaysOf, type RepeatedDimension } from "./group-days.js";
import { compareMetrics, type Change, type MetricsChange } from "./metrics.js";
import { pairsOf } from "./pairs.js";
import { perDay, type Daily, type DailySide, type PerDay } from "./per-day.js";

/** A group has changed by this much. A side without the group counts as 0. */
export interface GroupChange extends MetricsChange {
  /** The key is the current period's; the previous period's where only that one has the group. */
  readonly key: Group["key"];
  readonly label: Group["label"];
  /** A day, week or month is compared with the one of this key; absent where only one side has it. */
  readonly previous_key?: Group["key"];
  /** It is false where the two have different numbers of days: no percentage is given then. */
  readonly comparable?: false;
  /** Weekdays and hours have the averages of a day here, since a period may have more of them than the other. */
  readonly per_day?: Daily<Change>;
}

/** A group of one period is compared with one of the other; a side may be missing, never both. */
export interface ComparedGroup {
  readonly current: Group | undefined;
  readonly previous: Group | undefined;
  readonly change: GroupChange;
  readonly daily?: DailyGroup;
}

export interface DailyGroup {
  readonly sides: readonly [current: DailySide, previous: DailySide];
  /** The averages are absent where it isn't known how many days the group has. */
  readonly perDay: PerDay | undefined;
}

/**
 * Makes one entry for each group of either period: the current period's groups in their order, then those that only
 * the previous one has. Groups are matched by key; days, weeks and months as {@link pairsOf} says, since their keys
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
  const [currentGroups, previousGroups] = [groupsByIdentity(current), groupsByIdentity(previous)];
  const pairs = [...new Set([...currentGroups.keys(), ...previousGroups.keys()])].map((key) => ({
    current: currentGroups.get(key),
    previous: previousGroups.get(key),
  }));
  if (isRepeated(dimension)) return compareDaily([current, previous], pairs, { dimension, ...options });
  return pairs.map((pair) => ({
    ...pair,
    change: changeOf(pair.current, pair.previous),
  }));
}

export interface CompareOptions {
  readonly dateField: DateField | undefined;
  /** The days of months are compared with the same weekdays, as where one is drawn over the other. */
  readonly byWeekday?: boolean;
}

/** Compares weekdays or hours. The changes of sums stay as they are; people are told the change per day. */
function compareDaily(
  sides: readonly [current: PeriodFigures<GroupList>, previous: PeriodFigures<GroupList>],
  pairs: readonly Pick<ComparedGroup, "current" | "previous">[],
  { dimension, dateField }: CompareOptions & { readonly dimension: RepeatedDimension },
): readonly ComparedGroup[] {
  const [currentDays, previousDays] = daysOfSides(sides, dimension, dateField);
  return pairs.map(({ current, previous }) => {
    const group = current ?? previous;
    const side = (metrics: Group | undefined, days: DaysOf | undefined): DailySide => ({
      metrics: metrics ?? noOrders,
      days: group && days?.(group),
    });
    const comparedSides = [side(current, currentDays), side(previous, previousDays)] as const;
    const daily = { sides: comparedSides, perDay: perDay([comparedSides], dimension) };
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
  const previousGroups = new Map(previous.figures.placed.map(({ ordinal, group }) => [ordinal, group]));
  const compareWith = (
    group: Group | undefined,
    previousGroup: Group | undefined,
    isFair: boolean,
  ): ComparedGroup => ({
    current: group,
    previous: previousGroup,
    change: {
      ...changeOf(group, previousGroup, isFair),
      ...(group && previousGroup && { previous_key: previousGroup.key }),
      ...(!isFair && { comparable: false }),
    },
  });
  const matches = current.figures.placed.map(({ ordinal = 0, group }) =>
    compareWith(group, previousGroups.get(previousOf.get(ordinal)), !unequal.has(ordinal)),
  );
  const matched = new Set(matches.map((group) => group.previous));
  const places = new Set(previousOf.values());
  const unmatched = previous.figures.placed.filter(({ group }) => !matched.has(group));
  return [
    ...matches,
    ...unmatched.map(({ ordinal = 0, group }) => compareWith(undefined, group, places.has(ordinal))),
  ];
}

/**
 * @param isFair is false for a week against a part of one, or a day that one of the periods doesn't have: no
 * percentage is true of them
 */
function changeOf(current: Group | undefined, previous: Group | undefined, isFair = true): GroupChange {
  const { key, label } = current ?? previous ?? { key: null, label: null };
  const change = compareMetrics(current, previous);
  return { key, label, ...(isFair ? change : withoutPercent(change)) };
}

function withoutPercent(change: MetricsChange): MetricsChange {
  const dropPercent = ({ absolute }: Change): Change => ({ absolute, percent: null });
  return {
    total_order_count: dropPercent(change.total_order_count),
    total_revenue: dropPercent(change.total_revenue),
    average_order_value: dropPercent(change.average_order_value),
  };
}

function hasPlaces({ figures }: PeriodFigures<GroupList>): boolean {
  return figures.placed.every(({ ordinal }) => ordinal !== undefined);
}

/** An identity holds the place of a day, week or month; that of any other group its key, and what tells stores apart. */
function groupsByIdentity({ figures }: PeriodFigures<GroupList>): ReadonlyMap<string, Group> {
  return new Map(figures.placed.map(({ identity, group }) => [identity, group]));
}
