/**
 * `comanda sync` asks these questions. By day it asks whole calendar months, since the same question has to be asked
 * again for its answers to be compared. By any other dimension it asks each day by itself, so that any period can be
 * put together of them.
 */
import type { Dimension } from "../../contract/enums.js";
import { isBefore, parseDate, type PlainDate, zonedNow } from "../period/calendar.js";
import { earliestDay } from "../period/limits.js";
import { daysPeriod, type Period } from "../period/period.js";
import type { GroupsQuestion } from "./request.js";

export interface SyncRange {
  /** The first day is written YYYY-MM-DD. */
  readonly since: string;
  readonly dimensions: readonly Dimension[];
}

interface SyncClock {
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** The store's zone is an IANA name. */
  readonly zone: string;
}

/** Gives the first of so many days, YYYY-MM-DD. */
export function sinceDays(days: number, { now, zone }: SyncClock): string {
  return zonedNow(now, zone).toPlainDate().subtract({ days }).toString();
}

function daysFrom(first: PlainDate, last: PlainDate, unit: "day" | "month", zone: string): Period {
  return daysPeriod({ label: first.toString(), unit, first, last, zone });
}

/** Makes the one question about several days that follow on one another. */
export function questionOfDays(days: readonly GroupsQuestion[]): GroupsQuestion {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new RangeError("there are days");
  if (first === last) return first;
  const { zone } = first.period;
  const dayOf = ({ period }: GroupsQuestion) => parseDate(period.from.date);
  return { dimension: first.dimension, period: daysFrom(dayOf(first), dayOf(last), "day", zone) };
}

/** Lists the newest question first: people look at the newest days. */
export function syncQuestions(
  { since, dimensions }: SyncRange,
  { now, zone }: SyncClock,
): readonly GroupsQuestion[] {
  const today = zonedNow(now, zone).toPlainDate();
  const earliest = earliestDay(today);
  const first = isEarlier(earliest, since) ? since : earliest.toString();
  const questions: GroupsQuestion[] = [];
  const months = dimensions.includes("day") ? monthsSince(first, today) : [];
  for (const month of months) {
    const last = month.with({ day: month.daysInMonth });
    const start = isEarlier(month, earliest) ? earliest : month;
    questions.push({ dimension: "day", period: daysFrom(start, last, "month", zone) });
  }
  const others = dimensions.filter((dimension) => dimension !== "day");
  for (let day = today.subtract({ days: 1 }); !isEarlier(day, first); day = day.subtract({ days: 1 })) {
    const period = daysFrom(day, day, "day", zone);
    // The zone may have left this day out.
    if (isBefore(period.end, period.start)) continue;
    questions.push(...others.map((dimension) => ({ dimension, period })));
  }
  return questions;
}

function monthsSince(first: string, today: PlainDate): readonly PlainDate[] {
  const months: PlainDate[] = [];
  let month = today.with({ day: 1 });
  while (!isEarlier(month.with({ day: month.daysInMonth }), first)) {
    months.push(month);
    month = month.subtract({ months: 1 });
  }
  return months;
}

/** Dates of this form sort as texts. */
function isEarlier(day: PlainDate, other: PlainDate | string): boolean {
  return day.toString() < other.toString();
}
