// A rate limiter that any number of processes share through PostgreSQL, for comanda/oauth or createClient:
//   const pool = new pg.Pool();
//   await setUpRateLimits(pool);
//   const clientOptions = (key) => ({ rateLimiter: createPostgresRateLimiter(pool, key) });
//   const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store, clientOptions });
import { setTimeout as sleep } from "node:timers/promises";

import { ComandaError, rateLimits } from "comanda";

/**
 * @typedef {import("comanda").RateLimiter} RateLimiter
 * @typedef {{ query(sql: string, values?: unknown[]): Promise<{ rows: any[] }> }} Queries
 * @typedef {Queries & { connect(): Promise<Queries & { release(): void }> }} Pool a `Pool` of the package pg
 */

/** @param {Pool} pool */
export async function setUpRateLimits(pool) {
  await pool.query(
    `create table if not exists comanda_slots (
       id bigint generated always as identity primary key, scope text not null, at double precision not null,
       is_block boolean not null)`,
  );
  await pool.query("create index if not exists comanda_slots_scope on comanda_slots (scope, at)");
}

/** The time of the database in milliseconds since the epoch, because the clocks of the processes may differ. */
const now = "(extract(epoch from clock_timestamp()) * 1000)::double precision";

/**
 * @param {Pool} pool
 * @param {string} storeKey the limits apply to each store (section 8)
 * @returns {RateLimiter}
 */
export function createPostgresRateLimiter(pool, storeKey) {
  /** @param {keyof typeof rateLimits} bucket */
  const scopeOf = (bucket) => JSON.stringify([storeKey, bucket]);
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const { limit, windowMs } = rateLimits[bucket];
      const scope = scopeOf(bucket);
      const { id, waitMs } = await reserve(pool, scope, limit, windowMs);
      const remove = () => pool.query("delete from comanda_slots where id = $1", [id]);
      try {
        if (waitMs > maxWaitMs)
          throw new ComandaError(
            "rate_limited",
            `The next request can be sent in ${Math.ceil(waitMs / 1000)} s.`,
          );
        if (waitMs > 0) {
          await onWait?.(waitMs);
          await sleep(waitMs, undefined, { signal });
        }
      } catch (error) {
        await remove();
        throw error;
      }
      return {
        // The service counted the request before it responded.
        settle: async (sent) =>
          void (await (sent
            ? pool.query(`update comanda_slots set at = ${now} where id = $1`, [id])
            : remove())),
      };
    },
    async blocked(bucket, ms) {
      const values = [scopeOf(bucket), ms];
      await pool.query(
        `insert into comanda_slots (scope, at, is_block) values ($1, ${now} + $2, true)`,
        values,
      );
    },
  };
}

/**
 * Reserves the next free slot, which may be in the future, so that processes send in the order of their reservations.
 *
 * @param {Pool} pool
 * @param {string} scope
 * @param {number} limit
 * @param {number} windowMs
 */
async function reserve(pool, scope, limit, windowMs) {
  const connection = await pool.connect();
  try {
    await connection.query("begin");
    // Only one process reserves a slot of a scope at a time. The lock ends with the transaction.
    await connection.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [scope]);
    await connection.query(`delete from comanda_slots where scope = $1 and at < ${now} - $2`, [
      scope,
      windowMs,
    ]);
    const { rows } = await connection.query(
      `insert into comanda_slots (scope, at, is_block)
       select $1, greatest(
         ${now},
         (select at from comanda_slots where scope = $1 and not is_block order by at desc offset $2 limit 1) + $3,
         (select max(at) from comanda_slots where scope = $1 and is_block)), false
       returning id, at - ${now} as wait`,
      [scope, limit - 1, windowMs],
    );
    await connection.query("commit");
    return { id: rows[0].id, waitMs: Math.ceil(Number(rows[0].wait)) };
  } catch (error) {
    await connection.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    connection.release();
  }
}
