/**
 * Enforces the rate limits of section 8 across processes with a log of slots, each with the time at which its request is sent. A
 * process that finds no free slot reserves the next one and sleeps until then, so slots are used in order, and that of a dead
 * process expires. Times are those of the database's clock, which all processes share.
 */
import { rateLimits, type RateBucket, type RateLimit } from "../api/values.js";
import { steadyNow } from "../base/clock.js";
import type { Variables } from "../client/http.js";
import type { RateLimiter } from "../client/options.js";
import { createMemoryRateLimiter, noSlotWithin, slowMs } from "../client/rate-limit.js";
import { t } from "../languages/language.js";
import { isDatabaseError, type Database, type Statements } from "./database.js";
import type { State } from "./state.js";

/** The service counts a request when it arrives, which is later than its slot. */
export const marginMs = 1000;
/** Half of the margin is for the network. A request that is later than the other half takes a new slot. */
const lateMs = marginMs / 2;
/** The maximum time that a late request reserves ahead, because a longer suspension is unlikely to happen again. */
const longestLateMs = 5000;

export function countsRequests({ env }: { readonly env: Variables }): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/**
 * Opens the rate limiter of a store. If the database can't be used, it counts only the requests of this process.
 *
 * @param quota the store and address whose requests are counted together, without a secret
 * @returns `false` if rate limits are turned off
 */
export function openLimiter(
  { clock, database: open, warn }: Pick<State, "clock" | "database" | "warn">,
  quota: string,
  env: Variables,
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  let memory: RateLimiter | undefined;

  /** Counts in this process from the first error of the database on. Throws any other error. */
  function limitInMemory(error: unknown): RateLimiter {
    if (!isDatabaseError(error)) throw error;
    if (!memory) warn(t`${error.message} Rate limits are counted only for this run.`);
    return (memory ??= createMemoryRateLimiter(clock));
  }

  return {
    async acquire(bucket, acquiring) {
      if (memory) return memory.acquire(bucket, acquiring);
      const { signal, maxWaitMs, onWait } = acquiring;
      const [id, key] = [crypto.randomUUID(), `${quota} ${bucket}`];
      const deadline = steadyNow(clock) + maxWaitMs;
      let database: Database | undefined;
      /** When the request is sent, by the steady clock. */
      let slot = 0;
      /** How far ahead a request that missed its slot reserves the next one. */
      let aheadMs = 0;
      const free = async () => {
        await database?.run("delete from limit_places where id = $1", id).catch(() => undefined);
      };
      try {
        database = await open();
        for (;;) {
          signal?.throwIfAborted();
          const reserved = await database.transaction(`limits ${key}`, async (statements) => {
            const start = steadyNow(clock);
            const { inMs, isSlowed } = await reserveSlot(statements, key, id, rateLimits[bucket], aheadMs);
            const at = start + inMs;
            // The transaction ends without the slot, so that it never delays another request.
            if (at > deadline && inMs > aheadMs) throw noSlotWithin(inMs, isSlowed);
            return { at, isSlowed };
          });
          slot = reserved.at;
          const waitMs = slot - steadyNow(clock);
          if (waitMs > 0) {
            await onWait?.(waitMs, reserved.isSlowed ? "slowed_down" : "rate_limit");
            await clock.sleep(waitMs, signal);
          } else if (waitMs < -lateMs) aheadMs = Math.min(Math.ceil(-waitMs), longestLateMs);
          else break;
        }
      } catch (error) {
        if (!isDatabaseError(error)) await free();
        return limitInMemory(error).acquire(bucket, acquiring);
      }
      return {
        async settle(sent) {
          if (!sent) return free();
          // The request may have arrived only just before its response.
          if (steadyNow(clock) - slot <= marginMs) return;
          try {
            const now = await database.now();
            await database.run("update limit_places set at = $2 where id = $1", id, now);
          } catch {
            // A slot that can't be moved expires.
          }
        },
      };
    },

    async blocked(bucket, ms) {
      if (memory) return memory.blocked(bucket, ms);
      const { windowMs } = rateLimits[bucket];
      // A 429 never blocks a store for longer than the limit's window.
      const forMs = Math.min(Math.max(0, Math.ceil(ms) || 0), windowMs);
      try {
        const database = await open();
        const key = `${quota} ${bucket}`;
        await database.transaction(`limits ${key}`, async (statements) => {
          const now = await statements.now();
          const [last] = await statements.rows(
            { taken: "bigint", ends: "bigint" },
            "select taken_at as taken, until_at as ends from limit_blocks where limit_key = $1 and taken_at <= $2",
            ...[key, now + marginMs],
          );
          const until = Math.max(last?.ends ?? 0, now + forMs);
          const isSecond = last !== undefined && last.taken > now - windowMs;
          const block = (name: string, end: number) =>
            statements.run(
              `insert into limit_blocks (limit_key, taken_at, until_at) values ($1, $2, $3)
               on conflict (limit_key) do update set taken_at = excluded.taken_at, until_at = excluded.until_at`,
              ...[name, now, end],
            );
          await block(key, until);
          if (isSecond) await block(`${key} slowed`, until + windowMs);
        });
      } catch (error) {
        await limitInMemory(error).blocked(bucket, forMs);
      }
    },
  };
}

/**
 * Reserves the next free slot, unless the request has a valid one.
 *
 * @returns milliseconds until the slot, negative if its time has passed, and whether it is later because of a second 429
 */
async function reserveSlot(
  statements: Statements,
  key: string,
  id: string,
  limit: RateLimit,
  aheadMs: number,
): Promise<{ readonly inMs: number; readonly isSlowed: boolean }> {
  const now = await statements.now();
  await statements.run(
    "delete from limit_places where limit_key = $1 and (at <= $2 or taken_at > $3)",
    ...[key, now - limit.windowMs - marginMs, now + marginMs],
  );
  const { own, blocked, slowUntil, free, last } = await readLog(statements, key, id, limit, now);
  // A request that arrived late may have made a slot that was reserved ahead invalid.
  if (own !== null && own >= Math.max(blocked, free, now - lateMs))
    return { inMs: own - now, isSlowed: false };
  const earliest = Math.max(blocked, free, now + aheadMs);
  const at = Math.max(earliest, slowUntil > now ? last + slowMs : earliest);
  await statements.run(
    `insert into limit_places (id, limit_key, taken_at, at) values ($1, $2, $3, $4)
     on conflict (id) do update set taken_at = excluded.taken_at, at = excluded.at`,
    ...[id, key, now, at],
  );
  return { inMs: at - now, isSlowed: at > earliest };
}

/**
 * Reads the log of a limit, except for the request's own slot. Slots and blocks that were recorded in the future don't count,
 * because a clock was wrong then.
 */
async function readLog(
  { rows }: Pick<Statements, "rows">,
  key: string,
  id: string,
  { limit, windowMs }: RateLimit,
  now: number,
) {
  const [row] = await rows(
    {
      own: "bigint?",
      blocked: "bigint?",
      slow: "bigint?",
      full: "bigint?",
      last: "bigint?",
      taken: "bigint",
    },
    `with log as (select id, at from limit_places where limit_key = $1 and taken_at <= $3)
     select
       (select at from log where id = $2) as own,
       (select until_at from limit_blocks where limit_key = $1 and taken_at <= $3) as blocked,
       (select until_at from limit_blocks where limit_key = $6 and taken_at <= $3) as slow,
       (select at from log where id <> $2 and at <= coalesce((select at from log where id = $2), at)
          order by at desc limit 1 offset $4) as full,
       (select max(at) from log where id <> $2) as last,
       (select count(*) from log where at > $5) as taken`,
    ...[key, id, now + marginMs, limit - 1, now - windowMs - marginMs, `${key} slowed`],
  );
  const { own = null, blocked, slow, full, last, taken = 0 } = row ?? {};
  // 0 isn't earlier than every time: the clock of a machine that has just started may show 1970 or earlier.
  return {
    own,
    /** The end of the wait after a 429. */
    blocked: blocked ?? -Infinity,
    /** Until when requests are apart, after a second 429 within the window. */
    slowUntil: slow ?? -Infinity,
    /** The earliest time at which no window contains more requests than the limit. */
    free: (full ?? -Infinity) + windowMs + marginMs,
    last: last ?? -Infinity,
    taken,
  };
}

/** Returns a limit with the number of free slots, and the milliseconds until a request may be sent. Reserves nothing. */
export async function limitState(
  state: Pick<State, "existing">,
  quota: string,
  bucket: RateBucket,
): Promise<RateLimit & { readonly remaining: number; readonly waitMs: number }> {
  const limit = rateLimits[bucket];
  const database = await state.existing("comanda");
  if (!database) return { ...limit, remaining: limit.limit, waitMs: 0 };
  const now = await database.now();
  const { blocked, free, taken } = await readLog(database, `${quota} ${bucket}`, "", limit, now);
  const waitMs = Math.max(0, blocked - now, free - now);
  return { ...limit, remaining: waitMs > 0 ? 0 : Math.max(0, limit.limit - taken), waitMs };
}
