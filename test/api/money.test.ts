import fc from "fast-check";
import { expect, test } from "vitest";

import {
  averageCents,
  centsFromNumber,
  formatCents,
  hasAtMostTwoDecimals,
  numberFromCents,
  parseAmount,
  typedAmount,
} from "../../src/api/money.js";

test.each([
  ["0", 0],
  ["7.5", 750],
  ["7.50", 750],
  ["9999999999999.99", 999_999_999_999_999],
])("%s is %d cents", (text, cents) => {
  expect(parseAmount(text)).toBe(cents);
});

const notCents = ["", "1.005", "-1", "+1", "1e2", ".5", "5.", "1,50", " 1", "0x10", "NaN", "99999999999999"];
test.each(notCents)("%j isn't an amount of cents", (text) => {
  expect(parseAmount(text)).toBe(undefined);
});

test.each([
  ["7,5", "7.5"],
  ["0,07", "0.07"],
  ["007,5", "7.5"],
  ["1000000000000000,01", "1000000000000000.01"],
])("%j is sent as %j", (text, sent) => {
  expect(typedAmount(text)).toBe(sent);
});

const refused = ["1.234,56", "1,234.56", "1,234", "1.234", "1 234,5", "1,2,3", "-1", ",5", "5,", "", "7,5 "];
test.each(refused)("%j as typed is refused", (text) => {
  expect(typedAmount(text)).toBeUndefined();
});

test.each([
  [8.29, true],
  [1e300, true],
  [-0.01, true],
  [1.005, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])("%d has at most two decimals: %s", (amount, has) => {
  expect(hasAtMostTwoDecimals(amount)).toBe(has);
});

test.each([
  [0.1 + 0.2, undefined],
  [1e21, undefined],
  [Number.NaN, undefined],
  [-0.5, -50],
  [1_234_567_890_123.45, 123_456_789_012_345],
])("%d is %s cents", (amount, cents) => {
  expect(centsFromNumber(amount)).toBe(cents);
});

test("every amount of cents is the same after a round trip through text and number", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
      expect(parseAmount(formatCents(cents))).toBe(cents);
      expect(centsFromNumber(numberFromCents(cents))).toBe(cents);
    }),
  );
  expect([0, -5, 60].map(formatCents)).toEqual(["0.00", "-0.05", "0.60"]);
});

test.each([
  [100, 0, 0],
  [100, 3, 33],
  [1, 2, 1],
  [-1, 2, 0],
  [-5, 3, -2],
])("%d over %d is %d", (sum, count, average) => {
  expect(averageCents(sum, count)).toBe(average);
});
