/** What a line of `comanda counter` means. */
import { describe, expect, test } from "vitest";

import { parseLine } from "../../src/commands/counter-line.js";

describe("a line of the counter", () => {
  test.each<[string, ReturnType<typeof parseLine>]>([
    ["", { action: "figures" }],
    ["Ajuda", { action: "help" }],
    ["D #4711 bia", { action: "dispatch", orders: ["4711"], driver: "bia" }],
    ["d 4711 bia 7,50", { action: "dispatch", orders: ["4711"], driver: "bia", fee: "7.50" }],
    ["a 4711 Ana Bia 0.00", { action: "assign", orders: ["4711"], driver: "Ana Bia", fee: "0.00" }],
    ["a 4711 12 7.5", { action: "assign", orders: ["4711"], driver: "12", fee: "7.5", number: "12" }],
    ["d 4711 Caio 2 (13)", { action: "dispatch", orders: ["4711"], driver: "Caio 2 (13)" }],
    ["d 4711 #4712", { action: "dispatch", orders: ["4711"], driver: "#4712", number: "4712" }],
    ["e 4711 04712 4711", { action: "deliver", orders: ["4711", "4712"] }],
    ["c 4711 no  dough", { action: "cancel", orders: ["4711"], reason: "no dough" }],
    ["c 4711 4712 closed", { action: "cancel", orders: ["4711"], reason: "4712 closed", number: "4712" }],
  ])("%j is read", (line, meant) => {
    expect(parseLine(line)).toEqual(meant);
  });

  test.each([
    ["x 4711", "Unknown command 'x'.", "To list the actions, type [?]\\."],
    ["f 4711 x", 'Invalid order id: "x" (argument 2). Nothing was sent.', "only digits"],
    ["constructor 4711 bia", "Unknown command 'constructor'.", "To list the actions"],
    ["a 4711", "The driver's id or name is missing. Nothing was sent.", "a 4711 bia"],
    ["d 4711 7,50", "The driver's id or name is missing. Nothing was sent.", "d 4711 bia"],
    ["d 4711 bia 1.234,50", 'Invalid fee: "1.234,50". Nothing was sent.', "no thousands separator"],
    ["d 4711 bia 7,505", 'Invalid fee: "7,505". Nothing was sent.', "at most two decimals"],
    ["d 4711 bia 7", '"7" may be a fee, an order, or part of a name. Nothing was sent.', "d 4711 bia 7.00"],
    ["d 4711 12 4712", '"4712" may be a fee', "For several orders, type one line for each."],
    // A line with a fee would be rejected, too.
    ["a 4711 13 5.5 6", '"6" may be a fee', "^For several orders"],
    ["a 4711 Ana 5,5 6", '"6" may be a fee', "^For several orders"],
  ])("%j is rejected, with what to type", (line, message, hint) => {
    expect(() => parseLine(line)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: expect.stringContaining(message) as string,
        hint: expect.stringMatching(hint) as string,
      }),
    );
  });
});
