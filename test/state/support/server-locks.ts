/** Locks as PostgreSQL gives and takes them: a holder that stood still for too long finds its lock gone. */
import { createCriticalSections } from "../../../src/state/locks/critical-sections.js";
import { createLocks, LockLost, type Locks } from "../../../src/state/locks/locks.js";
import type { StateFolder } from "../../../src/state/state-folder.js";

export interface ServerLocks {
  readonly locks: Locks;
  /** The server takes away all locks that are held. */
  takeAway(): void;
}

export function serverLocks({ clock, files }: Pick<StateFolder, "clock" | "files">): ServerLocks {
  let [taken, lost] = [0, 0];
  const locks = createLocks({
    ...{ clock, system: files.system, criticalSections: createCriticalSections() },
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
