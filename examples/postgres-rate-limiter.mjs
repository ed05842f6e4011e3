// A rate limiter that any number of processes share through PostgreSQL, for comanda/oauth or createClient:
//   const pool = new pg.Pool();
//   await setUpRateLimits(pool);
//   const clientOptions = (key) => ({ rateLimiter: createPostgresRateLimiter(pool, key) });
//   const oauth = createOAuth({ authUrl, baseUrl, clientId, redirectUri, store, clientOptions });
// Each call costs two statements, with one commit each. On two cores and a local disk, both took 8 ms, or 1 ms with
// synchronous_commit = off, which can lose only slots. One store got 200 slots a second, and 50 stores got 500. The service allows a
// store 1.7 requests a second.
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { ComandaError, rateLimits } from "comanda";

/**
 * @typedef {import("comanda").RateLimiter} RateLimiter
 * @typedef {{ query(sql: string, values?: unknown[]): Promise<{ rows: any[] }> }} Queries
 * @typedef {Queries & { connect(): Promise<Queries & { release(): void }> }} Pool a `Pool` of the package pg
 */

/** Milliseconds that a request may need to reach the service, and the two clocks may differ. */
const marginMs = 1000;
/** Milliseconds after which a waiting call looks for a slot that another one has released. */
const pollMs = 1000;

/** @param {Pool} pool */
export async function setUpRateLimits(pool) {
  await pool.query(
    `create table if not exists comanda_slots (
       id bigint generated always as identity primary key, scope text not null, at double precision not null,
       is_block boolean not null)`,
  );
  await pool.query("create index if not exists comanda_slots_scope on comanda_slots (scope, at)");
  // In milliseconds since the epoch, by the clock of the database, because those of the processes may differ.
  await pool.query(
    `create or replace function comanda_now() returns double precision language sql volatile
     as 'select (extract(epoch from clock_timestamp()) * 1000)::double precision'`,
  );
  // Reserves a slot, or computes the time of a reserved one again: calls before it may have released theirs, or may have been late.
  // Only one process does so for a scope at a time. The lock ends with the statement, which is one transaction.
  await pool.query(
    `create or replace function comanda_take_slot(
       of_scope text, reserved bigint, slots integer, span double precision, out slot bigint, out wait double precision)
     language plpgsql as $$
     declare
       time double precision;
     begin
       perform pg_advisory_xact_lock(hashtextextended(of_scope, 0));
       time := comanda_now();
       delete from comanda_slots where scope = of_scope and at < time - span;
       select id into slot from comanda_slots where id = reserved;
       if slot is null then
         insert into comanda_slots (scope, at, is_block) values (of_scope, time, false) returning id into slot;
       end if;
       update comanda_slots set at = greatest(
         time,
         (select at from comanda_slots where scope = of_scope and not is_block and id < slot
          order by at desc offset slots - 1 limit 1) + span,
         (select max(at) from comanda_slots where scope = of_scope and is_block))
       where id = slot returning at - time into wait;
     end $$`,
  );
}

/**
 * @param {Pool} pool
 * @param {string} storeKey the limits apply to each store (section 8)
 * @param {Record<keyof typeof rateLimits, { limit: number, windowMs: number }>} limits
 * @returns {RateLimiter}
 */
export function createPostgresRateLimiter(pool, storeKey, limits = rateLimits) {
  /** @param {keyof typeof rateLimits} bucket */
  const scopeOf = (bucket) => JSON.stringify([storeKey, bucket]);
  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const { limit, windowMs } = limits[bucket];
      const deadline = performance.now() + maxWaitMs;
      /** @type {string | null} */
      let id = null;
      const remove = () => pool.query("delete from comanda_slots where id = $1", [id]);
      try {
        for (let isFirst = true; ; isFirst = false) {
          const values = [scopeOf(bucket), id, limit, windowMs + marginMs];
          const { rows } = await pool.query("select * from comanda_take_slot($1, $2, $3, $4)", values);
          id = rows[0].slot;
          const waitMs = Math.ceil(rows[0].wait);
          if (waitMs <= 0) break;
          if (performance.now() + waitMs > deadline) {
            const seconds = Math.ceil(waitMs / 1000);
            throw new ComandaError("rate_limited", `The next request can be sent in ${seconds} s.`);
          }
          if (isFirst) await onWait?.(waitMs);
          await sleep(Math.min(waitMs, pollMs), undefined, { signal });
        }
      } catch (error) {
        if (id !== null) await remove();
        throw error;
      }
      return {
        // The service counted the request before it responded.
        settle: async (sent) =>
          void (await (sent
            ? pool.query("update comanda_slots set at = comanda_now() where id = $1", [id])
            : remove())),
      };
    },
    async blocked(bucket, ms) {
      const values = [scopeOf(bucket), ms];
      await pool.query(
        "insert into comanda_slots (scope, at, is_block) values ($1, comanda_now() + $2, true)",
        values,
      );
    },
  };
}
