/** What the axes of a report's pictures show. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { hoursWithoutPause } from "../../../src/sales/page/groups.js";

describe("the axis of hours", () => {
  const from11to23 = Array.from({ length: 13 }, (_, place) => 11 + place);
  test.each([
    ["open from 11 to 23", from11to23, from11to23],
    ["open past midnight", [0, 1, 18, 19, 23], [18, 19, 20, 21, 22, 23, 0, 1]],
    ["one hour", [0], [0]],
    [
      "open all day",
      Array.from({ length: 24 }, (_, hour) => hour),
      Array.from({ length: 24 }, (_, hour) => hour),
    ],
    [
      "two pauses of the same length, one of them over midnight",
      [6, 18],
      [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
    ],
    ["no orders", [], []],
  ])("It leaves the longest pause out: %s", (_, sold, axis) => {
    expect(hoursWithoutPause(sold)).toEqual(axis);
  });

  test("It has each hour with orders once, and begins and ends with one", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1 }), (sold) => {
        const axis = hoursWithoutPause(sold);
        expect(new Set(axis).size).toBe(axis.length);
        expect(axis).toEqual(expect.arrayContaining(sold));
        expect(sold).toContain(axis[0]);
        expect(sold).toContain(axis.at(-1));
      }),
    );
  });
});
