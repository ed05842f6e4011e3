/** Orders that change while a report asks for them: whatever doesn't equal the headline in the end is told, wherever it stands. */
import { readFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";

import { parseCsv, tokenFor } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { changeOrders } from "../../support/restless-emulator.js";
import { openSalesDesk, type SalesDesk } from "../../support/sales-desk.js";

let { desk, emulator, close } = {} as SalesDesk;
beforeEach(async () => {
  ({ desk, emulator, close } = await openSalesDesk({ orders: 400 }));
});
afterEach(() => close());

const report = (flags: string) => desk.run(`report --period 2026-10 --compare none ${flags}`);

const changeAtEachCall = (isMeant?: (call: number) => boolean) => {
  changeOrders({ emulator, desk, isMeant });
};

const metrics = { total_order_count: z.int(), total_revenue: z.number() };
const shape = z.object({
  summary: z.object(metrics),
  grouped: z.record(z.string(), z.object({ groups: z.array(z.object(metrics)) })),
  differences: z.array(z.strictObject({ section: z.string(), ...metrics })),
});
const cents = (amount: number) => Math.round(amount * 100);

/** By plain counting. */
function differencesIn({ summary, grouped }: Pick<z.infer<typeof shape>, "summary" | "grouped">) {
  return Object.entries(grouped).flatMap(([section, { groups }]) => {
    const sum = (of: keyof typeof metrics) => groups.reduce((all, group) => all + cents(group[of]), 0);
    const [orders, revenue] = (["total_order_count", "total_revenue"] as const).map(
      (name) => (sum(name) - cents(summary[name])) / 100,
    );
    return orders === 0 && revenue === 0
      ? []
      : [{ section, total_order_count: orders, total_revenue: revenue }];
  });
}

test("A report that ties out has no differences, and says nothing of any", async () => {
  const { stdout, stderr } = await report("--json");
  expect({ stderr, differences: z.parse(shape, parseJson(stdout)).differences }).toEqual({
    stderr: "",
    differences: [],
  });
});

test("A report asks again what was kept before an order came in", async () => {
  const { orders } = emulator.world;
  await desk.run("grouped --by payment_method_id --period 2026-10 --tz America/Sao_Paulo");
  const [order] = orders.ofStore(501);
  if (!order) throw new Error("the store has no order");
  orders.add({ ...order, id: 90_001, createdAt: Date.parse("2026-10-15T12:00:00Z"), total: 70_000 });
  desk.pass(60_000);
  const told = z.parse(shape, parseJson((await report("--json")).stdout));
  expect(told.differences).toEqual([]);
  expect(differencesIn(told)).toEqual([]);
});

test("A report asks again, once, what it asked before an order changed", async () => {
  const calls = () =>
    emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
  await report("--json --fresh");
  const usual = calls();
  changeAtEachCall((call) => call === 6);
  const told = z.parse(shape, parseJson((await report("--json --fresh")).stdout));
  expect(told.differences).toEqual([]);
  expect(differencesIn(told)).toEqual([]);
  expect(calls()).toBeGreaterThan(2 * usual);
  expect(calls()).toBeLessThanOrEqual(2 * usual + 5);
});

test("What doesn't equal the headline is told as an amount, in JSON, in CSV, on the page and on stderr", async () => {
  changeAtEachCall();
  const { stdout, stderr } = await report("--json");
  const told = z.parse(shape, parseJson(stdout));
  expect(told.differences).toEqual(differencesIn(told));
  const [difference] = told.differences;
  if (!difference) throw new Error("nothing changed");
  const { section, total_revenue: amount } = difference;
  const sign = amount > 0 ? "+" : "-";
  const size = Math.abs(amount).toFixed(2);
  expect(stderr.match(/^warning: /gm)).toHaveLength(told.differences.length);
  expect(stderr).toContain(
    `This differs from the headline by 0 in orders and ${sign}R$${size} in revenue: orders changed`,
  );

  const [heading = [], ...rows] = parseCsv((await report("--format csv --offline")).stdout);
  const columns = ["section", "key", "total_order_count", "total_revenue", "average_order_value"];
  const cells = rows.map((row) => columns.map((name) => row[heading.indexOf(name)]));
  expect(cells).toContainEqual([`difference_${section}`, "", "0", String(amount), ""]);

  const page = path.join(desk.folder, "report.html");
  await report(`--offline --out ${page}`);
  const html = readFileSync(page, "utf8");
  const told2 = html.match(/<p class="problem" role="note">This differs from the headline by /g);
  // On a page weekdays follow from the days.
  const shown = told.differences.filter((one) => one.section !== "day_of_week");
  expect(told2).toHaveLength(shown.length);
});

test("The sections of the period before are held against its own headline, and those of a total over stores too", async () => {
  await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
  await desk.run("stores set norte --tz America/Sao_Paulo --currency BRL");
  changeAtEachCall();
  const days = "--from 2026-10-20 --to 2026-10-31 --compare previous --compare-sections";
  const { stdout } = await desk.run(`report --all-stores ${days} --json`);
  const sides = z.object({
    summary: z.object({ current: z.object(metrics), previous: z.object(metrics) }),
    grouped: shape.shape.grouped,
    grouped_previous: shape.shape.grouped,
    differences: shape.shape.differences,
  });
  const { stores, total } = z.parse(z.object({ stores: z.array(sides), total: sides }), parseJson(stdout));
  expect(total.differences.length).toBeGreaterThan(0);
  for (const { summary, grouped, grouped_previous: before, differences } of [...stores, total]) {
    const previous = differencesIn({ summary: summary.previous, grouped: before });
    expect(differences).toEqual([
      ...differencesIn({ summary: summary.current, grouped }),
      ...previous.map((one) => ({ ...one, section: `previous_${one.section}` })),
    ]);
  }
});
