/**
 * Work that one process does at a time: a row with an end, the same on one machine and on many. On its own machine a process that
 * lives keeps its lease, even stopped, and one that died gives it up at once; between machines the end counts.
 */
import { randomUUID } from "node:crypto";

import * as z from "zod/mini";

import { steadyNow, type Clock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { parseJson } from "../api/json.js";
import { t } from "../languages/language.js";
import { once } from "../api/once.js";
import type { CriticalSections } from "./critical-sections.js";
import type { Database } from "./database.js";
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

export function createLeases(context: LeasesContext): WithLease {
  const { clock, criticalSections, signal: interruption } = context;

  async function take(held: HeldLease, { waitMs = usualWaitMs, signal }: LeaseOptions): Promise<void> {
    const since = steadyNow(clock);
    for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
      signal?.throwIfAborted();
      const other = await held.take();
      if (other === undefined) return;
      interruption?.throwIfAborted();
      const waited = steadyNow(clock) - since;
      if (waited >= waitMs) throw busy(held.name, other, waited);
      await clock.sleep(Math.min(pause * (0.5 + Math.random() / 2), waitMs - waited), signal);
    }
  }

  return async (name, work, options = {}) => {
    for (let turn = 1; ; turn += 1) {
      const held = createHeldLease(name, await context.database(), context);
      try {
        await take(held, options).catch((error: unknown) => {
          held.forget();
          throw error;
        });
        const turnOver = async () => {
          try {
            return await work(held);
          } finally {
            await held.release();
          }
        };
        return await (options.isInterruptible ? turnOver() : criticalSections.run(turnOver));
      } catch (error) {
        if (!(error instanceof LeaseLost) || error.lease !== name || turn === mostTurns) throw error;
      }
    }
  };
}

/** The leases that this process has. A full disk may keep the row of one that it has given up. */
const ownIds = new Set<string>();

interface HeldLease extends Lease {
  readonly name: string;
  /** Takes it, or prolongs it. @returns who else has it */
  take(): Promise<Holder | undefined>;
  /** It wasn't taken. */
  forget(): void;
  release(): Promise<void>;
}

function createHeldLease(
  name: string,
  database: Database,
  { clock, machine, leaseMs = usualLeaseMs }: LeasesContext,
): HeldLease {
  const ours = { ...thisProcess(), ...(machine !== undefined && { host: machine, table: machine }) };
  const id = randomUUID();
  let taken = { wall: -Infinity, steady: -Infinity };
  // Before its row is there, or another task of this process would take that for one that was left.
  ownIds.add(id);

  async function take(): Promise<Holder | undefined> {
    const asked = { wall: clock.now(), steady: steadyNow(clock) };
    const now = await database.now();
    const [row] = await database.rows(
      { id: "text", holder: "text", until_at: "bigint" },
      "select id, holder, until_at from leases where name = $1",
      name,
    );
    if (row && row.id !== id) {
      const holder = holderOf(row.holder);
      const isLeft = isSameProcess(holder, ours) && !ownIds.has(row.id);
      if (!isLeft && isHeld(holder, row.until_at, now, ours.table)) return holder;
    }
    const values = [name, id, JSON.stringify({ ...ours, since: Math.round(asked.wall) }), now + leaseMs];
    // Where somebody was quicker, the row isn't the one any more that was read.
    const changed = await (row
      ? database.run(
          "update leases set id = $2, holder = $3, until_at = $4 where name = $1 and id = $5",
          ...values,
          row.id,
        )
      : database.run(
          "insert into leases (name, id, holder, until_at) values ($1, $2, $3, $4) on conflict (name) do nothing",
          ...values,
        ));
    if (changed === 0) return unknownHolder;
    taken = asked;
    return undefined;
  }

  // A machine that slept counted no steady time, and the time on the wall may have been set.
  const leftMs = () => leaseMs - Math.max(clock.now() - taken.wall, steadyNow(clock) - taken.steady);
  return {
    name,
    take,
    leftMs,
    forget: () => void ownIds.delete(id),
    assertHeld() {
      if (leftMs() <= 0) throw new LeaseLost(name);
    },
    async keep() {
      if ((await take()) !== undefined) throw new LeaseLost(name);
    },
    async release() {
      ownIds.delete(id);
      // Where that can't be written, the lease of others ends with this process.
      await database.run("delete from leases where name = $1 and id = $2", name, id).catch(() => undefined);
    },
  };
}

const holderSchema = once(() =>
  z.object({
    host: z.string(),
    pid: z.number(),
    /** Tells a process from a later one with its number; null where the system doesn't say. */
    start: z.nullable(z.string()),
    /** Which start of the machine, and which of its tables of processes: a number means nothing in another. */
    table: z.string(),
    /** Milliseconds since the epoch. */
    since: z.number(),
  }),
);
type Holder = z.infer<ReturnType<typeof holderSchema>>;

const unknownHolder: Holder = { host: "?", pid: 0, start: null, table: "", since: 0 };

function holderOf(text: string): Holder {
  const holder = z.safeParse(holderSchema(), parseJson(text));
  return holder.success ? holder.data : unknownHolder;
}

function isHeld({ table, pid, start }: Holder, until: number, now: number, ownTable: string): boolean {
  if (table !== ownTable) return now < until;
  const running = startOf(pid);
  if (running === undefined) return false;
  return running === null || start === null ? now < until : running === start;
}

function isSameProcess(one: Holder, other: Omit<Holder, "since">): boolean {
  return one.table === other.table && one.pid === other.pid && one.start === other.start;
}

function busy(name: string, { pid, host, since }: Holder, waitedMs: number): ComandaError {
  const waited = t`this one waited for ${Math.round(waitedMs / 1000)} s`;
  if (pid === 0)
    return new ComandaError("lock_timeout", t`Another process has the lease "${name}"; ${waited}.`, {
      hint: t`Run the command again when the other one has ended.`,
    });
  const began = new Date(since).toISOString();
  return new ComandaError(
    "lock_timeout",
    t`Process ${pid} on ${host} has had the lease "${name}" since ${began}; ${waited}.`,
    {
      hint: t`Wait until process ${pid} has ended, or end it (\`kill ${pid}\`), then run the command again.`,
    },
  );
}
