/** A session store without files, for what has nothing to do with them; one change at a time, as with the lease. */
import type { Session, SessionStore, SessionWrite } from "../../../src/state/sessions.js";

export interface MemorySessions extends SessionStore {
  /** Every state that was ever written, oldest first. */
  readonly writes: readonly Session[];
}

export function memorySessions(...initial: readonly Session[]): MemorySessions {
  const kept = new Map(initial.map((session) => [session.store, session]));
  const writes: Session[] = [];
  const lease = { assertHeld: () => undefined, leftMs: () => 90_000 };
  let queue: Promise<unknown> = Promise.resolve();
  const write: SessionWrite = (session) => {
    writes.push(session);
    kept.set(session.store, session);
    return Promise.resolve();
  };
  return {
    writes,
    list: () => Promise.resolve([...kept.values()]),
    read: (store) => Promise.resolve(kept.get(store)),
    update: (store, change) => {
      const turn = queue.then(async () => {
        const next = await change(kept.get(store), write, lease);
        if (next !== undefined) await write(next);
        return kept.get(store);
      });
      queue = turn.catch(() => undefined);
      return turn;
    },
    remove(store) {
      kept.delete(store);
      return Promise.resolve();
    },
    rename: () => Promise.reject(new Error("not needed here")),
  };
}
