import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { rateLimits, type RateBucket } from "../../src/api/limits.js";
import { RateLimiter } from "../../src/emulator/http/access.js";
import { usualReadings } from "../../src/emulator/readings.js";
import { bearer, createTestEmulator, otherStore, someStore } from "./support.js";

describe("the rate limiter", () => {
  test.each(Object.keys(rateLimits) as RateBucket[])(
    "never lets more than the limit into any window: %s",
    (bucket) => {
      const { limit, windowMs } = rateLimits[bucket];
      // Gaps on the scale of the limit, so that windows fill up and empty again.
      const gap = fc.integer({ min: 0, max: Math.ceil((2 * windowMs) / limit) });
      fc.assert(
        fc.property(fc.array(gap, { minLength: limit, maxLength: 3 * limit }), (gaps) => {
          const limiter = new RateLimiter(true, usualReadings);
          const taken: number[] = [];
          let now = 0;
          for (const ms of gaps) {
            now += ms;
            const within = taken.filter((time) => time > now - windowMs);
            const wait = limiter.take(1, bucket, now);
            // The model: a place is free exactly where fewer than `limit` calls lie in the window.
            expect(wait === 0).toBe(within.length < limit);
            if (wait === 0) taken.push(now);
            else expect(wait).toBe((within[0] ?? 0) + windowMs - now);
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  test("counts stores and buckets apart", () => {
    const limiter = new RateLimiter(true, usualReadings);
    for (let call = 0; call < 5; call += 1) expect(limiter.take(1, "summary", 0)).toBe(0);
    expect(limiter.take(1, "summary", 0)).toBe(60_000);
    expect(limiter.take(2, "summary", 0)).toBe(0);
    expect(limiter.take(1, "summary_grouped", 0)).toBe(0);
  });

  test("forgets calls of a future that was taken back", () => {
    const limiter = new RateLimiter(true, usualReadings);
    for (let call = 0; call < 5; call += 1) limiter.take(1, "summary", 1_000_000);
    expect(limiter.take(1, "summary", 500_000)).toBe(0);
  });
});

describe("300 calls in 3 minutes", () => {
  const emulator = createTestEmulator();
  const call = (
    storeId: number,
    headers: Record<string, string> = { "x-api-key": emulator.apiKey(storeId) },
  ) => emulator.request("/api/partner/v1/orders/1/dispatch", { method: "POST", headers });

  test("are let through, the next is told when to come back, on the emulator's clock", async () => {
    for (let count = 0; count < 300; count += 1) {
      expect((await call(someStore)).status).toBe(404);
      emulator.advance(0.1);
    }
    const refused = await call(someStore);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "150"]);
    expect((await call(otherStore)).status).toBe(404);
    // Neither a refused credential nor a call that was too many takes a place.
    expect((await call(someStore, bearer("bad"))).status).toBe(401);
    emulator.advance(149);
    expect((await call(someStore)).headers.get("retry-after")).toBe("1");
    emulator.advance(1);
    expect((await call(someStore)).status).toBe(404);
    expect((await call(someStore)).status).toBe(429);
  });
});
