/** Routes of a test for operations that section 4.12 names but doesn't show. */
import { afterEach, expect, test } from "vitest";

import { startEmulator, type SignedIn } from "../../src/library/emulator.js";
import { closing } from "../support/resources.js";

const base = "/api/partner/v1";
let signedIn: SignedIn;
const emulator = closing(await startEmulator({ orders: 3 }));
afterEach(() => {
  emulator.reset();
});

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(emulator.url + path, { method, headers });
const bearer = () => {
  signedIn = emulator.signIn();
  return { authorization: `Bearer ${signedIn.accessToken}` };
};
const keys = () => {
  const { apiKey, partnerKey } = emulator.signIn();
  return { "x-api-key": apiKey, "x-partner-key": partnerKey };
};

test("without a route, an operation that isn't shown is 404, and a wrong method is 405", async () => {
  for (const path of ["/orders", "/orders/history", "/catalog", ""])
    expect((await call("GET", base + path, bearer())).status, path).toBe(404);
  expect((await call("GET", `${base}/orders/1/dispatch`, bearer())).status).toBe(405);
});

const apiKey = () => ({ "x-api-key": keys()["x-api-key"] });
const otherPartner = () => ({ ...keys(), "x-partner-key": "other" });
/** A token without the scope `orders`. */
const storeToken = () => {
  emulator.setApp({ scopes: ["store"] });
  return bearer();
};

test.each<[method: string, path: string, name: string, () => Record<string, string>, number, string | null]>([
  ["POST", "/orders", "nothing", () => ({}), 401, null],
  ["POST", "/orders", "the token", bearer, 200, "bearer"],
  ["POST", "/orders", "a token without its scope", storeToken, 403, "bearer"],
  // Sections 4.12 and 5.1: the partner key is required, too.
  ["POST", "/orders", "only the API key", apiKey, 401, "api_key"],
  ["POST", "/orders", "both keys", keys, 200, "partner_key"],
  ["POST", "/orders", "another partner key", otherPartner, 401, "partner_key"],
  ["GET", "/orders/history", "only the API key", apiKey, 200, "api_key"],
  ["GET", "/catalog", "a token of the store", storeToken, 200, "bearer"],
])(
  "a route for %s %s with %s has the right status and credential",
  async (method, path, _, headers, status, credential) => {
    emulator.route(method as "GET", base + path, () => ({ json: {} }));
    expect(await call(method, base + path, headers())).toHaveProperty("status", status);
    expect(emulator.received().at(-1)).toMatchObject({ status, credential, operation: base + path });
  },
);

// A test of the emulator's calls counts the 300 requests of all other operations.
test.each([
  ["/orders/history", 429],
  ["/orders/summary/daily", 429],
  ["/catalog/orders/history", 200],
])(
  "a route for %s has the limit of section 8: the sixth request is answered with %i",
  async (path, sixth) => {
    emulator.route("GET", base + path, () => ({ json: {} }));
    const headers = bearer();
    for (let count = 0; count < 5; count += 1)
      expect(await call("GET", base + path, headers)).toHaveProperty("status", 200);
    expect(await call("GET", base + path, headers)).toHaveProperty("status", sixth);
  },
);

test("a route receives the parameters, the query and the store of the request", async () => {
  emulator.route("GET", `${base}/catalog/items/{item_id}`, ({ params, query, storeId }) => ({
    headers: { "x-page": "1" },
    json: { ...params, storeId, page: query.get("page") },
  }));
  const answer = await call("GET", `${base}/catalog/items/a%2Fb?page=2`, bearer());
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-page")).toBe("1");
  expect(await answer.json()).toEqual({ item_id: "a/b", storeId: signedIn.storeId, page: "2" });
});

test("a route replaces an operation that is shown, by its path in section 4", async () => {
  emulator.route("POST", `${base}/orders/{order_id}/dispatch`, ({ params }) => ({ json: params }));
  expect((await call("POST", `${base}/orders/7/dispatch`)).status).toBe(401);
  const answer = await call("POST", `${base}/orders/7/dispatch`, bearer());
  expect(await answer.json()).toEqual({ order_id: "7" });
  expect(emulator.received({ operation: "dispatchOrder" })).toHaveLength(2);
});

test("a route's response is sent unchanged, whatever the readings", async () => {
  const own = await startEmulator({ readings: { success_status: 204, forbidden_body: "text" }, orders: 0 });
  const denial = { id: 7, error: "order is locked" };
  const headers = { "x-api-key": own.signIn().apiKey };
  for (const status of [200, 403]) {
    own.route("POST", `${base}/orders/{order_id}/dispatch`, () => ({ status, json: denial }));
    const answer = await fetch(`${own.url}${base}/orders/7/dispatch`, { method: "POST", headers });
    const received = { status: answer.status, body: await answer.text() };
    expect(received).toEqual({ status, body: JSON.stringify(denial) });
  }
  await own.close();
});
