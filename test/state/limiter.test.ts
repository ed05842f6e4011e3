import { describe, expect, test } from "vitest";

import { createLimiter } from "../../src/state/limiter.js";
import type { LimitSlot, Limits } from "../../src/state/limits.js";

/** Limits with five places that come back after a minute, and a clock that jumps instead of waiting. */
function bench(places: number) {
  let now = 0;
  let free = places;
  const reserved: number[] = [];
  const settled: { granted: number; unused: number }[] = [];
  const blocked: number[] = [];
  const limits: Pick<Limits, "reserve" | "settle" | "observe429"> = {
    reserve: (key, want = 1) => {
      reserved.push(want);
      const granted = Math.min(want, free);
      free -= granted;
      const slot: LimitSlot | undefined =
        granted > 0 ? { id: "1", key, granted, at: now, takenAt: now } : undefined;
      return Promise.resolve({ granted, waitMs: granted > 0 ? 0 : 60_000, slot, ticket: undefined });
    },
    settle: ({ granted }, { unused = 0 } = {}) => {
      settled.push({ granted, unused });
      free += unused;
      return Promise.resolve();
    },
    observe429: (_, ms) => {
      blocked.push(ms);
      return Promise.resolve();
    },
  };
  const waits: number[] = [];
  const clock = {
    now: () => now,
    sleep: (ms: number) => {
      waits.push(ms);
      now += ms;
      free = places;
      return Promise.resolve();
    },
  };
  const limiter = createLimiter({ limits, clock, baseUrl: "http://127.0.0.1", store: "centro" });
  return { limiter, reserved, settled, blocked, waits };
}

const patient = { maxWaitMs: 300_000 };

describe("the limiter over the limits", () => {
  test("asks once for all that ask in one moment, and settles them together", async () => {
    const { limiter, reserved, settled } = bench(5);
    const permits = await Promise.all([1, 2, 3].map(() => limiter.acquire("general", patient)));
    expect(reserved).toEqual([3]);
    await permits[0]?.settle(true);
    await permits[1]?.settle(false);
    expect(settled).toEqual([]);
    await permits[2]?.settle(true);
    expect(settled).toEqual([{ granted: 3, unused: 1 }]);
  });

  test("has the others wait where there are places for some alone", async () => {
    const { limiter, waits } = bench(2);
    await Promise.all([1, 2, 3].map(() => limiter.acquire("general", patient)));
    expect(waits.length).toBeGreaterThan(0);
  });

  test("fails at once where the wait would be longer than allowed", async () => {
    const { limiter, waits } = bench(1);
    await limiter.acquire("summary", { maxWaitMs: 0 });
    await expect(limiter.acquire("summary", { maxWaitMs: 0 })).rejects.toMatchObject({
      code: "rate_limited",
    });
    await expect(limiter.acquire("summary", { maxWaitMs: 59_999 })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(waits).toEqual([]);
  });

  test("says how long it waits, and goes on then", async () => {
    const { limiter, waits } = bench(1);
    const said: number[] = [];
    await limiter.acquire("summary", patient);
    await limiter.acquire("summary", { ...patient, onWait: (ms) => said.push(ms) });
    expect(said).toEqual([60_000]);
    // It asks again before that: who doesn't is taken for dead.
    expect(waits).toEqual([5000]);
  });

  test("ends with the signal's reason", async () => {
    const { limiter } = bench(1);
    const reason = new Error("stop");
    const stopped = { ...patient, signal: AbortSignal.abort(reason) };
    await expect(limiter.acquire("general", stopped)).rejects.toBe(reason);
  });

  test("hands a 429 on", async () => {
    const { limiter, blocked } = bench(1);
    await limiter.blocked("general", 1234);
    expect(blocked).toEqual([1234]);
  });
});
