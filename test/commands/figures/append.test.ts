/** The file of `summary --append`. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";

import { appendFigures } from "../../../src/commands/figures/append.js";
import type { DateField } from "../../../src/api/values.js";
import { matching, parseCsv } from "../../support/desk.js";
import { mountSmallDisk, smallDiskAvailable } from "../../support/small-disk.js";
import { figuresOf, missing, result, row, store } from "../../sales/sample.js";
import { temporaryFolder } from "../../support/resources.js";

const folder = temporaryFolder();
const file = path.join(folder, "sales.csv");
beforeEach(() => rmSync(file, { force: true }));

const header =
  "store,from,to,time_zone,currency,filters,date_field,asked_at,total_order_count,total_revenue,average_order_value\r\n";
const day = (name: string, date: string, currency: string | null = "BRL") =>
  store(name, figuresOf(date, date, [row(null, 3, 1_000)]), undefined, { currency });
const line = (name: string, date: string, currency = "BRL") =>
  `${name},${date}T00:00:00-03:00,${date}T23:59:59.999999-03:00,America/Sao_Paulo,${currency},,created_at,2026-11-20T15:00:00.000Z,3,10.00,3.33\r\n`;
const text = () => readFileSync(file, "utf8");

test("--append adds a line for each store and period, and none twice", async () => {
  const stores = [day("centro", "2026-11-18"), missing("velho"), day("=norte", "2026-11-18")];
  const both = result(stores, { several: true });
  expect(await appendFigures(file, both)).toEqual({ added: 2, differ: false });
  expect(text()).toBe(header + line("centro", "2026-11-18") + line("'=norte", "2026-11-18"));
  expect(await appendFigures(file, both)).toEqual({ added: 0, differ: false });
  const before = text();
  expect(await appendFigures(file, result([day("centro", "2026-11-19")]))).toMatchObject({ added: 1 });
  expect(text()).toBe(before + line("centro", "2026-11-19"));
  expect(readdirSync(folder)).toEqual(["sales.csv"]);
});

test("--append adds a line for each query, whatever its filters contain", async () => {
  const counted = (filters: readonly string[], dateField: DateField = "created_at") =>
    result([day("centro", "2026-11-18")], { query: { filters, dateField, typed: [], net: false } });
  const queries = [
    counted([]),
    counted(["status_not_in=canceled"]),
    counted(['customer_origin_in="a, b"\n=c', "total_gteq=50"]),
    counted([], "scheduled_date"),
  ];
  for (const query of queries) expect(await appendFigures(file, query)).toEqual({ added: 1, differ: false });
  for (const query of queries) expect(await appendFigures(file, query)).toEqual({ added: 0, differ: false });
  const columns = parseCsv(text()).map((cells) => cells.slice(5, 7));
  expect(columns).toEqual([
    ["filters", "date_field"],
    ["", "created_at"],
    ["status_not_in=canceled", "created_at"],
    [`customer_origin_in="a,%20b"\n'=c total_gteq=50`, "created_at"],
    ["", "scheduled_date"],
  ]);
});

test("--append says if a row that is there has other figures", async () => {
  await appendFigures(file, result([day("centro", "2026-11-18")]));
  const changed = store("centro", figuresOf("2026-11-18", "2026-11-18", [row(null, 4, 1_250)]));
  expect(await appendFigures(file, result([changed]))).toEqual({ added: 0, differ: true });
  expect(text()).toBe(header + line("centro", "2026-11-18"));
});

const bom = "\ufeff";
const lf = (lines: string) => lines.replaceAll("\r\n", "\n");

test.each([
  ["a byte order mark", bom + header + line("centro", "2026-11-17"), line("centro", "2026-11-18")],
  ["a header that ends with a line feed", lf(header), lf(line("centro", "2026-11-18"))],
  ["only a byte order mark", bom, header + line("centro", "2026-11-18")],
  ["both line endings", lf(header) + line("centro", "2026-11-17"), lf(line("centro", "2026-11-18"))],
])("a file with %s keeps its format and gets each row once", async (_, before, added) => {
  writeFileSync(file, before);
  for (const count of [1, 0]) {
    const appended = await appendFigures(file, result([day("centro", "2026-11-18")]));
    expect(appended).toEqual({ added: count, differ: false });
    expect(text()).toBe(before + added);
  }
});

const longName = "a".repeat(4096 - header.length - line("", "2026-11-17").length - 60);
test.skipIf(!smallDiskAvailable).for([
  ["a new file", undefined],
  ["a file that has room for half a row", header + line(longName, "2026-11-17")],
] as const)("a full disk changes nothing in the folder of %s", async ([, before]) => {
  const disk = mountSmallDisk();
  onTestFinished(() => disk.remove());
  const onDisk = path.join(disk.folder, "sales.csv");
  if (before !== undefined) writeFileSync(onDisk, before);
  disk.fill();
  const message = `Can't write ${onDisk}: there is no space left.`;
  const error = { code: "invalid_input", message, hint: "Free up disk space, then try again." };
  for (let twice = 0; twice < 2; twice += 1)
    await expect(appendFigures(onDisk, result([day("centro", "2026-11-18")]))).rejects.toMatchObject(error);
  expect(readdirSync(disk.folder)).toEqual(before === undefined ? ["filler"] : ["filler", "sales.csv"]);
  if (before !== undefined) expect(readFileSync(onDisk, "utf8")).toBe(before);
});

test.each<[what: string, before: string, message?: RegExp]>([
  ["a row that lacks a column", `${header}centro,2026-11-17,2026-11-17\r\n`],
  ["an incomplete last row", `${header}${line("centro", "2026-11-17").slice(0, -4)}`],
  ["a different currency", header + line("centro", "2026-11-17", "EUR"), /: EUR, BRL|: BRL, EUR/],
  ["other columns", "store,from,to\r\n", /^The columns of .*date_field.*: store,from,to$/],
])("a file with %s is rejected and stays unchanged", async (_, before, message = / is damaged\.$/) => {
  writeFileSync(file, before);
  const adding = appendFigures(file, result([day("centro", "2026-11-18")]));
  await expect(adding).rejects.toMatchObject({ code: "invalid_input", message: matching(message) });
  expect(text()).toBe(before);
});

test("stores with different currencies can't be added to one file", async () => {
  const both = result([day("centro", "2026-11-18"), day("tasca", "2026-11-18", "EUR")], { several: true });
  const message = "The stores have different currencies: BRL, EUR.";
  await expect(appendFigures(file, both)).rejects.toMatchObject({ code: "invalid_input", message });
  expect(existsSync(file)).toBe(false);
});
