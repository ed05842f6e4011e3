/** Flags, alone and over a file. */
import { describe, expect, test } from "vitest";

import { read } from "./gathering.js";

describe("flags over a file", () => {
  const file =
    "order_type: delivery\ncustomer: {name: Ana, phone: '11'}\ncart: [{item_id: 1}]\ndelivery_address: {city: Recife, number: '1', street: X}";

  test("go before it: customer and address field by field, the items as a whole", () => {
    const flags = {
      customerName: "Bia",
      item: ["2x3:quente", "4"],
      address: ["number=7", "complement=a=b", "reference=", "street="],
    };
    const { order } = read(file, flags);
    expect(JSON.stringify(order)).not.toMatch(/street|reference/);
    expect(order).toStrictEqual({
      order_type: "delivery",
      customer: { name: "Bia", phone: "11" },
      cart: [
        { item_id: 2, quantity: 3, observation: "quente" },
        { item_id: 4, quantity: 1 },
      ],
      delivery_address: { city: "Recife", number: "7", complement: "a=b" },
    });
  });

  test("leave the file's other faults in their places", () => {
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

  test.each(["", "# nothing yet\n", "---\n", "null"])("lie over a file that is empty: %j", (empty) => {
    expect(read(empty, { orderType: "takeout" }).order).toEqual({ order_type: "takeout" });
  });

  test("mend what the file has wrong", () => {
    expect(read("order_type: x\ncart: 3", { orderType: "takeout", item: ["1"] }).order).toEqual({
      order_type: "takeout",
      cart: [{ item_id: 1, quantity: 1 }],
    });
  });
});

describe("flags alone", () => {
  test.each([
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

  test.each([["", "x2", "3002x", "3002 x2", "a", "3002x2x2", "-1", "1.5", "3002x-1", "1234567890123456"]])(
    "--item %j is no item",
    (...items) => {
      const { faults } = read(undefined, { orderType: "takeout", item: items });
      expect(faults).toHaveLength(items.length);
      for (const fault of faults ?? []) {
        expect(fault).toMatch(/^--item .*: must be <item_id>\[x<quantity>\]\[:observation\]/);
      }
    },
  );

  test("name themselves in every fault", () => {
    expect(
      read(undefined, { item: ["3002x0", "y"], address: ["x", "=a", "city=A", "city=B", "postal_code=A"] }),
    ).toMatchObject({
      message: "There are 6 faults in the flags; nothing was sent.",
      faults: [
        "--address =a: must be key=value, for example city=Recife",
        "--address city=B: city is there twice",
        "--address postal_code=A: delivery_address.postal_code must be digits only",
        "--address x: must be key=value, for example city=Recife",
        expect.stringMatching(/^--item y: must be/) as string,
        "flags: order_type is missing: delivery or takeout",
      ],
    });
    expect(read(undefined, { orderType: "takeout", address: ["city=A"] })).toMatchObject({
      faults: ["--address: delivery_address is only allowed where order_type is delivery"],
    });
  });

  test("leave an address field out whose value is empty", () => {
    expect(
      read(undefined, { orderType: "delivery", address: ["street=", "city=Recife"] }).order,
    ).toStrictEqual({
      order_type: "delivery",
      delivery_address: { city: "Recife" },
    });
  });

  test("refuse an address field that isn't shown", () => {
    expect(read(undefined, { orderType: "delivery", address: ["stret=A"] }).faults).toEqual([
      '--address stret=A: delivery_address.stret isn\'t shown in the specification. Did you mean "street"? What is meant all the same goes into extra.',
    ]);
  });
});
