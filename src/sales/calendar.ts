/**
 * Days, zones and moments are read from text and written as text only here. Temporal does all arithmetic; the package's
 * front door uses the engine's own where there is one and patches no global.
 */
import { Temporal } from "temporal-polyfill";

import { ComandaError } from "../client/errors.js";
import { plainWords, t } from "../languages/language.js";
import { nearest } from "../api/basics.js";

export type PlainDate = Temporal.PlainDate;
export type Moment = Temporal.ZonedDateTime;

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
 * Spells the zone's name as the zone data does: `america/sao_paulo` is `America/Sao_Paulo`.
 *
 * @throws {ComandaError} `invalid_input` for a name that the zone data doesn't know
 */
export function resolveZone(name: string): string {
  const zone = zoneNamed(name);
  if (zone !== undefined) return zone;
  const spoken = spokenZone(name);
  const suggestedZone = "zone" in spoken ? spoken.zone : spoken.near;
  const question = suggestedZone === undefined ? "" : t` Did you mean "${suggestedZone}"?`;
  throw new ComandaError("invalid_input", t`There is no time zone "${name}".${question}`, {
    hint: t`Give an IANA name such as America/Sao_Paulo, or UTC.`,
  });
}

/**
 * Finds a zone as a person calls it in an answer: by its name or by its city.
 *
 * @returns the zone; where there is none of that name, the nearest to ask for
 */
export function spokenZone(name: string): { readonly zone: string } | { readonly near: string | undefined } {
  const zones = Intl.supportedValuesOf("timeZone");
  const city = plainCity(name);
  const zone = zoneNamed(name) ?? zones.find((other) => cityOf(other) === city) ?? zonesOfOtherCities[city];
  if (zone !== undefined) return { zone };
  const nearCity = nearest(city, zones.map(cityOf));
  return { near: nearest(name, zones) ?? zones.find((other) => cityOf(other) === nearCity) };
}

function zoneNamed(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}

/** Brazil's capital has no zone of its own, and its people call their time by it. */
const zonesOfOtherCities: Readonly<Record<string, string | undefined>> = {
  brasilia: "America/Sao_Paulo",
  brasil: "America/Sao_Paulo",
  brazil: "America/Sao_Paulo",
};

function cityOf(zone: string): string {
  return plainCity(zone.split("/").at(-1) ?? "");
}

function plainCity(name: string): string {
  return plainWords(name).replaceAll("_", "-");
}

/** Days are counted in this way. */
export interface DayCount {
  /** The zone is an IANA name. */
  readonly zone: string;
  /** A store's days start at this time, HH:MM: sales of the night then belong to the day before. Absent for midnight. */
  readonly dayStarts?: string | undefined;
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
