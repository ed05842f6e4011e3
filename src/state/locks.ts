/** Locks between processes, and between the tasks of this one. */
import path from "node:path";

import type { Clock } from "../clock/index.js";
import { ComandaError } from "../errors/index.js";
import type { CriticalSections } from "./critical-sections.js";
import { createLockAttempt, removeClaims, type LockAttempt } from "./lock-file.js";
import type { Holding } from "./lock-holding.js";
import type { PrivateFiles } from "./private-file.js";
import type { ProcessTable } from "./process-identity.js";

export interface LockOptions {
  /** How long another process may keep us waiting, in milliseconds (default: 30 s). */
  readonly waitMs?: number;
  /** Ends the wait, never the work. */
  readonly signal?: AbortSignal;
}

export interface Locks {
  /**
   * Does the work while holding the lock; an interrupt waits until it is given up again. Tasks of one process queue
   * for it in their order, without a limit. It can't be taken again by the work itself.
   *
   * @throws {ComandaError} `lock_timeout` where another process kept it for longer than the wait; `state_unusable`
   *   where the folder can't be used
   */
  run<Result>(name: string, work: () => Promise<Result>, options?: LockOptions): Promise<Result>;
}

const defaultWaitMs = 30_000;
/** Between two looks at a lock that is held: at random, so that those who wait don't move in step. */
const pollMs = { min: 3, max: 25 };

interface LocksContext {
  readonly folder: string;
  readonly clock: Clock;
  readonly table: ProcessTable;
  readonly files: PrivateFiles;
  readonly criticalSections: CriticalSections;
}

export function createLocks({ folder, clock, table, files, criticalSections }: LocksContext): Locks {
  const queues = new Map<string, Promise<void>>();
  const known = new Set<string>();

  /** Resolves when it is our turn in this process, with what ends the turn. */
  async function takeTurn(name: string): Promise<() => void> {
    const before = queues.get(name);
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (end = resolve));
    queues.set(name, turn);
    await before;
    return () => {
      if (queues.get(name) === turn) queues.delete(name);
      end();
    };
  }

  async function waitFor(
    attempt: LockAttempt,
    lock: string,
    { waitMs = defaultWaitMs, signal }: LockOptions,
  ) {
    const start = clock.now();
    for (let looks = 0; ; looks += 1) {
      signal?.throwIfAborted();
      const holder = attempt.try();
      if (!holder) return { waited: looks > 0 };
      const waited = clock.now() - start;
      if (waited >= waitMs) throw lockTimeout(lock, holder, waited, table);
      const pause = pollMs.min + Math.random() * (pollMs.max - pollMs.min);
      await clock.sleep(Math.min(pause, waitMs - waited), signal);
    }
  }

  async function hold<Result>(name: string, work: () => Promise<Result>, options: LockOptions) {
    const lock = path.join(folder, `${name}.lock`);
    files.sweep(folder);
    const attempt = createLockAttempt(lock, table);
    try {
      const { waited } = await waitFor(attempt, lock, options);
      // Claims that killed processes left behind: looked for at first use, and when something was going on.
      if (waited || !known.has(lock)) removeClaims(lock);
      known.add(lock);
    } catch (error) {
      attempt.abandon();
      throw error;
    }
    return await criticalSections.run(async () => {
      try {
        return await work();
      } finally {
        attempt.release();
      }
    });
  }

  return {
    async run(name, work, options = {}) {
      const endTurn = await takeTurn(name);
      try {
        return await hold(name, work, options);
      } finally {
        endTurn();
      }
    },
  };
}

function lockTimeout(
  lock: string,
  { identity }: Holding,
  waitedMs: number,
  table: ProcessTable,
): ComandaError {
  const waited = `${Math.round(waitedMs / 1000)} s`;
  if (!identity) {
    return new ComandaError(
      "lock_timeout",
      `The lock ${lock} was held for ${waited} by an unknown process.`,
      {
        hint: `If no other comanda is running, delete ${lock}.`,
      },
    );
  }
  const { pid, host } = identity;
  const here = host === table.self().host;
  return new ComandaError("lock_timeout", `Process ${pid} on ${host} has held ${lock} for over ${waited}.`, {
    hint: here
      ? `Wait until process ${pid} has ended, or end it (\`kill ${pid}\`), then run the command again.`
      : `Wait until it has ended. If no comanda is running on ${host}, delete ${lock}.`,
  });
}
