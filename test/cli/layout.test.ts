import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { layOut, type LayoutColumn } from "../../src/cli/table.js";
import { renderRecords } from "../../src/cli/records.js";
import { plainStyle } from "../../src/cli/style.js";

function column(heading: string, cells: readonly string[], more: Partial<LayoutColumn> = {}): LayoutColumn {
  return { heading, cells, isNumeric: false, mayShorten: false, ...more };
}

const id = column("ORDER", ["4711", "4712"]);
const message = column("MESSAGE", ["The order's status can't be changed any more.", ""]);

describe("the layout of a table", () => {
  test("leaves a table alone that fits, or that goes to no terminal", () => {
    expect(layOut([id, message], 52)).toEqual({ kind: "lines" });
    expect(layOut([id, message], undefined)).toEqual({ kind: "lines" });
  });

  test("takes what is too much from the widest column", () => {
    expect(layOut([id, message, id, id, id], 60)).toEqual({ kind: "wrapped", widths: [5, 32, 5, 5, 5] });
  });

  test("never breaks a number or tears a heading: the row becomes a block", () => {
    const amounts = column("ORDERS", ["R$ 1.234.567,89", "R$ 1,00"], { isNumeric: true });
    expect(layOut([amounts, amounts, amounts, amounts], 60)).toEqual({ kind: "blocks" });
  });

  test("cuts the words of a column that allows it, and of no other", () => {
    const address = column("URL", ["https://example.com/a-very-long-address-without-a-blank-in-it"]);
    expect(layOut([id, address], 55)).toEqual({ kind: "blocks" });
    expect(layOut([id, { ...address, mayShorten: true }], 55)).toEqual({ kind: "wrapped", widths: [5, 48] });
  });

  test("makes blocks under 50 columns of what doesn't fit", () => {
    expect(layOut([id, message], 49)).toEqual({ kind: "blocks" });
  });

  test("is never wider than the terminal", () => {
    const texts = fc.array(
      fc.array(fc.string({ maxLength: 12 }), { maxLength: 6 }).map((words) => words.join(" ")),
      {
        minLength: 2,
        maxLength: 4,
      },
    );
    const columns = fc.array(
      fc.record({
        heading: fc.string({ maxLength: 14 }),
        cells: texts,
        isNumeric: fc.boolean(),
        mayShorten: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(columns, fc.integer({ min: 20, max: 200 }), (made, width) => {
        const layout = layOut(made, width);
        if (layout.kind !== "wrapped") return;
        const used = layout.widths.reduce((sum, one) => sum + one, 2 * (made.length - 1));
        expect(used).toBeLessThanOrEqual(width);
        expect(Math.min(...layout.widths)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a table at a terminal", () => {
  interface Row {
    readonly order: string;
    readonly message: string;
  }
  const columns = [
    { heading: "Order", cell: (row: Row) => row.order },
    { heading: "Message", cell: (row: Row) => row.message },
  ];
  const rows = [
    { order: "4711", message: "The order's status can't be changed any more: it was canceled." },
    { order: "4712", message: "" },
  ];
  const draw = (width: number) =>
    renderRecords("table", columns, rows, { view: { width, style: plainStyle } });

  test("is wrapped between words", async () => {
    expect(await draw(50)).toBe(
      [
        "ORDER  MESSAGE",
        "4711   The order's status can't be changed any",
        "       more: it was canceled.",
        "4712",
        "",
      ].join("\n"),
    );
  });

  test("is a block for each row where it is narrow, wrapped beside its headings", async () => {
    expect(await draw(40)).toBe(
      [
        "Order    4711",
        "Message  The order's status can't be",
        "         changed any more: it was",
        "         canceled.",
        "",
        "Order    4712",
        "",
      ].join("\n"),
    );
  });
});

describe("columns that may be left out", () => {
  const columns = [
    { heading: "Order", cell: () => "62000000-62000000-62000000" },
    { heading: "Run", dropOrder: 1, cell: () => "20261121-kzmwqa-20261121" },
    { heading: "Code", dropOrder: 2, cell: () => "state_unusable_and_more" },
  ];
  const drawn = (width: number) =>
    renderRecords("table", columns, [{}], { view: { width, style: plainStyle } });

  test("go where the table would be no table, the least important first, and are named", async () => {
    expect(await drawn(80)).not.toContain("Left out");
    expect(await drawn(60)).toMatch(
      /^ORDER +CODE\n.*\nLeft out for want of room: Run\. --format csv has all\.\n$/,
    );
    expect(await drawn(50)).toMatch(/^ORDER\n.*\nLeft out for want of room: Run, Code\./);
  });

  test("go at 40 columns too, where three columns are left", async () => {
    const days = [
      { heading: "Day", cell: () => "05/10/2026" },
      { heading: "Orders", cell: () => "120" },
      { heading: "Revenue", cell: () => "R$ 12.345,67" },
      { heading: "Average", dropOrder: 2, cell: () => "R$ 102,88" },
      { heading: "Share", dropOrder: 1, cell: () => "12,3%" },
    ];
    const table = await renderRecords("table", days, [{}, {}], { view: { width: 40, style: plainStyle } });
    expect(table).toMatch(/^DAY +ORDERS +REVENUE\n05\/10\/2026 +120 +R\$ 12\.345,67\n05/);
  });

  test("stay where each row is a block", async () => {
    expect(await drawn(40)).toMatch(/^Order\b[^]*Run\b[^]*Code\b/);
  });
});
