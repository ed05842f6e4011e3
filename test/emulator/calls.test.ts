/** Tests credentials and rate limits (sections 5 and 8), drivers (4.1), and pre-filled orders (4.9) with their pages. */
import { describe, expect, test } from "vitest";

import type { NewOrder } from "../../src/emulator/inputs.js";
import {
  answerOf,
  bearer,
  createTestEmulator,
  otherStore,
  sending,
  someDriver,
  someStore,
} from "./support.js";

const emulator = createTestEmulator({ rateLimits: false });
const invalidToken = { status: 401, body: { code: 4010, message: "Invalid token" } };

const post = (path: string, headers: Record<string, string>, at = emulator) =>
  answerOf(at.request(`/api/partner/v1/orders/${path}`, { method: "POST", headers }));
const assign = (
  id: number,
  body: unknown = { driver_id: someDriver },
  headers: Record<string, string> = bearer(emulator.accessToken()),
) => answerOf(emulator.request(`/api/partner/v1/orders/${id}/driver`, sending("PUT", body, headers)));

describe("a credential", () => {
  test.each([
    ["missing", {}],
    ["of another scheme", { authorization: "Basic YTpi" }],
    ["an unknown key", { "x-api-key": "key_501_00000000000000000000000000000000" }],
    ["an API key as a token", bearer(emulator.apiKey())],
    ["an unknown token with a valid key", { ...bearer("bad"), "x-api-key": emulator.apiKey() }],
  ])("is refused with 4010 and no details if it is %s", async (_, headers: Record<string, string>) => {
    const { id } = await emulator.order();
    expect(await post(`${id}/dispatch`, headers)).toEqual(invalidToken);
    expect(await emulator.look(id)).toHaveProperty("status", "confirmed");
  });

  test("is refused for drivers if it is an API key", async () => {
    const { id } = await emulator.order();
    expect(await assign(id, undefined, { "x-api-key": emulator.apiKey() })).toEqual(invalidToken);
  });

  test("allows access only to its own store", async () => {
    const { id } = await emulator.order({ merchant_id: otherStore });
    const notFound = { status: 404, body: { code: 4041, message: "Resource not found" } };
    expect(await post(`${id}/dispatch`, { "x-api-key": emulator.apiKey(someStore) })).toEqual(notFound);
    expect(await post(`${id}/dispatch`, bearer(emulator.accessToken(someStore)))).toEqual(notFound);
    const headers = bearer(emulator.accessToken(otherStore));
    expect(await post(`${id}/dispatch`, headers)).toHaveProperty("status", 204);
  });

  test("requires the scope, whether or not the order exists", async () => {
    const token = emulator.accessToken(someStore, "painel-de-vendas");
    const { id } = await emulator.order();
    for (const order of [id, 999_999])
      expect(await assign(order, undefined, bearer(token))).toMatchObject({
        status: 403,
        body: { details: expect.stringContaining("drivers") as string },
      });
    expect(await post(`${id}/dispatch`, bearer(token))).toHaveProperty("status", 204);
  });

  test.each([
    ["expired", (own: typeof emulator) => own.advance(7200)],
    ["of an uninstalled app", (own: typeof emulator) => own.service.server.uninstall(someStore)],
  ])("is refused with 4010 if it is %s", async (_, invalidate) => {
    const own = createTestEmulator();
    const headers = bearer(own.accessToken());
    const { id } = await own.order();
    invalidate(own);
    expect(await post(`${id}/dispatch`, headers, own)).toEqual(invalidToken);
    expect(await own.look(id)).toHaveProperty("status", "confirmed");
  });
});

test("the emulator allows 300 requests in 3 minutes of its clock, and the next refusal says when to retry", async () => {
  const own = createTestEmulator();
  const call = async (storeId: number, headers = { "x-api-key": own.apiKey(storeId) }) => {
    const init = { method: "POST", headers };
    const answer = await own.request("/api/partner/v1/orders/1/dispatch", init);
    return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
  };
  const allowed = { status: 404, retryAfter: null };
  for (let count = 0; count < 300; count += 1) {
    expect(await call(someStore)).toEqual(allowed);
    own.advance(0.1);
  }
  expect(await call(someStore)).toEqual({ status: 429, retryAfter: "150" });
  expect(await call(otherStore)).toEqual(allowed);
  // Refused requests use no slot.
  expect(await call(someStore, { "x-api-key": "bad" })).toEqual({ status: 401, retryAfter: null });
  own.advance(149);
  expect(await call(someStore)).toEqual({ status: 429, retryAfter: "1" });
  own.advance(1);
  expect(await call(someStore)).toEqual(allowed);
  expect(await call(someStore)).toEqual({ status: 429, retryAfter: "1" });
});

describe("assigning a driver", () => {
  test("returns the whole changed order, with a fee that isn't exact as a float", async () => {
    const { id } = await emulator.order({ driver_fee: 1.1, driver_id: 12 });
    emulator.advance(1);
    const fields = { driver_id: someDriver, driver_fee: 0.29 };
    const { status, body } = await assign(id, fields);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, ...fields } });
    const { _emulator, ...order } = await emulator.look(id);
    expect(_emulator.in_delivery_route).toBe(false);
    expect(body).toEqual(order);
    expect(Date.parse(order.updated_at)).toBe(emulator.service.world.clock.now());
  });

  test.each([
    ["for takeout", { order_type: "takeout" }, /only for delivery/],
    ["delivered by a marketplace", { delivered_by: "marketplace_a" }, /by the store itself/],
    ["in a delivery route", { in_delivery_route: true }, /delivery route/],
  ] satisfies [string, NewOrder, RegExp][])("refuses an order that is %s", async (_, fields, details) => {
    const { id } = await emulator.order(fields);
    expect(await assign(id, { driver_id: someDriver })).toEqual({
      status: 400,
      body: { code: 4000, message: "Invalid parameters", details: expect.stringMatching(details) as string },
    });
    expect(await emulator.look(id)).toHaveProperty("driver_id", null);
  });

  test("refuses another store's driver and doesn't change the order", async () => {
    const { id } = await emulator.order({ driver_id: 12, driver_fee: 3 });
    expect(await assign(id, { driver_id: 21 })).toMatchObject({
      status: 400,
      body: { code: 4000, details: expect.stringMatching(/active driver/) as string },
    });
    expect(await emulator.look(id)).toMatchObject({ driver_id: 12, driver_fee: 3 });
  });
});

const path = "/api/partner/v1/orders/prefilled_order";
const key = (storeId?: number) => ({ "x-api-key": emulator.apiKey(storeId) });
const create = (body: unknown, headers: Record<string, string> = key()) =>
  answerOf(emulator.request(path, sending("POST", body, headers)));

test("a pre-filled order requires the API key, which determines the store", async () => {
  const order = { order_type: "takeout" };
  const token = bearer(emulator.accessToken());
  for (const headers of [token, {}, { "x-api-key": "no" }, { ...token, "x-api-key": "no" }])
    expect(await create(order, headers)).toMatchObject({ status: 401, body: { code: 4010 } });
  expect(await create({ order_type: "nothing" }, {})).toHaveProperty("status", 401);
  expect(await create(order, { ...token, ...key(otherStore) })).toMatchObject({
    status: 201,
    body: { order_url: expect.stringContaining("/menu/502/") as string },
  });
});

test("both links of a pre-filled order show its fields as text, only below its own store", async () => {
  const markup = `"><script>document.title="owned"</script><img src=x>`;
  const order = { order_type: "takeout", customer: { name: markup }, cart: [{ item_id: 3001 }] };
  const { body } = await create(order);
  const { order_url, checkout_url } = body as { order_url: string; checkout_url: string };
  const open = (url: string) => emulator.request(new URL(url).pathname);
  for (const url of [order_url, checkout_url]) {
    const answer = await open(url);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; base-uri 'none'/);
    const page = await answer.text();
    expect(page).toContain("&lt;script&gt;");
    expect(page).toContain("3001");
    expect(page).not.toMatch(/<script|<img/);
  }
  for (const url of [order_url.replace("/501/", "/502/"), `${order_url}0`])
    expect((await open(url)).status).toBe(404);
});
