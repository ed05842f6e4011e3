/** `--sort`, `--top` and `--rest` decide which groups are shown, and in which order. */
import { suggestion } from "../../shared/nearest.js";
import { t } from "../../shared/language.js";
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { daysOfSides, isRepeated, type GroupDays } from "../compare/group-days.js";
import { compareGroups, type ComparedGroup, type GroupChange } from "../compare/groups.js";
import { compareMetrics, type MetricsChange } from "../compare/metrics.js";
import { perDay } from "../compare/per-day.js";
import { isTimeline } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { marksOf, type Unit } from "../merge/parts.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import type { Compared, Display, PeriodFigures } from "../results.js";

const sortFields = ["revenue", "orders", "average", "label", "key"] as const;

export interface Sort {
  readonly field: (typeof sortFields)[number];
  readonly descending: boolean;
}

export interface Ranking {
  /** Without it groups stay as the service gave them. */
  readonly sort?: Sort | undefined;
  readonly top?: number | undefined;
  /** The groups that `top` leaves out are summed up. */
  readonly rest: boolean;
}

/** The sum of several groups is one line: what `--top` leaves out, or all of them. */
export interface Rest extends Metrics {
  readonly group_count: number;
}

export interface RankedRest extends Compared<Rest> {
  readonly change?: (MetricsChange & Pick<GroupChange, "per_day">) | undefined;
}

/** The figures of a period come with this. */
export type Beside = Omit<PeriodFigures<unknown>, "figures">;

type Sides<Value> = Readonly<Record<"current" | "previous", Value>>;

/** A group of either period has two sides; one may be missing, never both. */
export interface RankedGroup extends Partial<Sides<Group | undefined>> {
  readonly key: Group["key"];
  readonly label: Group["label"];
  readonly change?: GroupChange;
  /** Weekdays and hours that are compared have the averages of a day. */
  readonly daily?: ComparedGroup["daily"];
  /** The period has this part of a week or month that its edges cut. */
  readonly part: Partial<Sides<Unit | undefined>>;
  /** A weekday or an hour has so many of a period's days; `null` where that isn't known. */
  readonly days?: Sides<number | null> | undefined;
  readonly isRunning: boolean;
}

export interface RankedGroups extends Compared<Beside> {
  readonly groupBy: string;
  readonly groups: readonly RankedGroup[];
  /** It is `null` where nothing was left out, or nobody asked. */
  readonly rest: RankedRest | null;
  /** The totals are of all groups, also of those that aren't shown. */
  readonly whole: RankedRest;
}

export interface RankingOptions {
  readonly dimension: Dimension;
  readonly dateField: DateField | undefined;
  readonly ranking: Ranking;
  /** Its locale decides how labels are ordered. */
  readonly display: Display;
}

/** Ranks a comparison by its current period; a group that this period doesn't have counts as nothing. */
export function rankGroups(
  figures: Compared<PeriodFigures<GroupList>>,
  { dimension, dateField, ranking: { sort, top, rest }, display }: RankingOptions,
): RankedGroups {
  const { current, previous } = figures;
  const groups = groupsOf(figures, dimension, dateField);
  const sorted = sort ? sortGroups(groups, sort, display) : groups;
  const others = rest && top !== undefined ? sorted.slice(top) : [];
  const sum = (some: readonly RankedGroup[]) => restOf(some, dimension, previous !== undefined);
  return {
    groupBy: current.figures.grouped.group_by,
    ...{ current, previous },
    groups: sorted.slice(0, top),
    rest: others.length === 0 ? null : sum(others),
    whole: sum(groups),
  };
}

function groupsOf(
  { current, previous }: Compared<PeriodFigures<GroupList>>,
  dimension: Dimension,
  dateField: DateField | undefined,
): readonly RankedGroup[] {
  const marks = marksByGroup(current, dimension);
  const marksBefore = previous && marksByGroup(previous, dimension);
  const marked = (group: Group | undefined, before: Group | undefined) => {
    const mark = group && marks.get(group);
    return {
      part: { current: mark?.part, previous: before && marksBefore?.get(before)?.part },
      isRunning: isTimeline(dimension) && mark?.isRunning === true,
    };
  };
  if (previous) {
    return compareGroups(current, previous, dimension, { dateField }).map((group) => {
      const [now, before] = group.daily?.sides ?? [];
      const days = now && before && { current: daysIn(now.days), previous: daysIn(before.days) };
      const { key, label } = group.change;
      return { ...{ key, label }, ...group, ...marked(group.current, group.previous), days };
    });
  }
  const [daysOf] = isRepeated(dimension) ? daysOfSides([current], dimension, dateField) : [];
  return current.figures.grouped.groups.map((group) => ({
    ...{ key: group.key, label: group.label, current: group },
    ...marked(group, undefined),
    days: daysOf && { current: daysIn(daysOf(group)), previous: null },
  }));
}

function daysIn(days: GroupDays | undefined): number | null {
  return days?.days ?? null;
}

function marksByGroup({ period, figures: { placed } }: PeriodFigures<GroupList>, dimension: Dimension) {
  const marks = marksOf(placed, dimension, period);
  return new Map(placed.map(({ group }, index) => [group, marks[index]]));
}

function restOf(groups: readonly RankedGroup[], dimension: Dimension, isCompared: boolean): RankedRest {
  const sumOf = (side: "current" | "previous"): Rest => {
    const sideGroups = groups.flatMap((group) => group[side] ?? []);
    return { group_count: sideGroups.length, ...addMetrics(sideGroups) };
  };
  if (!isCompared) return { current: sumOf("current") };
  const [current, previous] = [sumOf("current"), sumOf("previous")];
  const sides = groups.flatMap(({ daily }) => (daily ? [daily.sides] : []));
  const daily = isRepeated(dimension) && perDay(sides, dimension);
  return {
    ...{ current, previous },
    change: { ...compareMetrics(current, previous), ...(daily && { per_day: daily.change }) },
  };
}

const sortValues = {
  revenue: ({ current }: RankedGroup) => current?.total_revenue ?? 0,
  orders: ({ current }: RankedGroup) => current?.total_order_count ?? 0,
  average: ({ current }: RankedGroup) => current?.average_order_value ?? 0,
  label: ({ label }: RankedGroup) => label,
  key: ({ key }: RankedGroup) => key,
} as const;

/**
 * Sorts a copy. Equal groups keep their order; a missing label or key comes last, whichever the direction. Keys are
 * ordered by number where both are one.
 */
function sortGroups(
  groups: readonly RankedGroup[],
  { field, descending }: Sort,
  { locale }: Pick<Display, "locale">,
): readonly RankedGroup[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  return groups.toSorted((a, b) => {
    const [left, right] = [sortValues[field](a), sortValues[field](b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const areNumbers = typeof left === "number" && typeof right === "number";
    const order = areNumbers ? left - right : collator.compare(String(left), String(right));
    return descending ? -order : order;
  });
}

/**
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. Without one, figures go down and names go up.
 *
 * @throws {ComandaError} `invalid_input` for another field or direction
 */
export function parseSort(text: string): Sort {
  const [name = "", direction, ...rest] = text.split(":");
  const field = sortFields.find((field) => field === name);
  const isDirection = direction === undefined || direction === "asc" || direction === "desc";
  if (field !== undefined && isDirection && rest.length === 0) {
    const byFigure = field !== "label" && field !== "key";
    return { field, descending: direction === undefined ? byFigure : direction === "desc" };
  }
  const question = field === undefined ? suggestion(name, sortFields) : "";
  throw new ComandaError("invalid_input", t`Groups can't be sorted by "${text}".${question}`, {
    hint: t`Give --sort ${sortFields.join(", ")}, each with :asc or :desc after it if wanted.`,
  });
}
