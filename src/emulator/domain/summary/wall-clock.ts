/** A store's wall clock, fast enough to be asked for every order. */
import { offsetMinutes } from "../zone.js";

export const dayMs = 86_400_000;

export interface WallClock {
  /** What the clock on the wall shows at an instant, as milliseconds that read as UTC. */
  at(instant: number): number;
  /** The local day at an instant, counted from 1970-01-01. */
  dayAt(instant: number): number;
}

/** The offset of one UTC day: `before` until the instant `change`, from then on `after`. Milliseconds. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

/** Asking Intl takes microseconds; so it is asked once for each day, and the clock remembers. */
export function createWallClock(timeZone: string): WallClock {
  const days = new Map<number, DayOffsets>();
  const offsetAt = (instant: number) => offsetMinutes(instant, timeZone) * 60_000;

  const offsetsOf = (day: number): DayOffsets => {
    const [start, end] = [day * dayMs, (day + 1) * dayMs];
    const [before, after] = [offsetAt(start), offsetAt(end)];
    return { before, after, change: before === after ? end : firstWith(after, start, end) };
  };

  /** The first instant after `start` with the offset of `end`; no zone changes twice in a day. */
  const firstWith = (offset: number, start: number, end: number): number => {
    let [low, high] = [start, end];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  };

  // Orders come about in the order of their creation: most ask for the day that the last one asked for.
  let lastDay = Number.NaN;
  let last: DayOffsets = { before: 0, after: 0, change: 0 };
  const at = (instant: number): number => {
    const day = Math.floor(instant / dayMs);
    if (day !== lastDay) {
      let offsets = days.get(day);
      if (!offsets) days.set(day, (offsets = offsetsOf(day)));
      last = offsets;
      lastDay = day;
    }
    return instant + (instant < last.change ? last.before : last.after);
  };
  return { at, dayAt: (instant) => Math.floor(at(instant) / dayMs) };
}
