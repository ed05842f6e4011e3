/** The emulator's time: the machine's, moved by as much as the control surface says. */
import type { EmulatorClock } from "./model.js";

export interface SettableClock extends EmulatorClock {
  /** Milliseconds since the epoch; time goes on from there. */
  set(now: number): void;
  /** May be negative. */
  advance(milliseconds: number): void;
  /** Back to where it would be had nobody moved it. */
  reset(): void;
}

/** @param start milliseconds since the epoch at which the clock begins; without it, the base's own time */
export function createEmulatorClock(base: { now(): number }, start?: number): SettableClock {
  const initial = start === undefined ? 0 : start - base.now();
  let offset = initial;
  return {
    now: () => base.now() + offset,
    set: (now) => {
      offset = now - base.now();
    },
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    reset: () => {
      offset = initial;
    },
  };
}
