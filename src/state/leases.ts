/**
 * Work that one process does at a time: a row with an end, the same on one machine and on many. On its own machine a process that
 * lives keeps its lease, even stopped, and one that died gives it up at once; between machines the end counts.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

import { once } from "../base/basics.js";
import { steadyNow, type Clock } from "../base/clock.js";
import { ComandaError, systemErrorCode } from "../base/errors.js";
import { t } from "../languages/language.js";
import { isoTime, type Database, type Row } from "./database.js";

/** It is longer than a renewal may take, whose answer is awaited for a minute. */
const usualLeaseMs = 90_000;
/** Who waits gets the lease of a machine that is gone. */
const usualWaitMs = usualLeaseMs + 10_000;
/** Between two looks at a lease that is held: drawn by chance, so that those who wait don't move in step, and longer each time. */
const pauseMs = { first: 10, longest: 200 };
/** Work whose lease was lost is tried so often. */
const mostTurns = 3;

export interface Lease {
  /** Milliseconds until others may have it. A request has to end before that. */
  leftMs(): number;
  /**
   * To be called before anything that can't be undone: a request, a write.
   *
   * @throws {LeaseLost} its end has come, as for a process that stood still; the work then begins anew with the lease taken again
   */
  assertHeld(): void;
  /**
   * Prolongs it, for work that takes longer.
   *
   * @throws {LeaseLost} where another process has it by now, or had it meanwhile
   */
  keep(): Promise<void>;
}

export interface LeaseOptions {
  /** Others may keep it waiting for so many milliseconds (default: 100 s, in which a machine that is gone loses its lease). */
  readonly waitMs?: number;
  /** May an interrupt end the program while the work is under way? (default: no) */
  readonly isInterruptible?: boolean;
}

/**
 * Does the work while no other process, and no other task of this one, has the lease of that name.
 *
 * @throws {ComandaError} `lock_timeout` where another one has it for longer than the wait; `state_unusable` where none can be
 *   taken at all
 */
export type WithLease = <Result>(
  name: string,
  work: (lease: Lease) => Promise<Result>,
  options?: LeaseOptions,
) => Promise<Result>;

class LeaseLost extends ComandaError {
  constructor(readonly lease: string) {
    super(
      "lock_timeout",
      t`The lock "${lease}" expired while this process was suspended or disconnected.`,
      { hint: t`Try again.` },
    );
  }
}

export interface LeasesContext {
  readonly database: () => Promise<Database>;
  readonly clock: Clock;
  /** Work that an interrupt must not cut: the signal handler waits for it before it ends the program. */
  readonly critical?: Set<Promise<unknown>> | undefined;
  /** Ends each wait for another process. A lease that is free is still taken: what was begun has to be ended. */
  readonly signal?: AbortSignal | undefined;
  /** Do several machines use the database? Two of them may have the same name. */
  readonly isShared?: boolean;
  /** For tests: another machine than this process really runs on, and milliseconds that a lease lasts (default: 90,000). */
  readonly machine?: string;
  readonly leaseMs?: number;
}

/** Tasks of this process are told apart by these; a row of this process with another id is left of one that couldn't remove it. */
const ownIds = new Set<string>();

const columns = {
  id: "text",
  host: "text",
  pid: "bigint",
  started: "text?",
  process_table: "text",
  since_at: "bigint",
  until_at: "bigint",
} as const;

const setEnd = "update leases set until_at = $3 where name = $1 and id = $2";

/** See {@link WithLease}. */
export async function underLease<Result>(
  { database: open, clock, critical, signal, isShared, machine, leaseMs = usualLeaseMs }: LeasesContext,
  name: string,
  work: (lease: Lease) => Promise<Result>,
  { waitMs = usualWaitMs, isInterruptible = false }: LeaseOptions = {},
): Promise<Result> {
  const id = randomUUID();
  const own = { ...thisProcess(), ...(machine !== undefined && { host: machine, table: machine }) };
  let database: Database | undefined;
  let taken = { wall: -Infinity, steady: -Infinity };

  /** @returns the process that has it, where that is another one, with what a person can do about it */
  async function take(): Promise<(Row<typeof columns> & { readonly hint: string }) | undefined> {
    for (;;) {
      database = await open();
      const asked = { wall: clock.now(), steady: steadyNow(clock) };
      const now = await database.now();
      const select = `select id, host, pid, started, process_table, since_at, until_at from leases where name = $1`;
      const [row] = await database.rows(columns, select, name);
      if (row && row.id !== id) {
        const until = Math.min(row.until_at, now + leaseMs);
        // A clock that was ahead has written the end if it is further ahead than a lease lasts.
        if (until < row.until_at) await database.run(setEnd, name, row.id, until);
        const isNear = row.process_table === own.table;
        const [boot, namespace] = row.process_table.split(" ");
        const areKnown = own.boot !== undefined && namespace !== undefined;
        const isOver = !isShared && row.host === own.host && areKnown && boot !== own.boot;
        const running = isNear ? startOf(row.pid) : isOver ? undefined : null;
        const isOwn = isNear && row.pid === process.pid && row.started === own.start;
        // Where the system doesn't say which process it was, or it is elsewhere, the end counts.
        const isSure = running !== null && row.started !== null;
        const isHeld = isSure ? running === row.started : now < until;
        if (running !== undefined && isHeld && (!isOwn || ownIds.has(row.id))) {
          const hint =
            isSure && !isOwn
              ? t`Wait until process ${row.pid} has ended, or end it on ${row.host} (\`kill ${row.pid}\`), then try again.`
              : t`Wait until process ${row.pid} on ${row.host} has ended, then try again. If it no longer runs, its lock expires within ${Math.max(1, Math.ceil((until - now) / 1000))} s.`;
          return { ...row, hint };
        }
      }
      const changed = await database.run(
        `insert into leases (name, id, host, pid, started, process_table, since_at, until_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (name) do update set id = excluded.id, host = excluded.host, pid = excluded.pid,
           started = excluded.started, process_table = excluded.process_table, since_at = excluded.since_at,
           until_at = excluded.until_at
         where leases.id = $9`,
        ...[name, id, own.host, process.pid, own.start, own.table],
        ...[Math.round(asked.wall), now + leaseMs, row?.id ?? ""],
      );
      taken = asked;
      // Where somebody was quicker, the row isn't the one any more that was read.
      if (changed > 0) return undefined;
    }
  }

  // A machine that slept counted no steady time, and the time on the wall may have been set.
  const leftMs = () => leaseMs - Math.max(clock.now() - taken.wall, steadyNow(clock) - taken.steady);
  const lease: Lease = {
    leftMs,
    assertHeld() {
      if (leftMs() <= 0) throw new LeaseLost(name);
    },
    async keep() {
      const asked = { wall: clock.now(), steady: steadyNow(clock) };
      const until = ((await database?.now()) ?? 0) + leaseMs;
      // No row is there where another process had it meanwhile, and has done the work.
      if ((await database?.run(setEnd, name, id, until)) !== 1) throw new LeaseLost(name);
      taken = asked;
    },
  };

  // Before its row is there, or another task of this process would take that for one that was left.
  ownIds.add(id);
  try {
    for (let turn = 1; ; turn += 1) {
      const since = steadyNow(clock);
      for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
        const other = await take();
        if (other === undefined) break;
        signal?.throwIfAborted();
        const waited = steadyNow(clock) - since;
        if (waited >= waitMs) {
          const { pid, host, since_at: began, hint } = other;
          throw new ComandaError(
            "lock_timeout",
            t`Process ${pid} on ${host} has held the lock "${name}" since ${isoTime(began)}; gave up after ${Math.round(waited / 1000)} s.`,
            { hint },
          );
        }
        await clock.sleep(Math.min(pause * (0.5 + Math.random() / 2), waitMs - waited), signal);
      }
      const turnOver = (async () => {
        try {
          return await work(lease);
        } finally {
          // Where that can't be written, the lease of others ends with this process.
          const sql = "delete from leases where name = $1 and id = $2";
          await database?.run(sql, name, id).catch(() => undefined);
        }
      })();
      if (!isInterruptible) critical?.add(turnOver);
      try {
        return await turnOver;
      } catch (error) {
        if (!(error instanceof LeaseLost) || error.lease !== name || turn === mostTurns) throw error;
      } finally {
        critical?.delete(turnOver);
      }
    }
  } finally {
    ownIds.delete(id);
  }
}

/** A number of a process means something only in its table: which start of the machine, and which of its tables of processes. */
const thisProcess = once(() => {
  const host = hostname();
  let table = host;
  let boot: string | undefined;
  try {
    boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    table = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // Other systems don't say.
  }
  return { host, boot, table, start: startOf(process.pid) ?? null };
});

/** @returns `undefined` where no process has that number, `null` where the system doesn't say when it started */
function startOf(pid: number): string | null | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything (proc_pid_stat(5)).
    const [state, ...fields] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : (fields[18] ?? null);
  } catch {
    // There is no such process, or no such file on this system.
  }
  try {
    process.kill(pid, 0);
    return null;
  } catch (error) {
    // EPERM: it exists and is someone else's.
    return systemErrorCode(error) === "ESRCH" ? undefined : null;
  }
}
