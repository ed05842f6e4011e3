import { expect, test } from "vitest";

import { suggestion } from "../../src/api/basics.js";

test.each([
  ["CLOSD", "closed"],
  ["closde", "closed"],
  ["cancelled", "canceled"],
  ["maxRetry", "maxRetries"],
  ["pizza", undefined],
  ["x".repeat(10_000), undefined],
])("%s suggests %s", (word, meant) => {
  const words = ["closed", "canceled", "ready", "maxRetries"];
  expect(suggestion(word, words)).toBe(meant === undefined ? "" : ` Did you mean "${meant}"?`);
});
