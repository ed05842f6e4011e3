import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { ComandaError } from "../../src/shared/errors.js";
import type { Clock } from "../../src/shared/clock.js";
import { rateLimits, type RateLimit } from "../../src/contract/limits.js";
import {
  openQuotaLedger,
  type QuotaKey,
  type QuotaLedger,
  type QuotaSlot,
} from "../../src/state/quota/quota.js";
import { elapsedMs, marginMs } from "../../src/state/quota/quota-window.js";
import { minutes, sized, timeLimit } from "../support/soak.js";
import { simulatedClock, type SimulatedClock } from "./support/clock.js";
import { filesIn, openState, temporaryFolder } from "./support/folder.js";
import { bundledProgram, ended, start } from "./support/programs.js";

const key: QuotaKey = { baseUrl: "https://api.example", store: "a", bucket: "summary" };

function open({
  folder = temporaryFolder(),
  clock = simulatedClock(),
}: { folder?: string; clock?: SimulatedClock } = {}) {
  const warnings: string[] = [];
  const state = openState(folder, { clock, warn: (message) => warnings.push(message) });
  const ledger = openQuotaLedger(state);
  const files = () => filesIn(folder).filter((name) => name.startsWith("quota"));
  return { folder, clock, ledger, warnings, files };
}

async function take(ledger: QuotaLedger, want: number, of = key): Promise<QuotaSlot> {
  const { slot } = await ledger.reserve(of, want);
  if (!slot) throw new Error("nothing was granted");
  return slot;
}

describe("places", () => {
  test("are granted up to the limit, then the wait is told, and after it they are free again", async () => {
    const { ledger, clock } = open();
    expect(await ledger.reserve(key, 3)).toMatchObject({ granted: 3, waitMs: 0 });
    clock.advance(10_000);
    expect(await ledger.reserve(key, 3)).toMatchObject({ granted: 2, waitMs: 0 });
    const { granted, waitMs, slot } = await ledger.reserve(key);
    expect([granted, slot]).toEqual([0, undefined]);
    // The window, and a second for requests that arrive late.
    expect(waitMs).toBe(51_001);
    clock.advance(waitMs - 1);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 1 });
    clock.advance(1);
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 3 });
  });

  test("are counted for each environment, store and bucket, across ledgers", async () => {
    const { ledger, folder, clock } = open();
    await take(ledger, 5);
    const other = openQuotaLedger(openState(folder, { clock }));
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
    const { ledger } = open();
    const slot = await take(ledger, 5);
    await ledger.settle(slot, { unused: 2 });
    expect(await ledger.remaining(key)).toMatchObject({ used: 3, remaining: 2 });
    await ledger.settle(await take(ledger, 2), { unused: 2 });
    expect(await ledger.remaining(key)).toMatchObject({ used: 3, remaining: 2 });
  });

  test("of a long exchange count from its end; of a short one nothing is written", async () => {
    const { ledger, clock, folder, files } = open();
    const slot = await take(ledger, 5);
    const [file = ""] = files();
    const written = () => statSync(path.join(folder, file)).ino;
    const before = written();
    clock.advance(1000);
    await ledger.settle(slot);
    expect(written()).toBe(before);
    clock.advance(19_000);
    await ledger.settle(slot);
    expect((await ledger.reserve(key)).waitMs).toBe(61_001);
  });

  test("after a 429 are closed to everyone until the time is up", async () => {
    const { ledger, clock, folder } = open();
    await ledger.observe429(key, 30_000);
    await ledger.observe429(key, 10_000);
    const other = openQuotaLedger(openState(folder, { clock }));
    expect(await other.reserve(key)).toMatchObject({ granted: 0, waitMs: 30_000 });
    expect(await other.remaining(key)).toMatchObject({ remaining: 0, blockedUntil: clock.now() + 30_000 });
    expect(await other.reserve({ ...key, bucket: "general" })).toMatchObject({ granted: 1 });
    clock.advance(30_000);
    expect(await other.reserve(key)).toMatchObject({ granted: 1 });
  });

  test.each([Infinity, Number.NaN, 1e15])("a wait of %d is cut to an hour", async (ms) => {
    const { ledger } = open();
    await ledger.observe429(key, ms);
    expect((await ledger.reserve(key)).waitMs).toBe(3_600_000);
  });
});

describe("a clock that is set back", () => {
  test.each([1000, 86_400_000, 1e12])("by %d ms does not lock up", async (back) => {
    const { ledger, clock } = open();
    await take(ledger, 5);
    await ledger.observe429(key, 20_000);
    clock.advance(-back);
    // Asked again and again: the wait must shrink, not start anew.
    expect((await ledger.reserve(key)).waitMs).toBeLessThanOrEqual(61_001);
    for (let asked = 0; asked < 61; asked += 1) {
      clock.advance(1000);
      await ledger.reserve(key, 0);
    }
    clock.advance(1);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 1 });
  });

  test("while a request is out, which counts from its end then", async () => {
    const { ledger, clock } = open();
    const slot = await take(ledger, 5);
    clock.advance(-50_000);
    await ledger.settle(slot);
    clock.advance(61_001);
    expect(await ledger.remaining(key)).toMatchObject({ used: 0, waitMs: 0 });
  });
});

// Perhaps the machine was started again in between, which nothing tells.
test.each([
  ["the shorter of two times, where both clocks tell one", 100, 500, 100],
  ["the steady clock's, where the other was set back", -100, 500, 500],
])("of a machine whose starts can't be told apart counts %s", (_, wall, up, elapsed) => {
  const then = { at: 1000, up: 1000, boot: null };
  expect(elapsedMs(then, { at: 1000 + wall, up: 1000 + up, boot: null })).toBe(elapsed);
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
    const right = openQuotaLedger(openState(folder, { clock: machineClock(truth) }));
    await take(right, 3);
    truth.advance(1000);
    const wrongClock = machineClock(truth);
    wrongClock.skew.ms = skew;
    const wrong = openQuotaLedger(openState(folder, { clock: wrongClock }));
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
    const ledger = openQuotaLedger(openState(folder, { clock }));
    await ledger.observe429(key, 30_000);
    clock.skew.ms = skew;
    truth.advance(10_000);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 20_000 });
    expect(await ledger.remaining(key)).toMatchObject({ blockedUntil: clock.now() + 20_000 });
    truth.advance(20_000);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 1 });
  });
});

describe("what the file says", () => {
  const year = 365 * 24 * hour;
  const now = simulatedClock().now();
  const entry = (at: number, up: number | null = null, boot: string | null = null) => ({
    id: String(at),
    count: 5,
    at,
    up,
    boot,
  });
  const written = async (file: unknown, clock: Clock) => {
    const { ledger, folder, files, warnings } = open();
    await ledger.reserve(key);
    writeFileSync(path.join(folder, files()[0] ?? ""), JSON.stringify(file));
    return { ledger: openQuotaLedger(openState(folder, { clock })), warnings, folder, files };
  };

  test.each([
    ["in the wall clock's future", entry(now + year)],
    ["in both clocks' future", entry(now + year, 1e15, openState("/none").table.self().boot)],
    ["of another machine's future", entry(now + year, 5, "another")],
  ])("of an entry %s is believed for one window from when it is first seen", async (_, future) => {
    const truth = simulatedClock();
    const { ledger } = await written({ version: 2, entries: [future] }, machineClock(truth));
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 61_001 });
    truth.advance(61_000);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 1 });
    truth.advance(1);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 1 });
  });

  test.each([
    ["years long", { at: now, ms: 5 * year }],
    ["years long, from the future", { at: now + year, ms: year }],
  ])("of a block %s is believed for an hour", async (_, block) => {
    const truth = simulatedClock();
    const file = { version: 2, entries: [], block: { up: null, boot: null, ...block } };
    const { ledger } = await written(file, machineClock(truth));
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: hour });
    truth.advance(hour);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 1 });
  });

  test("before the machine was started counts by the wall clock, and from then on by the steady one", async () => {
    const truth = simulatedClock();
    const clock = machineClock(truth);
    const { ledger } = await written({ version: 2, entries: [entry(now - 20_000, 1e15, "before")] }, clock);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 41_001 });
    clock.skew.ms = hour;
    truth.advance(1);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 41_000 });
  });

  test("in its first version is read, and kept on in the second", async () => {
    const truth = simulatedClock();
    const first = {
      version: 1,
      entries: [{ id: "x", at: now - 1000, count: 4 }],
      block: { from: now - 1000, until: now + 9000 },
    };
    const { ledger, folder, files, warnings } = await written(first, machineClock(truth));
    expect(await ledger.reserve(key)).toMatchObject({ granted: 0, waitMs: 9000 });
    truth.advance(9000);
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 1 });
    expect(warnings).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(folder, files()[0] ?? ""), "utf8"))).toMatchObject({
      version: 2,
    });
  });

  test("in a newer version is left as it is, with one warning; this run counts by itself", async () => {
    const { ledger, folder, files, warnings } = open();
    await take(ledger, 2);
    const file = path.join(folder, files()[0] ?? "");
    const text = '{"version":3,"something":"else"}';
    writeFileSync(file, text);
    expect(await ledger.remaining(key)).toMatchObject({ used: 2 });
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 3 });
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 0 });
    await ledger.observe429(key, 5);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(warnings).toEqual([expect.stringContaining(`${file} was written by a newer comanda`)]);
  });
});

describe("the ledger's file", () => {
  test("names no store and stays small", async () => {
    const { ledger, clock, folder, files } = open();
    for (let round = 0; round < 400; round += 1) {
      await ledger.reserve({ ...key, store: "secret-store" });
      clock.advance(9000);
    }
    const [file = "", ...others] = files();
    expect(others).toEqual([]);
    const text = readFileSync(path.join(folder, file), "utf8");
    expect(`${file}${text}`).not.toContain("secret-store");
    expect(text.length).toBeLessThan(1000);
    expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    "",
    "{",
    "[]",
    '{"version":1,"entries":[{"id":"x","at":0,"count":-1}]}',
    '{"version":2}',
    '{"version":"2"}',
  ])("that holds %j: starts anew, with one warning", async (text) => {
    const { ledger, folder, files, warnings } = open();
    await take(ledger, 5);
    const file = path.join(folder, files()[0] ?? "");
    writeFileSync(file, text);
    await ledger.remaining(key);
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 5 });
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 0 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(file);
  });

  test("that others can change: starts anew, with one warning", async () => {
    const { ledger, folder, files, warnings } = open();
    await take(ledger, 5);
    chmodSync(path.join(folder, files()[0] ?? ""), 0o666);
    expect(await ledger.reserve(key)).toMatchObject({ granted: 1 });
    expect(warnings).toHaveLength(1);
  });

  test("in a folder that can't be: counts for this run, with one warning", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "f"), "");
    const { ledger, warnings, clock } = open({ folder: path.join(folder, "f") });
    await take(ledger, 3);
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 2 });
    expect(await ledger.remaining(key)).toMatchObject({ used: 5, remaining: 0 });
    clock.advance(61_001);
    expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 5 });
    expect(warnings).toHaveLength(1);
  });

  test("of which two are asked for on a full disk at once: one warning", async () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    const state = openState(temporaryFolder(), { clock: simulatedClock(), warn });
    const run = (name: string) => Promise.reject(new ComandaError("state_unusable", `No space for ${name}.`));
    const ledger = openQuotaLedger({ ...state, locks: { ...state.locks, run } });
    await Promise.all([ledger.reserve(key, 1), ledger.reserve({ ...key, bucket: "general" }, 1)]);
    expect(warnings).toEqual([expect.stringContaining("Rate limits are counted for this run alone.")]);
  });

  test("whose lock is stuck: counts for this run after 5 s, with one warning", async () => {
    const { ledger, folder, clock, warnings } = open();
    const slot = await take(ledger, 3);
    await openState(folder).locks.run(`quota-${lockName(folder)}`, async () => {
      const before = clock.now();
      expect(await ledger.reserve(key, 9)).toMatchObject({ granted: 2 });
      expect(clock.now() - before).toBe(5000);
    });
    await ledger.settle(slot);
    expect(warnings).toHaveLength(1);
  });
});

function lockName(folder: string): string {
  return path.basename(filesIn(path.join(folder, "quota"))[0] ?? "", ".json");
}

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
  readonly ledgers: readonly QuotaLedger[];
  /** The time that truly passes. */
  readonly clock: SimulatedClock;
  readonly onStep?: (step: Step) => void;
  readonly onWait?: (waitMs: number) => void;
}

async function simulate(plan: readonly Step[], { ledgers, clock, onStep, onWait }: Simulation) {
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
    const ledger = ledgers[step.process % ledgers.length];
    const reserved = await ledger?.reserve(key, step.want);
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
    const settle = async () => ledger?.settle(slot, { unused });
    ends.push({ at: clock.now() + step.exchangeMs, settle });
  }
  return arrivals;
}

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
      const { folder, clock, ledger } = open();
      const others = [0, 1].map(() => openQuotaLedger(openState(folder, { clock })));
      const arrivals = await simulate(plan, { ledgers: [ledger, ...others], clock });
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
    ledgers: processes.map((clock) => openQuotaLedger(openState(folder, { clock }))),
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
        expect(await simulation.ledgers[0]?.reserve(key, 9)).toMatchObject({ granted: 5 });
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
        await simulate(plan, skewedProcesses("a wall clock alone").simulation);
      }),
      { numRuns: sized({ test: 5, search: 20, soak: 1000 }) },
    );
  },
);

describe("processes at once", () => {
  const spendQuota = bundledProgram(new URL("./programs/spend-quota.ts", import.meta.url));

  test("6 of them never send more than the limit in a window, and do get on", async () => {
    const folder = temporaryFolder();
    const log = path.join(folder, "log");
    writeFileSync(log, "");
    const children = Array.from({ length: 6 }, () =>
      start(spendQuota(), path.join(folder, "state"), log, "10", "300", "30"),
    );
    expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0, 0, 0, 0]);
    const requests = readFileSync(log, "utf8").split("\n").slice(0, -1);
    expect(requests.length).toBeGreaterThanOrEqual(30);
    // A machine that is very busy may keep a request for longer than the window, of which the ledger promises nothing.
    const arrivals = requests.flatMap((request) => {
      const [granted = 0, arrived = 0] = request.split(" ").map(Number);
      return arrived - granted <= 300 ? [arrived] : [];
    });
    expect(fullestWindow(arrivals, { windowMs: 300 })).toBeLessThanOrEqual(10);
    expect(filesIn(path.join(folder, "state"))).toHaveLength(1);
  });
});
