/**
 * Lets only one process at a time do some work, by a row with an expiry time. On the same machine, a living process keeps its
 * lease, even if it is suspended, and a dead one loses it at once; between machines, the expiry time decides.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { once } from "../base/basics.js";
import { steadyNow, type Clock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import { isoTime, type Database } from "./database.js";

/** A lease lasts longer than a refresh, whose response may take a minute. */
const usualLeaseMs = 90_000;
/** Long enough for the lease of a crashed machine to expire. */
const usualWaitMs = usualLeaseMs + 10_000;
/** The pauses between attempts grow and are random, so waiting processes don't collide again. */
const pauseMs = { first: 10, longest: 200 };
/** The maximum number of times that the work is started, because it starts again after a lost lease. */
const mostTurns = 3;

export interface Lease {
  /** Returns the milliseconds until the lease expires. A request must end before that. */
  leftMs(): number;
  /**
   * Checks the lease. Must be called before each request or write.
   *
   * @throws {LeaseLost} if it has expired, such as in a suspended process; the work then starts again under a new lease
   */
  assertHeld(): void;
  /**
   * Extends the lease for longer work.
   *
   * @throws {LeaseLost} if another process has taken it since
   */
  extend(): Promise<void>;
}

export interface LeaseOptions {
  /** Milliseconds to wait for the lease (default: 100,000, in which the lease of a crashed machine expires, or `maxWaitMs`). */
  readonly waitMs?: number;
  /** Whether an interrupt may end the program during the work (default: no). */
  readonly isInterruptible?: boolean;
}

/**
 * Does the work while no other process, and no other task of this one, has the lease of that name.
 *
 * @throws {ComandaError} {@link LeaseHeld} after waiting for too long; `state_unusable` if no lease can be taken
 */
export type WithLease = <Result>(
  name: string,
  work: (lease: Lease) => Promise<Result>,
  options?: LeaseOptions,
) => Promise<Result>;

class LeaseLost extends ComandaError {
  constructor(readonly lease: string) {
    super("lock_timeout", t`The lock "${lease}" expired while this process was suspended or disconnected.`, {
      hint: t`Try again later.`,
    });
  }
}

/** Another process, or another task of this one, held the lease for longer than the wait. */
export class LeaseHeld extends ComandaError {
  constructor(
    readonly isOwn: boolean,
    /** The process that has the lease, for a sentence. */
    readonly holder: string,
    message: string,
    hint: string,
  ) {
    super("lock_timeout", message, { hint });
  }
}

export interface LeasesContext {
  readonly database: () => Promise<Database>;
  readonly clock: Clock;
  /** Work that the signal handler awaits before it ends the program. */
  readonly critical?: Set<Promise<unknown>> | undefined;
  /** Ends waits for other processes. A free lease can still be taken, to complete work. */
  readonly signal?: AbortSignal | undefined;
  /** The longest wait for another process, in milliseconds (default: that of each wait). */
  readonly maxWaitMs?: number;
  /** Whether several machines, which may have the same host name, use the database. */
  readonly isShared?: boolean;
  /** For tests: a different host name, and the milliseconds that a lease lasts (default: 90,000). */
  readonly machine?: string;
  readonly leaseMs?: number;
}

/** All copies of this package in a thread share it: a program may load the ES module, the CommonJS one, and several versions. */
const mark = Symbol.for("comanda.leases");
const realm: {
  readonly crypto: unknown;
  /** A row whose id begins with `thread` belongs to this thread. */
  [mark]?: { readonly thread: string; readonly ids: Set<string> } | undefined;
} = globalThis;

/** The leases of this thread's tasks. Any other row of the thread is one that it failed to delete. */
const own = (realm[mark] ??= { thread: crypto.randomUUID(), ids: new Set() });

const columns = {
  id: "text",
  host: "text",
  pid: "bigint",
  started: "text?",
  process_table: "text",
  since_at: "bigint",
  until_at: "bigint",
} as const;

const setExpiry = "update leases set until_at = $3 where name = $1 and id = $2";

export async function underLease<Result>(
  context: LeasesContext,
  name: string,
  work: (lease: Lease) => Promise<Result>,
  options: LeaseOptions = {},
): Promise<Result> {
  const { clock, critical, signal, isShared, machine, leaseMs = usualLeaseMs } = context;
  const { waitMs = Math.min(usualWaitMs, context.maxWaitMs ?? Infinity), isInterruptible = false } = options;
  const id = `${own.thread} ${crypto.randomUUID()}`;
  const here = { ...thisProcess(), ...(machine !== undefined && { host: machine, table: machine }) };
  const database = await context.database();
  let taken = { wall: -Infinity, steady: -Infinity };

  /** @returns the process that has the lease, with a hint; `undefined` if it was taken */
  async function take() {
    for (;;) {
      const requested = { wall: clock.now(), steady: steadyNow(clock) };
      const now = await database.now();
      const select = `select id, host, pid, started, process_table, since_at, until_at from leases where name = $1`;
      const [row] = await database.rows(columns, select, name);
      if (row && row.id !== id) {
        const until = Math.min(row.until_at, now + leaseMs);
        // An expiry further ahead than a lease lasts was written by a wrong clock.
        if (until < row.until_at) await database.run(setExpiry, name, row.id, until);
        const isVisible = row.process_table === here.table;
        const [boot, namespace] = row.process_table.split(" ");
        const areKnown = here.boot !== undefined && namespace !== undefined;
        const isBeforeBoot = !isShared && row.host === here.host && areKnown && boot !== here.boot;
        const running = isVisible ? startOf(row.pid) : isBeforeBoot ? undefined : null;
        const isOwn = isVisible && row.pid === process.pid && row.started === here.start;
        const isOfThread = row.id.startsWith(own.thread);
        // If the system doesn't identify the process, or another thread of this one has it, the expiry time decides.
        const isSure = running !== null && row.started !== null && (!isOwn || isOfThread);
        const isHeld = isSure ? running === row.started : now < until;
        if (running !== undefined && isHeld && (!isOfThread || own.ids.has(row.id))) {
          const hint =
            isSure && !isOwn
              ? t`Wait until process ${row.pid} has ended, or end it on ${row.host} (\`kill ${row.pid}\`), then try again.`
              : t`Wait until process ${row.pid} on ${row.host} has ended, then try again. If it no longer runs, its lock expires within ${Math.max(1, Math.ceil((until - now) / 1000))} s.`;
          return { ...row, isOwn, hint };
        }
      }
      const changed = await database.run(
        `insert into leases (name, id, host, pid, started, process_table, since_at, until_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (name) do update set id = excluded.id, host = excluded.host, pid = excluded.pid,
           started = excluded.started, process_table = excluded.process_table, since_at = excluded.since_at,
           until_at = excluded.until_at
         where leases.id = $9`,
        ...[name, id, here.host, process.pid, here.start, here.table],
        ...[Math.round(requested.wall), now + leaseMs, row?.id ?? ""],
      );
      taken = requested;
      // If another process took the lease first, the row no longer matches and nothing changes.
      if (changed > 0) return undefined;
    }
  }

  // The steady clock stops while a machine sleeps, and the wall clock may have been set.
  const leftMs = () => leaseMs - Math.max(clock.now() - taken.wall, steadyNow(clock) - taken.steady);
  const lease: Lease = {
    leftMs,
    assertHeld() {
      if (leftMs() <= 0) throw new LeaseLost(name);
    },
    async extend() {
      const requested = { wall: clock.now(), steady: steadyNow(clock) };
      const until = (await database.now()) + leaseMs;
      // The row is gone if another process took the lease and has finished.
      if ((await database.run(setExpiry, name, id, until)) !== 1) throw new LeaseLost(name);
      taken = requested;
    },
  };

  // The id is added before the row, which other tasks of this thread would otherwise take over.
  own.ids.add(id);
  try {
    for (let turn = 1; ; turn += 1) {
      const since = steadyNow(clock);
      for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
        const other = await take();
        if (other === undefined) break;
        signal?.throwIfAborted();
        const waited = steadyNow(clock) - since;
        if (waited >= waitMs) {
          const { pid, host, since_at: began, isOwn, hint } = other;
          const holder = t`Process ${pid} on ${host}`;
          const held = t`${holder} has held the lock "${name}" since ${isoTime(began)}`;
          // Nothing waits for another process that sends the same list.
          const message =
            waitMs === 0 ? `${held}.` : t`${held}; gave up after ${Math.round(waited / 1000)} s.`;
          throw new LeaseHeld(isOwn, holder, message, hint);
        }
        await clock.sleep(Math.min(pause * (0.5 + Math.random() / 2), waitMs - waited), signal);
      }
      const finished = (async () => {
        try {
          return await work(lease);
        } finally {
          // If the delete fails, the lease ends with this process.
          const sql = "delete from leases where name = $1 and id = $2";
          await database.run(sql, name, id).catch(() => undefined);
        }
      })();
      if (!isInterruptible) critical?.add(finished);
      try {
        return await finished;
      } catch (error) {
        if (!(error instanceof LeaseLost) || error.lease !== name || turn === mostTurns) throw error;
      } finally {
        critical?.delete(finished);
      }
    }
  } finally {
    own.ids.delete(id);
  }
}

/** Identifies this process. A process id is unique only for one boot and pid namespace, which `table` contains. */
const thisProcess = once(() => {
  const host = hostname();
  let table = host;
  let boot: string | undefined;
  try {
    boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    table = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Only Linux has these files.
  }
  return { host, boot, table, start: startOf(process.pid) ?? null };
});

/** @returns the start time of a process; `undefined` if it doesn't exist, `null` if the system doesn't report the time */
function startOf(pid: number): string | null | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name in parentheses may contain any characters (proc_pid_stat(5)).
    const [state, ...fields] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : (fields[18] ?? null);
  } catch {
    // The process doesn't exist, or the system isn't Linux.
  }
  try {
    process.kill(pid, 0);
    return null;
  } catch (error) {
    // EPERM means that the process belongs to another user.
    return systemErrorCode(error) === "ESRCH" ? undefined : null;
  }
}
