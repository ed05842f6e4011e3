/** What section 4.12 names and doesn't show: what a test has put there, behind credentials. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

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

test("what the specification doesn't show is unknown without a route, and a wrong method is told so", async () => {
  for (const path of ["/orders", "/orders/history", "/catalog", ""])
    expect([path, (await call("GET", base + path, bearer())).status]).toEqual([path, 404]);
  expect((await call("GET", `${base}/orders/1/dispatch`, bearer())).status).toBe(405);
});

test.each<[name: string, headers: () => Record<string, string>, status: number, credential: string | null]>([
  ["nothing", () => ({}), 401, null],
  ["the token", bearer, 200, "bearer"],
  ["the API key", () => ({ "x-api-key": keys()["x-api-key"] }), 200, "api_key"],
  ["both keys", keys, 200, "partner_key"],
  ["another partner key", () => ({ ...keys(), "x-partner-key": "other" }), 401, "partner_key"],
])("a route is called with %s", async (_, headers, status, credential) => {
  emulator.route("POST", `${base}/orders`, () => ({ json: {} }));
  expect((await call("POST", `${base}/orders`, headers(), "{}")).status).toBe(status);
  expect(emulator.received().at(-1)).toMatchObject({ status, credential, operation: `${base}/orders` });
});

test("a route answers with what the request brought", async () => {
  emulator.route("GET", `${base}/catalog/items/{item_id}`, ({ params, query, storeId }) => ({
    headers: { "x-page": "1" },
    json: { ...params, storeId, page: query.get("page") },
  }));
  const answer = await call("GET", `${base}/catalog/items/a%2Fb?page=2`, bearer());
  expect([answer.status, answer.headers.get("x-page")]).toEqual([200, "1"]);
  expect(await answer.json()).toEqual({ item_id: "a/b", storeId: signedIn.storeId, page: "2" });
});

test("a route takes the place of an operation that is shown, by its path in section 4", async () => {
  emulator.route("POST", `${base}/orders/{order_id}/dispatch`, ({ params }) => ({ json: params }));
  expect((await call("POST", `${base}/orders/7/dispatch`)).status).toBe(401);
  const answer = await call("POST", `${base}/orders/7/dispatch`, bearer());
  expect(await answer.json()).toEqual({ order_id: "7" });
  expect(emulator.received({ operation: "dispatchOrder" })).toHaveLength(2);
});
