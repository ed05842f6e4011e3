/**
 * Computes how much of a change is the calendar's: a month with five Saturdays sells more than one with four. The
 * file is pure.
 *
 * The calendar's part is each weekday's average of the period before, times how many of it this period has, less the
 * period before. The rest of the change isn't the calendar's; the two add up to it.
 */
import type { Group } from "../../contract/models.js";
import { dateOrdinal, dayOrdinal, daysByPlace, weekdayOfDay } from "../merge/calendar-forms.js";
import { dayOfKey } from "../merge/group-identity.js";
import { centsOf } from "../merge/sums.js";
import { parseDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import { hundredths } from "./metrics.js";
import type { Daily } from "./per-day.js";

/** The two periods have different numbers of this weekday. */
export interface WeekdayCount {
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly current: number;
  readonly previous: number;
}

/** The values have at most two decimals, those of orders too. */
export interface CalendarPart extends Daily<number> {
  readonly weekdays: readonly WeekdayCount[];
}

type Days = Pick<Period, "kind" | "from" | "to">;

/**
 * Counts the weekdays of which the two periods have different numbers.
 *
 * @returns `undefined` where one of them isn't made of whole days
 */
export function weekdayCounts(current: Days, previous: Days): readonly WeekdayCount[] | undefined {
  if (current.kind !== "days" || previous.kind !== "days") return undefined;
  const countsOf = ({ from, to }: Days) =>
    daysByPlace(dayOrdinal(parseDate(from.date)), dayOrdinal(parseDate(to.date)), weekdayOfDay);
  const [counts, countsBefore] = [countsOf(current), countsOf(previous)];
  return counts.flatMap((count, weekday) => {
    const before = countsBefore[weekday] ?? 0;
    return count === before ? [] : [{ weekday, current: count, previous: before }];
  });
}

/**
 * @param days are those of the period before
 * @returns `undefined` where the periods aren't whole days, a day can't be read, or a weekday of this period wasn't
 * in the one before
 */
export function calendarPart(
  current: Days,
  previous: Days,
  days: readonly Group[],
): CalendarPart | undefined {
  const weekdays = weekdayCounts(current, previous);
  if (!weekdays || weekdays.some((count) => count.previous === 0)) return undefined;
  const sums = weekdays.map(() => ({ orders: 0n, cents: 0n }));
  for (const { key, total_order_count: orders, total_revenue: revenue } of days) {
    const day = dateOrdinal(dayOfKey(key) ?? "", "day");
    if (day === undefined) return undefined;
    const sum = sums[weekdays.findIndex(({ weekday }) => weekday === weekdayOfDay(day))];
    if (!sum) continue;
    sum.orders += BigInt(orders);
    sum.cents += BigInt(centsOf(revenue));
  }
  const product = weekdays.reduce((factor, count) => factor * BigInt(count.previous), 1n);
  const partOf = (name: "orders" | "cents") =>
    weekdays.reduce((part, { current: count, previous: countBefore }, index) => {
      const more = BigInt(count - countBefore) * (product / BigInt(countBefore));
      return part + (sums[index]?.[name] ?? 0n) * more;
    }, 0n);
  return {
    total_order_count: hundredths(partOf("orders"), product),
    total_revenue: hundredths(partOf("cents"), 100n * product),
    weekdays,
  };
}
