/** Moments and days are shown as people read them. The engine's own formats take 25 ms to load, so that only a zone of another place asks them. */
import { currentLanguage } from "./language.js";

/** Writes a day as the reader does: `2026-11-20`, `20/11/2026`. */
export function shownDate(date: string): string {
  return currentLanguage() === "pt-BR" ? date.split("-").reverse().join("/") : date;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Shows a moment as a clock on the store's wall does, with the day as the reader writes it, and the offset from UTC.
 *
 * @param instant is in milliseconds since the epoch
 * @param zone is an IANA name; without it, it is this machine's zone
 * @returns for example `2026-11-20 21:00:00 -03:00`, `20/11/2026 21:00:00 -03:00`
 */
export function localTime(instant: number, zone?: string): string {
  const [, hours = "+00", minutes = "00"] = /GMT([+-]\d\d):?(\d\d)/.exec(offsetText(instant, zone)) ?? [];
  const offset = `${hours}:${minutes}`;
  const shift = Date.parse(`1970-01-01T00:00:00${offset}`);
  const [date = "", time = ""] = new Date(instant - shift).toISOString().split(/[T.]/);
  return `${shownDate(date)} ${time} ${offset}`;
}

function offsetText(instant: number, zone: string | undefined): string {
  if (zone === undefined) return String(new Date(instant));
  try {
    const format =
      formats.get(zone) ?? new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
    return format.format(instant);
  } catch {
    // Settings that were written by hand may name a zone that isn't. UTC is true, too.
    return "GMT";
  }
}
