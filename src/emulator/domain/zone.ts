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

/** Asking Intl takes microseconds, so it is asked once for the ends of each UTC day, and for each instant where they differ. */
export function createWallClock(timeZone: string): WallClock {
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number) => offsetMinutes(instant, timeZone) * 60_000;
  const offsetOf = (day: number): number => {
    const [start, end] = [offsetAt(day * dayMs), offsetAt((day + 1) * dayMs)];
    return start === end ? start : Number.NaN;
  };
  const at = (instant: number): number => {
    const day = Math.floor(instant / dayMs);
    let offset = offsets.get(day);
    if (offset === undefined) offsets.set(day, (offset = offsetOf(day)));
    return instant + (Number.isNaN(offset) ? offsetAt(instant) : offset);
  };
  return { at, dayAt: (instant) => Math.floor(at(instant) / dayMs) };
}
