/** The emulator's time: the machine's, moved by as much as the control surface says. */
import type { EmulatorClock } from "./model.js";

export interface SettableClock extends EmulatorClock {
  /** Milliseconds since the epoch; time goes on from there. @throws {RangeError} where no `Date` can hold it */
  set(now: number): void;
  /** May be negative. @throws {RangeError} where no `Date` can hold the time that it leads to */
  advance(milliseconds: number): void;
  /** Back to where it would be had nobody moved it. */
  reset(): void;
}

/** What a `Date` holds, in milliseconds from the epoch. */
const furthest = 8.64e15;

/** @param start milliseconds since the epoch at which the clock begins; without it, the base's own time */
export function createEmulatorClock(base: { now(): number }, start?: number): SettableClock {
  const initial = start === undefined ? 0 : start - base.now();
  let offset = initial;
  const move = (now: number, next: number) => {
    // Programs without types may give a text, which would be appended or taken for a number.
    if (!Number.isFinite(now) || Math.abs(base.now() + next) > furthest)
      throw new RangeError("The clock takes milliseconds, and only to a time that a Date can hold.");
    offset = next;
  };
  return {
    now: () => base.now() + offset,
    set: (now) => {
      move(now, now - base.now());
    },
    advance: (milliseconds) => {
      move(milliseconds, offset + milliseconds);
    },
    reset: () => {
      offset = initial;
    },
  };
}
