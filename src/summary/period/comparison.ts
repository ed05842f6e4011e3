/** The period that `--compare` sets beside the one that was asked for. */
import type { DateField } from "../../contract/summary.js";
import { endOfDay, isBefore, type PlainDate, startOfDay, type ZonedDateTime, zonedNow } from "./calendar.js";
import { daysPeriod, type Period, period } from "./period.js";
import { assertAskable } from "./limits.js";

export const comparisons = ["previous", "year"] as const;
export type Comparison = (typeof comparisons)[number];

interface ComparisonContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly dateField?: DateField | undefined;
}

/**
 * `previous`: the same number of days that lie directly before, so whole weeks meet the same weekdays. A
 * period that is still running meets the same part of the unit before it: this month until now, the last one
 * until the same day and time; where that unit was too short, the same number of days directly before.
 * `year`: the same dates a year before; 28 February stands in for the 29th. Times of day stay what they are.
 *
 * @throws {ComandaError} `invalid_input` where the comparison reaches back more than three years
 */
export function comparisonPeriod(asked: Period, comparison: Comparison, context: ComparisonContext): Period {
  const current = elapsedPart(asked, context);
  const before = comparison === "year" ? yearBefore(current) : previousPeriod(current);
  assertAskable(before, context);
  return before;
}

/**
 * What there can be orders of so far: a period that was asked for up to a day to come (`2026-11` in November)
 * counts as one that is running. Orders may be scheduled for days to come, so by that date it stays as it is.
 */
function elapsedPart(asked: Period, { now, dateField = "created_at" }: ComparisonContext): Period {
  const present = zonedNow(now, asked.zone);
  if (dateField !== "created_at" || asked.kind !== "days" || !isBefore(present, asked.end)) return asked;
  // The edge's grace: a start in the future, by less than a day, leaves nothing to cut.
  if (isBefore(present, asked.start)) return asked;
  return period({ ...asked, kind: "running", end: present });
}

function yearBefore(current: Period): Period {
  return moved(current, `${current.label}, a year before`, (day) => day.subtract({ years: 1 }));
}

function previousPeriod(current: Period): Period {
  const { unit, kind, start } = current;
  const first = start.toPlainDate();
  const days = daysToMove(current);
  const label = `${days} ${days === 1 ? "day" : "days"} before`;
  if (kind === "running" && unit !== "days") {
    const unitBefore = first.subtract({ [`${unit}s`]: 1 });
    const distance = unitBefore.until(first, { largestUnit: "day" }).days;
    if (distance >= days) {
      return moved(current, `the ${unit} before, until then`, (day) => day.subtract({ days: distance }));
    }
  }
  return moved(current, label, (day) => day.subtract({ days }));
}

/** The least number of whole days that moves a period out of its own way. */
function daysToMove({ kind, start, end }: Period): number {
  const days = start.toPlainDate().until(end.toPlainDate(), { largestUnit: "day" }).days;
  const touches = kind !== "instants" || !isBefore(end.subtract({ days }), start);
  return Math.max(1, touches ? days + 1 : days);
}

/** Both edges on other days at the same time of day; the first and last instant of a day stay just that. */
function moved(current: Period, label: string, move: (day: PlainDate) => PlainDate): Period {
  const { kind, unit, zone, start, end } = current;
  const [first, last] = [move(start.toPlainDate()), move(end.toPlainDate())];
  if (kind === "days") return daysPeriod({ label, unit, first, last, zone });
  const from = kind === "running" ? startOfDay(first, zone) : at(first, start);
  return period({ label, kind, unit, start: from, end: at(last, end) });
}

function at(day: PlainDate, moment: ZonedDateTime): ZonedDateTime {
  const zone = moment.timeZoneId;
  const there = day.toZonedDateTime({ timeZone: zone, plainTime: moment.toPlainTime() });
  // A time that the day doesn't have may come out on the next one.
  return there.toPlainDate().equals(day) ? there : endOfDay(day, zone);
}
