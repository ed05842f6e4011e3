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
  /** The catalog's ids take the places of the examples'; every other byte stays. */
  const ids = [
    [/"item_id":3\b/g, '"item_id":3002'],
    [/"item_id":4\b/g, '"item_id":3008'],
    [/"item_id":5\b/g, '"item_id":3001'],
    [/"option_group_id":2\b/g, '"option_group_id":81'],
    [/"option_id":8\b/g, '"option_id":901'],
    [/"combo_step_id":6\b/g, '"combo_step_id":73'],
  ] as const;

  // The emulator asks for an id of each item, where no field of one is shown to be required.
  const requests = fixture?.requests.filter(({ body }) => !body.includes("{}")) ?? [];
  test.each(requests)("the wire fixture: $comment", async ({ body, headers }) => {
    const text = ids.reduce((sent, [from, to]) => sent.replaceAll(from, to), body);
    const signed = { ...headers, ...key() };
    const answer = await answerOf(emulator.request(path, { method: "POST", body: text, headers: signed }));
    expect(answer).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{18}$/) as string,
        order_url: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1\/menu\/501\/prefilled\/[0-9a-f]{18}$/,
        ) as string,
        checkout_url: expect.stringMatching(/\/checkout$/) as string,
      },
    });
  });

  test.each([
    ["no cart", {}],
    ["a cart of null", { cart: null }],
    ["an empty cart", { cart: [] }],
    ["a combo step that is left open", { cart: [{ item_id: 3008, combo_steps: [{ combo_step_id: 71 }] }] }],
    ["a drink that only combos have", { cart: [{ item_id: 3009, quantity: 999 }] }],
    ["a customer without anything", { customer: {} }],
    ["groups without an id", { cart: [{ item_id: 3002, option_groups: [{ options: [{}] }] }] }],
    [
      "steps without an id",
      { cart: [{ item_id: 3008, combo_steps: [{}, { combo_step_id: 71, item: {} }] }] },
    ],
    ["none of an item", { cart: [{ item_id: 3001, quantity: 0 }] }],
  ])("%s", async (_, fields) => {
    expect((await create({ order_type: "delivery", ...fields })).status).toBe(201);
  });
});

describe("what is refused", () => {
  const cart = (item: object) => ({ order_type: "delivery", cart: [{ item_id: 3001 }, item] });
  const groups = (group: object) => cart({ item_id: 3002, option_groups: [group] });
  test.each([
    [{}, /^order_type is required$/],
    [{ order_type: "takeout", delivery_address: {} }, /^delivery_address is only allowed where/],
    [{ order_type: "takeout", customer: { phone: "(11) 9" } }, /^customer\.phone must be digits only$/],
    [cart({ item_id: "3001" }), /^cart\.1\.item_id must be a number$/],
    [cart({ quantity: 1 }), /^cart\.1\.item_id is required$/],
    [cart({ item_id: 3001, gift: true }), /^cart\.1 has no field "gift"/],
    [cart({ item_id: 99 }), /^cart\.1\.item_id: there is no item 99 in the catalog$/],
    [cart({ item_id: 3001, quantity: -1 }), /^cart\.1\.quantity: must be at least 0$/],
    [groups({ option_group_id: 82 }), /option_group_id: item 3002 has no option group 82$/],
    [groups({ option_group_id: 81, options: [{ option_id: 911 }] }), /group 81 has no option 911$/],
    [groups({ option_group_id: 81, options: [{ option_id: 901, quantity: -1 }] }), /must be at least 0$/],
    [cart({ item_id: 3002, combo_steps: [{ combo_step_id: 71 }] }), /item 3002 has no combo step 71$/],
    [
      cart({ item_id: 3008, combo_steps: [{ combo_step_id: 71, item: { item_id: 3001 } }] }),
      /^cart\.1\.combo_steps\.0\.item\.item_id: combo step 71 has no item 3001$/,
    ],
    [
      { order_type: "takeout", cart: [{ item_id: 98 }, { item_id: 99 }] },
      /^cart\.0\.item_id: [^;]+; cart\.1\.item_id: [^;]+$/,
    ],
  ])("%j", async (body, details) => {
    const before = emulator.service.world.prefilledOrders.length;
    expect(await create(body)).toEqual({
      status: 400,
      body: { code: 4000, message: "Invalid parameters", details: expect.stringMatching(details) as string },
    });
    expect(emulator.service.world.prefilledOrders).toHaveLength(before);
  });

  test("a body that isn't JSON, or isn't said to be", async () => {
    for (const [body, type] of [
      ["{", "application/json"],
      ["", "application/json"],
      ['{"order_type":"takeout"}', "text/plain"],
    ] as const) {
      const init = { method: "POST", body, headers: { ...key(), "content-type": type } };
      expect(await answerOf(emulator.request(path, init))).toMatchObject({
        status: 400,
        body: { code: 4000 },
      });
    }
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
