/**
 * The locks that many machines share: for each a connection of its own, which holds one of PostgreSQL's advisory locks.
 * The server gives it up when the connection ends, and ends a connection that was silent until the lock's deadline: who
 * was stopped for so long finds it gone.
 */
import type { Client } from "pg";

import { steadyNow, type Clock } from "../../shared/clock.js";
import { LockLost, type Holder, type Lease, type LockAttempt } from "./locks.js";
import { asPostgresError, connectClient, placeOf, type PostgresServer } from "../postgres.js";

/** How long a lock is held at most, in milliseconds: whatever is asked under it has its answer or its timeout by then. */
export const lockDeadlineMs = 120_000;

const key = "hashtextextended('lock ' || $1, 0)";

export function createPostgresLockAttempt(
  name: string,
  { server, clock }: { readonly server: PostgresServer; readonly clock: Clock },
): LockAttempt {
  const place = `${placeOf(server)} ${name}`;
  let client: Client | undefined;
  let isConnected = false;

  async function connected(): Promise<Client> {
    if (client && isConnected) return client;
    client = await connectClient(server, { idle_session_timeout: String(lockDeadlineMs) });
    isConnected = true;
    client.on("error", () => (isConnected = false));
    client.on("end", () => (isConnected = false));
    return client;
  }

  async function query(sql: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const open = await connected();
    const { rows } = await asPostgresError(server, () => open.query<Record<string, unknown>>(sql, [name]));
    return rows[0];
  }

  return {
    place,
    async take(): Promise<Lease | undefined> {
      const deadline = steadyNow(clock) + lockDeadlineMs;
      const row = await query(`select pg_try_advisory_lock(${key})::int as held`);
      if (row?.["held"] !== 1) return undefined;
      return {
        assertHeld() {
          if (isConnected && steadyNow(clock) < deadline) return;
          throw new LockLost(place);
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
      const open = client;
      client = undefined;
      // The lock goes with the connection, also where that is broken.
      await open?.end().catch(() => undefined);
    },
  };
}
