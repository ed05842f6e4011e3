/** Rows as CSV, and as tables on terminals of different widths. */
import { stripVTControlCharacters } from "node:util";

import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Cell, type Column, renderRecords } from "../../src/cli/records.js";
import { createStyle, plainStyle } from "../../src/cli/text.js";
import { sized } from "../support/soak.js";

test("A table is aligned by display width, and CSV follows RFC 4180 with two decimals for money", async () => {
  const columns: readonly Column<readonly [name: string, price: number]>[] = [
    { heading: "Name", name: "dish", cell: ([name]) => name },
    { heading: "Price", name: "price", align: "right", type: "money", cell: ([, price]) => price },
  ];
  const menu = [["Pão de queijo", 4.5] as const, ["寿司", -12] as const];
  expect(await renderRecords("table", columns, menu)).toBe(
    ["NAME           PRICE", "Pão de queijo    4.5", "寿司             -12", ""].join("\n"),
  );
  const csv = "dish,price\r\nPão de queijo,4.50\r\n寿司,-12.00\r\n";
  expect(await renderRecords("csv", columns, menu)).toBe(csv);
});

describe("CSV read by another parser", () => {
  const piece = fc.constantFrom(
    ...["=", "+", "-", "@", "＝", "'", ",", ";", '"', "\t", "\n", "\r", "\r\n", " "],
    ...["\ufeff", "\u001b[2J", "\u2028", "a", "1", "ção", "寿司", "cmd()"],
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer(), fc.double({ noNaN: true }));
  /** Rows have at least two cells, because readers skip an empty line. */
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.tuple(
        fc.array(text, { minLength: width, maxLength: width }),
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 }),
      ),
    );

  test("contains every cell unchanged, and no formulas in texts", async () => {
    await fc.assert(
      fc.asyncProperty(table, async ([headings, rows]) => {
        const columns = headings.map((heading, index): Column<readonly Cell[]> => ({
          name: heading,
          cell: (row) => row[index] ?? null,
        }));
        const csv = await renderRecords("csv", columns, rows);
        // A spreadsheet ends a record at each of the three line breaks outside of quotes.
        const read: string[][] = parse(csv, { record_delimiter: ["\r\n", "\n", "\r"], bom: true });
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
      { numRuns: sized({ test: 50, search: 1_000, soak: 1_000 }) },
    );
  });

  test("distinguishes an empty text from no value", async () => {
    const columns: Column<Cell>[] = [
      { name: "a", cell: (row) => row },
      { name: "b", cell: () => 1 },
    ];
    expect(await renderRecords("csv", columns, ["", null])).toBe('a,b\r\n"",1\r\n,1\r\n');
  });

  function expectSafe(found: string, given: string): void {
    // A number isn't a formula.
    if (/^-?\d+$/.test(given)) {
      expect(found).toBe(given);
      return;
    }
    for (const line of found.split(/\r\n|\n|\r/)) {
      expect(line).not.toMatch(/^\t/);
      for (const part of line.split("\t")) expect(part.trimStart()).not.toMatch(/^[=+\-@＝]/);
    }
    expect(found).not.toMatch(/^[\t\r]/);
    // Only apostrophes are added, and terminal controls are escaped.
    expect(found.replaceAll("'", "")).toBe(
      given
        .replaceAll("'", "")
        .replaceAll("\ufeff", String.raw`\ufeff`)
        .replaceAll("\u2028", String.raw`\u2028`)
        .replaceAll("\u001b", String.raw`\x1b`),
    );
  }
});

interface Row {
  readonly order: string;
  readonly message: string;
}
const columns: readonly Column<Row>[] = [
  { heading: "Order", name: "order", cell: ({ order }) => order },
  { heading: "Message", name: "message", cell: ({ message }) => message, tone: () => "red" },
];
const rows: readonly Row[] = [
  { order: "4711", message: "The order's status can't be changed any more: it was canceled." },
  { order: "4712", message: "" },
];

describe("A table on a terminal", () => {
  test("is wrapped between words, also with colors", async () => {
    const first = "4711   The order's status can't be changed any\n       more: it was canceled.\n";
    const wrapped = `ORDER  MESSAGE\n${first}4712\n`;
    for (const style of [plainStyle, await createStyle({ isTTY: true }, {}, true)]) {
      const text = await renderRecords("table", columns, rows, { view: { width: 50, style } });
      expect(stripVTControlCharacters(text)).toBe(wrapped);
    }
  });

  test("shows a row as a block instead of breaking a number or a word", async () => {
    const address = "https://example.com/a-very-long-address-without-a-blank-in-it";
    const order = { heading: "Order", cell: () => "4711" };
    const urls: readonly Column<null>[] = [order, { heading: "URL", cell: () => address }];
    const text = await renderRecords("table", urls, [null], { view: { width: 55, style: plainStyle } });
    expect(text).toBe(`ORDER  4711\nURL\n    ${address}\n`);
  });

  test("omits details, empty columns and those without a heading", async () => {
    const detailed: readonly Column<Row>[] = [
      ...columns,
      { heading: "Attempts", name: "attempts", cell: () => 3, isDetail: true },
      { heading: "Driver", name: "driver", cell: () => null },
      { name: "only_in_csv", cell: () => 1 },
      { heading: "Share", cell: () => "100%" },
    ];
    const text = await renderRecords("table", detailed, rows, { view: { width: 80, style: plainStyle } });
    expect(text.split("\n")[0]).toMatch(/^ORDER {2}MESSAGE +SHARE$/);
    const csv = await renderRecords("csv", detailed, rows);
    expect(csv).toMatch(/^order,message,attempts,driver,only_in_csv\r\n/);
  });

  test("is never wider than the terminal, except for a word that is", async () => {
    const word = fc.stringMatching(/^[a-z]{1,10}$/);
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));
    const table = fc
      .integer({ min: 1, max: 7 })
      .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 2 }));
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 40, max: 120 }), async ([headings = [], ...lines], width) => {
        const made = headings.map((heading, place): Column<readonly string[]> => ({
          heading,
          cell: (line) => line[place] ?? "",
        }));
        const drawn = await renderRecords("table", made, lines, { view: { width, style: plainStyle } });
        const isTooWide = (line: string) => line.length > width && line.trim().includes(" ");
        expect(drawn.split("\n").filter(isTooWide)).toEqual([]);
      }),
      { numRuns: sized({ test: 50, search: 1_000, soak: 1_000 }) },
    );
  });
});
