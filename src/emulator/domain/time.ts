/** The emulator's clock, which the control surface moves, and the clocks on its stores' walls. */
export interface SettableClock {
  /** Gives milliseconds since the epoch. */
  now(): number;
  /**
   * Sets the time, in milliseconds since the epoch; it goes on from there.
   *
   * @throws {RangeError} where no `Date` can hold it
   */
  set(now: number): void;
  /**
   * Moves the time; the number may be negative.
   *
   * @throws {RangeError} where no `Date` can hold the time that it leads to
   */
  advance(milliseconds: number): void;
  /** Goes back to the time that it would be had nobody moved it. */
  reset(): void;
}

/** @param start is where the clock begins, in milliseconds since the epoch; without it, at the base's own time */
export function createEmulatorClock(base: { now(): number }, start?: number): SettableClock {
  const initial = start === undefined ? 0 : start - base.now();
  let offset = initial;
  const set = (now: number) => {
    // Programs without types may give a text, which would be appended or taken for a number.
    if (typeof now !== "number" || Number.isNaN(new Date(now).getTime()))
      throw new RangeError("The clock takes milliseconds, and only to a time that a Date can hold.");
    offset = now - base.now();
  };
  const now = () => base.now() + offset;
  return {
    now,
    set,
    advance(milliseconds) {
      set(Number.isFinite(milliseconds) ? now() + milliseconds : Number.NaN);
    },
    reset() {
      offset = initial;
    },
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Gives the minutes that the zone is ahead of UTC at an instant, which is in milliseconds since the epoch. */
export function offsetMinutes(instant: number, timeZone: string): number {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formatters.set(timeZone, formatter);
  }
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatter.format(instant)) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Writes ISO 8601 with the zone's offset, for example `2026-11-20T18:00:00-03:00`, in whole seconds. */
export function isoInZone(instant: number, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  return `${local}${offset < 0 ? "-" : "+"}${clock}`;
}

export const dayMs = 86_400_000;

export type WallClock = ReturnType<typeof createWallClock>;

/** Asking Intl takes microseconds, so it is asked once for the ends of each UTC day, and for each instant where they differ. */
export function createWallClock(timeZone: string) {
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number) => offsetMinutes(instant, timeZone) * 60_000;
  /** Gives what the clock on the wall shows at an instant, as milliseconds that read as UTC. */
  const at = (instant: number): number => {
    const day = Math.floor(instant / dayMs);
    let offset = offsets.get(day);
    if (offset === undefined) {
      const [start, end] = [offsetAt(day * dayMs), offsetAt((day + 1) * dayMs)];
      offsets.set(day, (offset = start === end ? start : Number.NaN));
    }
    return instant + (Number.isNaN(offset) ? offsetAt(instant) : offset);
  };
  const dayAt = (instant: number): number => Math.floor(at(instant) / dayMs);
  return { at, dayAt };
}
