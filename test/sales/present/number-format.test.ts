import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createNumberFormat } from "../../../src/sales/present/number-format.js";

describe("numbers of a table", () => {
  const edges = [0, -0, 0.1, 1, 999, 1000, 1234.5, 999_999.99, 1.005, 1e12 - 0.01, 1e12, 1e21, -1234.5, NaN];
  const numbers = fc.oneof(
    fc.constantFrom(...edges),
    fc.integer({ min: 0, max: 2 ** 47 }).map((cents) => cents / 100),
    fc.integer(),
    fc.double(),
  );

  test.each(["en-US", "pt-BR", "en-GB", "de-CH", "es-ES"])(
    "are written as the engine writes them in %s",
    (locale) => {
      const { count, amount } = createNumberFormat({ locale, currency: undefined });
      const counts = new Intl.NumberFormat(locale);
      const amounts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
      fc.assert(
        fc.property(numbers, (value) => {
          expect(count(value)).toBe(counts.format(value));
          expect(amount(value)).toBe(amounts.format(value));
        }),
      );
    },
  );
});
