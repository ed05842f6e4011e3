/** Locks as PostgreSQL gives and takes them: a holder that stood still for too long finds its lock gone. */
import type { Clock } from "../../../src/shared/clock.js";
import type { System } from "../../../src/shared/system.js";
import { createCriticalSections } from "../../../src/state/locks/critical-sections.js";
import { createLocks, LockLost, type Locks } from "../../../src/state/locks/locks.js";

export interface ServerLocks {
  readonly locks: Locks;
  /** The server takes away all locks that are held. */
  takeAway(): void;
}

export function serverLocks(clock: Clock, system: System): ServerLocks {
  let [taken, lost] = [0, 0];
  const locks = createLocks({
    ...{ clock, system, criticalSections: createCriticalSections() },
    attempt(name) {
      const turn = (taken += 1);
      const assertHeld = () => {
        if (turn <= lost) throw new LockLost(name);
      };
      return { place: name, take: () => ({ assertHeld }), holder: () => undefined, end: () => undefined };
    },
  });
  return { locks, takeAway: () => void (lost = taken) };
}
