/** Moments and days are shown as people read them. The engine's own formats would take 10 ms to load. */
import { currentLanguage } from "../languages/language.js";

/** Writes a day as the reader does: `2026-11-20`, `20/11/2026`. */
export function shownDate(date: string): string {
  return currentLanguage() === "pt-BR" ? date.split("-").reverse().join("/") : date;
}

/**
 * Shows a moment as this machine's clock on the wall does, with the day as the reader writes it.
 *
 * @param instant is in milliseconds since the epoch
 * @returns for example `2026-11-20 21:00:00`, `20/11/2026 21:00:00`
 */
export function localTime(instant: number): string {
  const [date = "", time = ""] = localDateTime(instant).split("T");
  return `${shownDate(date)} ${time}`;
}

/** Writes the same in ISO 8601, without an offset: `2026-11-20T21:00:00`. */
export function localDateTime(instant: number): string {
  const date = new Date(instant);
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":")}`;
}
