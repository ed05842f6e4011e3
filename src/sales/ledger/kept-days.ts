/**
 * Finds whole days in kept answers by day, whichever windows these were asked for: last week lies in the months that
 * `comanda sync` asks.
 *
 * A day is taken from an answer that was asked when the day was over and whose window has all of it. The service
 * groups by the store's zone (section 4.7), which it doesn't name. So an answer counts only if its window begins and
 * ends with days of the zone that is asked for, and none of its days lies outside of it, as would be the case in
 * another zone.
 */
import { hasDates } from "../../contract/enums.js";
import type { DateField } from "../../contract/enums.js";
import type { Group, GroupedSummary } from "../../contract/models.js";
import { dayOfKey } from "../merge/group-identity.js";
import { endOfDay, parseDate, parseDateTime, startOfDay } from "../period/calendar.js";
import type { Window } from "../period/windows.js";
import { groupsOf } from "./figures.js";
import type { DatedAnswer } from "./freshness.js";

/** A kept answer is about this window, as it went out. */
export interface KeptWindow extends DatedAnswer {
  readonly start: string;
  readonly end: string;
}

export interface DaysOfWindow {
  /** Days are written YYYY-MM-DD. */
  readonly first: string;
  readonly last: string;
}

/** Days are those of this zone, and this date of an order puts it into one. */
export interface DayBasis {
  /** The zone is an IANA name. */
  readonly zone: string;
  readonly dateField: DateField | undefined;
}

/** @returns `undefined` for a window that isn't made of whole days of the zone */
export function daysOfWindow(
  { start, end }: Pick<Window, "start" | "end">,
  { zone, dateField }: DayBasis,
): DaysOfWindow | undefined {
  if (hasDates(dateField)) return { first: start, last: end };
  const [from, to] = [parseDateTime(start, zone), parseDateTime(end, zone)];
  const [first, last] = [from.toPlainDate(), to.toPlainDate()];
  const isWhole =
    startOfDay(first, { zone }).epochNanoseconds === from.epochNanoseconds &&
    endOfDay(last, { zone }).epochNanoseconds === to.epochNanoseconds;
  return isWhole ? { first: first.toString(), last: last.toString() } : undefined;
}

/** The answers about one day of a period hold that day's group alone, or none, in order of time. */
export interface DayHistory {
  readonly date: string;
  /** The day ends then, in milliseconds since the epoch. */
  readonly endsAt: number;
  readonly history: readonly DatedAnswer[];
}

/**
 * Goes day by day, so that the caller can stop at the first unknown one.
 *
 * @param days are those that have to be known
 */
export function* dayHistories(
  answers: readonly KeptWindow[],
  days: DaysOfWindow,
  place: DayBasis,
): Generator<DayHistory> {
  const sources = answers
    .flatMap((answer) => readDays(answer, place) ?? [])
    .toSorted((a, b) => a.askedAt - b.askedAt);
  for (const date of datesOf(days)) {
    const endsAt = endOfDay(parseDate(date), { zone: place.zone }).epochMilliseconds;
    const history = sources
      .filter(({ first, last: end, askedAt }) => first <= date && date <= end && askedAt > endsAt)
      .map(({ askedAt, groups }) => ({ askedAt, answer: answerOfDay(groups.get(date)) }));
    yield { date, endsAt, history };
  }
}

interface Source extends DaysOfWindow {
  readonly askedAt: number;
  readonly groups: ReadonlyMap<string, Group>;
}

/** @returns `undefined` for an answer whose days can't be told, or aren't those of the zone */
function readDays({ askedAt, answer, ...window }: KeptWindow, place: DayBasis): Source | undefined {
  const days = daysOfWindow(window, place);
  const groups = days && groupsByDate(groupsOf(answer), days);
  return groups && { ...days, askedAt, groups };
}

/** @returns `undefined` where a key is no day of the window, or two are the same */
export function groupsByDate(
  groups: readonly Group[],
  days: DaysOfWindow,
): ReadonlyMap<string, Group> | undefined {
  const byDate = new Map<string, Group>();
  for (const group of groups) {
    const date = dayOfKey(group.key);
    if (date === undefined || byDate.has(date) || date < days.first || date > days.last) return undefined;
    byDate.set(date, group);
  }
  return byDate;
}

/** A day that an answer lacks had no orders. */
function answerOfDay(group: Group | undefined): GroupedSummary {
  return { group_by: "day", groups: group ? [group] : [] };
}

/** Lists the dates from the first day to the last. */
export function datesOf({ first, last }: DaysOfWindow): readonly string[] {
  const dates: string[] = [];
  for (let day = parseDate(first); day.toString() <= last; day = day.add({ days: 1 }))
    dates.push(day.toString());
  return dates;
}
