/** Moments and days are shown as people read them. The engine's own formats would take 10 ms to load. */
import { currentLanguage } from "./language.js";

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
  const offset = new Date(instant).getTimezoneOffset() * 60_000;
  const [date = "", time = ""] = new Date(instant - offset).toISOString().split(/[T.]/);
  return `${shownDate(date)} ${time}`;
}
