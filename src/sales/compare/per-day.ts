/**
 * Weekdays and hours of two periods, set against each other per day: five Tuesdays sell more than four. Averages are exact
 * fractions until they are shown.
 */
import { addMetrics, readAmount, type Metrics } from "../merge/sums.js";
import { areComparable, type GroupDays, type RepeatedDimension } from "./group-days.js";
import { hundredths, type Change } from "./metrics.js";

/** What adds up over days; the average of an order doesn't. */
export type Daily<Value> = Readonly<Record<"total_order_count" | "total_revenue", Value>>;

export interface PerDay {
  /** The averages of a day, with at most two decimals. */
  readonly current: Daily<number>;
  readonly previous: Daily<number>;
  /** No percentage where an edge of a period cuts a day that the other one has whole. */
  readonly change: Daily<Change>;
}

/** The figures of a group in one of the periods, and how many of its days it has. */
export interface DailySide {
  readonly metrics: Metrics;
  readonly days: GroupDays | undefined;
}

/**
 * Of several groups it is the average of a usual day: hours add up to it, weekdays take turns.
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
  if (isFair || dimension === "hour") return compared({ current, previous, turns, isFair });
  // The edges cut different weekdays of the two; all days together may be as many, and cut alike.
  const [now, then] = [together(current), together(previous)];
  if (!areComparable(now.days, then.days)) return compared({ current, previous, turns, isFair });
  return compared({ current: [now], previous: [then], turns: 1, isFair: true });
}

function together(sides: readonly DailySide[]): DailySide {
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

interface Sides {
  readonly current: readonly DailySide[];
  readonly previous: readonly DailySide[];
  readonly turns: number;
  readonly isFair: boolean;
}

function compared({ current, previous, turns, isFair }: Sides): PerDay | undefined {
  const of = (name: keyof Daily<unknown>) => {
    const [now, then] = [averageOf(current, name, turns), averageOf(previous, name, turns)];
    if (!now || !then) return undefined;
    const part = now.part * then.whole - then.part * now.whole;
    const percent = isFair && then.part > 0n ? hundredths(100n * part, then.part * now.whole) : null;
    const change = { absolute: hundredths(part, 100n * now.whole * then.whole), percent };
    return { current: shown(now), previous: shown(then), change };
  };
  const [orders, revenue] = [of("total_order_count"), of("total_revenue")];
  if (!orders || !revenue) return undefined;
  const both = <Name extends keyof typeof orders>(name: Name) => ({
    total_order_count: orders[name],
    total_revenue: revenue[name],
  });
  return { current: both("current"), previous: both("previous"), change: both("change") };
}

/** A fraction whose numerator counts hundredths, of orders too. */
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
    const value = name === "total_order_count" ? metrics[name] * 100 : readAmount(metrics[name]).cents;
    if (!days || (days.days === 0 && value !== 0)) return undefined;
    const count = BigInt(days.days || 1);
    part = part * count + BigInt(value) * whole;
    whole *= count;
  }
  return { part, whole: whole * BigInt(turns) };
}

function shown({ part, whole }: Fraction): number {
  return hundredths(part, 100n * whole);
}
