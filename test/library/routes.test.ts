/** What section 4.12 names and doesn't show: what a test has put there, behind credentials and rate limit. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator, type SignedIn } from "../../src/library/emulator.js";

const base = "/api/partner/v1";
let emulator: Emulator;
let signedIn: SignedIn;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 3 });
});
afterAll(() => emulator.close());
afterEach(() => {
  emulator.reset();
});

const call = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(emulator.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
const bearer = () => {
  signedIn = emulator.signIn();
  return { authorization: `Bearer ${signedIn.accessToken}` };
};
const keys = () => {
  const { apiKey, partnerKey } = emulator.signIn();
  return { "x-api-key": apiKey, "x-partner-key": partnerKey };
};

describe("what the specification names and doesn't show", () => {
  test("is unknown without a route, and its own call with the wrong method is told so", async () => {
    for (const path of ["/orders", "/orders/history", "/catalog", ""])
      expect([path, (await call("GET", base + path, bearer())).status]).toEqual([path, 404]);
    expect((await call("GET", `${base}/orders/1/dispatch`, bearer())).status).toBe(405);
  });

  test.each<[name: string, headers: () => Record<string, string>, status: number, credential: string | null]>(
    [
      ["nothing", () => ({}), 401, null],
      ["the token", bearer, 200, "bearer"],
      ["the API key", () => ({ "x-api-key": keys()["x-api-key"] }), 200, "api_key"],
      ["both keys", keys, 200, "partner_key"],
      ["another partner key", () => ({ ...keys(), "x-partner-key": "other" }), 401, "partner_key"],
    ],
  )("takes, where a route is, %s", async (_, headers, status, credential) => {
    emulator.route("POST", `${base}/orders`, () => ({ json: {} }));
    expect((await call("POST", `${base}/orders`, headers(), "{}")).status).toBe(status);
    expect(emulator.received().at(-1)).toMatchObject({ status, credential, operation: `${base}/orders` });
  });

  test("counts the history five times a minute by itself", async () => {
    for (const path of ["history", "other"]) emulator.route("GET", `${base}/orders/${path}`, () => ({}));
    const headers = bearer();
    const status = async (path: string) => (await call("GET", base + path, headers)).status;
    for (let count = 0; count < 5; count += 1) expect(await status("/orders/history")).toBe(200);
    const refused = await call("GET", `${base}/orders/history`, headers);
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 60]);
    expect(await status("/orders/other")).toBe(200);
    emulator.clock.advance(60_000);
    expect(await status("/orders/history")).toBe(200);
  });
});

describe("a route of a test's own", () => {
  test("answers with what the request brought", async () => {
    emulator.route("GET", `${base}/catalog/items/{item_id}`, ({ params, query, storeId }) => ({
      headers: { "x-page": "1" },
      json: { ...params, storeId, page: query.get("page") },
    }));
    const answer = await call("GET", `${base}/catalog/items/a%2Fb?page=2`, bearer());
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-page")]).toEqual([
      200,
      "application/json",
      "1",
    ]);
    expect(await answer.json()).toEqual({ item_id: "a/b", storeId: signedIn.storeId, page: "2" });
    expect((await call("GET", `${base}/catalog/items`, bearer())).status).toBe(404);
  });

  test("takes the place of an operation that is shown, by its path in section 4", async () => {
    emulator.route("POST", `${base}/orders/{order_id}/dispatch`, ({ params }) => ({ json: params }));
    expect((await call("POST", `${base}/orders/7/dispatch`)).status).toBe(401);
    const answer = await call("POST", `${base}/orders/7/dispatch`, bearer());
    expect(await answer.json()).toEqual({ order_id: "7" });
    expect(emulator.received({ operation: "dispatchOrder" })).toHaveLength(2);
  });
});
