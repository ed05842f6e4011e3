/**
 * Whether the rules of `--alert` hold. Amounts are compared in hundredths as integers, so that a rule never holds by a
 * rounding.
 */
import { type Cents, numberFromCents } from "../../contract/money.js";
import type { Dimension, Group } from "../../contract/summary.js";
import { dateOrdinal } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { noOrders, readAmount, type Metrics } from "../merge/sums.js";
import type { Compared, PeriodFigures } from "../results.js";
import type { Alert, AlertFigure, AlertRule } from "./alert-rules.js";
import { compareGroups } from "./groups.js";

const figures = {
  orders: "total_order_count",
  revenue: "total_revenue",
  average: "average_order_value",
} as const satisfies Record<AlertFigure, keyof Metrics>;

/** What figures are set against; a figure is absent where too little is known. */
export type Baseline = Readonly<Record<AlertFigure, Cents | undefined>>;

/**
 * A store without a single order was closed: that is no alarm, unless the rule asks for just that (`orders<1`). Nor is a
 * change against a baseline of which too little is known.
 */
export function judge(rule: AlertRule, current: Metrics, baseline: Baseline | undefined): Alert {
  const { figure, operator, limit } = rule;
  const value = hundredthsOf(figure, current);
  const against = baseline?.[figure];
  const found = {
    rule,
    value: numberFromCents(value),
    baseline: against === undefined ? null : numberFromCents(against),
  };
  const asksForNone = figure === "orders" && limit.kind === "amount" && limit.hundredths <= 100;
  if (current.total_order_count === 0 && !asksForNone) return { ...found, holds: false, unjudged: "closed" };
  if (limit.kind === "amount")
    return { ...found, holds: holds(BigInt(value), operator, BigInt(limit.hundredths)) };
  if (against === undefined || against <= 0)
    return { ...found, holds: false, unjudged: "too little history" };
  // value / against - 1 op percent, without a division.
  const bound = BigInt(against) * BigInt(10_000 + limit.hundredths);
  return { ...found, holds: holds(BigInt(value) * 10_000n, operator, bound) };
}

function holds(value: bigint, operator: AlertRule["operator"], limit: bigint): boolean {
  switch (operator) {
    case "<":
      return value < limit;
    case "<=":
      return value <= limit;
    case ">":
      return value > limit;
    case ">=":
      return value >= limit;
  }
}

/** The figures of another period as a baseline; one without orders is none. */
export function baselineOf(previous: Metrics | undefined): Baseline {
  const known = previous !== undefined && previous.total_order_count > 0;
  const of = (figure: AlertFigure) => (known ? hundredthsOf(figure, previous) : undefined);
  return { orders: of("orders"), revenue: of("revenue"), average: of("average") };
}

/**
 * The median of a weekday's days. Those without orders, when the store was closed, are none of them; where that leaves
 * less than half of the weeks, too little is known.
 */
export function medianOf(days: readonly (Group | undefined)[]): Baseline {
  const open = days.filter((day) => day !== undefined && day.total_order_count > 0);
  const known = open.length >= 2 && open.length * 2 >= days.length;
  const of = (figure: AlertFigure) =>
    known ? median(open.map((day) => (day ? hundredthsOf(figure, day) : 0))) : undefined;
  return { orders: of("orders"), revenue: of("revenue"), average: of("average") };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  if (sorted.length % 2 === 1) return upper;
  return Math.floor(((sorted[middle - 1] ?? 0) + upper + 1) / 2);
}

/** Each rule for the whole period, against the one that it is compared with or the median of its weekday. */
export function summaryAlerts(
  { current, ...rest }: Compared<PeriodFigures<Metrics>>,
  rules: readonly AlertRule[],
  weeks: number | undefined,
): readonly Alert[] {
  const previous = "previous" in rest ? rest.previous.figures : undefined;
  const baseline =
    current.baseline && weeks !== undefined
      ? medianOf(weekdayBefore(current.baseline, dateOrdinal(current.period.from.date, "day"), weeks))
      : baselineOf(previous);
  return rules.map((rule) => judge(rule, current.figures, baseline));
}

/** Each rule for each group. */
export function groupAlerts(
  figures: Compared<PeriodFigures<GroupList>>,
  dimension: Dimension,
  rules: readonly AlertRule[],
  weeks: number | undefined,
): readonly Alert[] {
  const { current } = figures;
  const { baseline } = current;
  const groups =
    figures.kind === "comparison"
      ? compareGroups(current, figures.previous, dimension).flatMap(({ current: now, previous, change }) => {
          const isUnequal = change.comparable === false;
          // A day of the other period alone is none of this one.
          if (now === undefined && isUnequal) return [];
          const group = { key: change.key, label: change.label };
          return [{ group, metrics: now ?? noOrders, against: baselineOf(previous), isUnequal }];
        })
      : current.figures.placed.map(({ group: { key, label, ...metrics }, ordinal }) => ({
          group: { key, label },
          metrics,
          isUnequal: false,
          against:
            baseline && weeks !== undefined ? medianOf(weekdayBefore(baseline, ordinal, weeks)) : undefined,
        }));
  return rules.flatMap((rule) =>
    groups.map(({ group, metrics, against, isUnequal }) => ({
      ...(isUnequal && rule.limit.kind === "percent"
        ? { ...judge(rule, metrics, undefined), unjudged: "part" as const }
        : judge(rule, metrics, against)),
      group,
    })),
  );
}

/** The same weekday of so many weeks before; a day without orders is in no answer. */
function weekdayBefore(
  { placed }: GroupList,
  ordinal: number | undefined,
  weeks: number,
): readonly (Group | undefined)[] {
  return Array.from({ length: weeks }, (_, index) => {
    const day = ordinal === undefined ? undefined : ordinal - 7 * (index + 1);
    return placed.find((one) => day !== undefined && one.ordinal === day)?.group;
  });
}

function hundredthsOf(figure: AlertFigure, metrics: Metrics): number {
  const value = metrics[figures[figure]];
  return figure === "orders" ? value * 100 : readAmount(value).cents;
}
