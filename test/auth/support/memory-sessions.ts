/** Creates a session store without files, which makes one change at a time. */
import type { Session, SessionStore, SessionWrite } from "../../../src/state/sessions.js";

export interface MemorySessions extends SessionStore {
  /** All written sessions, oldest first. */
  readonly writes: readonly Session[];
}

export function memorySessions(...initial: readonly Session[]): MemorySessions {
  const stored = new Map(initial.map((session) => [session.store, session]));
  const writes: Session[] = [];
  const lease = { assertHeld: () => undefined, leftMs: () => 90_000 };
  let queue: Promise<unknown> = Promise.resolve();
  const write: SessionWrite = (session) => {
    writes.push(session);
    stored.set(session.store, session);
    return Promise.resolve();
  };
  return {
    writes,
    list: () => Promise.resolve([...stored.values()]),
    read: (store) => Promise.resolve(stored.get(store)),
    update: (store, change) => {
      const turn = queue.then(async () => {
        const next = await change(stored.get(store), write, lease);
        if (next !== undefined) await write(next);
        return stored.get(store);
      });
      queue = turn.catch(() => undefined);
      return turn;
    },
    remove(store) {
      stored.delete(store);
      return Promise.resolve();
    },
    rename: () => Promise.reject(new Error("not needed here")),
  };
}
