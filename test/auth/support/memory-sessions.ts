/** A session store without files, for what has nothing to do with them; one change at a time, as with the lock. */
import type { WithLease } from "../../../src/state/leases.js";
import type { Session, SessionStore, SessionWrite } from "../../../src/state/sessions.js";

export interface MemorySessions extends SessionStore {
  /** Another process writes. */
  put(session: Session): void;
  /** Every state that was ever written, oldest first. */
  readonly writes: readonly Session[];
}

export function memorySessions(...initial: readonly Session[]): MemorySessions {
  let queue: Promise<unknown> = Promise.resolve();
  return sessionsUnder((_name, work) => {
    const turn = queue.then(() =>
      work({ assertHeld: () => undefined, leftMs: () => 90_000, keep: () => Promise.resolve() }),
    );
    queue = turn.catch(() => undefined);
    return turn;
  }, initial);
}

/** A store whose lease may be lost: a write finds that out. */
export function sessionsUnder(withLease: WithLease, initial: readonly Session[]): MemorySessions {
  const kept = new Map(initial.map((session) => [session.store, session]));
  const writes: Session[] = [];
  return {
    writes,
    put: (session) => void kept.set(session.store, session),
    list: () => Promise.resolve([...kept.values()]),
    read: (store) => Promise.resolve(kept.get(store)),
    reserve: () => Promise.resolve({ write: () => undefined, release: () => undefined }),
    update: (store, change) =>
      withLease(store, async (lease) => {
        const write: SessionWrite = (session) => {
          lease.assertHeld();
          writes.push(session);
          kept.set(session.store, session);
          return Promise.resolve();
        };
        const next = await change(kept.get(store), write, lease);
        if (next !== undefined) await write(next);
        return kept.get(store);
      }),
    remove: async (store, before) => {
      const left = await before?.(kept.get(store));
      if (left) kept.set(store, left);
      return left !== undefined || kept.delete(store);
    },
    rename: () => Promise.reject(new Error("not needed here")),
  };
}
