/**
 * The locks that many machines share: for each a connection of its own, which holds one of PostgreSQL's advisory locks.
 * The server gives it up when the connection ends, and ends a connection that was silent until the lock's deadline: who
 * was stopped for so long finds it gone.
 */
import type { Client } from "pg";

import { steadyNow } from "../../shared/clock.js";
import { connectClient, whenBack, type PostgresServer } from "./postgres-connection.js";
import { asPostgresError, isLost } from "./postgres-errors.js";
import { LockLost, type Holder, type Lease, type LockAttempt } from "../locks/locks.js";

/**
 * A lock is held for so many milliseconds, unless it is kept for longer: every request under it has its answer or its
 * timeout by then.
 */
export const lockDeadlineMs = 120_000;

const key = "hashtextextended('lock ' || $1, 0)";

export function createPostgresLockAttempt(name: string, server: PostgresServer): LockAttempt {
  const { address, clock } = server;
  const place = `${address.place} ${name}`;
  let connection: { readonly client: Client; isOpen: boolean } | undefined;
  let deadline = -Infinity;

  async function connected() {
    if (connection?.isOpen) return connection;
    const client = await connectClient(server, { idle_session_timeout: String(lockDeadlineMs) });
    const opened = { client, isOpen: true };
    for (const event of ["error", "end"] as const) client.on(event, () => (opened.isOpen = false));
    return (connection = opened);
  }

  async function query(sql: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { client } = await connected();
    const { rows } = await asPostgresError(address, () => client.query<Record<string, unknown>>(sql, [name]));
    return rows[0];
  }

  /** Takes the lock, also where this connection has it already. */
  async function taken(): Promise<boolean> {
    const since = steadyNow(clock);
    const row = await query(`select pg_try_advisory_lock(${key})::int as held`);
    deadline = since + lockDeadlineMs;
    return row?.["held"] === 1;
  }

  return {
    place,
    async take(): Promise<Lease | undefined> {
      try {
        if (!(await taken())) return undefined;
      } catch (error) {
        // The connection is gone, and the lock with it, if it was given: the next look has another.
        if (isLost(error)) return undefined;
        throw error;
      }
      const leftMs = () => (connection?.isOpen ? deadline - steadyNow(clock) : 0);
      return {
        leftMs,
        assertHeld() {
          if (leftMs() <= 0) throw new LockLost(place);
        },
        async keep() {
          const before = connection;
          if (!(await whenBack(server, taken))) throw new LockLost(place);
          return connection === before ? "kept" : "regained";
        },
      };
    },
    async holder(): Promise<Holder | undefined> {
      const row = await query(
        `select application_name as name, (extract(epoch from state_change) * 1000)::bigint as since
         from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${key}`,
      );
      const [, pid, host] = /^comanda (\d+) (.*)$/.exec(String(row?.["name"])) ?? [];
      const since = row?.["since"];
      if (pid === undefined || host === undefined || typeof since !== "number") return undefined;
      return { pid: Number(pid), host, since };
    },
    async end() {
      const open = connection;
      connection = undefined;
      // The lock goes with the connection, also where that is broken.
      await open?.client.end().catch(() => undefined);
    },
  };
}
