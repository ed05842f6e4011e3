/** Locks between processes, and between the tasks of this one; whichever engine keeps them. */
import { steadyNow, type Clock } from "../../shared/clock.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { System } from "../../shared/system.js";
import type { CriticalSections } from "./critical-sections.js";

export interface LockOptions {
  /** Other processes may keep us waiting for so many milliseconds (default: 30 s). */
  readonly waitMs?: number;
  /** Ends the wait, never the work. */
  readonly signal?: AbortSignal;
  /** May an interrupt end the program while the work is under way? (default: no) */
  readonly isInterruptible?: boolean;
  /** Does the name come once and not again, so that nothing of the lock shall stay? (default: no) */
  readonly isPassing?: boolean;
}

/** A lock that is held, as its holder sees it. */
export interface Lease {
  /**
   * To be called before anything that can't be undone: a request, a write. On one machine a lock stays with its process
   * until that ends; a server gives it to others after a while.
   *
   * @throws what ends the work, which then begins anew with the lock taken again
   */
  readonly assertHeld: () => void;
  /**
   * Milliseconds until others may have the lock. Absent where it stays with its process. A request has to end before
   * that.
   */
  readonly leftMs?: () => number;
  /**
   * For work that takes longer than a server leaves a lock to its holder, or that goes on when the server is started anew:
   * keeps it for as long again. Absent where it stays with its process.
   *
   * @returns `regained` where the connection was cut: others may have had the lock meanwhile
   * @throws {LockLost} where another process has it now
   */
  readonly keep?: () => Promise<"kept" | "regained">;
}

export interface Locks {
  /**
   * Does the work while holding the lock; an interrupt waits until it is given up again. Tasks of one process queue for
   * it in their order, without a limit. It can't be taken again by the work itself. Where `assertHeld` found it gone, the
   * work is done again from its beginning.
   *
   * @throws {ComandaError} `lock_timeout` where another process kept it for longer than the wait; `state_unusable` where
   *   no lock can be taken at all
   */
  run<Result>(name: string, work: (lease: Lease) => Promise<Result>, options?: LockOptions): Promise<Result>;
}

/**
 * Does the work under a lock, or something else where the lock can't be taken. A failure of the work itself stays one.
 *
 * @param otherwise gets what kept the lock from being taken
 */
export async function withLockOr<Result>(
  { locks }: { readonly locks: Locks },
  name: string,
  work: (lease: Lease) => Promise<Result>,
  { otherwise, ...options }: LockOptions & { readonly otherwise: (error: unknown) => Promise<Result> },
): Promise<Result> {
  const progress = { hasBegun: false };
  try {
    return await locks.run(
      name,
      (lease) => {
        progress.hasBegun = true;
        return work(lease);
      },
      options,
    );
  } catch (error) {
    if (progress.hasBegun) throw error;
    return otherwise(error);
  }
}

/** The lock was taken from its holder, which stood still for so long, or was cut off. */
export class LockLost extends ComandaError {
  constructor(readonly lock: string) {
    super(
      "lock_timeout",
      t`The lock ${lock} was lost: this process stood still, or the connection was cut.`,
      { hint: t`Run the command again.` },
    );
  }
}

/** The process that has a lock. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since the epoch, by its own clock. */
  readonly since: number;
}

type Awaitable<Result> = Result | Promise<Result>;

/** One attempt of one process at one lock, as an engine makes it. */
export interface LockAttempt {
  /** Messages show this of the lock: a path, for example. */
  readonly place: string;
  /** @returns `undefined` while another process has it */
  take(): Awaitable<Lease | undefined>;
  /** @returns `undefined` where it isn't known */
  holder(): Awaitable<Holder | undefined>;
  /** Gives the lock up where it is ours, and everything else too. Never fails. */
  end(): Awaitable<void>;
}

export interface LocksContext {
  readonly clock: Clock;
  readonly system: Pick<System, "random">;
  readonly criticalSections: CriticalSections;
  readonly attempt: (name: string, options: Pick<LockOptions, "isPassing">) => Awaitable<LockAttempt>;
  /** Ends each wait for another process. A lock that is free is still taken: what was begun has to be ended. */
  readonly signal?: AbortSignal;
}

const defaultWaitMs = 30_000;
/** The pause between two looks at a lock that is held is drawn by chance, so that those who wait don't move in step. */
const pauseMs = { min: 3, max: 25 };
/** Work whose lock was lost is tried so often. */
const maxTurns = 3;

export function createLocks(context: LocksContext): Locks {
  const { clock, system, criticalSections, attempt: begin, signal: interruption } = context;
  const turns = new Map<string, Promise<void>>();

  /** Resolves when it is our turn in this process, with what ends the turn. */
  async function takeTurn(name: string): Promise<() => void> {
    const before = turns.get(name);
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (end = resolve));
    turns.set(name, turn);
    await before;
    return () => {
      if (turns.get(name) === turn) turns.delete(name);
      end();
    };
  }

  async function take(attempt: LockAttempt, { waitMs = defaultWaitMs, signal }: LockOptions): Promise<Lease> {
    const start = steadyNow(clock);
    for (;;) {
      signal?.throwIfAborted();
      const lease = await attempt.take();
      if (lease) return lease;
      interruption?.throwIfAborted();
      const left = waitMs - (steadyNow(clock) - start);
      if (left <= 0) throw lockTimeout(attempt.place, await attempt.holder(), steadyNow(clock) - start);
      const pause = pauseMs.min + system.random.fraction() * (pauseMs.max - pauseMs.min);
      await clock.sleep(Math.min(pause, left), signal);
    }
  }

  async function hold<Result>(
    attempt: LockAttempt,
    work: (lease: Lease) => Promise<Result>,
    options: LockOptions,
  ): Promise<Result> {
    try {
      const lease = await take(attempt, options);
      if (options.isInterruptible) return await work(lease);
      return await criticalSections.run(async () => {
        try {
          return await work(lease);
        } finally {
          await attempt.end();
        }
      });
    } finally {
      await attempt.end();
    }
  }

  return {
    async run(name, work, options = {}) {
      const endTurn = await takeTurn(name);
      try {
        for (let turn = 1; ; turn += 1) {
          const attempt = await begin(name, options);
          try {
            return await hold(attempt, work, options);
          } catch (error) {
            const isLost = error instanceof LockLost && error.lock === attempt.place;
            if (!isLost || turn === maxTurns) throw error;
          }
        }
      } finally {
        endTurn();
      }
    },
  };
}

function lockTimeout(place: string, holder: Holder | undefined, waitedMs: number): ComandaError {
  const waited = t`this one waited for ${Math.round(waitedMs / 1000)} s`;
  if (!holder) {
    return new ComandaError("lock_timeout", t`The lock ${place} is busy with another process; ${waited}.`, {
      hint: t`Run the command again when the other one has ended.`,
    });
  }
  const { pid, host, since } = holder;
  const began = new Date(since).toISOString();
  return new ComandaError(
    "lock_timeout",
    t`The lock ${place} is busy: process ${pid} on ${host} has held it since ${began}; ${waited}.`,
    {
      hint: t`Wait until process ${pid} has ended, or end it (\`kill ${pid}\`), then run the command again.`,
    },
  );
}
