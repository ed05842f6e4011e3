/**
 * Work that one process does at a time: a row with an end, the same on one machine and on many. On its own machine a process that
 * lives keeps its lease, even stopped, and one that died gives it up at once; between machines the end counts.
 */
import { randomUUID } from "node:crypto";

import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { CriticalSections } from "./critical-sections.js";
import type { Columns, Database, Row } from "./database.js";
import { startOf, thisProcess } from "./process.js";

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
   * @throws {LeaseLost} where another process has it by now
   */
  keep(): Promise<void>;
}

export interface LeaseOptions {
  /** Others may keep it waiting for so many milliseconds (default: 100 s, in which a machine that is gone loses its lease). */
  readonly waitMs?: number;
  /** Ends the wait, never the work. */
  readonly signal?: AbortSignal | undefined;
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

export class LeaseLost extends ComandaError {
  constructor(readonly lease: string) {
    super(
      "lock_timeout",
      t`The lease "${lease}" was lost: this process stood still, or the connection was cut.`,
      { hint: t`Run the command again.` },
    );
  }
}

/**
 * Does the work under a lease, or something else where none can be had. A failure of the work itself stays one.
 *
 * @param otherwise gets what kept the lease from being taken
 */
export async function withLeaseOr<Result>(
  { withLease }: { readonly withLease: WithLease },
  name: string,
  work: (lease: Lease) => Promise<Result>,
  { otherwise, ...options }: LeaseOptions & { readonly otherwise: (error: unknown) => Promise<Result> },
): Promise<Result> {
  const progress = { hasBegun: false };
  try {
    return await withLease(
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

export interface LeasesContext {
  readonly database: () => Promise<Database>;
  readonly clock: Clock;
  readonly criticalSections: CriticalSections;
  /** Ends each wait for another process. A lease that is free is still taken: what was begun has to be ended. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: another machine than this process really runs on, and milliseconds that a lease lasts (default: 90,000). */
  readonly machine?: string;
  readonly leaseMs?: number;
}

/** Tasks of this process are told apart by these; a row of this process with another id is left of one that couldn't remove it. */
const ownIds = new Set<string>();

export function createLeases(context: LeasesContext): WithLease {
  const { clock, criticalSections, signal: interruption } = context;
  return async (name, work, { waitMs = usualWaitMs, signal, isInterruptible = false } = {}) => {
    for (let turn = 1; ; turn += 1) {
      const database = await context.database();
      const id = randomUUID();
      const { take, ...lease } = createLease(name, id, database, context);
      // Before its row is there, or another task of this process would take that for one that was left.
      ownIds.add(id);
      try {
        const since = steadyNow(clock);
        for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
          signal?.throwIfAborted();
          const other = await take();
          if (other === undefined) break;
          interruption?.throwIfAborted();
          const waited = steadyNow(clock) - since;
          if (waited >= waitMs) throw busy(name, other, waited);
          await clock.sleep(Math.min(pause * (0.5 + Math.random() / 2), waitMs - waited), signal);
        }
        const turnOver = async () => {
          try {
            return await work(lease);
          } finally {
            // Where that can't be written, the lease of others ends with this process.
            await database
              .run("delete from leases where name = $1 and id = $2", name, id)
              .catch(() => undefined);
          }
        };
        return await (isInterruptible ? turnOver() : criticalSections.run(turnOver));
      } catch (error) {
        if (!(error instanceof LeaseLost) || error.lease !== name || turn === mostTurns) throw error;
      } finally {
        ownIds.delete(id);
      }
    }
  };
}

/** The columns of a lease: of its process, and of itself. */
const columns = {
  id: "text",
  host: "text",
  pid: "bigint",
  started: "text?",
  process_table: "text",
  since_at: "bigint",
  until_at: "bigint",
} as const satisfies Columns;
const names = Object.keys(columns);
type Holder = Row<typeof columns>;

/** @returns the lease of that id, with what takes or prolongs it and tells who else has it */
function createLease(
  name: string,
  id: string,
  database: Database,
  { clock, machine, leaseMs = usualLeaseMs }: LeasesContext,
): Lease & { readonly take: () => Promise<Holder | undefined> } {
  const own = { ...thisProcess(), ...(machine !== undefined && { host: machine, table: machine }) };
  let taken = { wall: -Infinity, steady: -Infinity };

  async function take(): Promise<Holder | undefined> {
    const asked = { wall: clock.now(), steady: steadyNow(clock) };
    const now = await database.now();
    const select = `select ${names.join(", ")} from leases where name = $1`;
    const [row] = await database.rows(columns, select, name);
    if (row && row.id !== id) {
      const isNear = row.process_table === own.table;
      const running = isNear ? startOf(row.pid) : null;
      const isOwn = isNear && row.pid === own.pid && row.started === own.start;
      // Where the system doesn't say which process it was, or it is elsewhere, the end counts.
      const isHeld = running === null || row.started === null ? now < row.until_at : running === row.started;
      if (running !== undefined && isHeld && (!isOwn || ownIds.has(row.id))) return row;
    }
    const changed = await database.run(
      `insert into leases (name, ${names.join(", ")}) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (name) do update set ${names.map((column) => `${column} = excluded.${column}`).join(", ")}
       where leases.id = $9`,
      ...[name, id, own.host, own.pid, own.start, own.table],
      ...[Math.round(asked.wall), now + leaseMs, row?.id ?? ""],
    );
    // Where somebody was quicker, the row isn't the one any more that was read.
    if (changed === 0) return take();
    taken = asked;
    return undefined;
  }

  // A machine that slept counted no steady time, and the time on the wall may have been set.
  const leftMs = () => leaseMs - Math.max(clock.now() - taken.wall, steadyNow(clock) - taken.steady);
  return {
    take,
    leftMs,
    assertHeld() {
      if (leftMs() <= 0) throw new LeaseLost(name);
    },
    async keep() {
      if ((await take()) !== undefined) throw new LeaseLost(name);
    },
  };
}

function busy(name: string, { pid, host, since_at: since }: Holder, waitedMs: number): ComandaError {
  const waited = Math.round(waitedMs / 1000);
  const began = new Date(since).toISOString();
  return new ComandaError(
    "lock_timeout",
    t`Process ${pid} on ${host} has had the lease "${name}" since ${began}; this one waited for ${waited} s.`,
    {
      hint: t`Wait until process ${pid} has ended, or end it (\`kill ${pid}\`), then run the command again.`,
    },
  );
}
