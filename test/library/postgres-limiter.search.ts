/** examples/postgres-rate-limiter.mjs with one PostgreSQL and two processes, each with its own pool. */
import path from "node:path";

import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { isComandaError, type RateLimiter } from "../../src/library/index.js";
import { newPostgresDatabase } from "../state/support/engines.js";
import { installPacked, packageUser } from "../support/package-user.js";
import { postgresPrograms } from "../support/postgres-server.js";

interface Example {
  readonly setUpRateLimits: (pool: pg.Pool) => Promise<void>;
  readonly createPostgresRateLimiter: (pool: pg.Pool, storeKey: string) => RateLimiter;
}

const user = packageUser([]);
beforeAll(() => {
  installPacked(user);
});
afterAll(user.remove);

async function twoProcesses(): Promise<readonly [RateLimiter, RateLimiter]> {
  const file = path.join(user.installed, "examples", "postgres-rate-limiter.mjs");
  const example = (await import(file)) as Example;
  const connectionString = await newPostgresDatabase();
  const open = async () => {
    const pool = new pg.Pool({ connectionString });
    onTestFinished(() => pool.end());
    await example.setUpRateLimits(pool);
    return example.createPostgresRateLimiter(pool, "centro");
  };
  return [await open(), await open()];
}

const atOnce = { maxWaitMs: 0 };

describe.skipIf(postgresPrograms === undefined)("two processes with the limiter of the example", () => {
  test("send five summaries a minute together, and reuse a slot that wasn't used", async () => {
    const [one, other] = await twoProcesses();
    const turns = [one, other, one, other, one, other, one, other];
    const acquired = await Promise.allSettled(turns.map((limiter) => limiter.acquire("summary", atOnce)));
    const permits = acquired.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const refused = acquired.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(permits).toHaveLength(5);
    expect(refused.every((error) => isComandaError(error, "rate_limited"))).toBe(true);
    await permits[0]?.settle(true);
    await permits[1]?.settle(false);
    expect(await one.acquire("summary", atOnce)).toBeDefined();
    expect(await one.acquire("general", atOnce)).toBeDefined();
  });

  test("both wait after one of them was blocked, until their signal", async () => {
    const [one, other] = await twoProcesses();
    await one.blocked("general", 30_000);
    await expect(other.acquire("general", atOnce)).rejects.toMatchObject({ code: "rate_limited" });
    const waits: number[] = [];
    const waiting = other.acquire("general", {
      maxWaitMs: 60_000,
      signal: AbortSignal.timeout(100),
      onWait: (ms) => waits.push(ms),
    });
    await expect(waiting).rejects.toThrow();
    expect(waits).toEqual([expect.closeTo(30_000, -4)]);
  });
});
