/** Who may call, and how often: sections 5 and 8. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { rateLimits, type RateBucket } from "../../src/api/values.js";
import { RateLimiter } from "../../src/emulator/http/access.js";
import { usualReadings } from "../../src/emulator/readings.js";
import { answerOf, bearer, createTestEmulator, otherStore, sending, someStore } from "./support.js";

const emulator = createTestEmulator({ rateLimits: false });
const invalidToken = { status: 401, body: { code: 4010, message: "Invalid token" } };

const post = (path: string, headers: Record<string, string>, at = emulator) =>
  answerOf(at.request(`/api/partner/v1/orders/${path}`, { method: "POST", headers }));
const assign = (id: number, headers: Record<string, string>) =>
  answerOf(
    emulator.request(`/api/partner/v1/orders/${id}/driver`, sending("PUT", { driver_id: 11 }, headers)),
  );

describe("a credential", () => {
  test.each(["dispatch", "delivered", "finalize", "cancel"])(
    "of either kind is good for %s",
    async (change) => {
      for (const headers of [bearer(emulator.accessToken()), { "x-api-key": emulator.apiKey() }]) {
        const { id } = await emulator.order({ status: change === "delivered" ? "released" : "confirmed" });
        expect(await post(`${id}/${change}`, headers)).toEqual({ status: 204, body: null });
      }
    },
  );

  test.each([
    ["none", {}],
    ["an unknown token", bearer("nobody's")],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["an unknown key", { "x-api-key": "key_501_00000000000000000000000000000000" }],
    ["a key in the place of a token", bearer(emulator.apiKey())],
    ["a bad token beside a good key", { ...bearer("bad"), "x-api-key": emulator.apiKey() }],
  ])("is refused with 4010 and no details: %s", async (_, headers: Record<string, string>) => {
    const { id } = await emulator.order();
    expect(await post(`${id}/dispatch`, headers)).toEqual(invalidToken);
    expect(await emulator.look(id)).toHaveProperty("status", "confirmed");
  });

  test("of the legacy kind is not accepted for drivers", async () => {
    const { id } = await emulator.order();
    expect(await assign(id, { "x-api-key": emulator.apiKey() })).toEqual(invalidToken);
  });

  test("opens its own store and no other", async () => {
    const { id } = await emulator.order({ merchant_id: otherStore });
    const notFound = { status: 404, body: { code: 4041, message: "Resource not found" } };
    expect(await post(`${id}/dispatch`, { "x-api-key": emulator.apiKey(someStore) })).toEqual(notFound);
    expect(await post(`${id}/dispatch`, bearer(emulator.accessToken(someStore)))).toEqual(notFound);
    expect(await post(`${id}/dispatch`, bearer(emulator.accessToken(otherStore)))).toHaveProperty(
      "status",
      204,
    );
  });

  test("needs the scope, whether the order exists or not", async () => {
    const token = emulator.accessToken(someStore, "painel-de-vendas");
    const { id } = await emulator.order();
    for (const order of [id, 999_999])
      expect(await assign(order, bearer(token))).toMatchObject({
        status: 403,
        body: { details: expect.stringContaining("drivers") as string },
      });
    expect(await post(`${id}/dispatch`, bearer(token))).toHaveProperty("status", 204);
  });

  test.each([
    ["expired", (own: typeof emulator) => own.advance(7200)],
    ["of an app that was uninstalled", (own: typeof emulator) => own.service.server.uninstall(someStore)],
  ])("is refused with 401: %s", async (_, spoil) => {
    const own = createTestEmulator();
    const headers = bearer(own.accessToken());
    const { id } = await own.order();
    spoil(own);
    expect(await post(`${id}/dispatch`, headers, own)).toEqual(invalidToken);
    expect(await own.look(id)).toHaveProperty("status", "confirmed");
  });
});

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
        { numRuns: 20 },
      );
    },
  );
});

test("300 calls in 3 minutes are let through, the next is told when to come back, on the emulator's clock", async () => {
  const own = createTestEmulator();
  const call = async (storeId: number, headers = { "x-api-key": own.apiKey(storeId) }) => {
    const init = { method: "POST", headers };
    const answer = await own.request("/api/partner/v1/orders/1/dispatch", init);
    return [answer.status, answer.headers.get("retry-after")];
  };
  for (let count = 0; count < 300; count += 1) {
    expect(await call(someStore)).toEqual([404, null]);
    own.advance(0.1);
  }
  expect(await call(someStore)).toEqual([429, "150"]);
  expect(await call(otherStore)).toEqual([404, null]);
  // Neither a refused credential nor a call that was too many takes a place.
  expect(await call(someStore, { "x-api-key": "bad" })).toEqual([401, null]);
  own.advance(149);
  expect(await call(someStore)).toEqual([429, "1"]);
  own.advance(1);
  expect(await call(someStore)).toEqual([404, null]);
  expect(await call(someStore)).toEqual([429, "1"]);
});
