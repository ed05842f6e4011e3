import { expect, test } from "vitest";

import { parseDuration } from "../../src/toolkit/durations.js";

test.each([
  ["0", 0],
  ["250ms", 250],
  ["30s", 30_000],
  ["1.5m", 90_000],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
])("%s is %d ms", (text, ms) => {
  expect(parseDuration("--timeout", text)).toBe(ms);
});

test.each(["", "5", "-5m", "5 minutes", "2d", "1e3s", "NaN", "m"])("%j is refused", (text) => {
  expect(() => parseDuration("--timeout", text)).toThrow(expect.objectContaining({ code: "usage" }));
});
