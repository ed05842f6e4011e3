/** Moments and days as people read them, without the engine's own formats, which take 10 ms to load. */
import { currentLanguage } from "./language.js";

/** A day as the reader writes it: `2026-11-20`, `20/11/2026`. */
export function shownDate(date: string): string {
  return currentLanguage() === "pt-BR" ? date.split("-").reverse().join("/") : date;
}

/**
 * A moment as the clock on the wall of this machine shows it, with the day as the reader writes it.
 *
 * @param instant milliseconds since the epoch
 * @returns `2026-11-20 21:00:00`, `20/11/2026 21:00:00`
 */
export function localTime(instant: number): string {
  const [date = "", time = ""] = localDateTime(instant).split("T");
  return `${shownDate(date)} ${time}`;
}

/** The same as ISO 8601 has it, without an offset: `2026-11-20T21:00:00`. */
export function localDateTime(instant: number): string {
  const date = new Date(instant);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}
