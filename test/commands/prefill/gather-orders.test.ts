/** From text and flags to orders: what is accepted, what is sent for it, and what each fault says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { UnknownField } from "../../../src/commands/prefill/check-order.js";
import { readFlags, type OrderFlags } from "../../../src/commands/prefill/flags.js";
import { gatherLines, gatherOrder } from "../../../src/commands/prefill/gather-orders.js";
import { ComandaError } from "../../../src/errors/index.js";

/** @returns the order, or the lines of faults without the closing hint */
function read(text: string | undefined, flags: OrderFlags = {}) {
  const source = text === undefined ? undefined : { label: "f", text };
  return outcome((warn) => gatherOrder(source, readFlags(flags), warn)[0]?.order);
}

function outcome<Result>(work: (warn: (field: UnknownField) => void) => Result) {
  const warnings: string[] = [];
  const warn = ({ where, text }: UnknownField) => void warnings.push(`${where}: ${text}`);
  try {
    return { order: work(warn), warnings };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    expect(error.code).toBe("invalid_input");
    expect(error.hint).toMatch(/\nA complete file to start from: comanda prefill --example$/);
    return { message: error.message, faults: error.hint?.split("\n").slice(0, -1), warnings };
  }
}

describe("a text that is an order", () => {
  it.each([
    ["JSON", '{"order_type":"takeout"}', { order_type: "takeout" }],
    [
      "JSON with tabs",
      '{\n\t"order_type": "takeout",\n\t"cart": null\n}',
      { order_type: "takeout", cart: null },
    ],
    [
      "escapes of JSON",
      String.raw`{"order_type":"takeout","customer":{"name":"\ud83d\ude00 \/ \"\u00e9\" \n"}}`,
      { order_type: "takeout", customer: { name: '😀 / "é" \n' } },
    ],
    ["YAML with a comment", "# hello\norder_type: takeout # here\n", { order_type: "takeout" }],
    ["a byte order mark", "\ufefforder_type: takeout", { order_type: "takeout" }],
    ["CRLF", "order_type: takeout\r\ncart: []\r\n", { order_type: "takeout", cart: [] }],
    [
      "an alias",
      "order_type: takeout\ncart:\n  - &a {item_id: 1}\n  - *a\n",
      { order_type: "takeout", cart: [{ item_id: 1 }, { item_id: 1 }] },
    ],
    [
      "numbers of unknown fields",
      'order_type: takeout\ntip: 7.5\nbig: "12345678901234567890"\nexp: 1e3',
      { order_type: "takeout", tip: 7.5, big: "12345678901234567890", exp: 1000 },
    ],
  ])("%s", (_, text, order) => {
    expect(read(text).order).toEqual(order);
  });

  it.each([
    ["(11) 99999-0000", "11999990000"],
    ["+55 11 99999.0000", "5511999990000"],
    ["11 99999\u201300\u00a000", "11999990000"],
    ["11999990000", "11999990000"],
  ])("sends the phone %s as %s", (phone, digits) => {
    const text = JSON.stringify({ order_type: "takeout", customer: { phone } });
    expect(read(text).order).toMatchObject({ customer: { phone: digits } });
  });

  it("sends the postal code as digits", () => {
    const text = "order_type: delivery\ndelivery_address: {postal_code: 01310-100}";
    expect(read(text).order).toMatchObject({ delivery_address: { postal_code: "01310100" } });
  });

  it("reads every JSON value as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const value: unknown = JSON.parse(json);
        const safe = !/\d{16}|e\+/.test(json);
        fc.pre(safe);
        const text = `{"order_type":"takeout","extra":${json}}`;
        const { order } = read(text);
        expect(JSON.parse(JSON.stringify(order))).toEqual(
          JSON.parse(JSON.stringify({ order_type: "takeout", extra: value })),
        );
      }),
    );
  });
});

describe("a text with faults", () => {
  it.each([
    ["nothing", "", ["f:1:1: the order is empty: fill it in or leave it out"]],
    ["a word", "takeout", ['f:1:1: the order must be a group of fields, not "takeout"']],
    ["a list", "- a", ["f:1:1: the order must be a group of fields, not a list"]],
    ["no order type", "cart: []", ["f:1:1: order_type is missing: delivery or takeout"]],
    [
      "another order type",
      "order_type: onsite",
      ['f:1:1: order_type must be delivery or takeout, not "onsite".'],
    ],
    [
      "a slip",
      "order_type: takout",
      ['f:1:1: order_type must be delivery or takeout, not "takout". Did you mean "takeout"?'],
    ],
    [
      "an address where none belongs",
      "order_type: takeout\ndelivery_address: {city: Recife}",
      ["f:2:1: delivery_address is only allowed where order_type is delivery"],
    ],
    [
      "an empty field",
      "order_type: takeout\ncustomer:",
      ["f:2:1: customer is empty: fill it in or leave it out"],
    ],
    [
      "letters in the phone",
      "order_type: takeout\ncustomer: {phone: 11 9A}",
      ["f:2:12: customer.phone must be digits only"],
    ],
    [
      "a phone of separators",
      'order_type: takeout\ncustomer:\n  phone: "()-"',
      ["f:3:3: customer.phone must be digits only"],
    ],
    [
      "a phone as a number",
      "order_type: takeout\ncustomer:\n  phone: 11999990000",
      ["f:3:3: customer.phone must be text, not 11999990000: put it in quotes"],
    ],
    [
      "a house number as a number",
      "order_type: delivery\ndelivery_address:\n  number: 12",
      ["f:3:3: delivery_address.number must be text, not 12: put it in quotes"],
    ],
    [
      "an item without its id",
      "order_type: takeout\ncart:\n  - quantity: 1",
      ["f:3:5: cart[0].item_id is missing"],
    ],
    [
      "half an item",
      '{"order_type":"takeout",\n "cart":[{"item_id":1,\n  "quantity":1.5}]}',
      ["f:3:3: cart[0].quantity must be a whole number, not 1.5"],
    ],
    [
      "an option group without options that are a list",
      "order_type: takeout\ncart:\n- item_id: 1\n  option_groups:\n  - option_group_id: 2\n    options: 3",
      ["f:6:5: cart[0].option_groups[0].options must be a list, not 3"],
    ],
    [
      "an option without its id",
      "order_type: takeout\ncart:\n- item_id: 1\n  option_groups:\n  - option_group_id: 2\n    options: [{quantity: 1}]",
      ["f:6:15: cart[0].option_groups[0].options[0].option_id is missing"],
    ],
    [
      "a combo step's item",
      "order_type: takeout\ncart:\n- item_id: 1\n  combo_steps:\n  - combo_step_id: 2\n    item:\n      item_id: x\n      option_groups: {}",
      [
        'f:7:7: cart[0].combo_steps[0].item.item_id must be a whole number, not "x"',
        "f:8:7: cart[0].combo_steps[0].item.option_groups must be a list, not a group of fields",
      ],
    ],
    [
      "a field that is there twice, beside another fault",
      '{"order_type": "takeout",\n "cart": [],\n "cart": 1}',
      ["f:3:2: cart is there twice", "f:3:2: cart must be a list, not 1"],
    ],
    [
      "a number that JSON would round",
      "order_type: takeout\nextra: [1, 12345678901234567890]\nother: .inf\n",
      [
        "f:2:12: extra[1] is a number that would not arrive as it is; put it in quotes",
        "f:3:1: other is a number that would not arrive as it is; put it in quotes",
      ],
    ],
    [
      "an id that is too large",
      "order_type: takeout\ncart: [{item_id: 9007199254740993}]",
      ["f:2:9: cart[0].item_id is a number that would not arrive as it is"],
    ],
    ["broken JSON", '{"order_type": "takeout"', [expect.stringMatching(/^f:1:25: .*\}/) as string]],
    ["a broken list", "order_type: takeout\ncart: [1", [expect.stringMatching(/^f:2:\d+: /) as string]],
    [
      "two documents",
      "order_type: takeout\n---\norder_type: takeout",
      ["f:2:1: a second document begins here; for many orders give JSON Lines, with --lines"],
    ],
    [
      "a circle",
      "&a\norder_type: takeout\nextra: *a",
      [expect.stringMatching(/^f:1:1: refers to itself/) as string],
    ],
    [
      "a billion laughs",
      `order_type: takeout\na: &a [1,1,1,1,1,1,1,1,1]\n${Array.from("bcdefghi")
        .map(
          (name, index) => `${name}: &${name} [${Array<string>(9).fill(`*${"abcdefgh"[index]}`).join(",")}]`,
        )
        .join("\n")}`,
      [expect.stringMatching(/^f:1:1: refers to itself, or too often/) as string],
    ],
    ["an abyss", "[".repeat(50_000), [expect.stringMatching(/^f:\d+:\d+: /) as string]],
    [
      "a tag",
      "order_type: !!js/function takeout",
      [expect.stringMatching(/^f:1:\d+: unresolved tag/) as string],
    ],
  ])("%s", (_, text, faults) => {
    expect(read(text)).toMatchObject({ faults });
  });

  it("all of them at once, in their order, beside the address that doesn't belong", () => {
    const text =
      "delivery_address: {postal_code: A}\norder_type: takeout\ncart: [{item_id: a}, {item_id: b}]\n";
    expect(read(text)).toEqual({
      message: "There are 4 faults in f; nothing was sent.",
      faults: [
        "f:1:1: delivery_address is only allowed where order_type is delivery",
        "f:1:20: delivery_address.postal_code must be digits only",
        'f:3:9: cart[0].item_id must be a whole number, not "a"',
        'f:3:23: cart[1].item_id must be a whole number, not "b"',
      ],
      warnings: [],
    });
  });

  it("the first fifty of very many", () => {
    const text = `order_type: takeout\ncart:\n${"  - {}\n".repeat(200)}`;
    const { message, faults } = read(text);
    expect(message).toBe("There are 200 faults in f; nothing was sent.");
    expect([faults?.length, faults?.at(-1)]).toEqual([51, "… and 150 more"]);
  });

  it("never anything but an error for people, whatever the text is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
        read(text);
      }),
      { numRuns: 300 },
    );
  });
});

describe("fields that the specification doesn't show", () => {
  it("are passed on, each with a warning that tells its place", () => {
    const text =
      "order_type: takeout\ncoupon: X\ncustomer: {nmae: Ana}\ncart: [{item_id: 1, gift: {to: Bia}}]";
    expect(read(text)).toEqual({
      order: {
        order_type: "takeout",
        ...{ coupon: "X", customer: { nmae: "Ana" }, cart: [{ item_id: 1, gift: { to: "Bia" } }] },
      },
      warnings: [
        "f:2:1: coupon isn't shown in the specification; it is passed on.",
        'f:3:12: customer.nmae isn\'t shown in the specification; it is passed on. Did you mean "name"?',
        "f:4:21: cart[0].gift isn't shown in the specification; it is passed on.",
      ],
    });
  });

  it.each(["__proto__", "constructor", "toString"])("%s is one of them", (name) => {
    const { order, warnings } = read(`{"order_type":"takeout","${name}":{"a":1}}`);
    expect(order).toBeDefined();
    expect(warnings).toHaveLength(1);
    expect(Object.getPrototypeOf(order)).toBe(Object.prototype);
  });
});

describe("flags over a file", () => {
  const file =
    "order_type: delivery\ncustomer: {name: Ana, phone: '11'}\ncart: [{item_id: 1}]\ndelivery_address: {city: Recife, number: '1'}";

  it("go before it: customer and address field by field, the items as a whole", () => {
    const flags = {
      ...{ customerName: "Bia", item: ["2x3:quente", "4"] },
      address: ["number=7", "complement=a=b", "reference="],
    };
    expect(read(file, flags).order).toEqual({
      order_type: "delivery",
      customer: { name: "Bia", phone: "11" },
      cart: [
        { item_id: 2, quantity: 3, observation: "quente" },
        { item_id: 4, quantity: 1 },
      ],
      delivery_address: { city: "Recife", number: "7", complement: "a=b", reference: null },
    });
  });

  it("leave the file's other faults in their places", () => {
    expect(read(file, { orderType: "takeout", customerPhone: "x" })).toMatchObject({
      faults: [
        "--customer-phone: customer.phone must be digits only",
        "f:4:1: delivery_address is only allowed where order_type is delivery",
      ],
    });
    expect(read("order_type: delivery\ncustomer: 5", { customerName: "Ana" })).toMatchObject({
      faults: ["f:2:1: customer must be a group of fields, not 5"],
    });
    const mixed = "order_type: delivery\ndelivery_address: {number: 5}";
    expect(read(mixed, { address: ["city=Recife"] })).toMatchObject({
      faults: ["f:2:20: delivery_address.number must be text, not 5: put it in quotes"],
    });
  });

  it("mend what the file has wrong", () => {
    expect(read("order_type: x\ncart: 3", { orderType: "takeout", item: ["1"] }).order).toEqual({
      order_type: "takeout",
      cart: [{ item_id: 1, quantity: 1 }],
    });
  });
});

describe("flags alone", () => {
  it.each([
    [["3002"], [{ item_id: 3002, quantity: 1 }]],
    [["3002x2"], [{ item_id: 3002, quantity: 2 }]],
    [
      ["3002X2", " 3001 "],
      [
        { item_id: 3002, quantity: 2 },
        { item_id: 3001, quantity: 1 },
      ],
    ],
    [["3002:sem sal"], [{ item_id: 3002, quantity: 1, observation: "sem sal" }]],
    [["3002x2: a:b x3\n"], [{ item_id: 3002, quantity: 2, observation: "a:b x3" }]],
    [["3002:"], [{ item_id: 3002, quantity: 1 }]],
  ])("--item %j", (item, cart) => {
    expect(read(undefined, { orderType: "takeout", item }).order).toEqual({ order_type: "takeout", cart });
  });

  it.each([["", "x2", "3002x", "3002 x2", "a", "3002x2x2", "-1", "1.5", "3002x-1", "1234567890123456"]])(
    "--item %j is no item",
    (...items) => {
      const { faults } = read(undefined, { orderType: "takeout", item: items });
      expect(faults).toHaveLength(items.length);
      for (const fault of faults ?? []) {
        expect(fault).toMatch(/^--item .*: must be <item_id>\[x<quantity>\]\[:observation\]/);
      }
    },
  );

  it("name themselves in every fault", () => {
    expect(
      read(undefined, { item: ["3002x0", "y"], address: ["x", "=a", "city=A", "city=B", "postal_code=A"] }),
    ).toMatchObject({
      message: "There are 7 faults in the flags; nothing was sent.",
      faults: [
        "--address =a: must be key=value, for example city=Recife",
        "--address city=B: city is there twice",
        "--address postal_code=A: delivery_address.postal_code must be digits only",
        "--address x: must be key=value, for example city=Recife",
        "--item 3002x0: the quantity must be at least 1",
        expect.stringMatching(/^--item y: must be/) as string,
        "flags: order_type is missing: delivery or takeout",
      ],
    });
    expect(read(undefined, { orderType: "takeout", address: ["city=A"] })).toMatchObject({
      faults: ["--address: delivery_address is only allowed where order_type is delivery"],
    });
  });

  it("warn of an address field that isn't shown", () => {
    expect(read(undefined, { orderType: "delivery", address: ["stret=A"] })).toMatchObject({
      order: { delivery_address: { stret: "A" } },
      warnings: [
        'delivery_address.stret isn\'t shown in the specification; it is passed on. Did you mean "street"?',
      ].map((text) => `--address stret=A: ${text}`),
    });
  });
});

describe("JSON Lines", () => {
  const lines = (text: string, flags: OrderFlags = {}) =>
    outcome((warn) => gatherLines({ label: "f", text }, readFlags(flags), warn));

  it("are an order each; blank lines are skipped and counted", () => {
    expect(lines('{"order_type":"takeout"}\r\n\n  \n{"order_type":"delivery"}').order).toEqual([
      { line: 1, order: { order_type: "takeout" } },
      { line: 4, order: { order_type: "delivery" } },
    ]);
  });

  it("take flags for all of them", () => {
    expect(lines("{}\n{}", { orderType: "takeout" }).order).toHaveLength(2);
  });

  it("tell the faults of all lines, and each unknown field once", () => {
    const text =
      '{"order_type":"takeout","x":1}\n{"x":1}\nnot json\n{"order_type":"takeout","cart":[{}],"x":2}\n{';
    expect(lines(text)).toMatchObject({
      message: "There are 4 faults in f; nothing was sent.",
      faults: [
        "f:2:1: order_type is missing: delivery or takeout",
        'f:3:1: the order must be a group of fields, not "not json"',
        "f:4:33: cart[0].item_id is missing",
        expect.stringMatching(/^f:5:/) as string,
      ],
      warnings: ["f:1:25: x isn't shown in the specification; it is passed on."],
    });
  });

  it("need an order at least", () => {
    expect(lines("\n\n")).toMatchObject({ faults: ["f: there is no order in it; give one a line"] });
  });
});
