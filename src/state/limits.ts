/**
 * The rate limits of section 8, kept across processes: a log of requests, each at the moment at which it goes out. Who finds no
 * free place takes the next one ahead and sleeps until then: so places are given in turn, and that of a dead process passes by
 * itself. Times are by the database's clock, which all processes share.
 */
import { randomUUID } from "node:crypto";

import { rateLimits, type RateBucket, type RateLimit } from "../api/values.js";
import { steadyNow } from "../base/clock.js";
import { isComandaError } from "../base/errors.js";
import type { RateLimiter } from "../client/options.js";
import { createMemoryRateLimiter, noPlaceWithin } from "../client/rate-limit.js";
import { t } from "../languages/language.js";
import type { Database, Statements } from "./database.js";
import type { State } from "./state.js";

/** The service counts a request when it arrives: after it got its place, and before it was answered. */
export const marginMs = 1000;
/** Half of it is for the way to the service: who could not go out in the other half takes a place anew. */
const lateMs = marginMs / 2;
/** Who stood still for longer than that won't do so each time. */
const longestLateMs = 5000;
/** Requests go out so far apart after the service has refused one. */
const pacedMs = 1000;

type Variables = Readonly<Record<string, string | undefined>>;

export function countsRequests({ env }: { readonly env: Variables }): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/**
 * Where the database can't be used, requests are counted for this process alone: the service stays the authority.
 *
 * @param quota requests with the same one are counted together: it tells stores and addresses apart, and holds no secret
 * @param limits for tests, in place of the specification's
 * @returns `false`, which a client takes for none, where comanda doesn't count
 */
export function openLimiter(
  { clock, database: open, warn }: Pick<State, "clock" | "database" | "warn">,
  quota: string,
  env: Variables,
  limits: Readonly<Record<RateBucket, RateLimit>> = rateLimits,
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  let memory: RateLimiter | undefined;

  /** @returns `undefined` where the error says nothing of the database */
  function limitInMemory(error: unknown): RateLimiter | undefined {
    if (!isComandaError(error, "state_unusable") && !isComandaError(error, "lock_timeout")) return undefined;
    // Several requests may come here at once.
    if (!memory) warn(t`${error.message} Rate limits are counted only for this run.`);
    return (memory ??= createMemoryRateLimiter(clock));
  }

  return {
    async acquire(bucket, acquiring) {
      if (memory) return memory.acquire(bucket, acquiring);
      const { signal, maxWaitMs, onWait } = acquiring;
      const [id, key] = [randomUUID(), `${quota} ${bucket}`];
      const deadline = steadyNow(clock) + maxWaitMs;
      let database: Database | undefined;
      /** When it goes out, by the time that a clock which is set doesn't change. */
      let place = 0;
      /** What was too late for its place takes one that lies so far ahead. */
      let aheadMs = 0;
      const free = async () => {
        await database?.run("delete from limit_places where id = $1", id).catch(() => undefined);
      };
      try {
        database = await open();
        for (;;) {
          signal?.throwIfAborted();
          place = await database.transaction(`limits ${key}`, async (statements) => {
            const asked = steadyNow(clock);
            return asked + (await takePlace(statements, key, id, limits[bucket], aheadMs));
          });
          const waitMs = place - steadyNow(clock);
          if (waitMs > 0) {
            if (place > deadline && waitMs > aheadMs) throw noPlaceWithin(waitMs);
            await onWait?.(waitMs);
            await clock.sleep(waitMs, signal);
          } else if (waitMs < -lateMs) aheadMs = Math.min(Math.ceil(-waitMs), longestLateMs);
          else break;
        }
      } catch (error) {
        const own = limitInMemory(error);
        if (own) return own.acquire(bucket, acquiring);
        await free();
        throw error;
      }
      return {
        async settle(sent) {
          if (!sent) return free();
          // It may have arrived as late as its answer.
          if (steadyNow(clock) - place <= marginMs) return;
          try {
            const now = await database.now();
            await database.run("update limit_places set at = $2 where id = $1", id, now);
          } catch {
            // A place that can't be moved passes by itself.
          }
        },
      };
    },

    async blocked(bucket, ms) {
      if (memory) return memory.blocked(bucket, ms);
      // No word of the service shuts a store out for longer than its limit is counted.
      const forMs = Math.min(Math.max(0, Math.ceil(ms) || 0), limits[bucket].windowMs);
      try {
        const database = await open();
        const now = await database.now();
        await database.run(
          `insert into limit_blocks (limit_key, taken_at, until_at) values ($1, $2, $3) on conflict (limit_key)
           do update set taken_at = excluded.taken_at, until_at = excluded.until_at
           where limit_blocks.until_at < excluded.until_at or limit_blocks.taken_at > $4`,
          ...[`${quota} ${bucket}`, now, now + forMs, now + marginMs],
        );
      } catch (error) {
        const own = limitInMemory(error);
        if (!own) throw error;
        await own.blocked(bucket, forMs);
      }
    },
  };
}

/**
 * Takes the next place that is free, or keeps the one that is taken.
 *
 * @returns milliseconds until then, below 0 for a place that has come
 */
async function takePlace(
  statements: Statements,
  key: string,
  id: string,
  limit: RateLimit,
  aheadMs: number,
): Promise<number> {
  const now = await statements.now();
  await statements.run(
    "delete from limit_places where limit_key = $1 and (at <= $2 or taken_at > $3)",
    ...[key, now - limit.windowMs - marginMs, now + marginMs],
  );
  const { own, blocked, free, last } = await look(statements, key, id, limit, now);
  // Requests that arrived late count since then, also against those that have their places ahead.
  if (own !== null && own >= Math.max(blocked, free, now - lateMs)) return own - now;
  // For as long as its word counts, the service isn't asked by many in the same moment again.
  const apart = blocked > now - limit.windowMs ? last + pacedMs : 0;
  const at = Math.max(blocked, free, apart, now + aheadMs);
  await statements.run(
    `insert into limit_places (id, limit_key, taken_at, at) values ($1, $2, $3, $4)
     on conflict (id) do update set taken_at = excluded.taken_at, at = excluded.at`,
    ...[id, key, now, at],
  );
  return at - now;
}

/**
 * How the log of a limit stands, but for the place that a request has itself. What was taken at a time that is still ahead doesn't
 * count: the clock was ahead then, and has been corrected since.
 */
async function look(
  { rows }: Pick<Statements, "rows">,
  key: string,
  id: string,
  { limit, windowMs }: RateLimit,
  now: number,
) {
  const [row] = await rows(
    { own: "bigint?", blocked: "bigint?", full: "bigint?", last: "bigint?", taken: "bigint" },
    `with log as (select id, at from limit_places where limit_key = $1 and taken_at <= $3)
     select
       (select at from log where id = $2) as own,
       (select until_at from limit_blocks where limit_key = $1 and taken_at <= $3) as blocked,
       (select at from log where id <> $2 and at <= coalesce((select at from log where id = $2), at)
          order by at desc limit 1 offset $4) as full,
       (select max(at) from log where id <> $2) as last,
       (select count(*) from log where at > $5) as taken`,
    ...[key, id, now + marginMs, limit - 1, now - windowMs - marginMs],
  );
  const { own = null, blocked, full, last, taken = 0 } = row ?? {};
  return {
    own,
    /** Until when the service itself has said to wait. */
    blocked: blocked ?? 0,
    /** From then on no more than the limit's requests, this one among them, lie in any window. */
    free: (full ?? 0) + windowMs + marginMs,
    last: last ?? 0,
    taken,
  };
}

/**
 * Tells how the limit stands now; nothing is taken.
 *
 * @returns with it how many places remain, and the milliseconds until a request may go out; 0: now
 */
export async function limitState(
  state: Pick<State, "database" | "hasDatabase">,
  quota: string,
  bucket: RateBucket,
): Promise<RateLimit & { readonly remaining: number; readonly waitMs: number }> {
  const limit = rateLimits[bucket];
  if (!state.hasDatabase("comanda")) return { ...limit, remaining: limit.limit, waitMs: 0 };
  const database = await state.database("comanda");
  const now = await database.now();
  const { blocked, free, taken } = await look(database, `${quota} ${bucket}`, "", limit, now);
  const waitMs = Math.max(0, blocked - now, free - now);
  return { ...limit, remaining: waitMs > 0 ? 0 : Math.max(0, limit.limit - taken), waitMs };
}
