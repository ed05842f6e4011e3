/** Section 4.9 at the emulator, and the pages behind its links. */
import { describe, expect, test } from "vitest";

import { loadWireFixtures } from "../fixtures/wire/load.js";
import { answerOf, bearer, createTestEmulator, otherStore, sending } from "./support.js";

const path = "/api/partner/v1/orders/prefilled_order";
const emulator = createTestEmulator({ rateLimits: false });
const key = (storeId?: number) => ({ "x-api-key": emulator.apiKey(storeId) });
const create = (body: unknown, headers: Record<string, string> = key()) =>
  answerOf(emulator.request(path, sending("POST", body, headers)));
const linksOf = ({ body }: { body: unknown }) => body as { order_url: string; checkout_url: string };

test("the API key alone is taken, and decides the store", async () => {
  const order = { order_type: "takeout" };
  const token = bearer(emulator.accessToken());
  for (const headers of [token, {}, { "x-api-key": "no" }, { ...token, "x-api-key": "no" }])
    expect(await create(order, headers)).toMatchObject({ status: 401, body: { code: 4010 } });
  expect(await create({ order_type: "nothing" }, {})).toHaveProperty("status", 401);
  const made = await create(order, { ...token, ...key(otherStore) });
  expect([made.status, linksOf(made).order_url]).toEqual([201, expect.stringContaining("/menu/502/")]);
});

describe("what is accepted", () => {
  const [fixture] = loadWireFixtures().filter(({ operation }) => operation === "createPrefilledOrder");

  test.each(fixture?.requests ?? [])("the wire fixture: $comment", async ({ body, headers }) => {
    const answer = await answerOf(
      emulator.request(path, { method: "POST", body, headers: { ...headers, ...key() } }),
    );
    const link = /^http:\/\/127\.0\.0\.1\/menu\/501\/prefilled\/[0-9a-f]{18}/;
    expect(answer).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{18}$/) as string,
        order_url: expect.stringMatching(link) as string,
        checkout_url: expect.stringMatching(/\/checkout$/) as string,
      },
    });
  });
});

describe("what is refused", () => {
  const cart = (item: object) => ({ order_type: "delivery", cart: [{ item_id: 3001 }, item] });
  test.each([
    [{}, /^order_type is required$/],
    [{ order_type: "takeout", delivery_address: {} }, /^delivery_address is only allowed where/],
    [{ order_type: "takeout", customer: { phone: "(11) 9" } }, /^customer\.phone must be digits only$/],
    [cart({ item_id: "3001" }), /^cart\.1\.item_id must be a number$/],
    [cart({ item_id: 3001, gift: true }), /^cart\.1 has no field "gift"/],
  ])("%j", async (body, details) => {
    expect(await create(body)).toEqual({
      status: 400,
      body: { code: 4000, message: "Invalid parameters", details: expect.stringMatching(details) as string },
    });
  });
});

test("both links show what was sent as text, at its own store alone", async () => {
  const markup = `"><script>document.title="owned"</script><img src=x>`;
  const order = { order_type: "takeout", customer: { name: markup }, cart: [{ item_id: 3001 }] };
  const { order_url, checkout_url } = linksOf(await create(order));
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
