/** A store writes instants in its own time, and its clock on the wall shows that time. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Gives the minutes that the zone is ahead of UTC at an instant, which is in milliseconds since the epoch. */
export function offsetMinutes(instant: number, timeZone: string): number {
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(formatterOf(timeZone).format(instant));
  if (!match) return 0;
  const [, sign, hours, minutes] = match;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Writes ISO 8601 with the zone's offset, for example `2026-11-20T18:00:00-03:00`, in whole seconds. */
export function isoInZone(instant: number, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${pad(hours)}:${pad(minutes)}`;
}

export const dayMs = 86_400_000;

export interface WallClock {
  /** Gives what the clock on the wall shows at an instant, as milliseconds that read as UTC. */
  at(instant: number): number;
  /** Gives the local day at an instant, counted from 1970-01-01. */
  dayAt(instant: number): number;
}

/** Within a UTC day the offset is `before` until the instant `change`, and `after` from then on, in milliseconds. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

/** Asking Intl takes microseconds, so it is asked once for each day, and the clock remembers. */
export function createWallClock(timeZone: string): WallClock {
  const days = new Map<number, DayOffsets>();
  const offsetAt = (instant: number) => offsetMinutes(instant, timeZone) * 60_000;

  const offsetsOf = (day: number): DayOffsets => {
    const [start, end] = [day * dayMs, (day + 1) * dayMs];
    const [before, after] = [offsetAt(start), offsetAt(end)];
    return { before, after, change: before === after ? end : firstWith(after, start, end) };
  };

  /** Finds the first instant after `start` with the offset of `end`; no zone changes twice in a day. */
  const firstWith = (offset: number, start: number, end: number): number => {
    let [low, high] = [start, end];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  };

  // Orders come about in the order of their creation, so most ask for the same day as the one before.
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
