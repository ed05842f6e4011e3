import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Cell, type Column, renderRecords } from "../../src/cli/records.js";

interface Dish {
  readonly name: string;
  readonly price: number;
}
const columns: readonly Column<Dish>[] = [
  { heading: "Name", name: "dish", cell: (dish) => dish.name },
  { heading: "Price", name: "price", align: "right", cell: (dish) => dish.price },
];
const menu: readonly Dish[] = [
  { name: "Pão de queijo", price: 4.5 },
  { name: "寿司", price: -12 },
];

describe("renderRecords", () => {
  test("draws a table whose columns line up by display width", async () => {
    expect(await renderRecords("table", columns, menu)).toBe(
      ["NAME           PRICE", "Pão de queijo    4.5", "寿司             -12", ""].join("\n"),
    );
  });

  test("writes CSV by RFC 4180", async () => {
    expect(await renderRecords("csv", columns, menu)).toBe("dish,price\r\nPão de queijo,4.5\r\n寿司,-12\r\n");
  });

  test("writes money with two decimals in every line of CSV", async () => {
    const priced = columns.map((column) =>
      column.name === "price" ? { ...column, type: "money" as const } : column,
    );
    expect(await renderRecords("csv", priced, menu)).toBe(
      "dish,price\r\nPão de queijo,4.50\r\n寿司,-12.00\r\n",
    );
  });
});

/** As a spreadsheet reads a file: any of the three line breaks ends a record that no quote holds together. */
function readCsv(text: string): string[][] {
  return parse(text, { record_delimiter: ["\r\n", "\n", "\r"], bom: true });
}

describe("CSV, read back by another parser", () => {
  const piece = fc.constantFrom(
    ...["=", "+", "-", "@", "＝", "'", ",", ";", '"', "\t", "\n", "\r", "\r\n", " "],
    ...["\ufeff", "\u001b[2J", "\u2028", "a", "1", "ção", "寿司", "cmd()"],
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double({ noNaN: true }));
  /** Two cells at least: a line of one empty cell is an empty line, which readers skip. */
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.tuple(
        fc.array(text, { minLength: width, maxLength: width }),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 }),
      ),
    );

  test("has every cell as it was, and no formula in a text", async () => {
    await fc.assert(
      fc.asyncProperty(table, async ([headings, rows]) => {
        const columns = headings.map((heading, index): Column<readonly Cell[]> => ({
          heading,
          cell: (row) => row[index] ?? null,
        }));
        const read = readCsv(await renderRecords("csv", columns, rows));
        const given = [headings, ...rows];
        expect(read.map((line) => line.length)).toEqual(given.map((line) => line.length));
        for (const [line, cells] of given.entries()) {
          for (const [column, value] of cells.entries()) {
            const found = read[line]?.[column];
            if (typeof value === "string") expectSafe(found ?? "", value);
            else expect(found).toBe(String(value ?? ""));
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test("tells an empty text from no value", async () => {
    const columns = [0, 1].map((index): Column<readonly Cell[]> => ({
      heading: `c${index}`,
      cell: (row) => row[index] ?? null,
    }));
    expect(await renderRecords("csv", columns, [["", null]])).toBe('c0,c1\r\n"",\r\n');
  });

  function expectSafe(found: string, given: string): void {
    // A number is none.
    if (/^-?\d+$/.test(given)) {
      expect(found).toBe(given);
      return;
    }
    for (const line of found.split(/\r\n|\n|\r/)) {
      expect(line).not.toMatch(/^\t/);
      for (const part of line.split("\t")) expect(part.trimStart()).not.toMatch(/^[=+\-@＝]/);
    }
    expect(found).not.toMatch(/^[\t\r]/);
    // Nothing but apostrophes came in; what a terminal would act upon is shown as an escape.
    expect(found.replaceAll("'", "")).toBe(
      given
        .replaceAll("'", "")
        .replaceAll("\ufeff", String.raw`\ufeff`)
        .replaceAll("\u2028", String.raw`\u2028`)
        .replaceAll("\u001b", String.raw`\x1b`),
    );
  }
});
