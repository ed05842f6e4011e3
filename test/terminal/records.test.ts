import { describe, expect, it, test } from "vitest";

import { formulaSafe, renderRecords, type Column } from "../../src/terminal/index.js";

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
const hostile: readonly Dish[] = [{ name: '=cmd()|"\n\u001b[2J`x`,|', price: -1 }];

describe("renderRecords", () => {
  it("draws a table whose columns line up by display width", async () => {
    expect(await renderRecords("table", columns, menu)).toBe(
      ["NAME           PRICE", "Pão de queijo    4.5", "寿司             -12", ""].join("\n"),
    );
  });

  it("writes CSV by RFC 4180", async () => {
    expect(await renderRecords("csv", columns, menu)).toBe("dish,price\r\nPão de queijo,4.5\r\n寿司,-12\r\n");
  });

  it("writes a Markdown table", async () => {
    expect(await renderRecords("markdown", columns, menu)).toContain("| Pão de queijo |   4.5 |");
  });

  it("writes JSON with the rows as they are", async () => {
    expect(JSON.parse(await renderRecords("json", columns, menu))).toEqual(menu);
  });

  test.each(["table", "markdown"] as const)("keeps a hostile name on one line of a %s", async (format) => {
    const text = await renderRecords(format, columns, hostile);
    expect(text).not.toContain("\u001b");
    expect(text.trimEnd().split("\n")).toHaveLength(format === "table" ? 2 : 3);
  });

  it("keeps a hostile name in one CSV cell that no spreadsheet takes for a formula", async () => {
    const text = await renderRecords("csv", columns, hostile);
    expect(text.split("\r\n")[1]).toMatch(/^"'=cmd\(\)/);
    expect(text).toContain(",-1\r\n");
    expect(text).not.toContain("\u001b");
  });
});

test.each([
  ["=1+1", "'=1+1"],
  ["+55 11", "'+55 11"],
  ["-x", "'-x"],
  ["@sum", "'@sum"],
  ["\tx", "'\tx"],
  ["\rx", "'\rx"],
  ["x=1", "x=1"],
  ["", ""],
])("formulaSafe(%j) is %j", (text, safe) => {
  expect(formulaSafe(text)).toBe(safe);
});
