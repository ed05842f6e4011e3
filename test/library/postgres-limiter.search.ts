/** examples/postgres-rate-limiter.mjs with one PostgreSQL and two processes, each with its own pool. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import type pg from "pg";
import { describe, expect, test } from "vitest";

import { rateLimits } from "../../src/library/index.js";
import type { RateBucket, RateLimit, RateLimiter } from "../../src/library/index.js";
import { hasPostgres, newPostgresDatabase, openPool } from "../state/support/engines.js";
import { packageUser } from "../support/package-user.js";

type Limits = Readonly<Record<RateBucket, RateLimit>>;

interface Example {
  readonly setUpRateLimits: (pool: pg.Pool) => Promise<void>;
  readonly createPostgresRateLimiter: (pool: pg.Pool, storeKey: string, limits?: Limits) => RateLimiter;
}

const { installed } = packageUser([]);

/** Returns a function that opens the limiter of another process, with its own pool. */
async function processes(limits?: Limits): Promise<() => Promise<RateLimiter>> {
  const file = path.join(installed, "examples", "postgres-rate-limiter.mjs");
  const example = (await import(file)) as Example;
  const connectionString = await newPostgresDatabase();
  const store = randomUUID();
  return async () => {
    const pool = await openPool(connectionString);
    await example.setUpRateLimits(pool);
    return example.createPostgresRateLimiter(pool, store, limits);
  };
}

async function twoProcesses(): Promise<readonly [RateLimiter, RateLimiter]> {
  const open = await processes();
  return [await open(), await open()];
}

/** Milliseconds on a clock that isn't set. */
const now = () => performance.now();

const atOnce = { maxWaitMs: 0 };

describe.skipIf(!hasPostgres)("several processes with the limiter of the example", () => {
  test("wait after one of them was blocked, until their signal", async () => {
    const [one, other] = await twoProcesses();
    await one.blocked("general", 30_000);
    await expect(other.acquire("general", atOnce)).rejects.toMatchObject({ code: "rate_limited" });
    const waits: number[] = [];
    const signal = AbortSignal.timeout(100);
    const onWait = (ms: number) => void waits.push(ms);
    const waiting = other.acquire("general", { maxWaitMs: 60_000, signal, onWait });
    await expect(waiting).rejects.toThrow();
    expect(waits).toEqual([expect.closeTo(30_000, -4)]);
  });

  const general = { limit: 10, windowMs: 500 };

  test("send 20 calls each without exceeding the limit, however long a response takes", async () => {
    const open = await processes({ ...rateLimits, general });
    const received: number[] = [];
    let refused = 0;
    const call = async (limiter: RateLimiter, index: number) => {
      const permit = await limiter.acquire("general", { maxWaitMs: 60_000 });
      // Some requests are slow on their way, and some responses on theirs.
      await setTimeout(index % 4 === 0 ? 300 : 5);
      const time = now();
      received.push(time);
      if (received.filter((each) => each > time - general.windowMs).length > general.limit) refused += 1;
      await setTimeout(index % 5 === 0 ? 300 : 5);
      await permit.settle(true);
    };
    const limiters = [await open(), await open(), await open()];
    const callsOf = (limiter: RateLimiter) => Array.from({ length: 20 }, (_, index) => call(limiter, index));
    await Promise.all(limiters.flatMap(callsOf));
    expect({ calls: received.length, refused }).toEqual({ calls: 60, refused: 0 });
  });

  test("move a waiting call up if an earlier one releases its slot", async () => {
    const [one, other] = await twoProcesses();
    const permits = [];
    for (const limiter of [one, other, one, other, one])
      permits.push(await limiter.acquire("summary", atOnce));
    await expect(other.acquire("summary", atOnce)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await other.acquire("general", atOnce)).toBeDefined();
    const since = now();
    const waiting = other.acquire("summary", { maxWaitMs: 120_000 });
    await setTimeout(100);
    await permits[2]?.settle(false);
    await waiting;
    expect(now() - since).toBeLessThan(10_000);
  });
});
