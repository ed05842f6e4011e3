/**
 * A period is a stretch of time in a store's zone: made of the words that were typed, described, and compared with another. Days,
 * zones and moments are read from text and written as text only here. Temporal does all arithmetic; the package's front door
 * uses the engine's own where there is one and patches no global.
 */
import { Temporal } from "temporal-polyfill";

import { suggestion } from "../base/basics.js";
import { summaryHistoryYears, type DateField } from "../api/values.js";
import { ComandaError } from "../base/errors.js";
import { plainWords, plural, shownDate, t } from "../languages/language.js";

type PlainDate = Temporal.PlainDate;
type Moment = Temporal.ZonedDateTime;

/** Days are counted in this way. */
export interface DayCount {
  /** The zone is an IANA name, or an offset such as `-03:00`. */
  readonly zone: string;
  /** A store's days start at this time, HH:MM: sales of the night then belong to the day before. Absent for midnight. */
  readonly dayStarts?: string | undefined;
}

export interface Period extends DayCount {
  /** What was asked for, in the words that were typed: `last-month`, `2026-10-01 to 2026-10-05`. */
  readonly label: string;
  /** Its days, `YYYY-MM-DD`, both included; of a period between two moments those that it touches. */
  readonly first: string;
  readonly last: string;
  /** Date-times with offset, both included: those that were typed, or the first and the last instant of the days. */
  readonly start: string;
  readonly end: string;
  /** Is it made of days, rather than lying between two moments that were typed? */
  readonly byDays: boolean;
  /** Its days aren't over, and there are no orders of later than now. */
  readonly endsNow: boolean;
  /** What it is one of, or a part of one that runs: the period before it is so much earlier. */
  readonly unit: Unit;
}

/** Whole months, or so many days. */
export type Unit = { readonly days: number } | { readonly months: number };

export interface PeriodRequest {
  readonly period?: string | undefined;
  /** A day, a date-time, or a name of which the first day is meant. */
  readonly from?: string | undefined;
  /** The last day, written like `from`. Without it, a period with `from` ends now. */
  readonly to?: string | undefined;
}

export interface PeriodContext extends DayCount {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** An order can be scheduled for the future, but not created there (default: `created_at`). */
  readonly dateField?: DateField | undefined;
}

/**
 * Makes the period that was asked for, in whole days of the zone unless date-times were typed.
 *
 * @throws {ComandaError} `invalid_input` for an unknown name, a day that doesn't exist, a mix of date and date-time,
 *   an end before its start, an unknown zone, or a period outside of the service's limits
 */
export function resolvePeriod(request: PeriodRequest, context: PeriodContext): Period {
  const zone = resolveZone(context.zone);
  const isDated = context.dateField === "scheduled_date";
  const days = { zone, dayStarts: isDated ? undefined : context.dayStarts };
  const now = zonedNow(context.now, zone);
  let period = typedPeriod(request, now, days);
  const isRunning =
    Date.parse(period.start) <= now.epochMilliseconds && now.epochMilliseconds <= Date.parse(period.end);
  if (isRunning && period.byDays && !isDated)
    period = { ...period, last: dayOf(now, days).toString(), end: wireDateTime(now), endsNow: true };
  const { first, last, start, end, byDays } = period;
  if (Date.parse(end) < Date.parse(start)) {
    const [from, to] = byDays ? [first, last] : [start, end];
    throw new ComandaError("invalid_input", t`The period ends (${to}) before it starts (${from}).`, {
      hint: t`--to can't lie before --from.`,
    });
  }
  if (isDated && !byDays) {
    throw new ComandaError("invalid_input", t`Scheduled dates are asked for by day, not by date-time.`, {
      hint: t`Give --from and --to as dates (YYYY-MM-DD), or use --period.`,
    });
  }
  if (startsTooEarly(period, context.now)) {
    const earliest = now.toPlainDate().subtract({ years: summaryHistoryYears }).add({ days: 1 });
    throw new ComandaError(
      "invalid_input",
      t`The period ${describePeriod(period)} starts more than ${summaryHistoryYears} years back.`,
      { hint: t`Start on ${earliest.toString()} or later.` },
    );
  }
  const tomorrow = endOfDay(now.toPlainDate().add({ days: 1 }), { zone });
  if (!isDated && Date.parse(start) > tomorrow.epochMilliseconds) {
    throw new ComandaError("invalid_input", t`The period ${describePeriod(period)} starts in the future.`, {
      hint: t`Orders that are scheduled for days to come are found with --date-field scheduled_date.`,
    });
  }
  return period;
}

function typedPeriod({ period: name, from, to }: PeriodRequest, now: Moment, days: DayCount): Period {
  const today = dayOf(now, days);
  const refuse = (message: string) => new ComandaError("invalid_input", message, { hint: periodHint() });
  if (name !== undefined) {
    if (from !== undefined || to !== undefined)
      throw refuse(t`--period can't be given together with --from or --to.`);
    const named = namedDays(name, today);
    if (!named) throw refuse(t`There is no period "${name}".${nearestName(name)}`);
    return wholeDays({ ...named, ...days });
  }
  if (from === undefined)
    throw refuse(to === undefined ? t`No period is given.` : t`--to is given without --from.`);
  const start = dayNamed("--from", from, today);
  const end = to === undefined ? undefined : dayNamed("--to", to, today);
  const label = end === undefined ? t`since ${start}` : t`${start} to ${end}`;
  if (end !== undefined && dateForm.test(end) !== dateForm.test(start)) {
    throw new ComandaError("invalid_input", t`--from and --to are not of one kind.`, {
      hint: t`Give two dates (both days are included), or two date-times with offset.`,
    });
  }
  if (!dateForm.test(start)) return betweenMoments(label, start, end ?? wireDateTime(now), days.zone);
  const [first, last] = [parseDate(start), end === undefined ? today : parseDate(end)];
  // October is a month by its dates too, and is compared as one.
  const next = last.add({ days: 1 });
  const { months } = first.until(next, { largestUnit: "month" });
  const unit = first.day === 1 && next.day === 1 && months > 0 ? { months } : undefined;
  return wholeDays({ label, first, last, unit, ...days });
}

interface NamedDays {
  readonly label: string;
  readonly first: PlainDate;
  /** The last day is included; it may lie in the future. */
  readonly last: PlainDate;
  /** Default: as many days as it has. */
  readonly unit?: Unit | undefined;
}

/** Makes a period of whole days; they are 23 or 25 hours long where the clocks change. */
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

/** @param start a date-time with offset, which is passed on to the letter, as `end` is */
export function betweenMoments(label: string, start: string, end: string, zone: string): Period {
  const [from, to] = [parseDateTime(start, zone), parseDateTime(end, zone)];
  const [first, last] = [from.toPlainDate(), to.toPlainDate()];
  const days = first.until(last, { largestUnit: "day" }).days;
  // The least number of whole days by which it has to move so that it doesn't overlap itself.
  const overlaps = Temporal.ZonedDateTime.compare(to.subtract({ days }), from) >= 0;
  const unit = { days: Math.max(1, overlaps ? days + 1 : days) };
  const edges = { first: first.toString(), last: last.toString(), start, end };
  return { label, zone, ...edges, byDays: false, endsNow: false, unit };
}

/**
 * Tells whether a period starts so far back that the service is sure to refuse it. Two days of grace leave the exact edge,
 * and a wrong clock on this machine, to the service.
 */
export function startsTooEarly({ start, zone }: Period, now: number): boolean {
  const earliest = zonedNow(now, zone).toPlainDate().subtract({ years: summaryHistoryYears });
  return Date.parse(start) < startOfDay(earliest.subtract({ days: 1 }), { zone }).epochMilliseconds;
}

export const comparisons = ["previous", "week", "month", "year"] as const;
export type Comparison = (typeof comparisons)[number];

/**
 * - `previous`: the unit before. Whole months meet as many whole months before; N days meet the N days before.
 * - `week`: seven days earlier, the same weekdays.
 * - `month`: the same dates a month earlier, as far as that month has them; a whole month meets the whole month before.
 * - `year`: whole months a year earlier; anything else 364 days earlier, the same weekdays.
 *
 * A period that runs meets the same part of the other one: this month until now, the last one until the same day and
 * time, or the whole of it where it has no such day. Times of day stay what they are.
 */
export function comparisonPeriod(period: Period, comparison: Comparison): Period {
  const { label, unit, endsNow, zone, dayStarts } = period;
  const until = endsNow ? t`, until then` : "";
  const isMonth = "months" in unit && unit.months === 1;
  if (comparison === "week") return moveBack(period, { days: 7 }, t`${label}, a week before`);
  if (comparison === "month" && !isMonth)
    return moveBack(period, { months: 1 }, t`${label}, the same dates a month before`);
  if (comparison === "year" && !("months" in unit))
    return moveBack(period, { days: 364 }, t`${label}, 364 days before`);
  if (!("months" in unit)) {
    const { days } = unit;
    const name = plural(days, { one: t`the day before`, other: t`the ${days} days before` });
    return moveBack(period, unit, name + until);
  }
  const isYear = comparison === "year";
  const { months } = unit;
  const before = plural(months, { one: t`the month before`, other: t`the ${months} months before` });
  const [by, name] = isYear ? [{ months: 12 }, t`${label}, a year before`] : [unit, before + until];
  if (endsNow) return moveBack(period, by, name);
  // Whole months go back to whole months, however long they are.
  const first = parseDate(period.first).subtract(by);
  const last = first.add(unit).subtract({ days: 1 });
  return wholeDays({ label: name, first, last, unit, zone, dayStarts });
}

/** Moves both edges earlier at the same time of day; the first and last instant of a day stay just that. */
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
  // February has no 31st: what March has come to by then is more than all of February.
  const isWholeMonth = last.day < lastDay.day && "months" in by && !first.equals(last);
  return isWholeMonth ? whole : { ...whole, end: wireDateTime(end) };
}

/** Gives the moment of another day at which an edge of the period lies on its own. */
function atSameTime(day: PlainDate, moment: Moment, date: string): Moment {
  const { timeZoneId: zone } = moment;
  // Where days start late, the night belongs to the day before.
  const moved = day.add(parseDate(date).until(moment));
  const at = moved.toZonedDateTime({ timeZone: zone, plainTime: moment });
  // A time that the day doesn't have may come out on the next one.
  return at.toPlainDate().equals(moved) ? at : endOfDay(moved, { zone });
}

/** Returns a period that ends now as it was when it ended at an earlier moment; any other period is itself. */
export function endedAt(period: Period, end: string): Period {
  if (!period.endsNow) return period;
  return { ...period, end, last: dayOf(parseDateTime(end, period.zone), period).toString() };
}

/** `start_date` and `end_date` as a request has them: instants, or of scheduled dates days. */
export function edgesOf({ first, last, start, end }: Period, dateField: DateField | undefined) {
  return dateField === "scheduled_date" ? { from: first, to: last } : { from: start, to: end };
}

/** Describes the window for a heading: `2026-10-01 to 2026-10-31 (America/Sao_Paulo)`. */
export function describePeriod(period: Period): string {
  const { zone, dayStarts, byDays } = period;
  if (!byDays) return describeDays(period);
  return `${describeDays(period)} (${zone}${dayStarts === undefined ? "" : t`, days from ${dayStarts}`})`;
}

/** Describes the window next to others of its zone: `2026-10-01 to 2026-10-31`. */
export function describeDays(period: Period): string {
  const { zone, first, last, start, end, byDays } = period;
  if (!byDays) return t`${start} to ${end}`;
  const isWhole = end === wireDateTime(endOfDay(parseDate(last), period));
  const until = isWhole ? shownDate(last) : describeMoment(Date.parse(end), zone);
  return isWhole && first === last ? until : t`${shownDate(first)} to ${until}`;
}

/** Describes an instant by the zone's clock: `2026-11-20 12:05`. */
export function describeMoment(epochMs: number, zone: string): string {
  const moment = zonedNow(epochMs, zone);
  return `${shownDate(moment.toPlainDate().toString())} ${moment.toPlainTime().toString({ smallestUnit: "minute" })}`;
}

// Periods and days are typed by these names: last-month, friday, october, 21/11. Weeks begin on Monday (ISO 8601).

type UnitWord = "day" | "week" | "month" | "year";

/** Names without a number in them have these units. */
const units: ReadonlyMap<string, UnitWord> = new Map([
  ["today", "day"],
  ["yesterday", "day"],
  ["this-week", "week"],
  ["last-week", "week"],
  ["this-month", "month"],
  ["last-month", "month"],
  ["month-to-yesterday", "month"],
  ["this-year", "year"],
  ["last-year", "year"],
]);
export const periodNames: readonly string[] = [...units.keys()];

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** Lists for a hint everything that stands for a period. */
function periodHint(): string {
  return t`Give --period with ${periodNames.join(", ")}, last-N-days, a weekday, a month (october, 2026-10), a year (2025) or a day (05/10, the day first, or 2026-10-05); or --from and --to with two dates, or two date-times with offset.`;
}

function nearestName(typed: string): string {
  return suggestion(typed, [...periodNames, "last-7-days", "last-30-days", ...weekdays, ...months]);
}

const lastDays = /^last-([1-9]\d{0,4})-days?$/;
const dateForm = /^\d{4}-\d{2}-\d{2}$/;
const dateTimeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;
const yearMonthDay = /^\d{4}(?:-\d{2}){0,2}$/;

/**
 * @returns undefined for a text that names no days
 * @throws {ComandaError} `invalid_input` for a day that doesn't exist
 */
function namedDays(typed: string, today: PlainDate): NamedDays | undefined {
  const word = plainWords(typed);
  const yesterday = today.subtract({ days: 1 });
  const count = lastDays.exec(word)?.[1];
  if (count !== undefined) {
    const label = `last-${count}-${count === "1" ? "day" : "days"}`;
    return { label, first: today.subtract({ days: Number(count) }), last: yesterday };
  }
  const unit = units.get(word);
  if (unit === undefined) {
    const label = dateNamed(word, today);
    if (label === undefined) return undefined;
    const [year = "", month, day] = label.split("-");
    const first = parseDate(`${year}-${month ?? "01"}-${day ?? "01"}`);
    return unitOf(label, first, month === undefined ? "year" : day === undefined ? "month" : "day");
  }
  // On the first of a month it is the whole month before.
  if (word === "month-to-yesterday" && today.day > 1)
    return { label: word, first: today.with({ day: 1 }), last: yesterday };
  const isThis = word === "today" || word.startsWith("this-");
  return unitOf(word, isThis ? today : unitOf(word, today, unit).first.subtract({ days: 1 }), unit);
}

/**
 * Writes what a word names as `2026`, `2026-10` or `2026-10-05`. A weekday, and a day or month without its year, is the latest
 * that has begun: on a Friday `friday` is today, and this month's name is this month. In `05/10` the day comes first.
 */
function dateNamed(word: string, today: PlainDate): string | undefined {
  if (yearMonthDay.test(word)) return word;
  const weekday = weekdays.indexOf(word);
  if (weekday >= 0) return today.subtract({ days: (today.dayOfWeek + 6 - weekday) % 7 }).toString();
  // `05/10`, `5/10/2026`, `11/2025`, `october` and `october 2025`.
  const parts = /^(?:(\d{1,2})\/)?(?:(\d{1,2})|([a-z]+))(?:[-/](\d{4}))?$/.exec(word);
  const [, day, number, name = "", typedYear] = parts ?? [];
  const month = number === undefined ? months.indexOf(name) + 1 : Number(number);
  // A number alone is no month.
  if (month === 0 || (number !== undefined && day === undefined && typedYear === undefined)) return undefined;
  const isToCome = month * 100 + Number(day ?? 0) > today.month * 100 + today.day;
  const year = typedYear ?? String(isToCome ? today.year - 1 : today.year);
  const date = `${year}-${String(month).padStart(2, "0")}`;
  return day === undefined ? date : `${date}-${day.padStart(2, "0")}`;
}

function unitOf(label: string, day: PlainDate, unit: UnitWord): NamedDays {
  let [first, size]: [PlainDate, Unit] = [day, { days: 1 }];
  if (unit === "week") [first, size] = [day.subtract({ days: day.dayOfWeek - 1 }), { days: 7 }];
  if (unit === "month") [first, size] = [day.with({ day: 1 }), { months: 1 }];
  if (unit === "year") [first, size] = [day.with({ month: 1, day: 1 }), { months: 12 }];
  return { label, first, last: first.add(size).subtract({ days: 1 }), unit: size };
}

/**
 * Gives the day that a name means where a day is asked for: the first or the last of its period. Date-times stay as they were
 * typed.
 */
function dayNamed(option: "--from" | "--to", typed: string, today: PlainDate): string {
  const named = namedDays(typed, today);
  if (named && option === "--from") return named.first.toString();
  if (named) return (named.label.startsWith("this-") ? today : named.last).toString();
  if (dateTimeForm.test(typed)) return typed;
  throw new ComandaError(
    "invalid_input",
    t`${option} "${typed}" is neither a date nor a date-time with offset.${nearestName(typed)}`,
    {
      hint: t`Write 2026-10-05, 2026-10-05T18:00:00-03:00, or a name such as yesterday, last-month, last-7-days.`,
    },
  );
}

/**
 * @param text `YYYY-MM-DD`
 * @throws {ComandaError} `invalid_input` where the calendar has no such day, for example 2026-02-30
 */
export function parseDate(text: string): PlainDate {
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    throw new ComandaError("invalid_input", t`There is no day ${text}.`, {
      hint: t`Write a day that the calendar has, as YYYY-MM-DD or DD/MM/YYYY.`,
    });
  }
}

/**
 * @param text a date-time with offset (RFC 3339)
 * @throws {ComandaError} `invalid_input` where there is no such day, hour or offset
 */
export function parseDateTime(text: string, zone: string): Moment {
  try {
    return Temporal.Instant.from(text).toZonedDateTimeISO(zone);
  } catch {
    throw new ComandaError("invalid_input", t`There is no date-time ${text}.`, {
      hint: t`Write a date-time with offset, for example 2026-10-05T18:00:00-03:00.`,
    });
  }
}

/** Gives the clock's `now()` in whole seconds: nobody asks for a part of one, and the shown window stays legible. */
export function zonedNow(now: number, zone: string): Moment {
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(now))
    .toZonedDateTimeISO(zone)
    .round({ smallestUnit: "second", roundingMode: "floor" });
}

/**
 * Gives the first instant of a day. A day that starts in an hour that the clocks leave out starts as much later; in one
 * that they go through twice, the first time.
 */
export function startOfDay(date: PlainDate, { zone, dayStarts }: DayCount): Moment {
  return date.toZonedDateTime({ timeZone: zone, plainTime: dayStarts });
}

/** Gives the last microsecond of a day; `ask.ts` says why it is a microsecond. */
export function endOfDay(date: PlainDate, days: DayCount): Moment {
  return startOfDay(date.add({ days: 1 }), days).subtract({ microseconds: 1 });
}

/** Gives the day that a moment belongs to: the time before the start of a day belongs to the day before. */
export function dayOf(moment: Moment, days: DayCount): PlainDate {
  const date = moment.toPlainDate();
  return Temporal.ZonedDateTime.compare(moment, startOfDay(date, days)) < 0
    ? date.subtract({ days: 1 })
    : date;
}

/** Writes a moment as a request has it, for example `2026-10-01T00:00:00-03:00`. */
export function wireDateTime(moment: Moment): string {
  return moment.toString({ timeZoneName: "never" });
}

/** Lists the days from the first to the last, both included, `YYYY-MM-DD`. */
export function daysOf({ first, last }: { readonly first: string; readonly last: string }): string[] {
  const dayMs = 86_400_000;
  const days: string[] = [];
  // Temporal takes 75 ms longer for a year.
  for (let day = Date.parse(first); day <= Date.parse(last); day += dayMs)
    days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/** Brazil's zones, each with the state capitals that count their days in it. */
export const brazilianZones: Readonly<Record<string, readonly string[]>> = {
  "America/Araguaina": ["Palmas"],
  "America/Bahia": ["Salvador"],
  "America/Belem": ["Belém", "Macapá"],
  "America/Boa_Vista": ["Boa Vista"],
  "America/Campo_Grande": ["Campo Grande"],
  "America/Cuiaba": ["Cuiabá"],
  "America/Eirunepe": [],
  "America/Fortaleza": ["Fortaleza", "João Pessoa", "Natal", "São Luís", "Teresina"],
  "America/Maceio": ["Aracaju", "Maceió"],
  "America/Manaus": ["Manaus"],
  "America/Noronha": [],
  "America/Porto_Velho": ["Porto Velho"],
  "America/Recife": ["Recife"],
  "America/Rio_Branco": ["Rio Branco"],
  "America/Santarem": [],
  "America/Sao_Paulo": [
    ...["Belo Horizonte", "Brasília", "Curitiba", "Florianópolis", "Goiânia"],
    ...["Porto Alegre", "Rio de Janeiro", "São Paulo", "Vitória"],
  ],
};

/**
 * Spells the zone's name as the zone data does: `america/sao_paulo` is `America/Sao_Paulo`.
 *
 * @throws {ComandaError} `invalid_input` for a name that the zone data doesn't know
 */
export function resolveZone(name: string): string {
  const zone = zoneNamed(name);
  if (zone !== undefined) return zone;
  const near = zoneOfCity(name);
  const question = near === undefined ? "" : t` Did you mean "${near}"?`;
  throw new ComandaError("invalid_input", t`There is no time zone "${name}".${question}`, {
    hint:
      near === undefined
        ? t`Give an IANA name. Time zones of Brazil: ${Object.keys(brazilianZones).join(", ")}.`
        : t`Give an IANA name such as America/Sao_Paulo, or UTC.`,
  });
}

/** @returns undefined if the zone data has no zone of this name, in upper or lower case */
export function zoneNamed(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

/**
 * Returns the zone of a state capital of Brazil, or of a city that a zone is named after. A name that only resembles one of them
 * is undefined: Curitiba isn't Cuiabá, and sales would be counted in the wrong days without anybody noticing.
 */
export function zoneOfCity(name: string): string | undefined {
  const isCity = (city: string) =>
    plainWords(city.replaceAll("_", " ")) === plainWords(name.replaceAll("_", " "));
  const capital = Object.entries(brazilianZones).find(([, capitals]) => capitals.some(isCity));
  return (
    capital?.[0] ?? Intl.supportedValuesOf("timeZone").find((zone) => isCity(zone.split("/").at(-1) ?? ""))
  );
}
