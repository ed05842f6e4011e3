/** What section 4.12 names and doesn't show: 501 after credentials and rate limit, or what a test has put there. */
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
  test.each([
    ["GET", "/orders/history"],
    ["GET", "/orders"],
    ["GET", "/orders/100001"],
    ["GET", "/store"],
    ["PUT", "/catalog/items/7"],
    ["POST", "/customers"],
    ["DELETE", "/coupons/7"],
    ["GET", "/reviews?page=2"],
  ])("%s %s takes a Bearer token, and is 501", async (method, path) => {
    expect((await call(method, base + path)).status).toBe(401);
    const { "x-api-key": apiKey } = keys();
    expect((await call(method, base + path, { "x-api-key": apiKey })).status).toBe(401);
    const answer = await call(method, base + path, bearer());
    expect([answer.status, await answer.json()]).toEqual([
      501,
      { message: "Not shown", details: expect.stringContaining("section 4.12") as string },
    ]);
    expect(emulator.received().at(-1)).toMatchObject({
      status: 501,
      store_id: signedIn.storeId,
      cause: null,
    });
  });

  test.each<[name: string, headers: () => Record<string, string>, status: number]>([
    ["the token", bearer, 401],
    ["the API key", () => ({ "x-api-key": keys()["x-api-key"] }), 401],
    ["another partner key", () => ({ ...keys(), "x-partner-key": "other" }), 401],
    ["both keys", keys, 501],
  ])("creation of an order with %s", async (_, headers, status) => {
    expect((await call("POST", `${base}/orders`, headers(), "{}")).status).toBe(status);
  });

  test("counts the history five times a minute by itself", async () => {
    const headers = bearer();
    const status = async (path: string) => (await call("GET", base + path, headers)).status;
    for (let count = 0; count < 5; count += 1) expect(await status("/orders/history")).toBe(501);
    const refused = await call("GET", `${base}/orders/history`, headers);
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, 60]);
    expect(await status("/catalog")).toBe(501);
    emulator.clock.advance(60_000);
    expect(await status("/orders/history")).toBe(501);
  });

  test("is missing where a scope is, and unknown where it is not named", async () => {
    const app = { client_id: emulator.clientId, scopes: ["orders"] };
    const json = { "content-type": "application/json" };
    await call("PUT", "/_emulator/app", json, JSON.stringify(app));
    const headers = bearer();
    expect((await call("GET", `${base}/catalog`, headers)).status).toBe(403);
    expect((await call("GET", `${base}/orders/history`, headers)).status).toBe(501);
    emulator.reset();
    for (const path of ["/webhooks", "/orders/1/undo", "/catalogue", ""])
      expect([path, (await call("POST", base + path, bearer())).status]).toEqual([path, 404]);
    for (const path of ["/orders/", "/orders/summary/", "/orders/summary/more", "/orders/history/1"])
      expect([path, (await call("GET", base + path, bearer())).status]).toEqual([path, 404]);
    expect((await call("GET", `${base}/orders/1/dispatch`, bearer())).status).toBe(405);
  });
});

describe("a route of a test's own", () => {
  test("answers in the place of 501, with what the request brought", async () => {
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
    expect((await call("GET", `${base}/catalog/items`, bearer())).status).toBe(501);
  });

  test("takes the place of an operation that is shown, by its path in section 4", async () => {
    emulator.route("POST", `${base}/orders/{order_id}/dispatch`, ({ params }) => ({ json: params }));
    expect((await call("POST", `${base}/orders/7/dispatch`)).status).toBe(401);
    const answer = await call("POST", `${base}/orders/7/dispatch`, bearer());
    expect(await answer.json()).toEqual({ order_id: "7" });
    expect(emulator.received({ operation: "dispatchOrder" })).toHaveLength(2);
  });
});
