import { expect, test } from "vitest";

import { nearest, suggestion } from "../../src/api/nearest.js";

const words = ["closed", "canceled", "ready"];

test("finds a slip, and nothing for another word", () => {
  expect(nearest("CLOSD", words)).toBe("closed");
  expect(nearest("cancelled", words)).toBe("canceled");
  expect(nearest("pizza", words)).toBeUndefined();
  expect(nearest("x".repeat(10_000), words)).toBeUndefined();
  expect(nearest("pt", ["en", "pt-BR"])).toBe("pt-BR");
  expect(nearest("last", ["last-week", "last-year"])).toBeUndefined();
  expect(suggestion("redy", words)).toBe(' Did you mean "ready"?');
  expect(suggestion("pizza", words)).toBe("");
});
