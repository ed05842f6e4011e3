/** Figures that were once wrong, checked with the program against a service whose orders are known. */
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";

import { dimensions } from "../../../src/api/values.js";
import { startEmulator } from "../../../src/emulator/index.js";
import { openSqlite } from "../../../src/state/sqlite.js";
import { parseCsv, StoreDesk, tokenFor, withoutLimits, type Desk } from "../../support/desk.js";
import { parseJson } from "../../support/json.js";
import { startStub } from "../../support/stub-service.js";

const dayMs = 24 * 3_600_000;
const zone = "America/Sao_Paulo";

let store: StoreDesk;
let desk: Desk;
beforeEach(async () => {
  store = await StoreDesk.open({ orders: 2_500, seed: 9, ...withoutLimits });
  desk = store.desk;
  await signIn();
  await desk.run(`stores set centro --tz ${zone} --currency BRL`);
});
afterEach(() => store.close());

/** Renews the token of the same sign-in. */
const signIn = () => store.signIn("centro", 501, (session) => ({ ...session, signed_in_at: 1 }));

const figures = z.looseObject({ total_order_count: z.int(), total_revenue: z.number() });

async function json(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await desk.run(`${line} --json`);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return parseJson(stdout);
}

/** Returns only the figures, with groups in a fixed order. */
function figuresOf(value: unknown) {
  const { groups, ...rest } = z.looseObject({ groups: z.optional(z.array(z.unknown())) }).parse(value);
  const { total_order_count: orders, total_revenue: revenue } = rest;
  return { orders, revenue, groups: groups?.map((group) => JSON.stringify(group)).toSorted() };
}

test("summary shows a changed order after ten minutes, or at once with --fresh, and sync reports its day", async () => {
  await desk.run("sync --days 60");
  const before = figures.parse(await json("summary --period 2026-10"));
  const order = store.emulator.world.orders
    .ofStore(501)
    .find(({ createdAt }) => new Date(createdAt).toISOString().startsWith("2026-10-14"));
  if (!order) throw new Error("there is no order of that day");
  Object.assign(order, { total: order.total + 19_267 });
  const expected = { total_revenue: Math.round(before.total_revenue * 100 + 19_267) / 100, cached: false };
  expect(await json("summary --period 2026-10")).toMatchObject({
    total_revenue: before.total_revenue,
    cached: true,
  });
  expect(await json("summary --period 2026-10 --fresh")).toMatchObject(expected);
  desk.pass(10 * 60_000 + 1);
  expect(await json("summary --period 2026-10")).toMatchObject(expected);
  expect(await json("sync --days 60")).toMatchObject({
    stores: [{ store: "centro", days: 60, changed: [{ date: "2026-10-14" }] }],
  });
  expect((await desk.run("sync --days 60")).stdout).toBe("");
});

test("days survive a new sign-in to the same store, and those of another store are hidden with a warning", async () => {
  await desk.run("sync --days 60");
  const file = path.join(desk.folder, "sales.db");
  const dates = () => {
    const connection = openSqlite(file);
    const rows = connection.prepare("select date from sales_by_day").all();
    connection.close();
    return rows.length;
  };
  await store.signIn("centro", 501, (session) => ({ ...session, signed_in_at: 2 }));
  const said = /^centro: the figures show the same store .*: 60 \(2026-09-21 to 2026-11-19\)\.\n$/;
  const again = await desk.run("sync --days 10 --quiet");
  expect({ ...again, stdout: said.test(again.stdout), dates: dates() }).toEqual({
    code: 0,
    stdout: true,
    stderr: "",
    dates: 60,
  });
  expect(await desk.run("sync --days 10 --quiet")).toEqual({ code: 0, stdout: "", stderr: "" });

  await store.signIn("centro", 502, (session) => ({ ...session, signed_in_at: 3 }));
  const other = await desk.run("sync --days 10 --quiet");
  expect({ code: other.code, stdout: other.stdout, dates: dates() }).toEqual({
    code: 0,
    stdout: "",
    dates: 10,
  });
  expect(other.stderr).toMatch(
    /^warning: centro: days stored before this sign-in are hidden: 60 \(2026-09-21 to 2026-11-19\)\. .*\n$/,
  );
  const [query] = /select \* from days where .*/.exec(other.stderr) ?? [];
  const connection = openSqlite(file);
  expect(connection.prepare(query ?? "").all().length).toBeGreaterThanOrEqual(60);
  connection.close();
});

test.each(["week", "month"])(
  "a running period's previous %s has the same figures as when it is requested alone",
  async (comparison) => {
    for (const line of ["summary", ...dimensions.map((by) => `grouped --by ${by}`)]) {
      const both = z.looseObject({
        previous: z.looseObject({ period: z.looseObject({ from: z.string(), to: z.string() }) }),
      });
      const { previous } = both.parse(await json(`${line} --from last-200-days --compare ${comparison}`));
      const alone = await json(`${line} --from ${previous.period.from} --to ${previous.period.to}`);
      expect({ line, figures: figuresOf(previous) }).toEqual({ line, figures: figuresOf(alone) });
    }
  },
);

test("stores with two currencies have no total, and cached figures keep the currency of their request", async () => {
  await store.signIn("norte", 502);
  await desk.run(`stores set norte --tz ${zone} --currency EUR`);
  expect(await json("summary --all-stores --period 2026-10")).toMatchObject({ total: null });
  const { stdout } = await desk.run("summary --all-stores --period 2026-10 --format csv");
  expect(stdout.match(/EUR|BRL/g)).toEqual(["BRL", "EUR"]);
  await desk.run("stores set centro --currency USD");
  const { code } = await desk.run("summary --store centro --period 2026-10 --offline");
  expect(code).toBe(5);
  await desk.run("stores set norte --currency USD");
  expect(await json("summary --all-stores --period 2026-10")).toMatchObject({ total: { currency: "USD" } });
});

/** Lets the service return one group for each window. */
function answerGroup(by: string, groupFrom: (start: string) => object): void {
  const route = "/api/partner/v1/orders/summary/grouped";
  store.emulator.service.routes.put("GET", route, ({ query }) => ({
    json: { group_by: by, groups: [groupFrom(query.get("start_date") ?? "")] },
  }));
}

test("stores have no total if a month's key is only its number and the period contains it twice", async () => {
  await store.signIn("norte", 502);
  for (const store of ["centro", "norte"]) await desk.run(`stores set ${store} --tz ${zone} --currency BRL`);
  answerGroup("month", (start) => group(Number(start.slice(5, 7)), 1, 1));
  const months = (period: string) => json(`grouped --by month ${period} --all-stores`);
  expect(await months("--from 2025-11-01 --to 2026-11-30")).toMatchObject({ total: null });
  expect(await months("--from 2026-01-01 --to 2026-03-31")).toMatchObject({
    total: { groups: [{ key: 1, total_order_count: 2 }] },
  });
});

test("weekdays are compared per day, such as four Tuesdays with five", async () => {
  const tuesdays = (orders: number) => ({ ...group(2, orders, orders), label: "Tuesday" });
  answerGroup("day_of_week", (start) => tuesdays(start.startsWith("2026-10") ? 40 : 45));
  expect(await json("grouped --by day_of_week --period 2026-10 --compare previous")).toMatchObject({
    current: { groups: [{ key: 2, days: 4 }] },
    previous: { groups: [{ key: 2, days: 5 }] },
    change: { groups: [{ key: 2, per_day: { total_revenue: { absolute: 1, percent: 11.11 } } }] },
  });
});

const group = (key: unknown, orders: unknown, revenue: unknown) => ({
  ...{ key, label: null, total_order_count: orders, total_revenue: revenue, average_order_value: 1 },
});

/** Runs `grouped` against a service that always returns these groups, then again with --offline. */
async function runAgainst(groups: unknown, by: string, flags = "", groupBy = by) {
  const stub = await startStub();
  stub.behave((response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ group_by: groupBy, groups }));
  });
  const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "t" };
  const line = `grouped --by ${by} --period 2026-10 --tz UTC ${flags}`.trim();
  try {
    return { ...(await desk.run(line, { env })), again: await desk.run(`${line} --offline`, { env }) };
  } finally {
    await stub.close();
  }
}

test.each([
  ["another dimension", [group(1, 1, 1)], "status"],
  ["a key twice", [group(1, 1, 1), group(1, 2, 2)]],
  ["a negative number of orders", [group(1, -1, 1)]],
  ["a fractional number of orders", [group(1, 1.5, 1)]],
  ["revenue without orders", [group(1, 0, 7)]],
  ["an amount that isn't exact in cents", [group(1, 1, 90_071_992_547_409_920)]],
  ["a sum that isn't exact in cents", [group(1, 1, 9_999_999_999_999), group(2, 1, "9e99")]],
  ["revenue in words", [group(1, 1, "seven")]],
])("an answer with %s is rejected with exit code 8", async (_, groups, groupBy?: string) => {
  const ended = await runAgainst(groups, "driver_id", "", groupBy);
  expect(ended).toMatchObject({ code: 8, stdout: "" });
});

test("a null key, a label with NUL and 24 filters of 255 characters are requested and cached", async () => {
  const groups = [{ ...group(null, 1, 1), label: "a\0b" }, group("null", 2, 2)];
  const filters = Array.from(
    { length: 24 },
    (_, place) => `-f customer_origin=${"x".repeat(253)}${10 + place}`,
  );
  const ended = await runAgainst(groups, "customer_origin", `--json ${filters.join(" ")}`);
  expect(ended.stderr).toBe("");
  const expected = { groups: [{ key: null, label: "a\0b" }, { key: "null" }] };
  expect(parseJson(ended.stdout)).toMatchObject({ ...expected, cached: false });
  expect(parseJson(ended.again.stdout)).toMatchObject({ ...expected, cached: true });
});

test("cents are exact, even if revenue is a text", async () => {
  const groups = [group(1, 3, "9007199254740.91"), group(2, 1, 0.07)];
  const { stdout } = await runAgainst(groups, "driver_id", "--format csv");
  const revenue = parseCsv(stdout).map((cells) => cells.at(-2));
  expect(revenue).toEqual(["total_revenue", "9007199254740.91", "0.07"]);
});

test("drivers can be requested several times from a service whose clock is ten minutes ahead", async () => {
  const ahead = { ...desk.clock, now: () => desk.clock.now() + 600_000.5 };
  const other = await startEmulator({ orders: 200, seed: 9, now: ahead, rateLimits: false });
  await desk.signIn("longe", other.baseUrl, tokenFor(other, 501));
  await desk.run(`stores set longe --tz ${zone}`);
  for (let times = 0; times < 3; times += 1) {
    const { code, stderr } = await desk.run(
      "grouped --store longe --by driver_id --period last-month --fresh --json",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
  await other.close();
});

test("an answer is cached for ten minutes, a running period's for one, and not for another sign-in", async () => {
  const isCached = async (line: string) =>
    z.looseObject({ cached: z.boolean() }).parse(await json(line)).cached;
  const both = async () => ({
    october: await isCached("summary --period 2026-10"),
    today: await isCached("summary --period today"),
  });
  expect(await both()).toEqual({ october: false, today: false });
  desk.pass(59_000);
  expect(await both()).toEqual({ october: true, today: true });
  desk.pass(2_000);
  expect(await both()).toEqual({ october: true, today: false });
  await store.signIn("centro", 502, (session) => ({ ...session, signed_in_at: 2 }));
  expect(await isCached("summary --period 2026-10")).toBe(false);
  await signIn();
  desk.pass(dayMs);
  await signIn();
  expect(await isCached("summary --period 2026-10 --offline")).toBe(true);
});

test("days that start late are requested separately, and weeks are rejected with a hint", async () => {
  await desk.run("stores set centro --day-starts 04:00");
  const days = z
    .looseObject({ groups: z.array(figures) })
    .parse(await json("grouped --by day --period last-7-days"));
  const week = figures.parse(await json("summary --period last-7-days"));
  expect(days.groups).toHaveLength(7);
  expect(days.groups.reduce((all, { total_order_count }) => all + total_order_count, 0)).toBe(
    week.total_order_count,
  );
  const { stdout } = await desk.run("grouped --by day --period last-30-days --dry-run --json", {
    env: { COMANDA_RATE_LIMITS: "" },
  });
  expect(parseJson(stdout)).toMatchObject({ calls: 23, seconds: 240 });
  const { code, stderr } = await desk.run("grouped --by week --period last-30-days");
  expect(code).toBe(2);
  expect(stderr).toContain("comanda summary --period last-week");
});
