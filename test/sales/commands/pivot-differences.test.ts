/** Orders that change while a pivot asks for them: what isn't its total in the end is told, wherever it stands. */
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";

import { portuguese } from "../../../src/languages/pt-BR/index.js";
import { setLanguage } from "../../../src/shared/language.js";
import { parseJson } from "../../support/json.js";
import { changeOrders } from "../../support/restless-emulator.js";
import { openSalesDesk, type SalesDesk } from "../../support/sales-desk.js";

let { desk, emulator, close } = {} as SalesDesk;
beforeEach(async () => {
  ({ desk, emulator, close } = await openSalesDesk({ orders: 400 }));
});
afterEach(() => close());

const pivot = (flags = "") =>
  desk.run(`pivot --rows order_type --cols sales_channel --period 2026-10 ${flags}`);
const sum = { total_order_count: z.int(), total_revenue: z.number() };
const shape = z.object({
  cells: z.array(z.object({ row: z.string(), ...sum })),
  differences: z.array(
    z.strictObject({ dimension: z.string(), key: z.nullable(z.string()), other: z.boolean(), ...sum }),
  ),
});

test("A pivot asks again what it asked before an order changed, and has no differences then", async () => {
  const calls = () =>
    emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
  await pivot("--json --fresh");
  const usual = calls();
  changeOrders({ emulator, desk, isMeant: (call) => call === 3 });
  const { stdout, stderr } = await pivot("--json --fresh");
  expect({ stderr, differences: z.parse(shape, parseJson(stdout)).differences }).toEqual({
    stderr: "",
    differences: [],
  });
  expect(calls()).toBeGreaterThan(2 * usual);
  expect(calls()).toBeLessThanOrEqual(2 * usual + 4);
});

test("A pivot asks again what was kept before an order came in", async () => {
  await desk.run("grouped --by order_type --period 2026-10");
  const { orders } = emulator.world;
  const order = orders.ofStore(501).find(({ orderType }) => orderType === "delivery");
  if (!order) throw new Error("the store has no order");
  orders.add({ ...order, id: 90_001, createdAt: Date.parse("2026-10-15T12:00:00Z"), total: 70_000 });
  desk.pass(60_000);
  const { cells, differences } = z.parse(shape, parseJson((await pivot("--json")).stdout));
  const october = z.object(sum);
  const whole = z.parse(
    october,
    parseJson((await desk.run("summary --period 2026-10 --fresh --json")).stdout),
  );
  const orderCount = cells.reduce((count, cell) => count + cell.total_order_count, 0);
  expect([differences, orderCount]).toEqual([[], whole.total_order_count]);
});

test("What isn't the total of its row is told as an amount, in JSON and in both languages", async () => {
  changeOrders({ emulator, desk });
  const { stdout, stderr } = await pivot("--json");
  const { differences } = z.parse(shape, parseJson(stdout));
  const [difference] = differences;
  if (!difference) throw new Error("nothing changed");
  const amount = difference.total_revenue;
  const shown = `${amount > 0 ? "+" : "-"}R$${Math.abs(amount).toFixed(2)}`;
  expect(stderr.match(/^warning: /gm)).toHaveLength(differences.length);
  expect(stderr).toContain(`differs from its total by 0 in orders and ${shown} in revenue: orders changed`);
  await desk.run("stores set centro --locale pt-BR");
  setLanguage("pt-BR", portuguese);
  const table = await pivot("--offline");
  expect(
    table.stderr.match(/difere do seu total em 0 pedidos e [+-]R\$\s?0,\d\d de faturamento/g),
  ).toHaveLength(differences.length);
});
