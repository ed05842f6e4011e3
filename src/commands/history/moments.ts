/** Reads a typed moment: a day or its name, a date-time with offset, or a time span before now. */
import ms from "ms";

import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import {
  dayOf,
  isDate,
  isDateTime,
  parseDate,
  parseDateTime,
  zonedNow,
  startOfDay,
} from "../../sales/calendar.js";
import { dayNamed, nearestName } from "../../sales/names.js";
import { readPreferences } from "../../sales/preferences.js";
import type { Machine } from "../../toolkit/machine.js";

/**
 * A day begins in the zone of the store, if one is named, else of the settings, else of this machine.
 *
 * @returns milliseconds since the epoch
 * @throws {ComandaError} as {@link parseMoment}
 */
export async function readMoment(
  machine: Machine,
  flag: string,
  text: string,
  store: string | undefined,
): Promise<number> {
  const { zone, dayStarts } = await readPreferences(machine, store);
  return parseMoment(flag, text, { now: machine.context.clock.now(), zone, dayStarts });
}

/**
 * @param now milliseconds since the epoch
 * @param zone the IANA name of the zone in which a day begins
 * @param dayStarts the start of a day as HH:MM; `undefined` for midnight
 * @returns milliseconds since the epoch
 * @throws {ComandaError} `usage`, or `invalid_input` for a day or hour that the calendar doesn't have
 */
export function parseMoment(
  flag: string,
  text: string,
  {
    now,
    zone,
    dayStarts,
  }: { readonly now: number; readonly zone: string; readonly dayStarts?: string | undefined },
): number {
  if (/^\d+(?:s|m|h|d|w)$/.test(text)) return now - ms(text as ms.StringValue);
  const day = dayNamed(text, "first", dayOf(zonedNow(now, zone), { zone, dayStarts }));
  if (isDate(day)) return startOfDay(parseDate(day), { zone, dayStarts }).epochMilliseconds;
  if (isDateTime(text)) return parseDateTime(text, zone).epochMilliseconds;
  throw new ComandaError("usage", t`${flag} can't be "${text}".${nearestName(text)}`, {
    hint: t`For example: ${flag} 2h, ${flag} 7d, ${flag} yesterday, ${flag} 2026-10-05, ${flag} 2026-10-05T18:00:00-03:00`,
  });
}
