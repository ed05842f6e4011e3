/** Section 4.9 at the emulator, and what the control surface tells about it. */
import { describe, expect, test } from "vitest";

import { loadWireFixtures } from "../../fixtures/wire/load.js";
import { answerOf, bearer, createTestEmulator, otherStore, sending } from "../support.js";

const path = "/api/partner/v1/orders/prefilled_order";
const emulator = createTestEmulator({ rateLimits: false });
const key = (storeId?: number) => ({ "x-api-key": emulator.apiKey(storeId) });
const create = (body: unknown, headers: Record<string, string> = key()) =>
  answerOf(emulator.request(path, sending("POST", body, headers)));
const invalid = (details: string) => ({
  status: 400,
  body: { code: 4000, message: "Invalid parameters", details },
});
const unauthenticated = { status: 401, body: { code: 4010, message: "Invalid token" } };
const link = /^http:\/\/127\.0\.0\.1\/menu\/501\/prefilled\/[0-9a-f]{18}$/;

describe("the credential", () => {
  test("is the API key alone", async () => {
    const order = { order_type: "takeout" };
    const token = bearer(emulator.accessToken());
    expect(await create(order, token)).toEqual(unauthenticated);
    expect(await create(order, {})).toEqual(unauthenticated);
    expect(await create(order, { "x-api-key": "no" })).toEqual(unauthenticated);
    expect(await create(order, { ...token, "x-api-key": "no" })).toEqual(unauthenticated);
    expect(await create(order, { ...token, ...key() })).toMatchObject({ status: 201 });
    expect(await create({ order_type: "nothing" }, {})).toEqual(unauthenticated);
  });

  test("decides the store", async () => {
    const { body } = await create({ order_type: "takeout" }, key(otherStore));
    expect(body).toMatchObject({ order_url: expect.stringContaining(`/menu/${otherStore}/`) as string });
  });
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
        order_url: expect.stringMatching(link) as string,
        checkout_url: expect.stringMatching(/\/checkout$/) as string,
      },
    });
  });

  test.each([
    ["no cart", {}],
    ["a cart of null", { cart: null }],
    ["an empty cart", { cart: [] }],
    ["a combo without its steps", { cart: [{ item_id: 3008 }] }],
    ["a combo step that is left open", { cart: [{ item_id: 3008, combo_steps: [{ combo_step_id: 71 }] }] }],
    ["a drink that only combos have", { cart: [{ item_id: 3009, quantity: 999 }] }],
    ["a customer without anything", { customer: {} }],
    [
      "groups, options and steps without an id",
      { cart: [{ item_id: 3002, option_groups: [{ options: [{}] }] }] },
    ],
    [
      "an option without an id",
      { cart: [{ item_id: 3002, option_groups: [{ option_group_id: 81, options: [{}] }] }] },
    ],
    [
      "a combo step without an id or an item's",
      { cart: [{ item_id: 3008, combo_steps: [{}, { combo_step_id: 71, item: {} }] }] },
    ],
    ["none of an item", { cart: [{ item_id: 3001, quantity: 0 }] }],
    ["more than anybody eats", { cart: [{ item_id: 3001, quantity: Number.MAX_SAFE_INTEGER }] }],
  ])("%s", async (_, fields) => {
    expect((await create({ order_type: "takeout", ...fields })).status).toBe(201);
    expect((await create({ order_type: "delivery", ...fields })).status).toBe(201);
  });
});

test("the menu's pages show what is left to the customer, none of an item, and more than can be counted", async () => {
  const cart = [
    { item_id: 3008, observation: "what you have" },
    { item_id: 3001, quantity: 0 },
    { item_id: 3002, quantity: Number.MAX_SAFE_INTEGER },
  ];
  const { body } = await create({ order_type: "takeout", customer: { phone: "" }, cart });
  const { order_url, checkout_url } = body as { order_url: string; checkout_url: string };
  for (const url of [order_url, checkout_url]) {
    const page = await (await emulator.request(new URL(url).pathname)).text();
    for (const text of ["not chosen yet", "what you have", "0×", "more than can be shown"])
      expect(page).toContain(text);
    expect(page).not.toMatch(/NaN|undefined|null|\[object|Infinity/);
  }
});

describe("what is refused", () => {
  const cart = (item: object) => ({ order_type: "delivery", cart: [{ item_id: 3001 }, item] });
  test.each([
    [{}, /^order_type is required$/],
    [{ order_type: "onsite" }, /^order_type must be one of /],
    [
      { order_type: "takeout", delivery_address: {} },
      /^delivery_address is only allowed where order_type is delivery$/,
    ],
    [{ order_type: "takeout", customer: { phone: "(11) 9" } }, /^customer\.phone must be digits only$/],
    [
      { order_type: "delivery", delivery_address: { postal_code: "01310-100" } },
      /^delivery_address\.postal_code must be digits only$/,
    ],
    [cart({ item_id: 3001, quantity: 1.5 }), /^cart\.1\.quantity must be an integer$/],
    [cart({ item_id: "3001" }), /^cart\.1\.item_id must be a number$/],
    [cart({ quantity: 1, option_groups: [{}] }), /^cart\.1\.item_id is required$/],
    [cart({ item_id: 3001, gift: true }), /^cart\.1 has no field "gift"/],
    [cart({ item_id: 99 }), /^cart\.1\.item_id: there is no item 99 in the catalog$/],
    [cart({ item_id: 3001, quantity: -1 }), /^cart\.1\.quantity: must be at least 0$/],
    [cart({ item_id: -3 }), /^cart\.1\.item_id: there is no item -3 in the catalog$/],
    [cart({ item_id: 3001, observation: null }), /^cart\.1\.observation must be a string$/],
    [
      cart({ item_id: 3002, option_groups: [{ option_group_id: 82 }] }),
      /^cart\.1\.option_groups\.0\.option_group_id: item 3002 has no option group 82$/,
    ],
    [
      cart({ item_id: 3002, option_groups: [{ option_group_id: 81, options: [{ option_id: 911 }] }] }),
      /^cart\.1\.option_groups\.0\.options\.0\.option_id: option group 81 has no option 911$/,
    ],
    [
      cart({
        item_id: 3002,
        option_groups: [{ option_group_id: 81, options: [{ option_id: 901, quantity: -1 }] }],
      }),
      /^cart\.1\.option_groups\.0\.options\.0\.quantity: must be at least 0$/,
    ],
    [
      cart({ item_id: 3002, combo_steps: [{ combo_step_id: 71 }] }),
      /^cart\.1\.combo_steps\.0\.combo_step_id: item 3002 has no combo step 71$/,
    ],
    [
      cart({ item_id: 3008, combo_steps: [{ combo_step_id: 71, item: { item_id: 3001 } }] }),
      /^cart\.1\.combo_steps\.0\.item\.item_id: combo step 71 has no item 3001$/,
    ],
    [
      cart({ item_id: 3008, combo_steps: [{ combo_step_id: 73 }, { combo_step_id: 73 }] }),
      /^cart\.1\.combo_steps\.1\.combo_step_id: combo step 73 is there twice$/,
    ],
    [
      cart({ item_id: 99, quantity: "2" }),
      // What isn't of the right type is told before the catalog is asked.
      /^cart\.1\.quantity must [^;]+$/,
    ],
    [
      { order_type: "takeout", cart: [{ item_id: 98 }, { item_id: 99 }] },
      /^cart\.0\.item_id: [^;]+; cart\.1\.item_id: [^;]+$/,
    ],
  ])("%j", async (body, details) => {
    const before = emulator.service.world.prefilledOrders.all().length;
    expect(await create(body)).toEqual({
      status: 400,
      body: {
        code: 4000,
        message: "Invalid parameters",
        details: expect.stringMatching(details) as string,
      },
    });
    expect(emulator.service.world.prefilledOrders.all()).toHaveLength(before);
  });

  test("a body that isn't JSON, or isn't said to be", async () => {
    const raw = (body: string, type: string) =>
      answerOf(emulator.request(path, { method: "POST", body, headers: { ...key(), "content-type": type } }));
    expect(await raw("{", "application/json")).toEqual(invalid("The body is not valid JSON"));
    expect(await raw("", "application/json")).toEqual(invalid("The body is not valid JSON"));
    expect(await raw('{"order_type":"takeout"}', "text/plain")).toEqual(
      invalid("The body must be of content type application/json"),
    );
  });
});

describe("the control surface", () => {
  test("lists a catalog of which every item can be ordered with all that it offers", async () => {
    interface Group {
      option_group_id: number;
      options: { option_id: number }[];
    }
    interface Item {
      item_id: number;
      option_groups: Group[];
    }
    const { body } = await answerOf(emulator.request("/_emulator/catalog"));
    const { items } = body as {
      items: (Item & { kind: string; combo_steps: { combo_step_id: number; items: Item[] }[] })[];
    };
    expect(items.filter(({ kind }) => kind === "combo")).toHaveLength(1);
    const groups = ({ option_groups }: Item) =>
      option_groups.map(({ option_group_id, options }) => ({
        option_group_id,
        options: options.map(({ option_id }) => ({ option_id, quantity: 1 })),
      }));
    const cart = items.map((item) => ({
      item_id: item.item_id,
      quantity: 2,
      option_groups: groups(item),
      combo_steps: item.combo_steps.map(({ combo_step_id, items: [first] }) => ({
        combo_step_id,
        item: first && { item_id: first.item_id, option_groups: groups(first) },
      })),
    }));
    expect((await create({ order_type: "takeout", cart })).status).toBe(201);
  });
});
