import { expect, test } from "vitest";

import { duration, waitForCalls } from "../../../src/sales/progress.js";

test.each([
  [1, undefined, 0],
  [5, undefined, 0],
  [6, undefined, 60_000],
  [11, undefined, 120_000],
  [3, 0, 60_000],
])("%i calls, %s of them free to go at once, wait for %i ms", (calls, free, wait) => {
  expect(waitForCalls(calls, { limit: 5, windowMs: 60_000 }, free)).toBe(wait);
});

test.each([
  [1, "1 s"],
  [59_001, "1 min"],
  [65_000, "1 min 5 s"],
  [720_500, "12 min"],
])("%i ms are said as %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});
