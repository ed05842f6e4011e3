/** The groups of two periods are matched and compared. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { isTimeline } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { noOrders } from "../merge/sums.js";
import type { PeriodFigures } from "../results.js";
import { daysOfSides, isRepeated } from "./group-days.js";
import { compareMetrics, type Change, type MetricsChange } from "./metrics.js";
import { pairGroups, type GroupPair } from "./pairs.js";
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
export interface ComparedGroup extends Pick<GroupPair, "current" | "previous"> {
  readonly change: GroupChange;
  readonly daily?: DailyGroup;
}

export interface DailyGroup {
  readonly sides: readonly [current: DailySide, previous: DailySide];
  /** The averages are absent where it isn't known how many days the group has. */
  readonly perDay: PerDay | undefined;
}

export interface CompareOptions {
  readonly dateField: DateField | undefined;
  /** The days of months are compared with the same weekdays, as where one is drawn over the other. */
  readonly byWeekday?: boolean;
}

/** Makes one entry for each group of either period, as {@link pairGroups} pairs them. */
export function compareGroups(
  current: PeriodFigures<GroupList>,
  previous: PeriodFigures<GroupList>,
  dimension: Dimension,
  { dateField, byWeekday }: CompareOptions,
): readonly ComparedGroup[] {
  const dailyOf = isRepeated(dimension)
    ? dailyGroups([current, previous], dimension, dateField)
    : () => undefined;
  return pairGroups(current, previous, dimension, byWeekday).map((pair) => {
    const daily = dailyOf(pair);
    const { key, label } = pair.current ?? pair.previous ?? { key: null, label: null };
    return {
      current: pair.current,
      previous: pair.previous,
      change: {
        ...{ key, label },
        ...compareMetrics(pair.current, pair.previous, pair.isFair),
        ...(isTimeline(dimension) && pair.current && pair.previous && { previous_key: pair.previous.key }),
        ...(!pair.isFair && { comparable: false as const }),
        ...(daily?.perDay && { per_day: daily.perDay.change }),
      },
      ...(daily && { daily }),
    };
  });
}

/** Compares weekdays or hours. The changes of sums stay as they are; people are told the change per day. */
function dailyGroups(
  sides: readonly [current: PeriodFigures<GroupList>, previous: PeriodFigures<GroupList>],
  dimension: Parameters<typeof daysOfSides>[1],
  dateField: DateField | undefined,
): (pair: GroupPair) => DailyGroup {
  const [daysOf, daysBeforeOf] = daysOfSides(sides, dimension, dateField);
  return ({ current, previous }) => {
    const group = current ?? previous;
    const compared = [
      { metrics: current ?? noOrders, days: group && daysOf?.(group) },
      { metrics: previous ?? noOrders, days: group && daysBeforeOf?.(group) },
    ] as const;
    return { sides: compared, perDay: perDay([compared], dimension) };
  };
}
