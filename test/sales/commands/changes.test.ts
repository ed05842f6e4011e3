/** What was said of sales figures, and what has changed since. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { parseCsv } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { openSalesDesk, type SalesDesk } from "../../support/sales-desk.js";

let { desk, emulator, close } = {} as SalesDesk;
async function open(): Promise<void> {
  ({ desk, emulator, close } = await openSalesDesk({ orders: 300 }, "--locale pt-BR"));
}

const figures = z.looseObject({
  total_order_count: z.int(),
  total_revenue: z.number(),
  asked_at: z.string(),
});
const list = z.array(z.looseObject({ orders: z.int(), revenue: z.number() }));
const shape = z.looseObject({
  before: figures,
  changes: z.array(z.looseObject({ date: z.string(), orders: z.int(), revenue: z.number() })),
  by_sales_channel: z.nullable(list),
  by_status: z.nullable(list),
  now: figures,
});
const page = () => path.join(desk.folder, "report.html");
async function changesSince(since: string, flags = "") {
  const { code, stdout, stderr } = await desk.run(`changes --since ${since} --json ${flags}`.trim());
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return z.parse(shape, parseJson(stdout));
}

/** Plain counting over the emulator's own orders. */
function countedInOctober() {
  const orders = ordersOfOctober();
  const revenue = orders.reduce((sum, { total }) => sum + total, 0) / 100;
  return { total_order_count: orders.length, total_revenue: revenue };
}
function ordersOfOctober() {
  return [...emulator.world.orders.all()].filter(({ storeId, createdAt }) => {
    const local = new Date(createdAt - 3 * 3_600_000).toISOString();
    return storeId === 501 && local.startsWith("2026-10");
  });
}
/** One costs more, one is canceled, one was made on another day. */
function edit() {
  const [first, second, third] = ordersOfOctober();
  if (!first || !second || !third) throw new Error("there are too few orders");
  Object.assign(first, { total: first.total + 1_250 });
  Object.assign(second, { status: second.status === "canceled" ? "closed" : "canceled" });
  Object.assign(third, { createdAt: third.createdAt - 24 * 3_600_000 });
}
const report = () => desk.run(`report --period 2026-10 --fresh --out ${page()}`);

// To draw a page takes long: what is told of one is told here, in the order in which it happens.
describe("since a report of October", () => {
  let before: ReturnType<typeof countedInOctober>;
  beforeAll(async () => {
    await open();
    await report();
    before = countedInOctober();
  });
  afterAll(() => close());

  test("nothing has changed, which is said", async () => {
    expect(readFileSync(page(), "utf8")).not.toContain('id="since"');
    const same = await desk.run(`changes --since ${page()}`);
    expect(same).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing has changed since .* orders, /) as string,
    });
  });

  test("days that are counted in another zone now aren't set against those of then", async () => {
    const { code, stderr } = await desk.run(`changes --since ${page()} --tz UTC`);
    expect({ code, stderr }).toEqual({
      ...{ code: 2, stderr: expect.stringMatching(/in America\/Sao_Paulo, and now it is UTC/) as string },
    });
  });

  test("days, channels and statuses have changed, to the cent", async () => {
    edit();
    const changed = await changesSince(page());
    expect(changed).toMatchObject({ before, now: countedInOctober() });
    for (const section of [changed.changes, changed.by_sales_channel ?? [], changed.by_status ?? []]) {
      expect(section.length).toBeGreaterThan(0);
      const sum = (of: "orders" | "revenue") => section.reduce((total, change) => total + change[of], 0);
      expect(before.total_order_count + sum("orders")).toBe(changed.now.total_order_count);
      expect(before.total_revenue + sum("revenue")).toBeCloseTo(changed.now.total_revenue, 5);
    }
  });

  test("a table has the changes alone, and a file both sides", async () => {
    const { stdout } = await desk.run(`changes --since ${page()} --format csv`);
    const [header, ...rows] = parseCsv(stdout);
    expect(header).toEqual(
      "by,key,label,orders,revenue,orders_before,revenue_before,orders_now,revenue_now".split(","),
    );
    expect(new Set(rows.map(([by]) => by))).toEqual(new Set(["day", "sales_channel", "status"]));
    expect((await desk.run(`changes --since ${page()}`)).stdout).toMatch(/^BY +GROUP +ORDERS +REVENUE /m);
  });

  test("one that is made anew says on its page how it differs from the last one of the same question alone", async () => {
    await report();
    const changed = readFileSync(page(), "utf8");
    expect(changed).toContain('id="since"');
    expect(changed).toMatch(/had other figures:.*The whole period.*<\/table>/s);
    await report();
    expect(readFileSync(page(), "utf8")).toContain("Nothing has changed since the report as of");
    await desk.run(`report --period 2026-10 --filter status=closed --fresh --out ${page()}`);
    expect(readFileSync(page(), "utf8")).not.toContain('id="since"');
  });
});

describe("on a machine without a report", () => {
  beforeAll(open);
  afterAll(() => close());

  test("what is no report, or lacks its figures, is refused, and so is a period beside a report", async () => {
    writeFileSync(page(), '<!doctype html><template id="comanda-figures">{}</template>');
    for (const [line, problem] of [
      [`changes --since ${page()}`, /is no report that carries its figures/],
      [`changes --since ${desk.folder}`, /can't be read/],
      [`changes --since ${page()}.none`, /can't be read/],
      [`changes --since ${page()} --period today`, /--period doesn't go with a report/],
      [`changes --since ${page()} --filter status=closed`, /--filter doesn't go with a report/],
      ["changes", /--since is missing/],
    ] as const) {
      const { code, stdout, stderr } = await desk.run(line);
      expect({ line, code, stdout, stderr }).toEqual({
        ...{ line, code: 2, stdout: "", stderr: expect.stringMatching(problem) as string },
      });
    }
  });

  test("what was known at a moment doesn't count later answers; without a period it is the month before", async () => {
    await desk.run("grouped --by day --period 2026-10");
    const before = countedInOctober();
    const since = new Date(desk.clock.now()).toISOString().replace("Z", "+00:00");
    edit();
    await desk.clock.sleep(3_600_000);
    await desk.run("grouped --by day --period 2026-10 --fresh");
    const changed = await changesSince(since, "--period 2026-10");
    expect(changed).toMatchObject({
      before,
      now: countedInOctober(),
      by_status: null,
      by_sales_channel: null,
    });
    expect(changed.changes.length).toBeGreaterThan(0);
    const { code, stderr } = await desk.run("changes --since 2026-09-15");
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringMatching(/2026-08-01.* by day/) as string,
    });
  });
});
