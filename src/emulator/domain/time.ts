/** The emulator's clock, which the control API sets, and the local clocks of its stores. */
import { systemClock, type Clock } from "../../base/clock.js";

/** A clock that tests and the control API set. */
export interface SettableClock {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /**
   * Sets the time, in milliseconds since the epoch, from which the clock continues.
   *
   * @throws {ComandaError} `invalid_input` if a `Date` can't contain it
   */
  set(now: number): void;
  /**
   * Moves the time; the number may be negative.
   *
   * @throws {ComandaError} `invalid_input` if a `Date` can't contain the resulting time
   */
  advance(milliseconds: number): void;
  /** Restores the time as if it had never been set or moved. */
  reset(): void;
}

/** @param start the initial time in milliseconds since the epoch; by default, the base's own time */
export function createEmulatorClock(base: { now(): number }, start?: number): SettableClock {
  const initial = start === undefined ? 0 : start - base.now();
  let offset = initial;
  const set = (now: number) => {
    // Programs without types may pass a string, which would be appended or converted to a number.
    if (typeof now !== "number" || Number.isNaN(new Date(now).getTime()))
      throw new RangeError("Expected a time in milliseconds that a Date can contain.");
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

/**
 * Returns the same clock for a client: a wait advances it instead of taking time.
 *
 * @param isSending whether a request of the client has no response yet
 */
export function movingClock(clock: SettableClock, isSending: () => boolean): Clock {
  let counted = 0;
  let seen = clock.now();
  /** When each of the present waits ends. */
  const ends: number[] = [];
  return {
    now: () => clock.now(),
    // It follows the clock forward, but not back at a reset, so that nothing waits for the same time again.
    monotonic() {
      const before = seen;
      seen = clock.now();
      return (counted += Math.max(0, seen - before));
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const end = clock.now() + ms;
      ends.push(end);
      try {
        // The service counts a request when it arrives, so the clock moves only after that, and from one wait's end to the next.
        do await systemClock.sleep(1, signal);
        while (end > clock.now() && (isSending() || ends.some((other) => other < end)));
        if (end > clock.now()) clock.advance(end - clock.now());
      } finally {
        ends.splice(ends.indexOf(end), 1);
      }
    },
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the minutes that the zone is ahead of UTC at an instant in milliseconds since the epoch. */
export function offsetMinutes(instant: number, timeZone: string): number {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formatters.set(timeZone, formatter);
  }
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatter.format(instant)) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Formats an instant as ISO 8601 with the zone's offset, in whole seconds: `2026-11-20T18:00:00-03:00`. */
export function isoInZone(instant: number, timeZone: string): string {
  const offset = offsetMinutes(instant, timeZone);
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16);
  return `${local}${offset < 0 ? "-" : "+"}${clock}`;
}

export const dayMs = 86_400_000;

export type WallClock = ReturnType<typeof createWallClock>;

/** Creates a store's local clock. Intl is slow, so its offset is cached for each UTC day that begins and ends with the same one. */
export function createWallClock(timeZone: string) {
  const offsets = new Map<number, number>();
  const offsetAt = (instant: number) => offsetMinutes(instant, timeZone) * 60_000;
  /** Returns the local time at an instant, as milliseconds that read as UTC. */
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
