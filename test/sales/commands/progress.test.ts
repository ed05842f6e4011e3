import { expect, test } from "vitest";

import { duration, longestWait } from "../../../src/commands/figures/progress.js";

test.each([
  [1, 5, 0],
  [5, 5, 0],
  [6, 5, 60_000],
  [11, 5, 120_000],
  [3, 0, 2_000],
])("%i calls, %s of them free to go at once, wait for %i ms", (calls, remaining, wait) => {
  const limit = {
    limit: 5,
    windowMs: 60_000,
    used: 5 - remaining,
    remaining,
    nextFreeMs: undefined,
    waiting: [],
  };
  expect(longestWait([{ calls, limit: { ...limit, waitMs: remaining === 0 ? 2_000 : 0 } }])).toBe(wait);
});

test.each([
  [1, "1 s"],
  [59_001, "1 min"],
  [65_000, "1 min 5 s"],
  [720_500, "12 min"],
])("%i ms are said as %s", (ms, words) => {
  expect(duration(ms)).toBe(words);
});
