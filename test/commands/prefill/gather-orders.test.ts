/** From a text to an order: what is accepted, what is sent for it, and what each fault says. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyText } from "../../support/any-text.js";
import { read } from "./gathering.js";

describe("a text that is an order", () => {
  test.each([
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
      "a quoted <<",
      '{"order_type":"takeout","extra":{"<<":{"a":1}}}',
      { order_type: "takeout", extra: { "<<": { a: 1 } } },
    ],
    [
      "a name that is no text but reads as one",
      "order_type: takeout\nextra:\n  12: a",
      { order_type: "takeout", extra: { "12": "a" } },
    ],
    [
      "very many values",
      `order_type: takeout\nextra:\n  a: [${"1,".repeat(30_000)}]\n  b: {${Array.from({ length: 2_000 }, (_, index) => `k${index},`).join("")}}`,
      expect.anything(),
    ],
    [
      "numbers of unknown fields",
      'order_type: takeout\nextra: {tip: 7.5, big: "12345678901234567890", exp: 1e3}',
      { order_type: "takeout", extra: { tip: 7.5, big: "12345678901234567890", exp: 1000 } },
    ],
  ])("%s", (_, text, order) => {
    expect(read(text).order).toEqual(order);
  });

  test.each([
    ["(11) 99999-0000", "11999990000"],
    ["+55 11 99999.0000", "5511999990000"],
    ["11 99999\u201300\u00a000", "11999990000"],
    ["11999990000", "11999990000"],
  ])("sends the phone %s as %s", (phone, digits) => {
    const text = JSON.stringify({ order_type: "takeout", customer: { phone } });
    expect(read(text).order).toMatchObject({ customer: { phone: digits } });
  });

  test("sends the postal code as digits", () => {
    const text = "order_type: delivery\ndelivery_address: {postal_code: 01310-100}";
    expect(read(text).order).toMatchObject({ delivery_address: { postal_code: "01310100" } });
  });

  test("reads every JSON value as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const value: unknown = JSON.parse(json);
        const safe = !/\d{16}|e\+/.test(json);
        fc.pre(safe);
        const text = `{"order_type":"takeout","extra":{"value":${json}}}`;
        const { order } = read(text);
        expect(JSON.parse(JSON.stringify(order))).toEqual(
          JSON.parse(JSON.stringify({ order_type: "takeout", extra: { value } })),
        );
      }),
    );
  });
});

describe("a text with faults", () => {
  test.each([
    ["nothing", "", ["f:1:1: the order is empty"]],
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
      "a note and a street that are empty",
      "order_type: delivery\ncart:\n- item_id: 1\n  observation:\ndelivery_address:\n  street:\n  number:",
      [
        "f:4:3: cart[0].observation is empty: fill it in or leave it out",
        "f:6:3: delivery_address.street is empty: fill it in or leave it out",
      ],
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
      "order_type: takeout\nextra: [1, 12345678901234567890]\n",
      ["f:2:12: a number that would not arrive as it is; put it in quotes"],
    ],
    [
      "a number that JSON has not",
      "order_type: takeout\nother: .inf\n",
      ["f:2:8: a number that would not arrive as it is; put it in quotes"],
    ],
    [
      "an id that is too large",
      "order_type: takeout\ncart: [{item_id: 9007199254740993}]",
      ["f:2:18: a number that would not arrive as it is; put it in quotes"],
    ],
    ["broken JSON", '{"order_type": "takeout"', ["f:1:25: a list or a group of fields isn't closed"]],
    ["a broken list", "order_type: takeout\ncart: [1", [expect.stringMatching(/^f:2:\d+: /) as string]],
    [
      "two documents",
      "order_type: takeout\n---\norder_type: takeout",
      ["f:2:1: a second order begins here; a file holds one"],
    ],
    [
      "an alias, which could stand for millions of values",
      "order_type: takeout\nextra: &a [1,1]\nmore: [*a,*a]",
      ["f:3:8: *a is an alias: write out what it stands for"],
    ],
    ["an abyss", "[".repeat(20_000), [expect.stringMatching(/^f:\d+:\d+: /) as string]],
    [
      "names that are no text",
      "order_type: takeout\n? {a: b}\n: 1\ncustomer: {? [a] : 1}",
      ["f:2:3: a field's name must be text"],
    ],
    [
      "two fields that are there twice on one line",
      '{"order_type":"takeout","order_type":"takeout","cart":null,"cart":null}',
      ["f:1:25: order_type is there twice", "f:1:60: cart is there twice"],
    ],
  ])("%s", (_, text, faults) => {
    expect(read(text)).toMatchObject({ faults });
  });

  const unclear = "can't be read here; check quotes, commas and the indentation";
  const open = "a list or a group of fields isn't closed";
  test.each([
    ["a: !!js/function b", `1:4: ${unclear}`],
    ["a: b: c", `1:4: ${unclear}`],
    ["a: [1\n", `2:1: ${open}`],
    ['{"a": 1', `1:8: ${open}`],
    ["a: 'x", "1:6: a quote isn't closed"],
    ["\ta: 1", "1:1: is indented with a tab; use spaces"],
    ["a: @b", `1:4: ${unclear}`],
    ["key\nb: 1", `1:1: ${unclear}`],
    ['{"a" 1}', `1:6: ${unclear}`],
    ['{"a": 1 "b": 2}', `1:7: ${unclear}`],
    ['{"a":1,,}', `1:8: ${unclear}`],
    ["a:\n  - b\n c", `3:1: ${unclear}`],
    ['{"a":1}\n{"b":2}\n{"c":3}', "2:1: a second order begins here; a file holds one"],
    ['# two\n\n{"a":1}\n# more\n{"b":2', "5:1: a second order begins here; a file holds one"],
  ])("%j, once and in plain words", (text, fault) => {
    expect(read(text)).toMatchObject({ faults: [`f:${fault}`] });
  });

  test("all of them at once, in their order", () => {
    const text =
      "delivery_address: {postal_code: A}\norder_type: delivery\ncart: [{item_id: a}, {item_id: b}]\n";
    expect(read(text)).toEqual({
      message: "There are 3 faults in f; nothing was sent.",
      faults: [
        "f:1:20: delivery_address.postal_code must be digits only",
        'f:3:9: cart[0].item_id must be a whole number, not "a"',
        'f:3:23: cart[1].item_id must be a whole number, not "b"',
      ],
    });
  });

  test("the first fifty of very many", () => {
    const text = `order_type: takeout\ncart:\n${"  - {item_id: x}\n".repeat(200)}`;
    const { message, faults } = read(text);
    expect(message).toBe("There are 200 faults in f; nothing was sent.");
    expect([faults?.length, faults?.at(-1)]).toEqual([51, "… and 150 more"]);
  });

  test("never anything but an error for people, whatever the text is", () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json()), (text) => {
        read(text);
      }),
      { numRuns: 100 },
    );
  });
});

describe("fields that the specification doesn't show", () => {
  const place = "What is meant all the same goes into extra.";

  test("are faults, each with its place and the nearest name", () => {
    const text =
      "order_type: takeout\ncuopon: X\ncustomer: {nmae: Ana}\ncart: [{item: 3001, qty: 2, gift: {to: Bia}}]";
    expect(read(text).faults).toEqual([
      `f:2:1: cuopon isn't shown in the specification. ${place}`,
      `f:3:12: customer.nmae isn't shown in the specification. Did you mean "name"? ${place}`,
      `f:4:9: cart[0].item isn't shown in the specification. Did you mean "item_id"? ${place}`,
      `f:4:21: cart[0].qty isn't shown in the specification. Did you mean "quantity"? ${place}`,
      `f:4:29: cart[0].gift isn't shown in the specification. ${place}`,
    ]);
  });

  test("go into extra, where a field with a place of its own can't be hidden", () => {
    const text = "order_type: takeout\nextra: {coupon: X}\ncart: [{item_id: 1, extra: {gift: true}}]";
    expect(read(text).order).toEqual({
      order_type: "takeout",
      extra: { coupon: "X" },
      cart: [{ item_id: 1, extra: { gift: true } }],
    });
    expect(read("order_type: takeout\nextra: {cart: []}").faults).toEqual([
      "f:2:9: extra.cart has a place of its own, outside of extra.",
    ]);
  });

  test.each(["__proto__", "constructor", "toString"])("%s is one of them", (name) => {
    const text = `{"order_type":"takeout","${name}":{"a":1},"customer":{"${name}":2,"phone":"(1)"},"cart":[{"item_id":1,"${name}":null}]}`;
    for (const flags of [{}, { customerName: "Ana" }]) expect(read(text, flags).faults).toHaveLength(3);
  });
});
