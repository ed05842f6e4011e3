/** `--format xlsx`: figures in a file that people work in. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { readWorkbook, type SheetCell } from "../../support/workbook.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off", TZ: "UTC" });
const file = path.join(desk.folder, "sales.xlsx");
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 1_000, seed: 5, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL");
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

async function sheets(line: string, at = "--output") {
  const { code, stdout, stderr } = await desk.run([...line.split(" "), "--format", "xlsx", at, file]);
  expect({ code, stdout: at === "--output" ? stdout : "" }, stderr).toEqual({ code: 0, stdout: "" });
  return readWorkbook(readFileSync(file));
}
const values = (rows: readonly (readonly SheetCell[])[] = []) =>
  rows.map((row) => row.map(({ value }) => value));
/** Days since 30 December 1899, as spreadsheets count them. */
const serial = (day: string) => Date.parse(day) / 86_400_000 + 25_569;

test("A workbook has the cells of CSV: amounts in their currency, days and counts as what they are", async () => {
  const line = "grouped --by day --period 2026-10 --details";
  const workbook = await sheets(line);
  expect([...workbook.keys()]).toEqual(["day"]);
  const rows = workbook.get("day") ?? [];
  const csv = parseCsv((await desk.run(`${line} --format csv`)).stdout);
  expect(values(rows)[0]).toEqual(csv[0]);
  expect(rows).toHaveLength(csv.length);
  for (const [index, [day = "", label = "", orders, revenue, average]] of csv.slice(1, 32).entries()) {
    const row = rows[index + 1] ?? [];
    expect(values([row.slice(0, 5)])[0]).toEqual([
      serial(day),
      label,
      ...[orders, revenue, average].map(Number),
    ]);
    expect(row.map(({ format }) => format).slice(0, 7)).toEqual([
      ...["yyyy-mm-dd", "", "", "[$BRL] #,##0.00", "[$BRL] #,##0.00", "", "0.0%"],
    ]);
  }
});

test("A report has a sheet for each section, and so a file of its own: in place of a page", async () => {
  const workbook = await sheets("report --period 2026-10", "--out");
  expect([...workbook.keys()].slice(0, 3)).toEqual(["summary", "day", "hour"]);
  expect(workbook.get("day")).toHaveLength(32);
});

test("Summary, pivot and history are tables of a workbook, too; what is said stands on stderr", async () => {
  expect(values((await sheets("summary --period 2026-10")).get("summary"))[1]?.slice(0, 2)).toEqual(
    ["2026-10-01", "2026-10-31"].map(serial),
  );
  const pivot = await sheets("pivot --rows day --cols order_type --period 2026-10-05");
  expect(values(pivot.get("pivot"))[0]?.slice(0, 2)).toEqual(["row", "row_label"]);
  await desk.run("orders dispatch 999999 --store centro");
  const [names, write] = values((await sheets("history")).get("history"));
  expect(names?.slice(0, 2)).toEqual(["at", "store"]);
  expect(write?.[0]).toBeGreaterThan(serial("2026-11-20"));
});

test("A label that looks like a formula is a text in a workbook", async () => {
  const { Workbook } = await import("../../../src/terminal/workbook.js");
  const workbook = new Workbook();
  workbook.add("dishes", [{ heading: "name", cell: (name: string) => name }], ["=1+1", "\u0001<b>"]);
  const bytes = await workbook.bytes();
  expect(values(readWorkbook(Buffer.from(bytes ?? [])).get("dishes"))).toEqual([
    ["name"],
    ["=1+1"],
    ["\\x01<b>"],
  ]);
});

test.each([
  ["summary", { columns: 80 }, "--output sales.xlsx"],
  ["report", { columns: 80 }, "--output sales.xlsx"],
  ["summary --excel", {}, "not with xlsx"],
  ["stores list", {}, '"comanda stores list" doesn\'t take --format xlsx'],
])(
  "A workbook is refused before anything is asked where it has no place: %s",
  async (line, options, words) => {
    emulator.service.log.clear();
    const { code, stdout, stderr } = await desk.run(`${line} --format xlsx`, options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(emulator.service.log.entries()).toEqual([]);
  },
);
