/** Moments as they are typed: a day, a date-time, or how long ago. */
import ms from "ms";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";

/**
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch; a day begins at midnight of the machine's time zone
 * @throws {ComandaError} `usage`
 */
export function parseMoment(flag: string, text: string, now: number): number {
  if (/^\d+(?:s|m|h|d|w)$/.test(text)) return now - ms(text as ms.StringValue);
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const date = day ? new Date(Number(day[1]), Number(day[2]) - 1, Number(day[3])) : new Date(text);
  const isDay = day !== null && date.getMonth() === Number(day[2]) - 1 && date.getDate() === Number(day[3]);
  const isDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  if (isDay || (isDateTime && !Number.isNaN(date.getTime()))) return date.getTime();
  throw new ComandaError("usage", t`${flag} can't be "${text}".`, {
    hint: t`For example: ${flag} 2h, ${flag} 7d, ${flag} 2026-10-05, ${flag} 2026-10-05T18:00:00-03:00`,
  });
}
