import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Permit, RateLimiter } from "../../src/client/options.js";
import type { Clock } from "../../src/base/clock.js";
import { ComandaError } from "../../src/base/errors.js";
import { rateLimits, type RateBucket } from "../../src/api/values.js";
import { limitState, openLimiter } from "../../src/state/limits.js";
import type { Database } from "../../src/state/database.js";
import type { State } from "../../src/state/state.js";
import { jumpingClock, steppedClock } from "../client/support/clock.js";
import { matching } from "../support/output.js";
import { sized } from "../support/soak.js";
import { engines } from "./support/states.js";
import { openState, temporaryFolder } from "./support/folder.js";

const atOnce = { maxWaitMs: 0 };
const minutes = 60_000;
const patient = { maxWaitMs: 10 * minutes };
const rateLimited = { code: "rate_limited" };
const limitedStore = "a";

function limiterOf(state: State, store = limitedStore): RateLimiter {
  const limiter = openLimiter(state, store, {});
  if (limiter === false) throw new Error("nothing is counted");
  return limiter;
}

function open(folder = temporaryFolder(), clock = jumpingClock()) {
  const state = openState(folder, { clock });
  return { folder, clock, state, limiter: limiterOf(state) };
}

async function take(
  state: State,
  count: number,
  store = limitedStore,
  bucket: RateBucket = "summary",
): Promise<readonly Permit[]> {
  const permits: Permit[] = [];
  while (permits.length < count) permits.push(await limiterOf(state, store).acquire(bucket, atOnce));
  return permits;
}

describe("slots", () => {
  test("are available up to the limit, and again after the reported wait", async () => {
    const { limiter, state, clock } = open();
    await take(state, 3);
    clock.advance(10_000);
    await take(state, 2);
    // The wait is a window and a second for requests that arrive late.
    await expect(limiter.acquire("summary", { maxWaitMs: 50_999 })).rejects.toMatchObject(rateLimited);
    const waits: number[] = [];
    const before = clock.now();
    await limiter.acquire("summary", { maxWaitMs: 51_000, onWait: (ms) => waits.push(ms) });
    expect(waits).toEqual([51_000]);
    expect(clock.now() - before).toBe(51_000);
    await take(state, 2);
    await expect(take(state, 1)).rejects.toMatchObject(rateLimited);
    clock.advance(62_000);
    await take(state, 1);
    // Expired slots are deleted.
    const sql = "select count(*) as count from limit_places";
    expect(await (await state.database("comanda")).rows({ count: "bigint" }, sql)).toEqual([{ count: 1 }]);
  });

  test("are not delayed by requests that won't wait, at the same time", async () => {
    const { state } = open();
    await take(state, 5);
    const refused = Array.from({ length: 6 }, async () => take(state, 1));
    const ends = await Promise.allSettled(refused);
    expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : end.status))).toEqual(
      Array.from({ length: 6 }, () => matching(/the next request can be sent in 61 s\.$/)),
    );
  });

  test.each([-86_400_000, 0, 5000])("are free in a new state if the clock shows %i ms", async (time) => {
    const { state, clock } = open(undefined, jumpingClock(time));
    expect(await limitState(state, limitedStore, "summary")).toMatchObject({ remaining: 5, waitMs: 0 });
    await take(state, 5);
    expect(clock.now()).toBe(time);
    await expect(take(state, 1)).rejects.toMatchObject(rateLimited);
  });

  test("are counted for each store and bucket, across processes", async () => {
    const { folder, clock, state } = open();
    await take(state, 5);
    const other = openState(folder, { clock });
    await take(other, 1, "b");
    await take(other, 1, limitedStore, "summary_grouped");
    const full = { ...rateLimits.summary, remaining: 0, waitMs: 61_000 };
    expect(await limitState(other, limitedStore, "summary")).toEqual(full);
    await expect(take(other, 1)).rejects.toMatchObject(rateLimited);
  });

  test("that were not used are free again, and those of a slow response count from its end", async () => {
    const { state, clock } = open();
    const remaining = async () => (await limitState(state, limitedStore, "summary")).remaining;
    const [first, second, third] = await take(state, 5);
    await first?.settle(false);
    expect(await remaining()).toBe(1);
    // A response within the margin of a second isn't slow.
    clock.advance(1000);
    await second?.settle(true);
    clock.advance(29_000);
    await third?.settle(true);
    clock.advance(30_500);
    expect(await remaining()).toBe(1);
    clock.advance(500);
    expect(await remaining()).toBe(4);
    clock.advance(30_000);
    expect(await remaining()).toBe(5);
  });

  test("are blocked for all processes after a 429, at most for the limit's window", async () => {
    const { folder, clock, state, limiter } = open();
    await limiter.blocked("summary", 5000);
    const other = openState(folder, { clock });
    await expect(take(other, 1)).rejects.toMatchObject(rateLimited);
    clock.advance(5000);
    // A single 429 is obeyed, and then over.
    await take(other, 4);
    for (const ms of [86_400_000, Infinity, 1e15]) await limiter.blocked("summary", ms);
    expect((await limitState(state, limitedStore, "summary")).waitMs).toBeGreaterThanOrEqual(60_000 - 1);
    await limiter.blocked("general", Number.NaN);
    expect((await limitState(state, limitedStore, "general")).waitMs).toBe(0);
  });

  test.each([
    { name: "another process", pauseMs: 500, slowsDown: true },
    { name: "another process", pauseMs: 59_000, slowsDown: true },
    { name: "the same process, after the window", pauseMs: 60_000, slowsDown: false },
  ])("are a second apart for a window after a second 429: $name, $pauseMs ms later", async (row) => {
    const { folder, clock, limiter } = open();
    const other = limiterOf(openState(folder, { clock }));
    await limiter.blocked("summary", 1000);
    clock.advance(row.pauseMs);
    await (row.slowsDown ? other : limiter).blocked("summary", 2000);
    await limiter.blocked("general", 1000);
    const waits: unknown[] = [];
    const onWait = (...wait: readonly unknown[]) => waits.push(wait);
    for (let turn = 0; turn < 4; turn += 1) await other.acquire("summary", { ...patient, onWait });
    const apart = [1000, "slowed_down"];
    expect(waits).toEqual([[2000, "rate_limit"], ...(row.slowsDown ? [apart, apart, apart] : [])]);
    if (row.slowsDown)
      await expect(limiter.acquire("summary", atOnce)).rejects.toThrow("the service returned 429 twice");
    clock.advance(62_000);
    waits.length = 0;
    for (let turn = 0; turn < 4; turn += 1) await other.acquire("summary", { ...patient, onWait });
    expect(waits).toEqual([]);
  });
});

describe("without a database", () => {
  const unusable = new ComandaError("state_unusable", "It is damaged.");

  test("requests are counted for this process, with one warning", async () => {
    const warnings: string[] = [];
    const { state } = open();
    const warn = (message: string) => void warnings.push(message);
    const limiter = limiterOf({ ...state, database: () => Promise.reject(unusable), warn });
    await limiter.blocked("general", 5000);
    await expect(limiter.acquire("general", atOnce)).rejects.toMatchObject(rateLimited);
    for (let turn = 0; turn < 5; turn += 1) await (await limiter.acquire("summary", atOnce)).settle(true);
    await expect(limiter.acquire("summary", atOnce)).rejects.toMatchObject(rateLimited);
    expect(warnings).toEqual(["It is damaged. Rate limits are counted only for this run."]);
  });

  test("another error is thrown, and a limit is unused", async () => {
    const { state } = open();
    const broken = { ...state, database: () => Promise.reject(new Error("a fault")) };
    await expect(limiterOf(broken).acquire("summary", atOnce)).rejects.toThrow("a fault");
    await expect(limiterOf(broken).blocked("summary", 1)).rejects.toThrow("a fault");
    const unused = { ...broken, existing: () => Promise.resolve(undefined) };
    expect(await limitState(unused, limitedStore, "summary")).toMatchObject({ remaining: 5, waitMs: 0 });
  });

  test("nothing is counted if rate limits are turned off", () => {
    const { state } = open();
    expect(openLimiter(state, limitedStore, { COMANDA_RATE_LIMITS: "off" })).toBe(false);
  });
});

/** Returns the database with the test's clock in place of the server's. */
function timed(database: Database, clock: Clock): Database {
  const now = () => Promise.resolve(clock.now());
  const transaction: Database["transaction"] = (name, work) =>
    database.transaction(name, (statements) => work({ ...statements, now }));
  return { ...database, now, transaction };
}

describe.each(engines)("the wrong clock of a process in $name", (engine) => {
  test.each([50 * minutes, 30_000])("that was %d ms ahead blocks nothing once corrected", async (aheadMs) => {
    const clock = jumpingClock();
    const opened = await (await engine.create(clock))();
    const database = timed(await opened.database(), clock);
    const opening = () => Promise.resolve(database);
    const state = { ...opened, database: opening, existing: opening };
    const shown = () => limitState(state, limitedStore, "summary");
    clock.advance(aheadMs);
    await take(state, 5);
    await limiterOf(state).blocked("summary", 55_000);
    clock.advance(-aheadMs);
    expect(await shown()).toMatchObject({ remaining: 5, waitMs: 0 });
    await take(state, 4);
    // A new block counts even if the old one ends later.
    await limiterOf(state).blocked("summary", 5000);
    expect(await shown()).toMatchObject({ remaining: 0, waitMs: 5000 });
    clock.advance(5000);
    await take(state, 1);
    await expect(take(state, 1)).rejects.toMatchObject(rateLimited);
  });
});

test("slots are used in the order of the requests of several processes", async () => {
  const clock = steppedClock();
  const folder = temporaryFolder();
  const states = [1, 2, 3].map(() => openState(folder, { clock }));
  for (const state of states) await state.database();
  const turns = Array.from({ length: 18 }, (_, turn) => turn);
  const sent: number[] = [];
  const send = async (state: State, turn: number) => {
    await clock.sleep(turn);
    await limiterOf(state).acquire("summary", patient);
    sent.push(turn);
  };
  await clock.runAll(Promise.all(turns.map((turn) => send(states[turn % 3] ?? open().state, turn))));
  expect(sent).toEqual(turns);
});

/** Requests with their process and start, its suspension after the slot was reserved, and the time of the response. */
const requests = fc.array(
  fc.record({
    at: fc.oneof(fc.nat(3000), fc.nat(200_000)),
    process: fc.nat(2),
    isSent: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    haltMs: fc.oneof(fc.constant(0), fc.nat(3000)),
    exchangeMs: fc.nat(500),
    /** The part of the exchange after which the request arrives, in percent. */
    arrival: fc.nat(100),
  }),
  { minLength: 5, maxLength: 40 },
);

/** Returns the largest number of requests in any window. */
function fullestWindow(arrivals: readonly number[]): number {
  const { windowMs } = rateLimits.summary;
  const inWindow = (first: number) => arrivals.filter((at) => at >= first && at < first + windowMs).length;
  return Math.max(0, ...arrivals.map(inWindow));
}

const plans = sized({ test: 10, search: 40, soak: 1000 });

/** SQLite's drop-in keeps the files of a closed connection open until its statements are collected, one event later. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  await setImmediate();
}

/** Suspends the process after each transaction. */
function suspended(state: State, haltMs: () => number): State {
  const database = async () => {
    const opened = await state.database("comanda");
    const transaction: Database["transaction"] = async (name, work) => {
      const result = await opened.transaction(name, work);
      const ms = haltMs();
      if (ms > 0) await state.clock.sleep(ms);
      return result;
    };
    return { ...opened, transaction };
  };
  return { ...state, database };
}

test.each([
  { halts: [700, 700, 400], goesAfter: 1400 },
  { halts: [700], goesAfter: 1400 },
  { halts: [10 * minutes], goesAfter: 10 * minutes + 5000 },
])("a process suspended after it reserved a slot reserves another: $halts", async ({ halts, goesAfter }) => {
  const { state, clock } = open();
  const since = clock.now();
  const limiter = limiterOf(suspended(state, () => halts.shift() ?? 0));
  // Slots are free, so --max-wait doesn't apply.
  await limiter.acquire("summary", atOnce);
  expect(clock.now() - since).toBe(goesAfter);
  // The second slot is as far ahead as the first one was missed by, but at most 5 s.
  const sql = "select at from limit_places";
  const slots = await (await state.database("comanda")).rows({ at: "bigint" }, sql);
  expect(slots).toEqual([{ at: since + goesAfter }]);
});

test("the service never receives more requests than the limit in any window", async () => {
  let [arrived, closed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(requests, async (plan) => {
      const clock = steppedClock();
      const folder = temporaryFolder();
      const states = [1, 2, 3].map(() => openState(folder, { clock }));
      const arrivals: number[] = [];
      const send = async ({ at, process, isSent, haltMs, exchangeMs, arrival }: (typeof plan)[number]) => {
        await clock.sleep(at);
        let halts = 1;
        const opened = states[process] ?? openState(folder, { clock });
        const state = suspended(opened, () => (halts-- > 0 ? haltMs : 0));
        const permit = await limiterOf(state).acquire("summary", { maxWaitMs: 60 * minutes });
        if (isSent) arrivals.push(clock.now() + (exchangeMs * arrival) / 100);
        await clock.sleep(isSent ? exchangeMs : 0);
        await permit.settle(isSent);
      };
      const all = Promise.all(plan.map(send));
      await clock.runAll(all);
      await all;
      arrived += arrivals.length;
      if ((closed += 1) % 100 === 0) await collectGarbage();
      expect(arrivals).toHaveLength(plan.filter(({ isSent }) => isSent).length);
      expect(fullestWindow(arrivals)).toBeLessThanOrEqual(rateLimits.summary.limit);
    }),
    { numRuns: plans },
  );
  expect(arrived).toBeGreaterThan(4 * plans);
});
