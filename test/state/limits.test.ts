import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Permit } from "../../src/client/rate-limit.js";
import { ComandaError } from "../../src/client/errors.js";
import type { Clock } from "../../src/client/clock.js";
import { rateLimits, type RateLimit } from "../../src/api/limits.js";
import {
  createLimiter,
  limitState,
  openLimiter,
  renameInLimits,
  type LimitKey,
} from "../../src/state/limits.js";
import { openSqlite } from "../../src/state/sqlite.js";
import { createDatabases, type StateFolder } from "../../src/state/state-folder.js";
import { collectGarbage } from "../support/collect-garbage.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { simulatedClock, type SimulatedClock } from "./support/clock.js";
import { engines } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start } from "./support/programs.js";
import { inSearch } from "../support/in-search.js";

const key: LimitKey = { baseUrl: "https://api.example", store: "a", bucket: "summary" };
const atOnce = { maxWaitMs: 0 };
const patient = { maxWaitMs: 10 * minutes };

function open({
  folder = temporaryFolder(),
  clock = simulatedClock(),
}: { folder?: string; clock?: SimulatedClock } = {}) {
  const warnings: string[] = [];
  const state = openState(folder, { clock, warn: (message) => warnings.push(message) });
  return { folder, clock, state, limiter: createLimiter(state, key), warnings };
}

async function take(state: StateFolder, count: number, of = key): Promise<readonly Permit[]> {
  const limiter = createLimiter(state, of);
  const permits: Permit[] = [];
  for (let taken = 0; taken < count; taken += 1) permits.push(await limiter.acquire(of.bucket, atOnce));
  return permits;
}

describe("places", () => {
  test("are given up to the limit, then the wait is told, and after it they are free again", async () => {
    const { limiter, state, clock } = open();
    await take(state, 3);
    clock.advance(10_000);
    await take(state, 2);
    // The window, and a second for requests that arrive late.
    await expect(limiter.acquire("summary", { maxWaitMs: 50_999 })).rejects.toMatchObject({
      code: "rate_limited",
    });
    const told: number[] = [];
    const before = clock.now();
    await limiter.acquire("summary", { maxWaitMs: 51_000, onWait: (ms) => told.push(ms) });
    expect([told, clock.now() - before]).toEqual([[51_000], 51_000]);
    await take(state, 2);
    await expect(take(state, 1)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("are counted for each environment, store and bucket, across processes", async () => {
    const { folder, clock, state } = open();
    await take(state, 5);
    const other = openState(folder, { clock });
    for (const of of [
      { ...key, baseUrl: "https://other.example" },
      { ...key, store: "b" },
      { ...key, bucket: "summary_grouped" as const },
    ])
      expect(await take(other, 1, of)).toHaveLength(1);
    expect(await limitState(other, key)).toEqual({ ...rateLimits.summary, remaining: 0, waitMs: 61_000 });
    await expect(take(other, 1)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("that were not used are given back; those of a long exchange count from its end", async () => {
    const { state, clock } = open();
    const [first, second] = await take(state, 5);
    await first?.settle(false);
    expect((await limitState(state, key)).remaining).toBe(1);
    clock.advance(30_000);
    await second?.settle(true);
    clock.advance(31_000);
    expect((await limitState(state, key)).remaining).toBe(4);
    clock.advance(30_000);
    expect((await limitState(state, key)).remaining).toBe(5);
  });

  test("after a 429 are closed to everyone, for no longer than the limit is counted", async () => {
    const { folder, clock, state, limiter } = open();
    await limiter.blocked("summary", 5000);
    await limiter.blocked("summary", 1000);
    const other = openState(folder, { clock });
    await expect(take(other, 1)).rejects.toMatchObject({ code: "rate_limited" });
    clock.advance(5000);
    await take(other, 1);
    // From then on a second apart, as long as the limit is counted.
    const before = clock.now();
    for (let turn = 0; turn < 3; turn += 1) await createLimiter(other, key).acquire("summary", patient);
    expect(clock.now() - before).toBe(3000);
    for (const ms of [86_400_000, Infinity, 1e15]) await limiter.blocked("summary", ms);
    expect((await limitState(state, key)).waitMs).toBeGreaterThanOrEqual(60_000 - 1);
    await limiter.blocked("general", Number.NaN);
    expect((await limitState(state, { ...key, bucket: "general" })).waitMs).toBe(0);
  });

  test("that wait are given back where the wait is ended", async () => {
    const { folder, state, limiter } = open();
    await take(state, 5);
    const reason = new Error("stop");
    const stopped = new AbortController();
    const sleeping: Clock = {
      ...state.clock,
      sleep: () => {
        stopped.abort(reason);
        return Promise.reject(reason);
      },
    };
    const other = createLimiter(openState(folder, { clock: sleeping }), key);
    await expect(other.acquire("summary", { ...patient, signal: stopped.signal })).rejects.toBe(reason);
    await limiter.acquire("summary", { maxWaitMs: 61_000 });
  });

  test.each([1000, 86_400_000, 1e12])(
    "are free in time after a clock was set back by %d ms",
    async (back) => {
      const { state, clock, limiter } = open();
      await take(state, 5);
      await limiter.blocked("summary", 60_000);
      clock.advance(-back);
      const before = clock.now();
      await limiter.acquire("summary", patient);
      // What lies further ahead than an hour is no longer believed.
      expect(clock.now() - before).toBeLessThanOrEqual(62_000);
    },
  );

  test("stay few, and go along with a store that is called otherwise", async () => {
    const { state, clock } = open();
    const of = { ...key, store: "store centro" };
    for (let turn = 0; turn < 12; turn += 1) {
      await take(state, 5, of);
      clock.advance(61_001);
    }
    await take(state, 4, of);
    const database = await state.database("comanda");
    expect(await database.rows({ id: "text" }, "select id from limit_places")).toHaveLength(4);
    for (let twice = 0; twice < 2; twice += 1) await renameInLimits(state, of.store, "store norte");
    expect((await limitState(state, of)).remaining).toBe(5);
    expect((await limitState(state, { ...of, store: "store norte" })).remaining).toBe(1);
  });
});

describe.each(engines.filter(({ isInstalled }) => isInstalled))("limits in $name", (engine) => {
  const rate = { limit: 5, windowMs: 300 };
  const limits = { summary: rate, summary_grouped: rate, history: rate, general: rate };

  /** As processes that share them. */
  async function processes() {
    const open = await engine.create();
    return Promise.all(
      Array.from({ length: 3 }, async () => {
        const database = await open();
        const state = openState(temporaryFolder());
        return {
          ...state,
          ...createDatabases(
            () => Promise.resolve(database),
            () => true,
          ),
        };
      }),
    );
  }

  inSearch("give each place once, and take back what wasn't used", async () => {
    const all = await processes();
    const tries = await Promise.allSettled(
      all.flatMap((state) => [1, 2, 3].map(() => createLimiter(state, key).acquire("summary", atOnce))),
    );
    const given = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(given).toHaveLength(5);
    await given[0]?.settle(false);
    expect(await take(all[2] ?? open().state, 1)).toHaveLength(1);
  });

  test("are given in turn, and never more in a window than the limit", async () => {
    const limiters = (await processes()).map((state) => createLimiter(state, { ...key, limits }));
    const sent: (readonly [turn: number, at: number])[] = [];
    const all: Promise<unknown>[] = [];
    for (let turn = 0; turn < 18; turn += 1) {
      // Each has its place before the next one asks.
      await new Promise<void>((hasPlace) => {
        const permit = limiters[turn % 3]?.acquire("general", { ...patient, onWait: () => hasPlace() });
        const sending = Promise.resolve(permit).then(() => {
          sent.push([turn, Date.now()]);
          hasPlace();
        });
        all.push(sending);
      });
    }
    await Promise.all(all);
    const times = sent.map(([, at]) => at);
    expect(fullestWindow(times, rate)).toBeLessThanOrEqual(5);
    const rounds = sent.map(([turn]) => Math.floor(turn / 5));
    expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
  });

  test("are closed to all after a 429", async () => {
    const [one, other] = (await processes()).map((state) => createLimiter(state, key));
    await one?.blocked("summary", 30_000);
    await one?.blocked("summary", 10_000);
    await expect(other?.acquire("summary", { maxWaitMs: 20_000 })).rejects.toMatchObject({
      code: "rate_limited",
    });
  });
});

describe("a database that can't be used", () => {
  const damage = (file: string) => writeFileSync(file, "no database, and longer than its head ".repeat(9));
  const failFast = { maxWaitMs: 0 };

  function limited(state: StateFolder) {
    const limiter = openLimiter({ baseUrl: key.baseUrl, quotaKey: key.store }, { env: {}, folder: state });
    if (limiter === false) throw new Error("nothing is counted");
    return limiter;
  }

  /** Five go, and no sixth. */
  async function countsAlone(state: StateFolder) {
    const limiter = limited(state);
    await limiter.blocked("general", 5);
    for (let request = 0; request < 5; request += 1)
      await (await limiter.acquire("summary", failFast)).settle(true);
    await expect(limiter.acquire("summary", failFast)).rejects.toMatchObject({ code: "rate_limited" });
  }

  test.each([
    ["damaged", damage],
    ["open to others", (file: string) => chmodSync(file, 0o666)],
  ])("since it is %s: counts for this run, with one warning, and stays as it is", async (_, spoil) => {
    const { folder } = open();
    const file = path.join(folder, "comanda.db");
    await take(openState(folder, { clock: simulatedClock() }), 5);
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    spoil(file);
    const before = readFileSync(file);
    const { state, warnings } = open({ folder });
    await countsAlone(state);
    expect(warnings).toEqual([expect.stringContaining(file)]);
    expect(readFileSync(file)).toEqual(before);
  });

  test("since it is a newer comanda's: counts for this run, with one warning", async () => {
    const { state, folder } = open();
    await take(state, 5);
    await (await state.database("comanda")).run("update schema_version set version = 1000");
    const later = open({ folder });
    await countsAlone(later.state);
    expect(later.warnings).toEqual([expect.stringContaining("comanda.db was written by a newer comanda.")]);
  });

  test("by two requests at once: one warning", async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const state = openState(temporaryFolder(), { clock: simulatedClock(), warn });
    const database = () => Promise.reject(new ComandaError("state_unusable", "No space."));
    const limiter = limited({ ...state, database });
    await Promise.all([limiter.acquire("summary", failFast), limiter.acquire("general", failFast)]);
    expect(warnings).toEqual([expect.stringContaining("Rate limits are counted for this run alone.")]);
  });

  test("since another process holds it: counts for this run after half a minute, with one warning", async () => {
    const { state, folder, clock, warnings } = open();
    const limiter = limited(state);
    await limiter.acquire("summary", failFast);
    const other = openSqlite(path.join(folder, "comanda.db"));
    other.exec("begin immediate");
    const before = clock.now();
    await limiter.acquire("summary", failFast);
    expect(Math.floor(clock.now() - before)).toBe(30_000);
    other.close();
    expect(warnings).toHaveLength(1);
  });
});

/** Thousands of plans on a real disk: half a minute of the processor each, and more where others use it too. */
const searching = { timeout: timeLimit(minutes) };

/** A request: which process asks for a place when, and how long its answer takes. */
const requests = fc.array(
  fc.record({
    at: fc.oneof(fc.nat(3000), fc.nat(200_000)),
    process: fc.nat(2),
    isSent: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    exchangeMs: fc.nat(1000),
    /** Which part of the exchange has passed when it arrives, in percent. */
    arrival: fc.nat(100),
  }),
  { minLength: 5, maxLength: 40 },
);

/** Time that passes when everybody sleeps, to the moment at which the first one wakes up. */
function sharedClock() {
  let now = Date.UTC(2026, 9, 5, 12);
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms) => new Promise<void>((wake) => sleepers.push({ at: now + ms, wake })),
  };
  async function until(over: Promise<unknown>): Promise<void> {
    let isOver = false;
    void over.finally(() => (isOver = true));
    for (;;) {
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
      // What has only just become over is no reason for more time to pass.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it is set while this waits
      if (isOver) return;
      sleepers.sort((a, b) => a.at - b.at);
      const next = sleepers.shift();
      if (next) now = Math.max(now, next.at);
      next?.wake();
    }
  }
  return { clock, until };
}

/** The most requests that any window of the service sees. */
function fullestWindow(arrivals: readonly number[], { windowMs }: Pick<RateLimit, "windowMs">): number {
  return Math.max(
    0,
    ...arrivals.map((first) => arrivals.filter((other) => other >= first && other < first + windowMs).length),
  );
}

const plans = sized({ test: 10, search: 40, soak: 1000 });

test("whenever requests arrive, no window of the service sees more than the limit", searching, async () => {
  let [arrived, closed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(requests, async (plan) => {
      const { clock, until } = sharedClock();
      const folder = temporaryFolder();
      const states = [1, 2, 3].map(() => openState(folder, { clock }));
      const limiters = states.map((state) => createLimiter(state, key));
      const arrivals: number[] = [];
      const send = async ({ at, process, isSent, exchangeMs, arrival }: (typeof plan)[number]) => {
        await clock.sleep(at);
        const permit = await limiters[process]?.acquire("summary", { maxWaitMs: 60 * minutes });
        if (isSent) arrivals.push(clock.now() + (exchangeMs * arrival) / 100);
        await clock.sleep(isSent ? exchangeMs : 0);
        await permit?.settle(isSent);
      };
      const all = Promise.all(plan.map(send));
      await until(all);
      await all;
      for (const state of states) await (await state.existingDatabase("comanda"))?.close();
      arrived += arrivals.length;
      if ((closed += 1) % 100 === 0) await collectGarbage();
      expect(arrivals).toHaveLength(plan.filter(({ isSent }) => isSent).length);
      expect(fullestWindow(arrivals, rateLimits.summary)).toBeLessThanOrEqual(rateLimits.summary.limit);
    }),
    { numRuns: plans },
  );
  expect(arrived).toBeGreaterThan(4 * plans);
});

describe("processes at once", () => {
  const spendPlaces = bundledProgram(new URL("./programs/spend-places.ts", import.meta.url));

  inSearch("6 of them never send more than the limit in a window, and do get on", async () => {
    const folder = temporaryFolder();
    const log = path.join(folder, "log");
    writeFileSync(log, "");
    const children = Array.from({ length: 6 }, () =>
      start(spendPlaces(), path.join(folder, "state"), log, "10", "300", "30"),
    );
    expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0, 0, 0]);
    const requests = readFileSync(log, "utf8").split("\n").slice(0, -1);
    expect(requests.length).toBeGreaterThanOrEqual(30);
    // A machine that is very busy may keep a request for longer than the window, of which the limits promises nothing.
    const arrivals = requests.flatMap((request) => {
      const [granted = 0, arrived = 0] = request.split(" ").map(Number);
      return arrived - granted <= 300 ? [arrived] : [];
    });
    expect(fullestWindow(arrivals, { windowMs: 300 })).toBeLessThanOrEqual(10);
  });
});
