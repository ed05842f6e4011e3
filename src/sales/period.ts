/**
 * Parses, describes and compares periods in a store's time zone. Only this file converts days, zones and moments from and to
 * text. The polyfill's main entry uses the engine's own Temporal if there is one, and patches no global.
 */
import { Temporal } from "temporal-polyfill";

import { alternatives, suggestion } from "../base/basics.js";
import { isWritten } from "../api/responses.js";
import { summaryHistoryYears, type DateField } from "../api/values.js";
import { ComandaError } from "../base/errors.js";
import { contradiction, fieldName, invalidValue } from "../base/fields.js";
import { plainWords, shownDate, t } from "../languages/language.js";

type PlainDate = Temporal.PlainDate;
type Moment = Temporal.ZonedDateTime;

/** Decides which day a moment belongs to. */
export interface DayCount {
  /** An IANA name, or an offset such as `-03:00`. */
  readonly zone: string;
  /** The time, HH:MM, at which days start, so that a night's sales belong to the day before; `undefined` for midnight. */
  readonly dayStarts?: string | undefined;
}

export interface Period extends DayCount {
  /** What the user typed, for JSON: `last-month`, `2026-10-01 to 2026-10-05`. */
  readonly label: string;
  /** First and last day, `YYYY-MM-DD`, both included; for a period between two moments, the days that it touches. */
  readonly first: string;
  readonly last: string;
  /** Date-times with offset, both included: as typed, or the first and the last instant of the days. */
  readonly start: string;
  readonly end: string;
  /** Whether the period consists of days, not of the time between two typed moments. */
  readonly byDays: boolean;
  /** Whether the period was cut at the current time because its last day isn't over. */
  readonly endsNow: boolean;
  /** The distance to the previous period. A period that is still running has the unit of the whole one. */
  readonly unit: Unit;
  /** The current month or week if the period is its first days, so that `previous` selects the same days of the one before. */
  readonly beginningOf?: "month" | "week" | undefined;
}

export type Unit = { readonly days: number } | { readonly months: number };

const units = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 }, year: { months: 12 } } as const;

/** Without `period`, `from` and `to`, the period is yesterday. */
export interface PeriodRequest {
  readonly period?: string | undefined;
  /** A day, a date-time, or a name, which means its first day. */
  readonly from?: string | undefined;
  /** The last day, in the same forms as `from`. Without it, the period ends now. */
  readonly to?: string | undefined;
  /** The input that contains `from`, if it has another name. */
  readonly fromField?: string;
}

export interface PeriodContext extends DayCount {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The default is `created_at`. Only a scheduled date can be in the future. */
  readonly dateField?: DateField | undefined;
}

/**
 * Returns the requested period, in whole days of the zone unless date-times were typed.
 *
 * @throws {ComandaError} `invalid_input` for an unknown name, a day that doesn't exist, a mix of date and date-time, an end before
 *   the start, or a period in the future
 */
export function resolvePeriod(request: PeriodRequest, context: PeriodContext): Period {
  const { zone, dateField } = context;
  const isDated = dateField === "scheduled_date";
  const days = { zone, dayStarts: isDated ? undefined : context.dayStarts };
  const now = zonedNow(context.now, zone);
  const today = dayOf(now, days);
  let period = typedPeriod(request, now, today, days);
  const isRunning =
    Date.parse(period.start) <= now.epochMilliseconds && now.epochMilliseconds <= Date.parse(period.end);
  if (isRunning && period.byDays && !isDated)
    period = { ...period, last: today.toString(), end: wireDateTime(now), endsNow: true };
  const { label, first, last, start, end, byDays } = period;
  if (Date.parse(end) < Date.parse(start)) {
    const [from, to] = byDays ? [shownDate(first), shownDate(last)] : [start, end];
    throw new ComandaError("invalid_input", t`The period ends (${to}) before it starts (${from}).`, {
      hint: rangeExample(),
    });
  }
  if (isDated && !byDays) {
    const [from, dated] = [fieldName("from"), fieldName("date_field")];
    throw contradiction(`${from} ${request.from ?? ""}`, `${dated} scheduled_date`, "invalid_input");
  }
  if (!isDated && Date.parse(start) > context.now)
    throw new ComandaError("invalid_input", t`The period ${describePeriod(period)} starts in the future.`);
  // A single day is compared with the day before. Every other named period has the unit of the whole one.
  const isPart = request.from === undefined ? label === "month-to-yesterday" : byDays && first < last;
  for (const unit of isPart ? (["month", "week"] as const) : []) {
    const whole = unitOf(unit, today, unit);
    if (first === whole.first.toString() && last <= whole.last.toString())
      return { ...period, beginningOf: unit };
  }
  return period;
}

/** Returns an error if a period starts before the day, in its zone, that was 3 years ago (section 8). */
export function tooEarly(period: Period, now: number): ComandaError | undefined {
  const { start, zone } = period;
  const earliest = zonedNow(now, zone).toPlainDate().subtract({ years: summaryHistoryYears });
  if (Date.parse(start) >= startOfDay(earliest, { zone }).epochMilliseconds) return undefined;
  const problem = t`The period ${describePeriod(period)} starts more than ${summaryHistoryYears} years ago.`;
  return new ComandaError("invalid_input", problem, {
    hint: t`Periods and their comparisons must start on ${shownDate(earliest.toString())} or later.`,
  });
}

/** Returns the name in a request; `usual` if the request names no period in any way. */
export function periodName({ period, from, to }: PeriodRequest, usual: string): string | undefined {
  return (period ?? from ?? to) === undefined ? usual : period;
}

function rangeExample(): string {
  return t`For example: ${`${fieldName("from")} 2026-10-01 ${fieldName("to")} 2026-10-05`}`;
}

function typedPeriod(request: PeriodRequest, now: Moment, today: PlainDate, days: DayCount): Period {
  const { from, to, fromField = "from" } = request;
  const name = periodName(request, "yesterday");
  if (name !== undefined) {
    const other = from !== undefined ? "from" : to !== undefined ? "to" : undefined;
    if (other !== undefined) throw contradiction(fieldName("period"), fieldName(other), "invalid_input");
    const named = namedDays(name, today);
    if (named) return wholeDays({ ...named, ...days });
    const examples = ["friday", "october", "05/10", "2026-10", "2026-W48", "2025"];
    throw invalidPeriod("period", name, [...periodNames, ...examples]);
  }
  if (from === undefined)
    throw new ComandaError("invalid_input", t`${fieldName("from")} is missing.`, { hint: rangeExample() });
  const start = edgeNamed(fromField, from, today);
  const end = to === undefined ? undefined : edgeNamed("to", to, today);
  const label = end === undefined ? `since ${String(start)}` : `${String(start)} to ${String(end)}`;
  if (end !== undefined && typeof end !== typeof start) {
    throw new ComandaError(
      "invalid_input",
      t`${fieldName("from")} and ${fieldName("to")} must both be dates or both be date-times with an offset.`,
    );
  }
  if (typeof start === "string")
    return betweenMoments(label, start, typeof end === "string" ? end : wireDateTime(now), days.zone);
  const last = typeof end === "object" ? end : today;
  // 2026-10-01 to 2026-10-31 is compared as the month that it is.
  const next = last.add({ days: 1 });
  const { months } = start.until(next, { largestUnit: "month" });
  const unit = start.day === 1 && next.day === 1 && months > 0 ? { months } : undefined;
  return wholeDays({ label, first: start, last, unit, ...days });
}

interface NamedDays {
  readonly label: string;
  readonly first: PlainDate;
  /** The last day, included. It may be in the future. */
  readonly last: PlainDate;
  /** The default is the number of days. */
  readonly unit?: Unit | undefined;
}

/** Returns a period of whole days, which have 23 or 25 hours if the clocks change. */
export function wholeDays({ label, first, last, zone, dayStarts, unit }: NamedDays & DayCount): Period {
  const days = { zone, dayStarts };
  return {
    ...days,
    label,
    first: first.toString(),
    last: last.toString(),
    start: wireDateTime(startOfDay(first, days)),
    end: wireDateTime(endOfDay(last, days)),
    byDays: true,
    endsNow: false,
    unit: unit ?? { days: first.until(last, { largestUnit: "day" }).days + 1 },
  };
}

/** @param start a date-time with offset, which goes into the request unchanged, like `end` */
export function betweenMoments(label: string, start: string, end: string, zone: string): Period {
  const [from, to] = [parseDateTime(start, zone), parseDateTime(end, zone)];
  const [first, last] = [from.toPlainDate(), to.toPlainDate()];
  const days = first.until(last, { largestUnit: "day" }).days;
  // The smallest number of whole days that moves the period without overlapping itself.
  const overlaps = Temporal.ZonedDateTime.compare(to.subtract({ days }), from) >= 0;
  const unit = { days: Math.max(1, overlaps ? days + 1 : days) };
  const edges = { first: first.toString(), last: last.toString(), start, end };
  return { label, zone, ...edges, byDays: false, endsNow: false, unit };
}

export const comparisons = ["previous", "week", "month", "year"] as const;
export type Comparison = (typeof comparisons)[number];

/**
 * Returns the period to compare with. Its label is English in every language, since only JSON contains it.
 *
 * - `previous`: the unit before. Whole months are compared with as many whole months, the first days of the current month or
 *   week with the same days of the one before, as far as it has them, and any other N days with the N days before.
 * - `week`: seven days earlier, the same weekdays.
 * - `month`: the same dates a month earlier, as far as that month has them; a whole month with the whole month before.
 * - `year`: whole months a year earlier; anything else 364 days earlier, the same weekdays.
 *
 * A running period is compared with the same part of the other one: this month until now with last month until the same
 * day and time, or with all of it if it has no such day. Times of day stay the same.
 */
export function comparisonPeriod(period: Period, comparison: Comparison): Period {
  const { label, unit, beginningOf, endsNow, zone, dayStarts } = period;
  const until = endsNow ? ", until then" : "";
  if (comparison === "week") return moveBack(period, units.week, `${label}, a week before`);
  if (comparison === "previous" && beginningOf !== undefined)
    return moveBack(period, units[beginningOf], `the same days of the ${beginningOf} before${until}`);
  const [size, name] = "months" in unit ? [unit.months, "month"] : [unit.days, "day"];
  const isMonths = name === "month";
  if (comparison === "month" && !(isMonths && size === 1))
    return moveBack(period, units.month, `${label}, the same dates a month before`);
  let by = unit;
  let before = (size === 1 ? `the ${name} before` : `the ${size} ${name}s before`) + until;
  if (comparison === "year") {
    by = isMonths ? units.year : { days: 364 };
    before = isMonths ? `${label}, a year before` : `${label}, 364 days before`;
  }
  if (endsNow || !isMonths) return moveBack(period, by, before);
  const first = parseDate(period.first).subtract(by);
  const last = first.add(unit).subtract({ days: 1 });
  return wholeDays({ label: before, first, last, unit, zone, dayStarts });
}

/** Moves both edges to an earlier day at the same time; the first and last instant of a day become those of the other day. */
function moveBack(period: Period, by: Unit, label: string): Period {
  const { byDays, zone, dayStarts } = period;
  const lastDay = parseDate(period.last);
  const [first, last] = [parseDate(period.first).subtract(by), lastDay.subtract(by)];
  const whole = wholeDays({ label, first, last, zone, dayStarts });
  if (byDays && !period.endsNow) return whole;
  const end = atSameTime(last, parseDateTime(period.end, zone), period.last);
  if (!byDays) {
    const start = atSameTime(first, parseDateTime(period.start, zone), period.first);
    return betweenMoments(label, wireDateTime(start), wireDateTime(end), zone);
  }
  // February has no 31st, so March until the 31st is compared with all of February.
  const isWholeMonth = last.day < lastDay.day && "months" in by && !first.equals(last);
  return isWholeMonth ? whole : { ...whole, end: wireDateTime(end) };
}

/** Returns the moment on another day that corresponds to an edge of the period. */
function atSameTime(day: PlainDate, moment: Moment, date: string): Moment {
  const { timeZoneId: zone } = moment;
  // If days start late, a moment of the night has the date of the next day.
  const moved = day.add(parseDate(date).until(moment));
  const at = moved.toZonedDateTime({ timeZone: zone, plainTime: moment });
  // Temporal may move a time that the day doesn't have to the next day.
  return at.toPlainDate().equals(moved) ? at : endOfDay(moved, { zone });
}

/** Returns a period that ends now with an earlier end, and any other period unchanged. */
export function endedAt(period: Period, end: string): Period {
  if (!period.endsNow) return period;
  return { ...period, end, last: dayOf(parseDateTime(end, period.zone), period).toString() };
}

/** Returns `start_date` and `end_date` of a request: date-times, or dates if it selects by scheduled date. */
export function edgesOf({ first, last, start, end }: Period, dateField: DateField | undefined) {
  return dateField === "scheduled_date" ? { from: first, to: last } : { from: start, to: end };
}

/** Returns a period for JSON. */
export function periodJson(period: Period, dateField?: DateField) {
  const { zone, dayStarts } = period;
  const starts = dayStarts === undefined ? {} : { day_starts: dayStarts };
  return { ...edgesOf(period, dateField), time_zone: zone, ...starts };
}

/** Returns the time from the earliest start to the latest end of several stores' periods, in UTC if their time zones differ. */
export function spanOf(periods: readonly [Period, ...Period[]]): Period {
  const [any] = periods;
  const earliest = periods.reduce((one, other) =>
    Date.parse(other.start) < Date.parse(one.start) ? other : one,
  );
  const latest = periods.reduce((one, other) => (Date.parse(other.end) > Date.parse(one.end) ? other : one));
  const isSameZone = periods.every(({ zone }) => zone === any.zone);
  const isSameStart = periods.every(({ dayStarts }) => dayStarts === any.dayStarts);
  const shown = (time: string) => (isSameZone ? time : wireDateTime(parseDateTime(time, "UTC")));
  return {
    ...any,
    zone: isSameZone ? any.zone : "UTC",
    dayStarts: isSameStart ? any.dayStarts : undefined,
    first: earliest.first,
    last: latest.last,
    start: shown(earliest.start),
    end: shown(latest.end),
  };
}

/** Returns the period for a heading: `2026-10-01 to 2026-10-31 (America/Sao_Paulo)`. */
export function describePeriod(period: Period): string {
  const { zone, dayStarts } = period;
  return `${describeDays(period)} (${zone}${dayStarts === undefined ? "" : t`, days start at ${dayStarts}`})`;
}

/** Returns the period without its zone: the days, and the time of their end unless the last day ends then. */
export function describeDays(period: Period): string {
  const { zone, first, last, start, end, byDays } = period;
  if (!byDays) return t`${start} to ${end}`;
  const isWhole = end === wireDateTime(endOfDay(parseDate(last), period));
  const until = isWhole ? shownDate(last) : describeMoment(Date.parse(end), zone);
  return isWhole && first === last ? until : t`${shownDate(first)} to ${until}`;
}

/** Returns a moment in the zone's time: `2026-11-20 12:05`. */
export function describeMoment(epochMs: number, zone: string): string {
  const moment = zonedNow(epochMs, zone);
  return `${shownDate(moment.toPlainDate().toString())} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}

/** Returns the request time of an answer, and whether it was cached: `as of 2026-11-20 12:05 (cached)`. */
export function describeAge(
  { askedAt, cached }: { readonly askedAt: number; readonly cached: boolean },
  zone: string,
): string {
  const moment = describeMoment(askedAt, zone);
  return `${t`as of ${moment}`}${cached ? ` (${t`cached`})` : ""}`;
}

// Names of periods and days: last-month, friday, october, 21/11. Weeks begin on Monday (ISO 8601).

export const periodNames: readonly string[] = [
  ...["today", "yesterday", "this-week", "last-week", "this-month", "last-month", "month-to-yesterday"],
  ...["this-year", "last-year", "last-7-days", "last-30-days"],
];

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** The Portuguese names of the same periods, weekdays and months, for hints. */
const inPortuguese = [
  ...["hoje", "ontem", "esta-semana", "semana-passada", "este-mes", "mes-passado", "mes-ate-ontem"],
  ...["este-ano", "ano-passado", "ultimos-7-dias", "ultimos-30-dias"],
  ...["segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo"],
  ...["janeiro", "fevereiro", "marco", "abril", "maio", "junho"],
  ...["julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
];

/** Returns the days of a name; `undefined` if no period has it, such as 2026-13. */
function namedDays(typed: string, today: PlainDate): NamedDays | undefined {
  const word = plainWords(typed);
  const yesterday = today.subtract({ days: 1 });
  const [, count] = /^last-([1-9]\d{0,4})-days?$/.exec(word) ?? [];
  if (count !== undefined)
    return { label: word, first: today.subtract({ days: Number(count) }), last: yesterday };
  // On the first of a month, this is the whole previous month.
  if (word === "month-to-yesterday" && today.day > 1)
    return { label: word, first: today.with({ day: 1 }), last: yesterday };
  if (periodNames.includes(word)) {
    const unit = (["week", "month", "year"] as const).find((each) => word.includes(each)) ?? "day";
    const isThis = word === "today" || word.startsWith("this-");
    return unitOf(word, isThis ? today : unitOf(word, today, unit).first.subtract({ days: 1 }), unit);
  }
  const [, weekYear, week] = /^(\d{4})-w(\d{2})$/.exec(word) ?? [];
  if (week !== undefined) {
    // The first week of a year contains 4 January (ISO 8601).
    const day = parseDate(`${weekYear}-01-04`).add({ weeks: Number(week) - 1 });
    return day.weekOfYear === Number(week) ? unitOf(word.toUpperCase(), day, "week") : undefined;
  }
  const date = dateNamed(word, today);
  const [, year = "", month, day] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(date) ?? [];
  const first = `${year}-${month ?? "01"}-${day ?? "01"}`;
  if (!isWritten(first, "date")) return undefined;
  return unitOf(date, parseDate(first), month === undefined ? "year" : day === undefined ? "month" : "day");
}

/**
 * Returns the date of a word as `2026`, `2026-10` or `2026-10-05`, or any other word unchanged. A weekday, and a day or month without a
 * year, is the latest one that has begun: on a Friday, `friday` is today, and this month's name is this month. `05/10` is 5 October.
 */
function dateNamed(word: string, today: PlainDate): string {
  const weekday = weekdays.indexOf(word);
  if (weekday >= 0) return today.subtract({ days: (today.dayOfWeek + 6 - weekday) % 7 }).toString();
  // `05/10`, `5/10/2026`, `11/2025`, `october` and `october 2025`.
  const parts = /^(?:(\d{1,2})\/)?(?:(\d{1,2})|([a-z]+))(?:[-/](\d{4}))?$/.exec(word);
  const [, day = "", number, name = "", typedYear] = parts ?? [];
  const month = number === undefined ? months.indexOf(name) + 1 : Number(number);
  // A single number isn't a month.
  if (month === 0 || (number !== undefined && day === "" && typedYear === undefined)) return word;
  const isToCome = month * 100 + Number(day) > today.month * 100 + today.day;
  const latest = isToCome ? today.year - 1 : today.year;
  const isLeapDay = month === 2 && Number(day) === 29;
  const year = typedYear ?? (isLeapDay ? latest - (latest % 4) : latest);
  const date = `${year}-${String(month).padStart(2, "0")}`;
  return day === "" ? date : `${date}-${day.padStart(2, "0")}`;
}

/** Returns the day, week, month or year that contains a day. */
function unitOf(label: string, day: PlainDate, name: keyof typeof units): NamedDays {
  const unit = units[name];
  let first = day;
  if (name === "week") first = day.subtract({ days: day.dayOfWeek - 1 });
  if (name === "month") first = day.with({ day: 1 });
  if (name === "year") first = day.with({ month: 1, day: 1 });
  return { label, first, last: first.add(unit).subtract({ days: 1 }), unit };
}

/** Returns the first or the last day of a named period, depending on the field, and a date-time as typed. */
function edgeNamed(field: string, typed: string, today: PlainDate): PlainDate | string {
  const named = namedDays(typed, today);
  if (named && field !== "to") return named.first;
  if (named) return named.label.startsWith("this-") ? today : named.last;
  // Temporal reads nine decimals of a second.
  if (isWritten(typed, "date-time") && !/\.\d{10}/.test(typed)) return typed;
  const examples = ["2026-10-05", "2026-10-05T18:00:00-03:00", "yesterday", "last-month", "last-7-days"];
  throw invalidPeriod(field, typed, examples);
}

function invalidPeriod(field: string, typed: string, examples: readonly string[]): ComandaError {
  const names = [...periodNames, ...weekdays, ...months];
  const meant = names[inPortuguese.indexOf(plainWords(typed).replace(/-feira$/, ""))];
  const question = suggestion(meant ?? typed, names);
  const hint = t`For example: ${examples.join(", ")}`;
  return invalidValue(field, typed, { hint, hintFacts: { about: "period_forms" } }, question);
}

/** @param text a day that exists, `YYYY-MM-DD` */
export function parseDate(text: string): PlainDate {
  return Temporal.PlainDate.from(text);
}

/**
 * @param text a date-time with offset (RFC 3339)
 * @throws {ComandaError} `invalid_input` for a day, time or offset that doesn't exist
 */
export function parseDateTime(text: string, zone: string): Moment {
  try {
    return Temporal.Instant.from(text).toZonedDateTimeISO(zone);
  } catch {
    throw new ComandaError("invalid_input", t`Invalid date: ${text}.`);
  }
}

/** Returns the clock's `now()` in whole seconds, which are precise enough and easier to read. */
export function zonedNow(now: number, zone: string): Moment {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(now / 1_000) * 1_000).toZonedDateTimeISO(zone);
}

/** Returns the first instant of a day. If the clocks skip its start, it begins later; if they repeat it, at the first time. */
export function startOfDay(date: PlainDate, { zone, dayStarts }: DayCount): Moment {
  const start = date.toZonedDateTime({ timeZone: zone, plainTime: dayStarts });
  if (!dayStarts || start.toPlainTime().equals(dayStarts)) return start;
  // Temporal shifts a skipped time by the length of the gap, but the day begins when the clocks are set forward.
  return start.getTimeZoneTransition("previous") ?? start;
}

/** Returns the last microsecond of a day; `fetch.ts` explains why it is a microsecond. */
export function endOfDay(date: PlainDate, days: DayCount): Moment {
  return startOfDay(date.add({ days: 1 }), days).subtract({ microseconds: 1 });
}

/** Returns the day that a moment belongs to; if days start at 04:00, 03:00 belongs to the day before. */
export function dayOf(moment: Moment, days: DayCount): PlainDate {
  const date = moment.toPlainDate();
  return Temporal.ZonedDateTime.compare(moment, startOfDay(date, days)) < 0
    ? date.subtract({ days: 1 })
    : date;
}

/** Formats a moment for a request, for example `2026-10-01T00:00:00-03:00`. */
export function wireDateTime(moment: Moment): string {
  return moment.toString({ timeZoneName: "never" });
}

export const dayMs = 86_400_000;

/** Lists the days from the first to the last, `YYYY-MM-DD`. */
export function daysOf({ first, last }: { readonly first: string; readonly last: string }): string[] {
  const days: string[] = [];
  // Temporal takes 75 ms longer for a year.
  for (let day = Date.parse(first); day <= Date.parse(last); day += dayMs)
    days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/** Brazil's time zones, with the states in each. Amazonas and Pernambuco have two with different clocks, first that of the capital. */
const brazilianZones: Readonly<Record<string, readonly string[]>> = {
  "America/Araguaina": ["TO"],
  "America/Bahia": ["BA"],
  "America/Belem": ["AP", "PA"],
  "America/Boa_Vista": ["RR"],
  "America/Campo_Grande": ["MS"],
  "America/Cuiaba": ["MT"],
  "America/Fortaleza": ["CE", "MA", "PB", "PI", "RN"],
  "America/Maceio": ["AL", "SE"],
  "America/Manaus": ["AM"],
  "America/Eirunepe": ["AM"],
  "America/Porto_Velho": ["RO"],
  "America/Recife": ["PE"],
  "America/Noronha": ["PE"],
  "America/Rio_Branco": ["AC"],
  "America/Santarem": [],
  "America/Sao_Paulo": ["DF", "ES", "GO", "MG", "PR", "RJ", "RS", "SC", "SP"],
};

/**
 * Returns the zone of a name in upper or lower case, such as `america/sao_paulo`, or of a Brazilian state, such as SP.
 *
 * @param field the input's name, for the error
 * @throws {ComandaError} `invalid_input` for any other name, even if it resembles one: with Cuiabá's zone, Curitiba's sales would
 *   silently be counted on the wrong days
 */
export function resolveZone(name: string, field = "tz"): string {
  try {
    return zonedNow(0, name).timeZoneId;
  } catch {
    const state = name.toUpperCase();
    const all = Object.keys(brazilianZones);
    const [zone, ...others] = all.filter((each) => brazilianZones[each]?.includes(state));
    if (zone !== undefined && others.length === 0) return zone;
    const hint =
      zone === undefined
        ? t`Use an IANA name or a state such as SP. Time zones in Brazil: ${all.join(", ")}.`
        : t`${state} has two time zones. Use ${alternatives([zone, ...others])}.`;
    throw invalidValue(field, name, { hint });
  }
}
