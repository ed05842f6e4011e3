/**
 * Judges whether the rules of `--alert` hold. Amounts are compared in hundredths as integers, so that a rule never
 * holds by a rounding.
 */
import type { Cents } from "../../contract/money.js";
import { dateOrdinal } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addMetrics, centsOf, type Metrics } from "../merge/sums.js";
import type { Compared, PeriodFigures } from "../results.js";
import type { Alert, AlertFigure, AlertRule } from "./alert-rules.js";
import { hundredths } from "./metrics.js";

const figures = {
  orders: "total_order_count",
  revenue: "total_revenue",
  average: "average_order_value",
} as const satisfies Record<AlertFigure, keyof Metrics>;

/** Each side was counted on this many days. */
export interface DaysAgainst {
  readonly current: number;
  readonly previous: number;
}

/** Figures are compared with a baseline; a figure is absent where too little is known. */
export type Baseline = Readonly<Record<AlertFigure, Cents | undefined>>;

/** Tells whether the store was open in the time of the figures; `not kept` means that nothing tells. */
export type Opening = "open" | "closed" | "not kept";

/**
 * Tells whether a store was open: without a single order it was closed. Where filters leave none, all of its orders
 * tell.
 *
 * @param unfiltered is absent where there is no filter
 */
export function openingOf(
  { total_order_count: orders }: Metrics,
  unfiltered: Metrics | GroupList | "not kept" | undefined,
): Opening {
  if (orders > 0) return "open";
  if (unfiltered === undefined || unfiltered === "not kept") return unfiltered ?? "closed";
  const metrics = "grouped" in unfiltered ? addMetrics(unfiltered.grouped.groups) : unfiltered;
  return metrics.total_order_count > 0 ? "open" : "closed";
}

/** A rule such as `orders<1` asks whether there was any order at all, so it is judged of a closed store, too. */
export function asksForNone({ figure, limit }: AlertRule): boolean {
  return figure === "orders" && limit.kind === "amount" && limit.hundredths <= 100;
}

/**
 * Judges a rule. A closed store is no alarm, unless the rule asks for just that. Nor is a change against a baseline
 * of which too little is known, nor the average of no orders.
 *
 * @param days is there where sums may be of more days than those of the baseline: the change is then that of their
 * averages
 */
export function judge(
  rule: AlertRule,
  current: Metrics,
  baseline: Baseline | undefined,
  opening: Opening,
  days?: DaysAgainst,
): Alert {
  const { figure, operator, limit } = rule;
  const value = hundredthsOf(figure, current);
  const baselineValue = baseline?.[figure];
  const isPerDay = days !== undefined && limit.kind === "percent" && figure !== "average";
  const [currentDays, baselineDays] = isPerDay ? [BigInt(days.current), BigInt(days.previous)] : [1n, 1n];
  const alert = {
    ...{ rule, holds: false },
    value: hundredths(BigInt(value), 100n * currentDays),
    baseline: baselineValue === undefined ? null : hundredths(BigInt(baselineValue), 100n * baselineDays),
    ...(isPerDay && { perDay: true as const }),
  };
  if (opening !== "open" && !asksForNone(rule)) return { ...alert, unjudged: opening };
  if (figure === "average" && current.total_order_count === 0) return { ...alert, unjudged: "no average" };
  if (limit.kind === "amount")
    return { ...alert, holds: holds(BigInt(value), operator, BigInt(limit.hundredths)) };
  if (baselineValue === undefined || baselineValue <= 0) return { ...alert, unjudged: "too little history" };
  // This is value / baseline - 1 compared with the percentage, without a division.
  const bound = BigInt(baselineValue) * currentDays * BigInt(10_000 + limit.hundredths);
  return { ...alert, holds: holds(BigInt(value) * baselineDays * 10_000n, operator, bound) };
}

function holds(value: bigint, operator: AlertRule["operator"], limit: bigint): boolean {
  if (value === limit) return operator.endsWith("=");
  return operator.startsWith("<") ? value < limit : value > limit;
}

/** Makes a baseline of another period; a period without orders gives none. */
export function baselineOf(previous: Metrics | undefined): Baseline {
  const hasBaseline = previous !== undefined && previous.total_order_count > 0;
  const valueOf = (figure: AlertFigure) => (hasBaseline ? hundredthsOf(figure, previous) : undefined);
  return { orders: valueOf("orders"), revenue: valueOf("revenue"), average: valueOf("average") };
}

/**
 * Takes the median of a weekday's days. Where the store was open on less than half of them, too little is known.
 *
 * @param open lists the days on which it was open
 * @param weeks is how many days there are
 */
export function medianOf(open: readonly Metrics[], weeks: number): Baseline {
  const medianFor = (figure: AlertFigure, days: readonly Metrics[]) =>
    days.length >= 2 && days.length * 2 >= weeks
      ? median(days.map((day) => hundredthsOf(figure, day)))
      : undefined;
  const withOrders = open.filter(({ total_order_count: orders }) => orders > 0);
  return {
    orders: medianFor("orders", open),
    revenue: medianFor("revenue", open),
    average: medianFor("average", withOrders),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  if (sorted.length % 2 === 1) return upper;
  return Math.floor(((sorted[middle - 1] ?? 0) + upper + 1) / 2);
}

/**
 * Judges each rule for the whole period, against the period that it is compared with or the median of its weekday.
 */
export function summaryAlerts(
  { current, previous }: Compared<PeriodFigures<Metrics>>,
  rules: readonly AlertRule[],
  weeks: number | undefined,
): readonly Alert[] {
  const { days, unfiltered } = current.basis ?? {};
  const baseline =
    days && weeks !== undefined
      ? medianOf(weekdaysBefore(days, dateOrdinal(current.period.from.date, "day"), weeks), weeks)
      : baselineOf(previous?.figures);
  const opening = openingOf(current.figures, unfiltered);
  return rules.map((rule) => judge(rule, current.figures, baseline, opening));
}

/** Finds the same weekday in so many weeks before, where it had orders. */
export function weekdaysBefore(
  { placed }: GroupList,
  ordinal: number | undefined,
  weeks: number,
): readonly Metrics[] {
  if (ordinal === undefined) return [];
  const days = Array.from({ length: weeks }, (_, index) => ordinal - 7 * (index + 1));
  const groups = new Map(placed.map(({ ordinal: day, group }) => [day, group]));
  return days.flatMap((day) => groups.get(day) ?? []).filter(({ total_order_count: orders }) => orders > 0);
}

function hundredthsOf(figure: AlertFigure, metrics: Metrics): number {
  const value = metrics[figures[figure]];
  return figure === "orders" ? value * 100 : centsOf(value);
}
