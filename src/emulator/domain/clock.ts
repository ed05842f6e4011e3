/** The emulator's time is the machine's, moved by as much as the control surface says. */
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

/** A `Date` holds at most this many milliseconds from the epoch. */
const latestTime = 8.64e15;

/** @param start is where the clock begins, in milliseconds since the epoch; without it, at the base's own time */
export function createEmulatorClock(base: { now(): number }, start?: number): SettableClock {
  const initial = start === undefined ? 0 : start - base.now();
  let offset = initial;
  const move = (now: number, next: number) => {
    // Programs without types may give a text, which would be appended or taken for a number.
    if (!Number.isFinite(now) || Math.abs(base.now() + next) > latestTime)
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
