/**
 * The rate limits of section 8, kept across processes: a log of requests, each at the moment at which it goes out. Who finds no
 * free place takes the next one ahead and sleeps until then: so places are given in turn, and that of a dead process passes by
 * itself. Times are by the database's clock, which all processes share.
 */
import { randomUUID } from "node:crypto";

import { createMemoryRateLimiter, noPlaceWithin, type RateLimiter } from "../client/rate-limit.js";
import { rateLimits, type RateBucket, type RateLimit } from "../api/limits.js";
import { steadyNow } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import type { Statements } from "./database.js";
import type { StateFolder } from "./state-folder.js";

/** The store and the bucket that a limit is counted for. */
export interface LimitKey {
  readonly baseUrl: string;
  /** Whatever tells stores apart, and no secret. */
  readonly store: string;
  readonly bucket: RateBucket;
}

export interface LimitState extends RateLimit {
  readonly remaining: number;
  /** Milliseconds until a request may go out; 0: now. */
  readonly waitMs: number;
}

type Limits = Readonly<Record<RateBucket, RateLimit>>;

/** The service counts a request when it arrives: after it got its place, and before it was answered. */
export const marginMs = 1000;
/** A place further ahead was taken by a clock that has been set back since. */
const farthestMs = 60 * 60_000;
/** Requests go out so far apart after the service has refused one. */
const pacedMs = 1000;
/** A wait that ends so much later than was said is told again. */
const toldWithinMs = 25;

/** Does comanda keep the service's rate limits itself? */
export function countsRequests({
  env,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
}): boolean {
  return env["COMANDA_RATE_LIMITS"] !== "off";
}

/**
 * Where the database can't be used, requests are counted for this process alone: the service stays the authority.
 *
 * @param target requests with the same `quotaKey` are counted together
 * @returns `false`, which a client takes for none, where comanda doesn't count
 */
export function openLimiter(
  { baseUrl, quotaKey: store }: { readonly baseUrl: string; readonly quotaKey: string },
  { env, folder }: Parameters<typeof countsRequests>[0] & { readonly folder: StateFolder },
): RateLimiter | false {
  if (!countsRequests({ env })) return false;
  const shared = createLimiter(folder, { baseUrl, store });
  let memory: RateLimiter | undefined;

  async function orAlone<Result>(work: (limiter: RateLimiter) => Result): Promise<Awaited<Result>> {
    const limiter = memory ?? shared;
    try {
      return await work(limiter);
    } catch (error) {
      const isUnusable =
        error instanceof ComandaError && ["state_unusable", "lock_timeout"].includes(error.code);
      if (limiter !== shared || !isUnusable) throw error;
      // Several requests may come here at once.
      if (!memory) folder.warn(t`${error.message} Rate limits are counted for this run alone.`);
      memory ??= createMemoryRateLimiter(folder.clock);
      return await work(memory);
    }
  }

  return {
    async acquire(bucket, options) {
      const permit = await orAlone((limiter) => limiter.acquire(bucket, options));
      return {
        settle: (sent) => orAlone((limiter) => (limiter === shared ? permit.settle(sent) : undefined)),
      };
    },
    blocked: (bucket, ms) => orAlone((limiter) => limiter.blocked(bucket, ms)),
  };
}

/** @param limits in place of the specification's */
export function createLimiter(
  state: Pick<StateFolder, "clock" | "database">,
  { baseUrl, store, limits = rateLimits }: Pick<LimitKey, "baseUrl" | "store"> & { readonly limits?: Limits },
): RateLimiter {
  const { clock } = state;

  const nameOfBucket = (bucket: RateBucket) => nameOf({ baseUrl, store, bucket });

  return {
    async acquire(bucket, { signal, maxWaitMs, onWait }) {
      const id = randomUUID();
      const database = await state.database("comanda");
      const name = nameOfBucket(bucket);
      const free = () => database.run("delete from limit_places where id = $1", id);
      const deadline = steadyNow(clock) + maxWaitMs;
      let toldUntil = -Infinity;
      for (;;) {
        signal?.throwIfAborted();
        const waitMs = await database.transaction(`limits ${name}`, (statements) =>
          takePlace(statements, name, id, limits[bucket]),
        );
        const now = steadyNow(clock);
        if (waitMs === 0) break;
        if (now + waitMs > deadline) {
          await free();
          throw noPlaceWithin(waitMs);
        }
        if (now + waitMs > toldUntil + toldWithinMs) onWait?.(waitMs);
        toldUntil = now + waitMs;
        try {
          await clock.sleep(waitMs, signal);
        } catch (error) {
          await free();
          throw error;
        }
      }
      const since = steadyNow(clock);
      return {
        async settle(sent) {
          // A place that can't be given back passes by itself.
          const given = async () => {
            if (!sent) await free();
            // It may have arrived as late as its answer.
            else if (steadyNow(clock) - since > marginMs)
              await database.run("update limit_places set at = $2 where id = $1", id, await database.now());
          };
          await given().catch(() => undefined);
        },
      };
    },

    async blocked(bucket, ms) {
      // No word of the service shuts a store out for longer than its limit is counted.
      const forMs = Math.min(Math.max(0, Math.ceil(ms) || 0), limits[bucket].windowMs);
      const database = await state.database("comanda");
      await database.run(
        `insert into limit_blocks (limit_key, until_at) values ($1, $2) on conflict (limit_key)
         do update set until_at = excluded.until_at where limit_blocks.until_at < excluded.until_at`,
        ...[nameOfBucket(bucket), (await database.now()) + forMs],
      );
    },
  };
}

/**
 * Takes the next place that is free, or keeps the one that is taken.
 *
 * @returns milliseconds until then
 */
async function takePlace(
  { rows, run, now: clock }: Statements,
  name: string,
  id: string,
  limit: RateLimit,
): Promise<number> {
  const now = await clock();
  await run(
    "delete from limit_places where limit_key = $1 and (at <= $2 or at > $3)",
    ...[name, now - limit.windowMs - marginMs, now + farthestMs],
  );
  const [own] = await rows({ at: "bigint" }, "select at from limit_places where id = $1", id);
  const blockedUntil = await blockOf({ rows }, name, limit, now);
  if (own && own.at >= blockedUntil) return Math.max(0, own.at - now);
  const free = await nextPlace({ rows }, name, limit, now);
  // For as long as its word counts, the service isn't asked by many in the same moment again.
  const apart = blockedUntil > now - limit.windowMs ? (await lastPlace({ rows }, name, id)) + pacedMs : 0;
  const at = Math.max(blockedUntil, free, apart);
  await run(
    `insert into limit_places (id, limit_key, at) values ($1, $2, $3)
     on conflict (id) do update set at = excluded.at`,
    ...[id, name, at],
  );
  return at - now;
}

/** @returns the moment from which no more than the limit's requests, this one among them, lie in any window */
async function nextPlace(
  { rows }: Pick<Statements, "rows">,
  name: string,
  { limit, windowMs }: RateLimit,
  now: number,
): Promise<number> {
  const sql = "select at from limit_places where limit_key = $1 order by at desc limit 1 offset $2";
  const [last] = await rows({ at: "bigint" }, sql, name, limit - 1);
  return last === undefined ? now : Math.max(now, last.at + windowMs + marginMs);
}

async function lastPlace({ rows }: Pick<Statements, "rows">, name: string, id: string): Promise<number> {
  const sql = "select coalesce(max(at), 0) as at from limit_places where limit_key = $1 and id <> $2";
  return (await rows({ at: "bigint" }, sql, name, id))[0]?.at ?? 0;
}

/** @returns until when the service itself has said to wait; one that lies further ahead is of a clock that was set back */
async function blockOf(
  { rows }: Pick<Statements, "rows">,
  name: string,
  { windowMs }: RateLimit,
  now: number,
): Promise<number> {
  const sql = "select until_at as until from limit_blocks where limit_key = $1 and until_at <= $2";
  const [block] = await rows({ until: "bigint" }, sql, name, now + windowMs);
  return block?.until ?? -Infinity;
}

/** How the limit stands now; nothing is taken. */
export async function limitState(
  state: Pick<StateFolder, "existingDatabase">,
  key: LimitKey,
): Promise<LimitState> {
  const limit = rateLimits[key.bucket];
  const database = await state.existingDatabase("comanda");
  if (!database) return { ...limit, remaining: limit.limit, waitMs: 0 };
  const [name, now] = [nameOf(key), await database.now()];
  const [taken] = await database.rows(
    { count: "bigint" },
    "select count(*) as count from limit_places where limit_key = $1 and at > $2",
    ...[name, now - limit.windowMs - marginMs],
  );
  const next = Math.max(
    await blockOf(database, name, limit, now),
    await nextPlace(database, name, limit, now),
  );
  const waitMs = Math.max(0, next - now);
  return { ...limit, remaining: waitMs > 0 ? 0 : Math.max(0, limit.limit - (taken?.count ?? 0)), waitMs };
}

function nameOf({ baseUrl, store, bucket }: LimitKey): string {
  return `${store} ${bucket} ${baseUrl}`;
}

/**
 * Requests that were counted for one store count for another from now on, whose log begins with them.
 *
 * @param from as {@link LimitKey.store}
 * @throws {ComandaError} `state_unusable`, `lock_timeout`
 */
export async function renameInLimits(state: StateFolder, from: string, to: string): Promise<void> {
  const database = await state.existingDatabase("comanda");
  const isOf = (name: string) => `substr(limit_key, 1, length(${name})) = ${name}`;
  await database?.transaction("limits", async ({ run }) => {
    for (const table of ["limit_places", "limit_blocks"]) {
      // A second run finds nothing to rename, and leaves what the first has renamed.
      const removal = `delete from ${table} where ${isOf("$2")} and exists (select 1 from ${table} where ${isOf("$1")})`;
      const renaming = `update ${table} set limit_key = $2 || substr(limit_key, length($1) + 1) where ${isOf("$1")}`;
      for (const sql of [removal, renaming]) await run(sql, `${from} `, `${to} `);
    }
  });
}
