/** Figures that are kept here, held against each other. */
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";

import { tokenFor } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { openSalesDesk, type SalesDesk } from "../../support/sales-desk.js";

let { desk, emulator, close } = {} as SalesDesk;
beforeEach(async () => {
  ({ desk, emulator, close } = await openSalesDesk({ orders: 300 }));
});
afterEach(() => close());

const shape = z.strictObject({
  checks: z.int(),
  differences: z.array(
    z.strictObject({
      what: z.string(),
      store: z.string(),
      said: z.number(),
      counted: z.number(),
      difference: z.number(),
    }),
  ),
  alone: z.int(),
  drivers: z.array(z.record(z.string(), z.unknown())),
});
async function tied(flags = "") {
  const { code, stdout } = await desk.run(`tie --json ${flags}`.trim());
  return { code, ...z.parse(shape, parseJson(stdout)) };
}

const october = "--period 2026-10";
/** An order of October costs so much more from now on, in cents. */
function restate(cents: number) {
  const order = [...emulator.world.orders.all()].find(
    ({ storeId, createdAt }) => storeId === 501 && new Date(createdAt).toISOString().startsWith("2026-10"),
  );
  if (!order) throw new Error("there is no order");
  Object.assign(order, { total: order.total + cents });
}

test("the sections of a report, its days and its average agree", async () => {
  await desk.run(`report ${october} --json`);
  const { code, checks, differences } = await tied(october);
  expect({ code, differences }).toEqual({ code: 0, differences: [] });
  expect(checks).toBeGreaterThan(15);
  const { stdout } = await desk.run(`tie ${october}`);
  expect(stdout).toBe(`${checks} checks: all figures agree.\n`);
  expect((await desk.run(`tie ${october} --format csv`)).stdout).toBe("what,said,counted,difference\r\n");
});

test("an order that changed between two answers is told as an amount, and ends with 11", async () => {
  await desk.run(`summary ${october}`);
  restate(70_000);
  await desk.run(`grouped --by status ${october} --fresh`);
  const { code, differences } = await tied();
  expect(code).toBe(11);
  expect(differences).toEqual([
    expect.objectContaining({ what: "revenue by status, 2026-10-01 to 2026-10-31", difference: 700 }),
  ]);
  const { stdout, stderr } = await desk.run("tie");
  expect(stdout).toMatch(/^Revenue, By status, 2026-10-01 to 2026-10-31 .*R\$700\.00 *$/m);
  expect(stderr).toMatch(/1 figure doesn't agree\./);
});

test("days that were asked for by themselves are held against their month", async () => {
  await desk.run(`summary ${october}`);
  restate(1_250);
  await desk.run("grouped --by day --from 2026-10-01 --to 2026-10-15");
  await desk.run("grouped --by day --from 2026-10-16 --to 2026-10-31");
  expect((await tied(october)).differences).toEqual([
    expect.objectContaining({ what: "revenue by days, 2026-10-01 to 2026-10-31", difference: 12.5 }),
  ]);
  expect((await desk.run(`tie ${october} --format csv`)).stdout).toMatch(/,-?\d+\.\d\d,12\.50\r\n$/);
});

test("one answer alone has nothing to be held against but its own average", async () => {
  await desk.run(`summary ${october}`);
  expect(await tied(october)).toMatchObject({ code: 0, checks: 1, alone: 1 });
});

test("where nothing is kept it ends with 5, and says what to ask", async () => {
  const { code, stderr } = await desk.run(`tie ${october}`);
  expect(code).toBe(5);
  expect(stderr).toMatch(/No figures of that period are kept here\.\n.*comanda report/);
});

test("of a driver's orders it says how many were assigned here", async () => {
  await desk.run("grouped --by driver_id --period 2026-10");
  const { drivers } = await tied(october);
  expect(drivers.length).toBeGreaterThan(0);
  expect(drivers[0]).toMatchObject({ store: "centro", assigned_here: 0, total_fee: 0 });
});

test("a report says at its foot whether its figures agree, by how much not, and whose orders were assigned here", async () => {
  const foot = async (flags: string) => {
    const { stdout } = await desk.run(`report --out - ${flags}`);
    return /<footer>(.*)<\/footer>/s.exec(stdout)?.[1] ?? "";
  };
  expect(await foot(october)).toMatch(/<p>\d+ checks: all figures agree\.<\/p>/);
  restate(70_000);
  await desk.run(`grouped --by order_timing ${october}`);
  expect(await foot(`${october} --offline`)).toMatch(
    /<p>Revenue, By timing, .*: R\$.* in the whole, R\$.* in its parts\.<\/p>/,
  );
  const made = await emulator.request("/_emulator/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ order_type: "delivery", merchant_id: 501 }),
  });
  const { id: order } = z.parse(z.looseObject({ id: z.number() }), await made.json());
  await desk.run(`driver assign ${order} 11 --fee 7.50`);
  await desk.clock.sleep(24 * 3_600_000);
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  expect(await foot("--period yesterday")).toMatch(
    /<p>.+: 1 of \d+ orders were assigned here, fees R\$7\.50\.<\/p>/,
  );
});

test("a comparison says what of a change is the calendar's, where the days of the other period are known", async () => {
  const line = `summary ${october} --compare previous`;
  const calendarOf = async () => {
    const { stdout } = await desk.run(`${line} --json`);
    return z.parse(
      z.object({ change: z.looseObject({ calendar: z.optional(z.unknown()) }) }),
      parseJson(stdout),
    ).change.calendar;
  };
  expect(await calendarOf()).toBeUndefined();
  await desk.run("grouped --by day --period 2026-09");
  const averages = [2, 3, 4, 5, 6].map((weekday) => {
    const sums = [...emulator.world.orders.all()]
      .filter(({ storeId }) => storeId === 501)
      .map(({ createdAt, total }) => ({ date: new Date(createdAt - 3 * 3_600_000), total }))
      .filter(({ date }) => date.toISOString().startsWith("2026-09") && date.getUTCDay() === weekday);
    // September 2026 has five Tuesdays and Wednesdays, October five Thursdays, Fridays and Saturdays.
    const [days, more] = weekday < 4 ? [5, -1] : [4, 1];
    return (more * sums.reduce((sum, { total }) => sum + total, 0)) / days;
  });
  const revenue = Math.round(averages.reduce((sum, average) => sum + average, 0)) / 100;
  expect(await calendarOf()).toMatchObject({ total_revenue: revenue });
  expect((await desk.run(line)).stdout).toMatch(
    /Of the change, .* are the calendar’s: Tuesday 4 \(before: 5\)/,
  );
});
