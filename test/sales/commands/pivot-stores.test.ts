/** `pivot` over several stores: each one's table, and their sum. */
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 500, seed: 21, now: desk.clock, rateLimits: false });
  for (const [store, id] of [
    ["centro", 501],
    ["norte", 502],
  ] as const) {
    await desk.signIn(store, emulator.baseUrl, tokenFor(emulator, id));
    await desk.run(`stores set ${store} --tz America/Sao_Paulo --currency BRL`);
  }
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

const period = "--period last-30-days";
const cell = z.object({
  row: z.union([z.string(), z.number(), z.null()]),
  col: z.union([z.string(), z.number(), z.null()]),
  total_order_count: z.number(),
  total_revenue: z.number(),
});
const shape = z.object({
  stores: z.array(z.object({ store: z.string(), cells: z.array(cell) })),
  total: z.object({ stores: z.array(z.string()), cells: z.array(cell) }),
});
type Cell = z.infer<typeof cell>;

test.each([
  "--rows day --cols sales_channel",
  "--rows week --cols driver_id",
  "--rows day_of_week --cols order_type",
])("A pivot of all stores is the sum of its stores: %s", async (dimensions) => {
  const { code, stdout } = await desk.run(`pivot ${dimensions} ${period} --all-stores --json`);
  expect(code).toBe(0);
  const { stores, total } = z.parse(shape, parseJson(stdout));
  expect(stores.map(({ store }) => store)).toEqual(["centro", "norte"]);
  const sum = (cells: readonly Cell[], of: (each: Cell) => number) =>
    cells.reduce((all, each) => all + Math.round(of(each)), 0);
  const sums = (cells: readonly Cell[]) => [
    sum(cells, (each) => each.total_order_count),
    sum(cells, (each) => 100 * each.total_revenue),
  ];
  const summary = await desk.run(`summary ${period} --all-stores --json --fresh`);
  const { total: whole } = parseJson(summary.stdout) as { total: Omit<Cell, "row" | "col"> };
  expect(sums(total.cells)).toEqual([whole.total_order_count, Math.round(100 * whole.total_revenue)]);
  for (const { row, col, total_order_count } of total.cells.filter(({ col: of }) => typeof of === "string")) {
    const parts = stores.flatMap(({ cells }) => cells.filter((each) => each.row === row && each.col === col));
    const wanted = parts.reduce((all, each) => all + each.total_order_count, 0);
    // Drivers of two stores are two, whatever their ids.
    if (!dimensions.includes("driver_id")) expect(total_order_count).toBe(wanted);
  }
  const rows = [...new Set(total.cells.map(({ row }) => row))];
  expect(rows).toEqual(rows.toSorted((a, b) => Number(a) - Number(b) || (String(a) < String(b) ? -1 : 1)));
});

test("Its tables stand one under another with the total last; CSV is one table with a column of stores", async () => {
  const line = `pivot --rows order_type --cols status ${period} --all-stores`;
  const { stdout } = await desk.run(line);
  expect(stdout.split("\n").filter((text) => /^(centro|norte|Total)$/.test(text))).toEqual([
    "centro",
    "norte",
    "Total",
  ]);
  const [header, ...rows] = parseCsv((await desk.run(`${line} --format csv`)).stdout);
  expect(header?.slice(0, 2)).toEqual(["store", "row"]);
  expect(new Set(rows.map(([store]) => store))).toEqual(new Set(["centro", "norte"]));
});

test("A store that gives none leaves the others theirs: exit 10", async () => {
  await desk.signIn("velho", emulator.baseUrl, "nobody-gave-this");
  const { code, stdout } = await desk.run(`pivot --rows day --cols status ${period} --all-stores --json`);
  expect(code).toBe(10);
  expect(z.parse(shape, { ...(parseJson(stdout) as object), stores: [] }).total.stores).toEqual([
    "centro",
    "norte",
  ]);
});
