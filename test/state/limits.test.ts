import { setImmediate } from "node:timers/promises";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { Permit } from "../../src/client/options.js";
import type { Clock } from "../../src/base/clock.js";
import { rateLimits, type RateBucket, type RateLimit } from "../../src/api/values.js";
import { limitState } from "../../src/state/limits.js";
import type { Database } from "../../src/state/database.js";
import type { State } from "../../src/state/state.js";
import { jumpingClock } from "../client/support/clock.js";
import { collectGarbage } from "../support/collect-garbage.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { engines } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { limitedStore, limiterOf } from "./support/limiter.js";

const atOnce = { maxWaitMs: 0 };
const patient = { maxWaitMs: 10 * minutes };
const rateLimited = { code: "rate_limited" };

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

describe("places", () => {
  test("are given up to the limit, then the wait is told, and after it they are free again", async () => {
    const { limiter, state, clock } = open();
    await take(state, 3);
    clock.advance(10_000);
    await take(state, 2);
    // The window, and a second for requests that arrive late.
    await expect(limiter.acquire("summary", { maxWaitMs: 50_999 })).rejects.toMatchObject(rateLimited);
    const told: number[] = [];
    const before = clock.now();
    await limiter.acquire("summary", { maxWaitMs: 51_000, onWait: (ms) => told.push(ms) });
    expect([told, clock.now() - before]).toEqual([[51_000], 51_000]);
    await take(state, 2);
    await expect(take(state, 1)).rejects.toMatchObject(rateLimited);
    clock.advance(62_000);
    await take(state, 1);
    // What is over is forgotten.
    const sql = "select count(*) as count from limit_places";
    expect(await (await state.database("comanda")).rows({ count: "bigint" }, sql)).toEqual([{ count: 1 }]);
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

  test("that were not used are given back; those of a long exchange count from its end", async () => {
    const { state, clock } = open();
    const remaining = async () => (await limitState(state, limitedStore, "summary")).remaining;
    const [first, second] = await take(state, 5);
    await first?.settle(false);
    expect(await remaining()).toBe(1);
    clock.advance(30_000);
    await second?.settle(true);
    clock.advance(31_000);
    expect(await remaining()).toBe(4);
    clock.advance(30_000);
    expect(await remaining()).toBe(5);
  });

  test("after a 429 are closed to everyone, for no longer than the limit is counted", async () => {
    const { folder, clock, state, limiter } = open();
    await limiter.blocked("summary", 5000);
    await limiter.blocked("summary", 1000);
    const other = openState(folder, { clock });
    await expect(take(other, 1)).rejects.toMatchObject(rateLimited);
    clock.advance(5000);
    await take(other, 1);
    // From then on a second apart, as long as the limit is counted.
    const before = clock.now();
    for (let turn = 0; turn < 3; turn += 1) await limiterOf(other).acquire("summary", patient);
    expect(clock.now() - before).toBe(3000);
    for (const ms of [86_400_000, Infinity, 1e15]) await limiter.blocked("summary", ms);
    expect((await limitState(state, limitedStore, "summary")).waitMs).toBeGreaterThanOrEqual(60_000 - 1);
    await limiter.blocked("general", Number.NaN);
    expect((await limitState(state, limitedStore, "general")).waitMs).toBe(0);
  });
});

/** Returns the database with a server that has the time of the test. */
function timed(database: Database, clock: Clock, during = <Result>(work: Promise<Result>) => work): Database {
  const now = () => Promise.resolve(clock.now());
  const transaction: Database["transaction"] = (name, work) =>
    during(database.transaction(name, (statements) => work({ ...statements, now })));
  return { ...database, now, transaction };
}

describe.each(engines.filter(({ isInstalled }) => isInstalled))(
  "a clock that was ahead, in $name,",
  (engine) => {
    test.each([50 * minutes, 30_000])("by %d ms closes nothing once it is corrected", async (aheadMs) => {
      const clock = jumpingClock();
      const database = timed(await (await engine.create({ clock }))(), clock);
      const state = { ...openState(temporaryFolder(), { clock }), database: () => Promise.resolve(database) };
      const shown = () => limitState({ ...state, hasDatabase: () => true }, limitedStore, "summary");
      clock.advance(aheadMs);
      await take(state, 5);
      await limiterOf(state).blocked("summary", 55_000);
      clock.advance(-aheadMs);
      expect(await shown()).toMatchObject({ remaining: 5, waitMs: 0 });
      await take(state, 4);
      // A new block counts although the old one ends later.
      await limiterOf(state).blocked("summary", 5000);
      expect(await shown()).toMatchObject({ remaining: 0, waitMs: 5000 });
      clock.advance(5000);
      await take(state, 1);
      await expect(take(state, 1)).rejects.toMatchObject(rateLimited);
    });
  },
);

test.each(engines.filter(({ isInstalled }) => isInstalled))(
  "limits in $name are given in turn, never more in a window than the limit, and closed to all after a 429",
  async (engine) => {
    const rate = { limit: 5, windowMs: 3000 };
    const { clock, until, during } = sharedClock();
    const openDatabase = await engine.create();
    const folders = await Promise.all(
      [1, 2, 3].map(async () => {
        const database = timed(await openDatabase(), clock, during);
        return { ...openState(temporaryFolder(), { clock }), database: () => Promise.resolve(database) };
      }),
    );
    const limiters = folders.map((folder) => limiterOf(folder, limitedStore, rate));
    const sent: (readonly [turn: number, at: number])[] = [];
    const all: Promise<unknown>[] = [];
    for (let turn = 0; turn < 18; turn += 1) {
      // Each has its place before the next one asks.
      await new Promise<void>((hasPlace) => {
        const permit = limiters[turn % 3]?.acquire("general", { ...patient, onWait: () => hasPlace() });
        const sending = Promise.resolve(permit).then(() => {
          sent.push([turn, clock.now()]);
          hasPlace();
        });
        all.push(sending);
      });
    }
    await until(Promise.all(all));
    expect(
      fullestWindow(
        sent.map(([, when]) => when),
        rate,
      ),
    ).toBe(5);
    const rounds = sent.map(([turn]) => Math.floor(turn / 5));
    expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
    const [one, other] = folders.map((folder) => limiterOf(folder));
    await one?.blocked("summary", 30_000);
    await one?.blocked("summary", 10_000);
    await expect(other?.acquire("summary", { maxWaitMs: 20_000 })).rejects.toMatchObject(rateLimited);
  },
);

/** Thousands of plans on a real disk: half a minute of the processor each, and more where others use it too. */
const searching = { timeout: timeLimit(minutes) };

/** A request: which process asks for a place when, for how long it stands still then, and how long its answer takes. */
const requests = fc.array(
  fc.record({
    at: fc.oneof(fc.nat(3000), fc.nat(200_000)),
    process: fc.nat(2),
    isSent: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    haltMs: fc.oneof(fc.constant(0), fc.nat(3000)),
    exchangeMs: fc.nat(500),
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
  let statements = 0;
  /** No time passes while the work is under way. */
  async function during<Result>(work: Promise<Result>): Promise<Result> {
    statements += 1;
    return work.finally(() => (statements -= 1));
  }
  async function until(over: Promise<unknown>): Promise<void> {
    let isOver = false;
    void over.finally(() => (isOver = true));
    for (;;) {
      for (let turn = 0; turn < 8; turn += 1) await setImmediate();
      // What has only just become over is no reason for more time to pass.
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it is set while this waits
      if (isOver) return;
      if (statements > 0) continue;
      sleepers.sort((a, b) => a.at - b.at);
      const next = sleepers.shift();
      if (next) now = Math.max(now, next.at);
      next?.wake();
    }
  }
  return { clock, until, during };
}

/** The most requests that any window of the service sees. */
function fullestWindow(arrivals: readonly number[], { windowMs }: Pick<RateLimit, "windowMs">): number {
  return Math.max(
    0,
    ...arrivals.map((first) => arrivals.filter((other) => other >= first && other < first + windowMs).length),
  );
}

const plans = sized({ test: 10, search: 40, soak: 1000 });

/** A database after whose transactions the process stands still for so long. */
function standingStill(state: State, haltMs: () => number): State {
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
])(
  "a process that stood still after it got its place takes one anew: $halts",
  async ({ halts, goesAfter }) => {
    const { state, clock } = open();
    const since = clock.now();
    const limiter = limiterOf(standingStill(state, () => halts.shift() ?? 0));
    // Where places are free, it isn't the limit that lets it wait.
    await limiter.acquire("summary", atOnce);
    expect(clock.now() - since).toBe(goesAfter);
    // The second one lay as far ahead as the first was late, and no further than 5 s.
    const sql = "select at from limit_places";
    const places = await (await state.database("comanda")).rows({ at: "bigint" }, sql);
    expect(places).toEqual([{ at: since + goesAfter }]);
  },
);

test("whenever requests arrive, no window of the service sees more than the limit", searching, async () => {
  let [arrived, closed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(requests, async (plan) => {
      const { clock, until } = sharedClock();
      const folder = temporaryFolder();
      const states = [1, 2, 3].map(() => openState(folder, { clock }));
      const arrivals: number[] = [];
      const send = async ({ at, process, isSent, haltMs, exchangeMs, arrival }: (typeof plan)[number]) => {
        await clock.sleep(at);
        let halts = 1;
        const state = standingStill(states[process] ?? openState(folder, { clock }), () =>
          halts-- > 0 ? haltMs : 0,
        );
        const permit = await limiterOf(state).acquire("summary", { maxWaitMs: 60 * minutes });
        if (isSent) arrivals.push(clock.now() + (exchangeMs * arrival) / 100);
        await clock.sleep(isSent ? exchangeMs : 0);
        await permit.settle(isSent);
      };
      const all = Promise.all(plan.map(send));
      await until(all);
      await all;
      arrived += arrivals.length;
      if ((closed += 1) % 100 === 0) await collectGarbage();
      expect(arrivals).toHaveLength(plan.filter(({ isSent }) => isSent).length);
      expect(fullestWindow(arrivals, rateLimits.summary)).toBeLessThanOrEqual(rateLimits.summary.limit);
    }),
    { numRuns: plans },
  );
  expect(arrived).toBeGreaterThan(4 * plans);
});
