/** Locks between processes, and between the tasks of this one. */
import path from "node:path";

import { steadyNow, type Clock } from "../../shared/clock.js";
import type { CriticalSections } from "./critical-sections.js";
import { lockTimeout, LockLost } from "./lock-errors.js";
import { createLockAttempt, removeClaims, type LockAttempt } from "./lock-file.js";
import { everyBeat, silenceMs } from "./lock-heartbeat.js";
import type { Holding } from "./lock-holding.js";
import type { PrivateFiles } from "../files/private-file.js";
import type { ProcessTable } from "./process-identity.js";

export interface LockOptions {
  /** How long others may keep us waiting, all together, in milliseconds (default: 30 s). */
  readonly waitMs?: number;
  /** How long one of them may, in milliseconds, where each holds it for a moment only (default: as `waitMs`). */
  readonly holderMs?: number;
  /** Ends the wait, never the work. */
  readonly signal?: AbortSignal;
}

/** A lock that is held, as its holder sees it. */
export interface Lease {
  /**
   * To be called before anything that can't be undone: a request, a write. A process that was stopped may have been
   * taken for dead, and its lock taken by another.
   *
   * @throws what ends the work, which then begins anew with the lock taken again
   */
  readonly assertHeld: () => void;
}

export interface Locks {
  /**
   * Does the work while holding the lock; an interrupt waits until it is given up again. Tasks of one process queue
   * for it in their order, without a limit. It can't be taken again by the work itself. Where `assertHeld` found it
   * gone, the work is done again from its beginning.
   *
   * @throws {ComandaError} `lock_timeout` where another process kept it for longer than the wait; `state_unusable`
   *   where the folder can't be used
   */
  run<Result>(name: string, work: (lease: Lease) => Promise<Result>, options?: LockOptions): Promise<Result>;
}

const defaultWaitMs = 30_000;
/** Between two looks at a lock that is held: at random, so that those who wait don't move in step. */
const pollMs = { min: 3, max: 25 };
/** Whoever can't be looked at is waited for until its silence has told, however short the wait. */
const judgedMs = silenceMs + 1000;
/** How often work begins anew whose lock was lost. */
const maxTurns = 3;

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

  function isInSight({ identity, leftAt }: Holding): boolean {
    return identity !== undefined && table.look(identity, leftAt) !== "out of sight";
  }

  async function waitFor(
    attempt: LockAttempt,
    lock: string,
    { waitMs = defaultWaitMs, holderMs = waitMs, signal }: LockOptions,
  ) {
    const start = steadyNow(clock);
    let seen: { readonly nonce: string; readonly since: number } | undefined;
    for (let looks = 0; ; looks += 1) {
      signal?.throwIfAborted();
      const holder = attempt.try();
      if (!holder) return { waited: looks > 0 };
      const now = steadyNow(clock);
      if (seen?.nonce !== holder.nonce) seen = { nonce: holder.nonce, since: now };
      const least = isInSight(holder) ? 0 : judgedMs;
      const left = Math.min(
        Math.max(waitMs, least) - (now - start),
        Math.max(holderMs, least) - (now - seen.since),
      );
      if (left <= 0) throw lockTimeout(lock, holder, now - start, table);
      const pause = pollMs.min + files.system.random.fraction() * (pollMs.max - pollMs.min);
      await clock.sleep(Math.min(pause, left), signal);
    }
  }

  async function hold<Result>(lock: string, work: (lease: Lease) => Promise<Result>, options: LockOptions) {
    files.sweep(folder);
    const attempt = createLockAttempt(lock, { system: files.system, table, clock });
    try {
      const { waited } = await waitFor(attempt, lock, options);
      // Claims that killed processes left behind: looked for at first use, and when something was going on.
      if (waited || !known.has(lock)) removeClaims(files.system.disk, lock);
      known.add(lock);
    } catch (error) {
      attempt.abandon();
      throw error;
    }
    return await criticalSections.run(async () => {
      const endBeats = everyBeat(clock, () => attempt.touch());
      try {
        return await work({
          assertHeld() {
            if (!attempt.isOurs()) throw new LockLost(lock);
          },
        });
      } finally {
        endBeats();
        attempt.release();
      }
    });
  }

  async function holdUntilDone<Result>(
    name: string,
    work: (lease: Lease) => Promise<Result>,
    options: LockOptions,
  ) {
    const lock = path.join(folder, `${name}.lock`);
    for (let turn = 1; ; turn += 1) {
      try {
        return await hold(lock, work, options);
      } catch (error) {
        const lost = error instanceof LockLost && error.lock === lock;
        if (!lost || turn === maxTurns) throw error;
      }
    }
  }

  return {
    async run(name, work, options = {}) {
      const endTurn = await takeTurn(name);
      try {
        return await holdUntilDone(name, work, options);
      } finally {
        endTurn();
      }
    },
  };
}
