/** What a command says, what SQL over the kept answers says, and a count over the orders are the same cents. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import type { Emulator } from "../../src/emulator/index.js";
import { centsFromNumber } from "../../src/contract/money.js";
import { Desk, tokenFor } from "../support/desk.js";
import { startEmulator } from "../support/emulators.js";
import { parseJson } from "../support/json.js";
import { accountant, chain, counted, soldOrders, type Rows, type SoldOrder } from "./support/questions.js";

const dimensions =
  "day,hour,order-type,order-timing,sales-channel,customer-origin,payment-method-id,driver-id,status";

let desk: Desk;
let emulator: Emulator;
let orders: readonly SoldOrder[];
beforeAll(async () => {
  desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
  const drivers = [1, 2, 3].map((number) => ({ id: number, name: `Driver ${number}` }));
  const stores = chain.map(({ id, zone: time_zone, currency }) => ({
    ...{ id, time_zone, currency },
    drivers: drivers.map((driver) => ({ ...driver, id: id * 10 + driver.id })),
  }));
  emulator = await startEmulator({ stores, orders: 40_000, seed: 24, now: desk.clock, rateLimits: false });
  for (const { name, id, zone, currency } of chain) {
    await desk.signIn(name, emulator.baseUrl, tokenFor(emulator, id));
    await desk.run(`stores set ${name} --tz ${zone} --currency ${currency}`);
  }
  const { code, stderr } = await desk.run(`sync --all-stores --days 50 --dimensions ${dimensions}`);
  if (code !== 0) throw new Error(stderr);
  orders = soldOrders(emulator.world.orders.all());
}, 300_000);
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

const figures = { total_order_count: z.int(), total_revenue: z.number() };
const key = z.nullable(z.union([z.string(), z.number()]));
const shapes = {
  stores: z.looseObject({ stores: z.array(z.looseObject({ store: z.string() })) }),
  sides: z.looseObject({ current: z.unknown(), previous: z.unknown() }),
  cells: z.looseObject({ cells: z.array(z.looseObject({ ...figures, row: key, col: key })) }),
  groups: z.looseObject({ groups: z.array(z.looseObject({ ...figures, key })) }),
  whole: z.looseObject(figures),
};

/** Whatever form a command's JSON has. */
function rowsOf(answer: unknown, name: readonly string[] = []): Rows {
  const join = (all: readonly Rows[]): Rows => Object.assign({}, ...all) as Rows;
  const row = (
    { total_order_count, total_revenue }: z.infer<typeof shapes.whole>,
    ...more: readonly unknown[]
  ): Rows => ({
    [[...name, ...more].join(" ") || "all"]: [total_order_count, centsFromNumber(total_revenue) ?? NaN],
  });
  const isA = <Shape extends z.core.$ZodType>(shape: Shape) => z.safeParse(shape, answer).data;
  const stores = isA(shapes.stores)?.stores;
  if (stores) return join(stores.map((store) => rowsOf(store, [store.store])));
  const sides = isA(shapes.sides);
  if (sides) return join([rowsOf(sides.current, ["now"]), rowsOf(sides.previous, ["then"])]);
  const cells = isA(shapes.cells)?.cells;
  if (cells) return join(cells.map((cell) => row(cell, String(cell.row), String(cell.col))));
  const groups = isA(shapes.groups)?.groups;
  if (groups) return join(groups.map((group) => row(group, String(group.key))));
  return row(z.parse(shapes.whole, answer));
}

const sqlRows = z.array(z.looseObject({ name: z.string(), orders: z.int(), cents: z.int() }));

async function answer(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await desk.run(line);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return parseJson(stdout);
}

describe("an accountant's question", () => {
  test("is one of seventy at the least, each another", () => {
    expect(new Set(accountant.map(({ line }) => line)).size).toBe(accountant.length);
    expect(accountant.length).toBeGreaterThanOrEqual(70);
  });

  test.each(accountant)("$words", async (question) => {
    const expected = counted(orders, question);
    expect(Object.keys(expected)).not.toEqual([]);
    const said = Object.entries(rowsOf(await answer(`${question.line} --json`)));
    expect(Object.fromEntries(said.filter(([, [count]]) => count > 0))).toEqual(expected);
    const rows = z.parse(sqlRows, desk.sales(question.sql));
    expect(Object.fromEntries(rows.map(({ name, orders: count, cents }) => [name, [count, cents]]))).toEqual(
      expected,
    );
  });
});
