import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { ComandaError } from "../../src/shared/errors.js";
import type { Clock } from "../../src/shared/clock.js";
import { rateLimits, type RateLimit } from "../../src/contract/limits.js";
import type { Value } from "../../src/state/database.js";
import {
  askAgainMs,
  marginMs,
  openLimits,
  renameInLimits,
  type LimitKey,
  type Limits,
  type LimitSlot,
} from "../../src/state/limits.js";
import { openLimiter } from "../../src/state/limiter.js";
import { openSqlite } from "../../src/state/sqlite/sqlite-driver.js";
import { createDatabases, type StateFolder } from "../../src/state/state-folder.js";
import { collectGarbage } from "../support/collect-garbage.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { simulatedClock, type SimulatedClock } from "./support/clock.js";
import { engines } from "./support/engines.js";
import { openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start } from "./support/programs.js";

const key: LimitKey = { baseUrl: "https://api.example", store: "a", bucket: "summary" };

function open({
  folder = temporaryFolder(),
  clock = simulatedClock(),
}: { folder?: string; clock?: SimulatedClock } = {}) {
  const warnings: string[] = [];
  const state = openState(folder, { clock, warn: (message) => warnings.push(message) });
  return { folder, clock, state, limits: openLimits(state), warnings };
}

async function take(limits: Limits, want: number, of = key): Promise<LimitSlot> {
  const { slot } = await limits.reserve(of, want);
  if (!slot) throw new Error("nothing was granted");
  return slot;
}

describe("places", () => {
  test("are granted up to the limit, then the wait is told, and after it they are free again", async () => {
    const { limits, clock } = open();
    expect(await limits.reserve(key, 3)).toMatchObject({ granted: 3, waitMs: 0 });
    clock.advance(10_000);
    expect(await limits.reserve(key, 3)).toMatchObject({ granted: 2, waitMs: 0 });
    const { granted, waitMs, slot } = await limits.reserve(key);
    expect([granted, slot]).toEqual([0, undefined]);
    // The window, and a second for requests that arrive late.
    expect(waitMs).toBe(51_001);
    clock.advance(waitMs - 1);
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 1 });
    clock.advance(1);
    expect(await limits.reserve(key, 9)).toMatchObject({ granted: 3 });
  });

  test("are counted for each environment, store and bucket, across processes", async () => {
    const { limits, folder, clock } = open();
    await take(limits, 5);
    const other = openLimits(openState(folder, { clock }));
    expect(await other.reserve(key)).toMatchObject({ granted: 0 });
    for (const change of [
      { baseUrl: "https://other.example" },
      { store: "b" },
      { bucket: "summary_grouped" as const },
    ]) {
      expect(await other.reserve({ ...key, ...change }, 9)).toMatchObject({ granted: 5 });
    }
    expect(await other.reserve({ ...key, bucket: "general" }, 999)).toMatchObject({ granted: 300 });
  });

  test("that were not used are given back", async () => {
    const { limits } = open();
    const slot = await take(limits, 5);
    await limits.settle(slot, { unused: 2 });
    expect(await limits.remaining(key)).toMatchObject({ used: 3, remaining: 2 });
    await limits.settle(await take(limits, 2), { unused: 2 });
    expect(await limits.remaining(key)).toMatchObject({ used: 3, remaining: 2 });
  });

  test("of a long exchange count from its end; of a short one nothing is written", async () => {
    const { limits, clock, state } = open();
    const slot = await take(limits, 5);
    const database = await state.database("comanda");
    const transaction = vi.spyOn(database, "transaction");
    clock.advance(1000);
    await limits.settle(slot);
    expect(transaction).not.toHaveBeenCalled();
    clock.advance(19_000);
    await limits.settle(slot);
    expect((await limits.reserve(key)).waitMs).toBe(61_001);
  });

  test("after a 429 are closed to everyone until the time is up", async () => {
    const { limits, clock, folder } = open();
    await limits.observe429(key, 30_000);
    await limits.observe429(key, 10_000);
    const other = openLimits(openState(folder, { clock }));
    expect(await other.reserve(key)).toMatchObject({ granted: 0, waitMs: 30_000 });
    expect(await other.remaining(key)).toMatchObject({ remaining: 0, nextFreeMs: 30_000 });
    expect(await other.reserve({ ...key, bucket: "general" })).toMatchObject({ granted: 1 });
    clock.advance(30_000);
    expect(await other.reserve(key)).toMatchObject({ granted: 1 });
  });

  test.each([Infinity, Number.NaN, 1e15])("a wait of %d is cut to an hour", async (ms) => {
    const { limits } = open();
    await limits.observe429(key, ms);
    expect((await limits.reserve(key)).waitMs).toBe(3_600_000);
  });
});

describe("whose turn it is", () => {
  const patient = { patienceMs: 90_000 };

  test("a newcomer gets no place as long as others wait, but those beyond theirs", async () => {
    const { limits, clock } = open();
    await take(limits, 4);
    const { granted, ticket } = await limits.reserve(key, 3, patient);
    expect([granted, ticket]).toEqual([1, expect.any(String)]);
    clock.advance(1);
    const behind = await limits.reserve(key, 1, patient);
    clock.advance(61_000);
    // Whoever was away for so long has lost the turn, and waits anew.
    expect((await limits.remaining(key)).waiting).toEqual([]);
    expect(await limits.reserve(key, 2, { ...patient, ticket })).toMatchObject({ granted: 2 });
    expect(await limits.reserve(key, 9, { ...patient, ticket: behind.ticket })).toMatchObject({ granted: 3 });
  });

  test("the first to wait is the first to go, and a person goes before work in the background", async () => {
    const { limits, clock } = open();
    const slot = await take(limits, 5);
    const ask = async (more: object) => {
      clock.advance(1);
      return (await limits.reserve(key, 1, { ...patient, ...more })).ticket;
    };
    const night = await ask({ background: true });
    const first = await ask({});
    const second = await ask({});
    expect((await limits.remaining(key)).waiting.map(({ id }) => id)).toEqual([first, second, night]);
    await limits.settle(slot, { unused: 2 });
    expect(await limits.reserve(key, 1)).toMatchObject({ granted: 0, waitMs: 250 });
    expect(await limits.reserve(key, 1, { ...patient, ticket: night, background: true })).toMatchObject({
      granted: 0,
    });
    expect(await limits.reserve(key, 1, { ...patient, ticket: second })).toMatchObject({ granted: 1 });
    expect(await limits.reserve(key, 1, { ...patient, ticket: first })).toMatchObject({ granted: 1 });
  });

  test("whoever doesn't ask again in time keeps nobody waiting", async () => {
    const { limits, clock } = open();
    await take(limits, 5);
    await limits.reserve(key, 1, patient);
    clock.advance(askAgainMs + 2000);
    expect((await limits.remaining(key)).waiting).toHaveLength(1);
    clock.advance(1);
    expect((await limits.remaining(key)).waiting).toEqual([]);
  });
});

describe("a clock that is set back", () => {
  test.each([1000, 86_400_000, 1e12])("by %d ms does not lock up", async (back) => {
    const { limits, clock } = open();
    await take(limits, 5);
    await limits.observe429(key, 20_000);
    clock.advance(-back);
    // Asked again and again: the wait must shrink, not start anew.
    expect((await limits.reserve(key)).waitMs).toBeLessThanOrEqual(61_001);
    for (let asked = 0; asked < 61; asked += 1) {
      clock.advance(1000);
      await limits.reserve(key, 0);
    }
    clock.advance(1);
    expect(await limits.reserve(key)).toMatchObject({ granted: 1 });
  });

  test("while a request is out, which counts from its end then", async () => {
    const { limits, clock } = open();
    const slot = await take(limits, 5);
    clock.advance(-50_000);
    await limits.settle(slot);
    clock.advance(61_001);
    expect(await limits.remaining(key)).toMatchObject({ used: 0, waitMs: 0 });
  });
});

const hour = 3_600_000;

/** What a process reads from both clocks, on a machine on which so much time has truly passed. */
function machineClock(truth: SimulatedClock) {
  const skew = { ms: 0 };
  return { ...truth, skew, now: () => truth.now() + skew.ms, monotonic: () => truth.now() - 1e12 };
}

describe("a clock that is wrong for one run", () => {
  test.each([hour, -hour, 1e12, -1e12])("by %i ms: the count holds during it and after it", async (skew) => {
    const truth = simulatedClock();
    const folder = temporaryFolder();
    const right = openLimits(openState(folder, { clock: machineClock(truth) }));
    await take(right, 3);
    truth.advance(1000);
    const wrongClock = machineClock(truth);
    wrongClock.skew.ms = skew;
    const wrong = openLimits(openState(folder, { clock: wrongClock }));
    expect(await wrong.reserve(key, 9)).toMatchObject({ granted: 2 });
    expect(await wrong.reserve(key)).toMatchObject({ granted: 0, waitMs: 60_001 });
    expect(await right.reserve(key)).toMatchObject({ granted: 0, waitMs: 60_001 });
    truth.advance(60_001);
    expect(await right.reserve(key, 9)).toMatchObject({ granted: 3 });
    truth.advance(1000);
    expect(await wrong.reserve(key, 9)).toMatchObject({ granted: 2 });
    expect(await right.remaining(key)).toMatchObject({ remaining: 0 });
  });

  test.each([hour, -hour])("by %i ms: so does the service's word to wait", async (skew) => {
    const truth = simulatedClock();
    const { folder } = open({ clock: truth });
    const clock = machineClock(truth);
    const limits = openLimits(openState(folder, { clock }));
    await limits.observe429(key, 30_000);
    clock.skew.ms = skew;
    truth.advance(10_000);
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 20_000 });
    expect(await limits.remaining(key)).toMatchObject({ remaining: 0, nextFreeMs: 20_000 });
    truth.advance(20_000);
    expect(await limits.reserve(key)).toMatchObject({ granted: 1 });
  });
});

describe("what the database says", () => {
  const year = 365 * 24 * hour;
  const now = simulatedClock().now();

  /** A database in which something was written by a clock that told another time. */
  async function written(sql: string, values: readonly Value[], clock: Clock) {
    const { limits, state, folder } = open();
    await limits.reserve(key);
    const database = await state.database("comanda");
    await database.run("delete from steady_clock");
    await database.run(sql, ...values);
    return openLimits(openState(folder, { clock }));
  }

  const used = "update limit_uses set counted_at = $1, requests = 5";

  test("of requests in the future is believed for one window from when it is first seen", async () => {
    const truth = simulatedClock();
    const limits = await written(used, [now + year], machineClock(truth));
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 61_001 });
    truth.advance(61_000);
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 1 });
    truth.advance(1);
    expect(await limits.reserve(key)).toMatchObject({ granted: 1 });
  });

  test.each([
    ["years long", now, 5 * year],
    ["years long, from the future", now + year, year],
  ])("of a block %s is believed for an hour", async (_, at, ms) => {
    const truth = simulatedClock();
    const sql =
      "insert into limit_blocks select limit_key, cast($1 as bigint), cast($2 as bigint) from limit_uses";
    const limits = await written(sql, [at, ms], machineClock(truth));
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: hour });
    truth.advance(hour);
    expect(await limits.reserve(key)).toMatchObject({ granted: 1 });
  });

  test("before the machine was started counts by the wall clock, and from then on by the steady one", async () => {
    const truth = simulatedClock();
    const clock = machineClock(truth);
    const limits = await written(used, [now - 20_000], clock);
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 41_001 });
    clock.skew.ms = hour;
    truth.advance(1);
    expect(await limits.reserve(key)).toMatchObject({ granted: 0, waitMs: 41_000 });
  });

  test("stays small, and goes along with a store that is called otherwise", async () => {
    const { limits, clock, state } = open();
    for (let round = 0; round < 400; round += 1) {
      await limits.reserve({ ...key, store: "store centro" });
      clock.advance(9000);
    }
    const database = await state.database("comanda");
    const [kept] = await database.rows({ count: "bigint" }, "select count(*) as count from limit_uses");
    expect(kept?.count).toBeLessThan(10);
    const used = async (store: string) => (await limits.remaining({ ...key, store })).used;
    const before = await used("store centro");
    expect(before).toBeGreaterThan(0);
    await limits.observe429({ ...key, store: "store norte" }, 1000);
    await limits.observe429({ ...key, store: "store centro" }, 2000);
    await renameInLimits(state, "store centro", "store norte");
    await renameInLimits(state, "store centro", "store norte");
    expect([await used("store centro"), await used("store norte")]).toEqual([0, before]);
  });
});

describe.each(engines)("limits in $name", (engine) => {
  /** As processes that share them. */
  async function processes(): Promise<readonly Limits[]> {
    const open = await engine.create();
    return Promise.all(
      Array.from({ length: 3 }, async () => {
        const database = await open();
        const shared = () => Promise.resolve(database);
        const state = openState(temporaryFolder());
        return openLimits({ ...state, ...createDatabases(shared, () => true) });
      }),
    );
  }

  describe.skipIf(!engine.isInstalled)("between processes", () => {
    test("give each place once, and take back what wasn't used", async () => {
      const all = await processes();
      const grants = await Promise.all(all.map((limits) => limits.reserve(key, 3)));
      expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(5);
      const [one, other] = all;
      const { slot, granted } = grants[0] ?? {};
      if (slot) await one?.settle(slot, { unused: 1 });
      const left = granted === undefined || granted === 0 ? 0 : 1;
      expect(await other?.remaining(key)).toMatchObject({ used: 5 - left, remaining: left });
    });

    test("let everybody wait in turn, and tell who waits", async () => {
      const [one, other, third] = await processes();
      const taken = await one?.reserve(key, 5);
      const first = await other?.reserve(key, 1, { patienceMs: 90_000 });
      const background = await one?.reserve(key, 1, { patienceMs: 90_000, background: true });
      // The server's clock is nobody's to set: another millisecond.
      await delay(2);
      const second = await third?.reserve(key, 1, { patienceMs: 90_000 });
      const waiting = (await one?.remaining(key))?.waiting.map(({ id }) => id);
      expect(waiting).toEqual([first?.ticket, second?.ticket, background?.ticket]);
      if (taken?.slot) await one?.settle(taken.slot, { unused: 1 });
      expect(await third?.reserve(key, 1, { ticket: second?.ticket, patienceMs: 90_000 })).toMatchObject({
        granted: 0,
      });
      expect(await other?.reserve(key, 1, { ticket: first?.ticket, patienceMs: 90_000 })).toMatchObject({
        granted: 1,
      });
    });

    test("are closed to all after a 429", async () => {
      const [one, other] = await processes();
      await one?.observe429(key, 30_000);
      await one?.observe429(key, 10_000);
      const { granted, waitMs = 0 } = (await other?.reserve(key)) ?? {};
      expect(granted).toBe(0);
      expect(waitMs).toBeGreaterThan(20_000);
      expect(waitMs).toBeLessThanOrEqual(30_000);
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
    await take(openLimits(openState(folder, { clock: simulatedClock() })), 5);
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    spoil(file);
    const before = readFileSync(file);
    const { state, warnings } = open({ folder });
    await countsAlone(state);
    expect(warnings).toEqual([expect.stringContaining(file)]);
    expect(readFileSync(file)).toEqual(before);
  });

  test("since it is a newer comanda's: counts for this run, with one warning", async () => {
    const { limits, state, folder } = open();
    await take(limits, 5);
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

  test("since another process holds it: counts for this run after 5 s, with one warning", async () => {
    const { state, folder, clock, warnings } = open();
    const permit = await limited(state).acquire("summary", failFast);
    const other = openSqlite(path.join(folder, "comanda.db"));
    other.exec("begin immediate");
    const before = clock.now();
    await permit.settle(false);
    expect(Math.floor(clock.now() - before)).toBe(5000);
    other.close();
    expect(warnings).toHaveLength(1);
  });
});

/** Thousands of plans on a real disk: half a minute of the processor each, and more where others use it too. */
const searching = { timeout: timeLimit(minutes) };

/** A request at the service: when it was granted, when it arrived there, when its answer was back. */
interface Step {
  readonly gapMs: number;
  readonly process: number;
  readonly want: number;
  readonly unused: number;
  readonly exchangeMs: number;
  /** Which part of the exchange has passed when each request arrives, in percent. */
  readonly arrivals: readonly number[];
  /** By how much each process's clock is set before this step, in milliseconds. */
  readonly jumps: readonly number[];
}

const jump = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -120_000, max: 120_000 }),
  fc.constantFrom(hour, -hour, 24 * hour, -24 * hour, 1e12, -1e12),
);

const steps = fc.array(
  fc.record<Step>({
    gapMs: fc.oneof(fc.constant(0), fc.nat(3000), fc.nat(70_000)),
    process: fc.nat(2),
    want: fc.integer({ min: 1, max: 7 }),
    unused: fc.nat(2),
    exchangeMs: fc.oneof(fc.nat(1000), fc.nat(59_000)),
    arrivals: fc.array(fc.nat(100), { minLength: 7, maxLength: 7 }),
    jumps: fc.array(jump, { minLength: 3, maxLength: 3 }),
  }),
  { minLength: 5, maxLength: 60 },
);

interface Simulation {
  /** One for each process. */
  readonly states: readonly StateFolder[];
  /** The time that truly passes. */
  readonly clock: SimulatedClock;
  readonly onStep?: (step: Step) => void;
  readonly onWait?: (waitMs: number) => void;
}

async function simulate(plan: readonly Step[], { states, clock, onStep, onWait }: Simulation) {
  const processes = states.map((state) => openLimits(state));
  const arrivals: number[] = [];
  let ends: { at: number; settle: () => Promise<void> }[] = [];
  const passUntil = async (time: number) => {
    for (const end of ends.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at)) {
      clock.set(end.at);
      await end.settle();
    }
    ends = ends.filter(({ at }) => at > time);
    clock.set(time);
  };
  for (const step of plan) {
    await passUntil(clock.now() + step.gapMs);
    onStep?.(step);
    const limits = processes[step.process % processes.length];
    const reserved = await limits?.reserve(key, step.want);
    const slot = reserved?.slot;
    if (!slot) {
      onWait?.(reserved?.waitMs ?? 0);
      // Comes back exactly when it was told to, the most dangerous moment.
      await passUntil(clock.now() + (reserved?.waitMs ?? 0));
      continue;
    }
    const unused = Math.min(step.unused, slot.granted);
    const sent = step.arrivals.slice(0, slot.granted - unused);
    arrivals.push(...sent.map((percent) => clock.now() + (step.exchangeMs * percent) / 100));
    const settle = async () => limits?.settle(slot, { unused });
    ends.push({ at: clock.now() + step.exchangeMs, settle });
  }
  return arrivals;
}

/** Of thousands of plans each has a database of its own, for each process. */
async function closeDatabases(states: readonly StateFolder[]): Promise<void> {
  for (const state of states) await (await state.existingDatabase("comanda"))?.close();
  closed += states.length;
  if (closed % 300 === 0) await collectGarbage();
}
let closed = 0;

/** The most requests that any window of the service sees. */
function fullestWindow(arrivals: readonly number[], { windowMs }: Pick<RateLimit, "windowMs">): number {
  return Math.max(
    0,
    ...arrivals.map((first) => arrivals.filter((other) => other >= first && other < first + windowMs).length),
  );
}

const plans = sized({ test: 10, search: 40, soak: 2000 });

test("whenever requests arrive, no window of the service sees more than the limit", searching, async () => {
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const { folder, clock, state } = open();
      const states = [state, openState(folder, { clock }), openState(folder, { clock })];
      const arrivals = await simulate(plan, { states, clock });
      await closeDatabases(states);
      granted += arrivals.length;
      expect(fullestWindow(arrivals, rateLimits.summary)).toBeLessThanOrEqual(rateLimits.summary.limit);
    }),
    { numRuns: plans },
  );
  expect(granted).toBeGreaterThan(4 * plans);
});

/** Three processes, each with a wall clock of its own that is set again and again. */
function skewedProcesses(clocks: "both clocks" | "a wall clock alone") {
  const truth = simulatedClock();
  const folder = temporaryFolder();
  const processes = [0, 1, 2].map(() => {
    const clock = machineClock(truth);
    if (clocks === "both clocks") return clock;
    return { skew: clock.skew, now: () => clock.now(), sleep: (ms: number) => truth.sleep(ms) };
  });
  const longest = rateLimits.summary.windowMs + marginMs + 1;
  const simulation: Simulation = {
    clock: truth,
    states: processes.map((clock) => openState(folder, { clock })),
    onStep: ({ jumps }) =>
      processes.forEach(({ skew }, index) => {
        skew.ms += jumps[index] ?? 0;
      }),
    onWait: (waitMs) => expect(waitMs).toBeLessThanOrEqual(longest),
  };
  return { simulation, longest, truth };
}

test(
  "whatever becomes of the clocks, no window sees more than the limit, and no wait is longer than it",
  searching,
  async () => {
    let granted = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const { simulation, longest, truth } = skewedProcesses("both clocks");
        const arrivals = await simulate(plan, simulation);
        granted += arrivals.length;
        expect(fullestWindow(arrivals, rateLimits.summary)).toBeLessThanOrEqual(rateLimits.summary.limit);
        // Nobody is shut out: after one wait all places are free.
        truth.advance(longest);
        const [state] = simulation.states;
        expect(state && (await openLimits(state).reserve(key, 9))).toMatchObject({ granted: 5 });
        await closeDatabases(simulation.states);
      }),
      { numRuns: plans },
    );
    expect(granted).toBeGreaterThan(4 * plans);
  },
);

test(
  "where there is a wall clock alone, no wait is longer than the window, whatever becomes of it",
  searching,
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const { simulation } = skewedProcesses("a wall clock alone");
        await simulate(plan, simulation);
        await closeDatabases(simulation.states);
      }),
      { numRuns: sized({ test: 5, search: 20, soak: 1000 }) },
    );
  },
);

describe("processes at once", () => {
  const spendPlaces = bundledProgram(new URL("./programs/spend-places.ts", import.meta.url));

  test("6 of them never send more than the limit in a window, and do get on", async () => {
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
