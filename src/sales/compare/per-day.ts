/**
 * Weekdays and hours of two periods are compared per day: five Tuesdays sell more than four. Averages are exact
 * fractions until they are shown.
 */
import { addMetrics, centsOf, type Metrics } from "../merge/sums.js";
import { areComparable, type GroupDays, type RepeatedDimension } from "./group-days.js";
import { hundredths, type Change } from "./metrics.js";

/** These values add up over days; the average of an order doesn't. */
export type Daily<Value> = Readonly<Record<"total_order_count" | "total_revenue", Value>>;

export interface PerDay {
  /** The averages of a day have at most two decimals. */
  readonly current: Daily<number>;
  readonly previous: Daily<number>;
  /** There is no percentage where an edge of a period cuts a day that the other one has whole. */
  readonly change: Daily<Change>;
}

/** A group has these figures in one of the periods, on so many of its days. */
export interface DailySide {
  readonly metrics: Metrics;
  readonly days: GroupDays | undefined;
}

/**
 * Compares groups per day. Several groups give the average of a usual day: hours add up to it, weekdays take turns.
 *
 * @returns `undefined` where it isn't known how many days a group has
 */
export function perDay(
  pairs: readonly (readonly [current: DailySide, previous: DailySide])[],
  dimension: RepeatedDimension,
): PerDay | undefined {
  const [current, previous] = [pairs.map(([current]) => current), pairs.map(([, other]) => other)];
  const turns = dimension === "day_of_week" ? Math.max(1, pairs.length) : 1;
  const isFair = pairs.every(([left, other]) => areComparable(left.days, other.days));
  if (!isFair && dimension === "day_of_week") {
    // The edges may cut different weekdays of the two, while all days together are as many, and cut alike.
    const [sum, sumBefore] = [sumOfSides(current), sumOfSides(previous)];
    if (areComparable(sum.days, sumBefore.days)) return compareSides([sum], [sumBefore], 1, true);
  }
  return compareSides(current, previous, turns, isFair);
}

function sumOfSides(sides: readonly DailySide[]): DailySide {
  const days = sides.flatMap((side) => side.days ?? []);
  const sum = days.reduce((all, days) => all + days.days, 0);
  return {
    metrics: addMetrics(sides.map(({ metrics }) => metrics)),
    days:
      days.length < sides.length
        ? undefined
        : { days: sum, cuts: days.flatMap(({ cuts }) => cuts).toSorted((a, b) => a - b) },
  };
}

function compareSides(
  current: readonly DailySide[],
  previous: readonly DailySide[],
  turns: number,
  isFair: boolean,
): PerDay | undefined {
  const compareMetric = (name: keyof Daily<unknown>) => {
    const [average, averageBefore] = [averageOf(current, name, turns), averageOf(previous, name, turns)];
    if (!average || !averageBefore) return undefined;
    const part = average.part * averageBefore.whole - averageBefore.part * average.whole;
    const percent =
      isFair && averageBefore.part > 0n ? hundredths(100n * part, averageBefore.part * average.whole) : null;
    const change = { absolute: hundredths(part, 100n * average.whole * averageBefore.whole), percent };
    return { current: numberOf(average), previous: numberOf(averageBefore), change };
  };
  const [orders, revenue] = [compareMetric("total_order_count"), compareMetric("total_revenue")];
  if (!orders || !revenue) return undefined;
  const pick = <Name extends keyof typeof orders>(name: Name) => ({
    total_order_count: orders[name],
    total_revenue: revenue[name],
  });
  return { current: pick("current"), previous: pick("previous"), change: pick("change") };
}

/** The numerator counts hundredths, those of orders too. */
interface Fraction {
  readonly part: bigint;
  readonly whole: bigint;
}

function averageOf(
  sides: readonly DailySide[],
  name: keyof Daily<unknown>,
  turns: number,
): Fraction | undefined {
  let [part, whole] = [0n, 1n];
  for (const { metrics, days } of sides) {
    const value = name === "total_order_count" ? metrics[name] * 100 : centsOf(metrics[name]);
    if (!days || (days.days === 0 && value !== 0)) return undefined;
    const count = BigInt(days.days || 1);
    part = part * count + BigInt(value) * whole;
    whole *= count;
  }
  return { part, whole: whole * BigInt(turns) };
}

function numberOf({ part, whole }: Fraction): number {
  return hundredths(part, 100n * whole);
}
