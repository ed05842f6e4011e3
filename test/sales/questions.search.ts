/** What a command says, what SQL over the kept answers says, and a count over the orders are the same cents. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import type { Emulator } from "../../src/emulator/index.js";
import { centsFromNumber } from "../../src/contract/money.js";
import { Desk, tokenFor } from "../support/desk.js";
import { startEmulator } from "../support/emulators.js";
import { parseJson } from "../support/json.js";
import {
  accountant,
  chain,
  counted,
  owner,
  ownerStatement,
  soldOrders,
  type Rows,
  type SoldOrder,
} from "./support/questions.js";

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

/** Of one store, as in the examples, after the nights in which the chain's figures were kept. */
describe("an owner's question", () => {
  const [first, last] = ["2026-10-01", "2026-11-19"];
  let alone: Desk;
  /** The same sign-in, with a new token. */
  const signIn = () =>
    alone.signIn("centro", emulator.baseUrl, tokenFor(emulator, 601), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
  beforeAll(async () => {
    alone = new Desk({ COMANDA_RATE_LIMITS: "off" });
    await signIn();
    await alone.run("stores set centro --tz America/Sao_Paulo --currency BRL");
    await alone.run("sync --days 50 --dimensions day,hour,sales-channel,driver-id");
  }, 60_000);
  afterAll(() => {
    alone.remove();
  });

  const groups = z.looseObject({ groups: z.array(z.looseObject({ ...figures, key })) });
  const days = Array.from({ length: 50 }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );

  test.each(owner)("$words", async ({ words, columns, by, row }) => {
    const line = `grouped --by ${by.replaceAll("_", "-")} --from ${first} --to ${last} --json`;
    const { stdout, code } = await alone.run(line);
    expect(code).toBe(0);
    const said = z.parse(groups, parseJson(stdout)).groups;
    const rowsOf = (all: typeof said) => all.flatMap((group) => rowIfAny(row(group, all, days)));
    const byCount = counted(orders, {
      of: ({ store, day }) => store === "centro" && first <= day && day <= last,
      by: (order) => order.by(by),
    });
    const expected = said.map(({ key: name }) => {
      const [count, cents] = byCount[String(name)] ?? [0, 0];
      return { key: name, total_order_count: count, total_revenue: cents / 100 };
    });
    expect(expected.reduce((sum, { total_order_count }) => sum + total_order_count, 0)).toBe(
      Object.values(byCount).reduce((sum, [count]) => sum + count, 0),
    );
    const inSql = z
      .parse(
        z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
        alone.sales(ownerStatement(words)),
      )
      .map((found) => columns.map((name) => found[name]));
    expect(sorted(rowsOf(said))).toEqual(sorted(rowsOf(expected)));
    expect(sorted(inSql)).toEqual(sorted(rowsOf(expected)));
  });

  test("Which days were corrected afterwards, and by how much?", async () => {
    const order = orders.find(({ store, day }) => store === "centro" && day === "2026-11-12");
    const record = [...emulator.world.orders.all()].find(({ id }) => id === order?.id);
    if (!record) throw new Error("there is no order");
    const since = new Date(alone.clock.now()).toISOString();
    Object.assign(record, { total: record.total + 1_234 });
    // The service's clock is the first desk's.
    for (const each of [alone, desk]) each.pass(24 * 3_600_000);
    await signIn();
    await alone.run("sync --days 50 --fresh");
    const corrected = [{ date: "2026-11-12", orders: 0, revenue: 12.34 }];
    expect(alone.sales(ownerStatement(/corrected/))).toMatchObject(corrected);
    const { stdout } = await alone.run(`changes --since ${since} --from ${first} --to ${last} --json`);
    expect(parseJson(stdout)).toMatchObject({ changes: corrected });
  });
});

function rowIfAny<Row>(row: Row | undefined): readonly Row[] {
  return row === undefined ? [] : [row];
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
