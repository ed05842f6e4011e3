/** The period of a query: `start_date`, `end_date` and `date_field` of section 4.6. */
import { summaryHistoryYears, summaryPeriodMonths } from "../../../contract/limits.js";
import type { DateField } from "../../../contract/summary.js";
import { InvalidQuery } from "./invalid-query.js";
import { dayMs, type WallClock } from "./wall-clock.js";

export type FiguresPeriod =
  /** Instants in milliseconds since the epoch, both included. */
  | { readonly dateField: "created_at"; readonly start: number; readonly end: number }
  /** Local days counted from 1970-01-01, both included. */
  | { readonly dateField: "scheduled_date"; readonly firstDay: number; readonly lastDay: number };

/**
 * @param now milliseconds since the epoch
 * @throws {InvalidQuery}
 */
export function parsePeriod(
  given: { readonly start: string; readonly end: string; readonly dateField: DateField },
  now: number,
  clock: WallClock,
): FiguresPeriod {
  if (given.dateField === "scheduled_date") {
    const firstDay = parseDate("start_date", given.start);
    const lastDay = parseDate("end_date", given.end);
    checkLimits(firstDay * dayMs, lastDay * dayMs, clock.at(now));
    return { dateField: "scheduled_date", firstDay, lastDay };
  }
  const start = parseDateTime("start_date", given.start);
  const end = parseDateTime("end_date", given.end);
  if (end < start) throw new InvalidQuery("end_date must not be before start_date");
  checkLimits(clock.at(start), clock.at(end), clock.at(now));
  return { dateField: "created_at", start, end };
}

/** All three as the store's wall clock shows them, in milliseconds that read as UTC. */
function checkLimits(start: number, end: number, now: number): void {
  if (end < start) throw new InvalidQuery("end_date must not be before start_date");
  if (end > addMonths(start, summaryPeriodMonths)) {
    throw new InvalidQuery(`end_date must be at most ${summaryPeriodMonths} months after start_date`);
  }
  const earliest = addMonths(Math.floor(now / dayMs) * dayMs, -12 * summaryHistoryYears);
  if (start < earliest) {
    throw new InvalidQuery(`start_date must not go back more than ${summaryHistoryYears} years`);
  }
}

/** The same time of day so many months later, on the last day of a month that is too short. */
export function addMonths(wall: number, months: number): number {
  const date = new Date(wall);
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(date.getUTCFullYear(), month, day) + (wall - Math.floor(wall / dayMs) * dayMs);
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimePattern =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** @returns days since 1970-01-01 */
function parseDate(name: string, text: string): number {
  const day = dayNumber(text);
  if (day === undefined) throw new InvalidQuery(`${name} must be a date, YYYY-MM-DD`);
  return day;
}

function dayNumber(text: string): number | undefined {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // Date.UTC turns the 30th of February into a day of March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return undefined;
  return time / dayMs;
}

/** @returns milliseconds since the epoch; finer digits are cut off */
function parseDateTime(name: string, text: string): number {
  const match = dateTimePattern.exec(text);
  const day = match ? dayNumber(match[1] ?? "") : undefined;
  if (!match || day === undefined) {
    // The commonest slip: in a query a plus sign stands for a space.
    const hint = / \d{2}:\d{2}$/.test(text) ? "; a plus sign is written %2B in a query" : "";
    throw new InvalidQuery(`${name} must be an ISO 8601 date-time with offset${hint}`);
  }
  const [, , hour, minute, second = "0", fraction = "0", sign, offsetHour = "0", offsetMinute = "0"] = match;
  const minutes = Number(hour) * 60 + Number(minute);
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
  return day * dayMs + (minutes - offset) * 60_000 + Number(second) * 1_000 + milliseconds;
}
