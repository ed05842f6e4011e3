/** Tells people how much of a change is the calendar's. */
import { plural, t } from "../../shared/language.js";
import { calendarPart, type CalendarPart } from "../compare/calendar.js";
import { totalsAgree, type Metrics } from "../merge/sums.js";
import { weekdayText } from "../merge/calendar-words.js";
import type { SummaryFigures } from "../plan/plans.js";
import type { Display, PeriodFigures } from "../results.js";
import { createNumberFormat } from "./number-format.js";

/** @returns `undefined` where the days of the period before aren't known, or have another total */
export function calendarOf(
  { period: current }: Pick<PeriodFigures<unknown>, "period">,
  { period, figures, byDay }: PeriodFigures<Metrics>,
): CalendarPart | undefined {
  if (!byDay || !totalsAgree(byDay.grouped.groups, [figures])) return undefined;
  return calendarPart(current, period, byDay.grouped.groups);
}

/** @returns `undefined` where it isn't known, or the two periods have as many of each weekday */
export function calendarText({ current, previous }: SummaryFigures, display: Display): string | undefined {
  const part = previous && calendarOf(current, previous);
  if (!part || part.weekdays.length === 0) return undefined;
  const { total_order_count: orders, total_revenue: revenue } = part;
  const format = createNumberFormat(display);
  const days = part.weekdays.map((count) => {
    const name = weekdayText(count.weekday, display.locale);
    return t`${name} ${count.current} (before: ${count.previous})`;
  });
  const count = Math.round(orders);
  const ordersText = plural(Math.abs(count), {
    one: t`${format.countChange(count)} order`,
    other: t`${format.countChange(count)} orders`,
  });
  return t`Of the change, ${format.amountChange(revenue)} and about ${ordersText} are the calendar’s: ${days.join(", ")}.`;
}
