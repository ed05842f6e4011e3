/** Checks the service's limits on a period, as far as they can be told before it is asked (section 8). */
import { summaryHistoryYears } from "../../contract/limits.js";
import { hasDates, type DateField } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { endOfDay, isBefore, type PlainDate, startOfDay, zonedNow } from "./calendar.js";
import { describePeriod, type Period } from "./period.js";

/** Tells whether a period starts so far back that the service is sure to refuse it, the day of grace included. */
export function startsTooEarly({ start, zone }: Period, now: number): boolean {
  const earliest = earliestDay(zonedNow(now, zone).toPlainDate());
  return isBefore(start, startOfDay(earliest.subtract({ days: 2 }), { zone }));
}

/** Gives the first day that the service takes; a day of grace is left to its own way of counting. */
export function earliestDay(today: PlainDate): PlainDate {
  return today.subtract({ years: summaryHistoryYears }).add({ days: 1 });
}

/**
 * Refuses a period that the service is sure to refuse, or that can't hold an order. A day of grace on either side
 * leaves the exact edge, and a wrong clock on this machine, to the service.
 *
 * @throws {ComandaError} `invalid_input` for a start more than three years back, or, by date of creation, in the
 * future; orders may well be scheduled for a day to come
 */
export function assertAskable(
  period: Period,
  { now, dateField = "created_at" }: { readonly now: number; readonly dateField?: DateField | undefined },
): void {
  const today = zonedNow(now, period.zone).toPlainDate();
  if (startsTooEarly(period, now)) {
    throw new ComandaError(
      "invalid_input",
      t`The period ${describePeriod(period)} starts more than ${summaryHistoryYears} years back.`,
      { hint: t`Start on ${earliestDay(today).toString()} or later.` },
    );
  }
  if (
    !hasDates(dateField) &&
    isBefore(endOfDay(today.add({ days: 1 }), { zone: period.zone }), period.start)
  ) {
    throw new ComandaError("invalid_input", t`The period ${describePeriod(period)} starts in the future.`, {
      hint: t`Orders that are scheduled for days to come are found with --date-field scheduled_date.`,
    });
  }
}
