/** A moment as the clock on the wall of this machine shows it. */

/**
 * The engine's own formats take 10 ms to load.
 *
 * @param instant milliseconds since the epoch
 * @returns `2026-11-20 21:00:00`
 */
export function localTime(instant: number): string {
  const date = new Date(instant);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}
