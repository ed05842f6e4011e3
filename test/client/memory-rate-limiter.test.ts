import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createMemoryRateLimiter } from "../../src/client/rate-limit.js";
import { jumpingClock } from "./support/clock.js";

const patient = { maxWaitMs: Number.MAX_SAFE_INTEGER };

describe("a sliding window", () => {
  test("never admits more requests than its limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30_000), { minLength: 6, maxLength: 60 }), async (pauses) => {
        const clock = jumpingClock();
        const limiter = createMemoryRateLimiter(clock);
        const sent: number[] = [];
        for (const pause of pauses) {
          await clock.sleep(pause);
          const permit = await limiter.acquire("summary", patient);
          sent.push(clock.now());
          await permit.settle(true);
        }
        sent.forEach((at, index) => {
          const sixth = sent[index + 5];
          if (sixth !== undefined) expect(sixth - at).toBeGreaterThanOrEqual(60_000);
        });
      }),
      { numRuns: 50 },
    );
  });

  test("counts a request from its response, and admits none while the service blocks", async () => {
    const clock = jumpingClock();
    const limiter = createMemoryRateLimiter(clock);
    for (let n = 0; n < 5; n += 1) {
      const permit = await limiter.acquire("summary", patient);
      await clock.sleep(1000);
      await permit.settle(true);
    }
    await limiter.blocked("general", 7000);
    await limiter.acquire("general", patient);
    await limiter.acquire("summary", patient);
    expect(clock.sleeps.slice(5)).toEqual([7000, 49_000]);
  });

  test("obeys one 429, and sends requests a second apart for a window after a second one", async () => {
    const clock = jumpingClock();
    const limiter = createMemoryRateLimiter(clock);
    const waits: unknown[] = [];
    const onWait = (...wait: readonly unknown[]) => waits.push(wait);
    const send = async () => (await limiter.acquire("general", { ...patient, onWait })).settle(true);
    await limiter.blocked("general", 1000);
    for (let turn = 0; turn < 3; turn += 1) await send();
    expect(waits.splice(0)).toEqual([[1000, "rate_limit"]]);
    clock.advance(178_000);
    await limiter.blocked("general", 2000);
    for (let turn = 0; turn < 3; turn += 1) await send();
    const apart = [1000, "slowed_down"];
    expect(waits.splice(0)).toEqual([[2000, "rate_limit"], apart, apart]);
    clock.advance(180_000);
    for (let turn = 0; turn < 3; turn += 1) await send();
    expect(waits).toEqual([]);
  });

  test("doesn't wait longer if the clock is set back", async () => {
    const [clock, hour] = [jumpingClock(), 3_600_000];
    let back = 0;
    const set = { ...clock, now: () => clock.now() - back, monotonic: clock.now };
    const limiter = createMemoryRateLimiter(set);
    for (let n = 0; n < 5; n += 1) await (await limiter.acquire("summary", patient)).settle(true);
    await limiter.blocked("general", 7000);
    back = hour;
    await limiter.acquire("general", patient);
    await limiter.acquire("summary", patient);
    expect(clock.sleeps).toEqual([7000, 53_000]);
  });
});
