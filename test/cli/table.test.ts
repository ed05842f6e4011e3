/** Tables as a terminal of some width shows them. */
import { stripVTControlCharacters } from "node:util";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Column, renderRecords } from "../../src/cli/records.js";
import { createStyle, plainStyle } from "../../src/cli/text.js";

interface Row {
  readonly order: string;
  readonly message: string;
}
const columns: readonly Column<Row>[] = [
  { heading: "Order", cell: ({ order }) => order },
  { heading: "Message", cell: ({ message }) => message, tone: () => "red" },
];
const rows: readonly Row[] = [
  { order: "4711", message: "The order's status can't be changed any more: it was canceled." },
  { order: "4712", message: "" },
];
const draw = (width?: number, style = plainStyle) =>
  renderRecords("table", columns, rows, { view: { width, style } });

const wrapped = [
  "ORDER  MESSAGE",
  "4711   The order's status can't be changed any",
  "       more: it was canceled.",
  "4712",
  "",
].join("\n");

describe("a table at a terminal", () => {
  test("has a line for each row where it fits, and where it goes to no terminal", async () => {
    const lines = `ORDER  MESSAGE\n4711   ${rows[0]?.message ?? ""}\n4712\n`;
    expect([await draw(80), await draw()]).toEqual([lines, lines]);
  });

  test("is wrapped between words, in colours too", async () => {
    expect(await draw(50)).toBe(wrapped);
    expect(stripVTControlCharacters(await draw(50, await createStyle({ isTTY: true }, {}, true)))).toBe(
      wrapped,
    );
  });

  test("never breaks a number or a word: the row becomes a block", async () => {
    const address = "https://example.com/a-very-long-address-without-a-blank-in-it";
    const urls: readonly Column<null>[] = [
      { heading: "Order", cell: () => "4711" },
      { heading: "URL", cell: () => address },
    ];
    const text = await renderRecords("table", urls, [null], { view: { width: 55, style: plainStyle } });
    expect(text).toBe(`ORDER  4711\nURL\n    ${address}\n`);
  });

  test("has no details, and no column that is empty", async () => {
    const detailed: readonly Column<Row>[] = [
      ...columns,
      { heading: "Attempts", cell: () => 3, isDetail: true },
      { heading: "Driver", cell: () => null },
    ];
    const text = await renderRecords("table", detailed, rows, { view: { width: 80, style: plainStyle } });
    expect(text.split("\n")[0]).toBe("ORDER  MESSAGE");
    expect(await renderRecords("csv", detailed, rows)).toMatch(/^Order,Message,Attempts,Driver\r\n/);
  });

  test("is never wider than the terminal but for a word that is", async () => {
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
        expect(drawn.split("\n").filter((line) => line.length > width && line.trim().includes(" "))).toEqual(
          [],
        );
      }),
      { numRuns: 200 },
    );
  });
});
