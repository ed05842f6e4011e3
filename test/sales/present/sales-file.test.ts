/** The rules of the file that `summary --append` adds to. */
import { describe, expect, test } from "vitest";

import {
  fileChanges,
  daysToAsk,
  readSalesFile,
  withRows,
  type SalesRow,
} from "../../../src/sales/present/sales-file.js";

const header =
  "store,from,to,time_zone,day_starts,currency,total_order_count,total_revenue,average_order_value,asked_at";
const row = (day: string, store = "centro"): SalesRow => ({
  store,
  from: day,
  to: day,
  time_zone: "UTC",
  day_starts: "00:00",
  currency: "BRL",
  total_order_count: "2",
  total_revenue: "49.80",
  average_order_value: "24.90",
  asked_at: "2026-11-20T15:00:00.000Z",
});
const line = (day: string, store = "centro") =>
  `${store},${day},${day},UTC,00:00,BRL,2,49.80,24.90,2026-11-20T15:00:00.000Z`;

describe("the days that are missing", () => {
  test.each([
    [
      "of an empty file are those of the period",
      [],
      ["2026-11-18", "2026-11-19"],
      ["2026-11-18", "2026-11-19"],
    ],
    ["are none where all are there", ["2026-11-18", "2026-11-19"], ["2026-11-18", "2026-11-19"], []],
    [
      "begin after the last row",
      ["2026-02-27"],
      ["2026-03-02", "2026-03-02"],
      ["2026-02-28", "2026-03-01", "2026-03-02"],
    ],
    [
      "begin after the last of several rows, in whatever order",
      ["2026-11-10", "2026-11-17", "2026-11-09"],
      ["2026-11-19", "2026-11-19"],
      ["2026-11-18", "2026-11-19"],
    ],
    [
      "are those between rows of the period, too",
      ["2026-11-17", "2026-11-19"],
      ["2026-11-17", "2026-11-19"],
      ["2026-11-18"],
    ],
    [
      "of a period before all rows are its own",
      ["2026-11-19"],
      ["2026-11-10", "2026-11-11"],
      ["2026-11-10", "2026-11-11"],
    ],
  ] as const)("%s", (_, known, [first, last], missing) => {
    const days = { period: [first, last], update: false } as const;
    expect(daysToAsk({ rows: known.map((day) => row(day)) }, "centro", days)).toEqual(missing);
  });

  test("are a store's own, and rows of several days are none of them", () => {
    const rows = [row("2026-11-19", "norte"), { ...row("2026-11-19"), from: "2026-11-01" }];
    const days = { period: ["2026-11-19", "2026-11-19"], update: false } as const;
    expect(daysToAsk({ rows }, "centro", days)).toEqual(["2026-11-19"]);
  });
});

test("a row is new where its store and its days are", async () => {
  const file = await readSalesFile("x", `${header}\r\n${line("2026-11-19")}\r\n`);
  const rows = [row("2026-11-19"), row("2026-11-19", "norte"), row("2026-11-20")];
  expect(fileChanges(file, rows, { update: false }).added).toEqual(rows.slice(1));
});

test.each([
  ["at another time", { day_starts: "04:00" }],
  ["in another zone", { time_zone: "America/Sao_Paulo" }],
])("a store's days that start %s don't go into one file, and another store's do", async (_, other) => {
  const file = await readSalesFile("sales.csv", `${header}\r\n${line("2026-11-19")}\r\n`);
  expect(() => fileChanges(file, [{ ...row("2026-11-20"), ...other }], { update: false })).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: expect.stringContaining("The days of centro in sales.csv start at 00:00 in UTC") as unknown,
      hint: "Give --day-starts 00:00 --tz UTC, or another file.",
    }),
  );
  expect(
    fileChanges(file, [{ ...row("2026-11-20", "norte"), ...other }], { update: false }).added,
  ).toHaveLength(1);
});

test("a row that isn't one is named by its place", async () => {
  const text = `${header}\r\n${line("2026-11-18")}\r\n${line("19/11/2026")}\r\n`;
  await expect(readSalesFile("sales.csv", text)).rejects.toThrow("Row 2 of sales.csv is not one");
});

describe("the file", () => {
  test.each([
    ["is new with its header", "", `${header}\r\n${line("2026-11-20")}\r\n`],
    ["keeps what is there", `${header}\r\n${line("2026-11-19")}\r\n`, undefined],
    ["keeps its line ends", `${header}\n${line("2026-11-19")}\n`, undefined],
    ["may begin with a byte order mark", `\uFEFF${header}\r\n`, undefined],
    [
      "gets the end that its last line lacks",
      `${header}\n${line("2026-11-19")}`,
      `${header}\n${line("2026-11-19")}\n${line("2026-11-20")}\n`,
    ],
  ])("%s", async (_, before, after) => {
    const lineEnd = before.includes("\r") ? "\r\n" : "\n";
    const text = await withRows(await readSalesFile("x", before), {
      added: [row("2026-11-20")],
      updated: [],
    });
    expect(text).toBe(after ?? `${before}${line("2026-11-20")}${lineEnd}`);
    expect((await readSalesFile("x", text)).rows.at(-1)).toEqual(row("2026-11-20"));
  });

  test.each([
    ["another header", "from,to,total_order_count\r\n"],
    ["no header", `${line("2026-11-19")}\r\n`],
    ["semicolons", `${header.replaceAll(",", ";")}\r\n`],
    ["an open quote", `${header}\r\n"centro,2026`],
    ["half a row", `${header}\r\ncentro,2026-11-19,2026-11-19,UT`],
    ["days as Brazil writes them", `${header}\r\n${line("19/11/2026")}\r\n`],
  ])("is refused with %s", async (_, text) => {
    await expect(readSalesFile("x", text)).rejects.toMatchObject({ code: "invalid_input", exitCode: 2 });
  });
});
