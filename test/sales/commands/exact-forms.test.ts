/** What scripts read: the names that stand in JSON, each one and no other, and the options that go with them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod/mini";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { rowsInSearch } from "../../support/in-search.js";
import { parseJson } from "../../support/json.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 3_000, seed: 4, now: desk.clock, rateLimits: false });
  await signIn();
  await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL");
  await desk.run("stores set tasca --tz Europe/Lisbon --currency BRL");
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

async function signIn(): Promise<void> {
  for (const [store, id] of [
    ["centro", 501],
    ["tasca", 503],
  ] as const)
    await desk.signIn(store, emulator.baseUrl, tokenFor(emulator, id), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
  await desk.run("stores use centro");
}

async function json(line: string, exit = 0): Promise<unknown> {
  const { code, stdout, stderr } = await desk.run(`${line} --json`);
  expect(code, stderr).toBe(exit);
  return parseJson(stdout);
}

const moment = z.iso.datetime();
const edge = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?[+-]\d{2}:\d{2}$/));
const metrics = { total_order_count: z.int(), total_revenue: z.number(), average_order_value: z.number() };
const two = z.strictObject({ total_order_count: z.int(), total_revenue: z.number() });
const period = z.strictObject({ from: edge, to: edge, time_zone: z.string() });
const restated = {
  ...{ dimension: z.nullable(z.string()), key: z.nullable(z.union([z.string(), z.number()])) },
  ...{ from: z.iso.date(), to: z.iso.date(), before: two, after: two, since: moment },
};
const beside = {
  ...{ period, currency: z.nullable(z.string()), asked_at: moment, kept: z.boolean() },
  canceled: z.nullable(two),
};
const alert = z.strictObject({
  ...{ rule: z.string(), holds: z.boolean(), value: z.number(), baseline: z.nullable(z.number()) },
});
const group = z.strictObject({ key: z.string(), label: z.nullable(z.string()), ...metrics });

test("summary, and what is there only where it is so", async () => {
  const line = "summary --period 2026-09";
  expect(z.parse(z.strictObject({ ...metrics, ...beside }), await json(line))).toMatchObject({
    ...{ kept: false, canceled: null, currency: "BRL" },
  });
  expect(await json(line)).toMatchObject({ kept: true });
  const late = z.strictObject({ ...period.shape, day_starts: z.literal("04:00") });
  z.parse(z.strictObject({ ...metrics, ...beside, period: late }), await json(`${line} --day-starts 04:00`));
  expect(await json(`${line} --net`)).toMatchObject({
    canceled: { total_order_count: 0, total_revenue: 0 },
  });
  await json("grouped --by status --period 2026-09");
  const known = z.parse(z.looseObject({ canceled: two }), await json(line));
  expect(known.canceled.total_order_count).toBeGreaterThan(0);
  z.parse(
    z.strictObject({ ...metrics, ...beside, alerts: z.tuple([alert, alert]) }),
    await json(`${line} --alert orders>0 --alert revenue<0.01`, 11),
  );
});

test("What isn't over says so: the period, and its last day, week or month; what it is compared with does not", async () => {
  const marked = z.array(z.looseObject({ running: z.optional(z.literal(true)) }));
  const shape = z.looseObject({ period: z.looseObject({ running: z.literal(true) }), groups: marked });
  for (const [by, period] of [
    ["day", "this-week"],
    ["week", "this-month"],
    ["month", "this-year"],
    ["day", "2026-11"],
  ] as const) {
    const { groups } = z.parse(shape, await json(`grouped -s tasca --by ${by} --period ${period}`));
    expect(groups.map(({ running = false }) => running)).toEqual(
      groups.map((_, at) => at === groups.length - 1),
    );
  }
  const compared = await json("summary -s tasca --period today --compare previous");
  expect(compared).toMatchObject({ current: { period: { running: true } } });
  expect(compared).not.toHaveProperty("previous.period.running");
  expect(await json("summary -s tasca --period yesterday")).not.toHaveProperty("period.running");
  const month = await desk.run("grouped -s tasca --by day --period 2026-11 --format table");
  expect(month.stdout).toContain("2026-11-20 Fri (so far)");
  const csv = await desk.run("grouped -s tasca --by day --period 2026-11 --format csv");
  const [names = [], ...rows] = parseCsv(csv.stdout);
  const running = rows.filter((row) => row[names.indexOf("running")] === "true");
  expect(running.map((row) => row[names.indexOf("key")])).toEqual(["2026-11-20"]);
  const cut = async (days: string) =>
    parseCsv((await desk.run(`grouped -s tasca --by month ${days} --format csv`)).stdout).map((row) =>
      [row[0], row[5]].join(" "),
    );
  expect(await cut("--from 2026-09-01 --to 2026-10-20")).toEqual([
    ...["key partial", "2026-09 false", "2026-10 true"],
  ]);
  expect(await cut("--from 2026-09-01 --to 2026-10-31")).toEqual(["key ", "2026-09 ", "2026-10 "]);
  const pivot = async (days: string, form: string) =>
    (await desk.run(`pivot -s tasca --rows month --cols status ${days} ${form}`)).stdout;
  const [head = [], ...cells] = parseCsv(await pivot("--from 2026-09-01 --to 2026-10-20", "--format csv"));
  const place = head.indexOf("partial");
  expect([...new Set(cells.map((row) => `${row[0] ?? ""} ${row[place] ?? ""}`))]).toEqual([
    ...["2026-09 false", "2026-10 true"],
  ]);
  expect(await pivot("--from 2026-09-01 --to 2026-10-20", "--json")).toMatch(/"2026-10",.*"partial":true/);
  for (const form of ["--format csv", "--json"])
    expect(await pivot("--from 2026-09-01 --to 2026-10-31", form)).not.toContain("partial");
});

test("A file, a pivot and a report say which of their figures still grow, and nothing where all is over", async () => {
  const running = async (line: string) => {
    const { stdout } = await desk.run(`${line} -s tasca --format csv`);
    const [names = [], ...rows] = parseCsv(stdout);
    return [...new Set(rows.map((row) => row[names.indexOf("running")]))].join(" ");
  };
  for (const [line, expected] of [
    ["summary", "true"],
    ["grouped --by day", "false true"],
    ["pivot --rows status --cols order_type", "true"],
    ["report --compare none", "true false"],
    ...rowsInSearch([
      ["grouped --by status", "true"],
      ["pivot --rows day --cols order_type", "false true"],
    ] as const),
  ] as const) {
    expect([line, await running(`${line} --period 2026-11`)]).toEqual([line, expected]);
    expect([line, await running(`${line} --period 2026-10`)]).toEqual([line, ""]);
  }
  const mark = z.looseObject({ running: z.optional(z.literal(true)) });
  const week = "-s tasca --period this-week";
  const pivot = z.parse(
    z.looseObject({ period: mark, cells: z.array(mark) }),
    await json(`pivot ${week} --rows day --cols order_type`),
  );
  expect([pivot.period, pivot.cells[0], pivot.cells.at(-1)].map((of) => of?.running)).toEqual([
    ...[true, undefined, true],
  ]);
  expect((await desk.run(`pivot ${week} --rows day --cols order_type`)).stdout.match(/so far/g)).toHaveLength(
    1,
  );
  const grouped = z.looseObject({ day: z.looseObject({ groups: z.array(mark) }) });
  const report = z.parse(z.looseObject({ grouped }), await json(`report ${week} --compare none`));
  expect(report.grouped.day.groups.map((of) => of.running)).toEqual([
    ...[undefined, undefined, undefined, undefined, true],
  ]);
  const page = await desk.run(`report ${week} --compare none --out -`);
  expect(page.stdout).toMatch(/<bdi>[^<]*20[^<]* \(so far\)<\/bdi>/);
});

test("What is warned of two stores alike is one line with both names", async () => {
  const warnings = async (options: string) =>
    (await desk.run(`report -s centro -s tasca --period 2023-12 --dry-run ${options}`)).stderr.match(
      /^warning: \w+(, \w+)?: The comparison/gm,
    );
  expect(await warnings("--tz UTC")).toEqual(["warning: centro, tasca: The comparison"]);
  expect(await warnings("--locale en")).toEqual([
    "warning: centro: The comparison",
    "warning: tasca: The comparison",
  ]);
});

test("The month to yesterday meets the last one to the same day, or the days that are named", async () => {
  const days = async (options: string) => {
    const line = await json(`summary -s tasca ${options}`);
    const side = z.looseObject({
      period: z.looseObject({ from: edge, to: edge }),
      total_revenue: z.number(),
    });
    const { current, previous } = z.parse(z.looseObject({ current: side, previous: side }), line);
    const alone = await json(`summary -s tasca --from ${previous.period.from} --to ${previous.period.to}`);
    expect(alone).toMatchObject({ total_revenue: previous.total_revenue });
    return [current, previous].map(({ period: { from, to } }) => `${from.slice(0, 10)}..${to.slice(0, 10)}`);
  };
  expect(await days("--compare month")).toEqual(["2026-11-01..2026-11-19", "2026-10-01..2026-10-19"]);
  expect(await days("--period this-month --compare month")).toEqual(await days("--compare month"));
  const second = "2025-11-01..2025-11-21";
  expect(await days(`--from 2026-11-01 --to yesterday --compare ${second}`)).toEqual([
    "2026-11-01..2026-11-19",
    second,
  ]);
});

test("grouped: the same beside group_by and groups", async () => {
  const shape = z.strictObject({ group_by: z.literal("day"), groups: z.array(group), ...beside });
  expect(z.parse(shape, await json("grouped --by day --period 2026-09")).groups).toHaveLength(30);
  const some = z.parse(shape, await json("grouped --by day --period 2026-09 --no-fill")).groups;
  expect(some.every(({ total_order_count: count }) => count > 0)).toBe(true);
});

const change = z.strictObject({ absolute: z.number(), percent: z.nullable(z.number()) });
const changes = {
  ...{ total_order_count: change, total_revenue: change, average_order_value: change },
  per_day: z.strictObject({ total_order_count: change, total_revenue: change }),
};

test("grouped by weekday or hour: how many days each has, and what changed per day beside what changed", async () => {
  const keyed = { key: z.number(), label: z.nullable(z.string()) };
  const groups = z.array(z.strictObject({ ...keyed, ...metrics, days: z.int() }));
  for (const [by, days] of [
    ["day_of_week", [4, 4, 5, 5, 4, 4, 4]],
    ["hour", Array.from({ length: 24 }, () => 30)],
  ] as const) {
    const shape = z.strictObject({ group_by: z.literal(by), groups, ...beside });
    const plain = z.parse(shape, await json(`grouped --by ${by} --period 2026-09`));
    expect(plain.groups.map((one) => one.days)).toEqual(days);
    const side = { ...shape.shape, period: z.looseObject(period.shape) };
    const compared = z.strictObject({
      ...{ current: z.strictObject(side), previous: z.strictObject(side) },
      change: z.strictObject({
        group_by: z.literal(by),
        groups: z.array(z.strictObject({ ...keyed, ...changes })),
      }),
    });
    const found = z.parse(compared, await json(`grouped --by ${by} --period 2026-09 --compare previous`));
    expect(found.current.groups.map((one) => one.days)).toEqual(days);
  }
});

test("pivot: cells with orders alone; the remainder has other and no col", async () => {
  const cell = z.strictObject({
    ...{ row: z.number(), row_label: z.string(), col: z.nullable(z.number()), col_label: z.string() },
    ...{ other: z.boolean(), ...metrics },
  });
  const shape = z.strictObject({
    ...{ rows: z.literal("day_of_week"), cols: z.literal("driver_id"), cells: z.array(cell) },
    ...{ period, currency: beside.currency, asked_at: moment, kept: z.boolean() },
    differences: z.array(
      z.strictObject({
        ...{ dimension: z.string(), key: z.nullable(z.number()), other: z.boolean() },
        ...{ total_order_count: z.int(), total_revenue: z.number() },
      }),
    ),
  });
  const { cells } = z.parse(shape, await json("pivot --rows day_of_week --cols driver_id --period 2026-09"));
  expect(cells.every(({ total_order_count: count }) => count > 0)).toBe(true);
  expect(cells.filter(({ other }) => other).length).toBeGreaterThan(0);
  expect(cells.every(({ other, col }) => other === (col === null))).toBe(true);
});

test("sync, and what it tells as restated; figures tell it too", async () => {
  const shape = z.strictObject({
    calls: z.int(),
    restated: z.array(z.strictObject({ store: z.literal("centro"), ...restated })),
    not_looked_at: z.array(
      z.strictObject({
        ...{ store: z.literal("centro"), dimension: z.string(), from: z.iso.date(), to: z.iso.date() },
        reason: z.enum(["kept", "dimensions", "days"]),
      }),
    ),
  });
  expect(z.parse(shape, await json("sync --store centro"))).toMatchObject({ calls: 2, restated: [] });
  const order = emulator.world.orders
    .ofStore(501)
    .find(({ createdAt }) => new Date(createdAt).toISOString().startsWith("2026-10-1"));
  if (!order) throw new Error("no order in October");
  Object.assign(order, { total: order.total + 1 });
  desk.pass(25 * 60 * 60_000);
  await signIn();
  const { restated: changed } = z.parse(shape, await json("sync --store centro"));
  expect(changed).toHaveLength(1);
  const shown = z.parse(
    z.looseObject({ restated: z.array(z.strictObject(restated)) }),
    await json("grouped --by day --period 2026-10 --offline"),
  );
  expect(shown.restated.map((one) => ({ store: "centro", ...one }))).toEqual(changed);
});

test("A total over stores of two zones names them both", async () => {
  const line = "summary --all-stores --period 2026-09";
  expect(await json(line)).toMatchObject({ total: { time_zones: ["America/Sao_Paulo", "Europe/Lisbon"] } });
});

test("stores set --day-starts holds for all figures of the store, until 00:00 takes it back", async () => {
  await desk.run("stores set centro --day-starts 05:00");
  const late = await json("summary --period 2026-09-10");
  expect(late).toMatchObject({ period: { day_starts: "05:00", from: "2026-09-10T05:00:00-03:00" } });
  expect(await json("summary --period 2026-09-10 --day-starts 00:00")).toMatchObject({
    period: { from: "2026-09-10T00:00:00-03:00" },
  });
  await desk.run("stores set centro --day-starts 00:00");
  expect(JSON.stringify(await json("summary --period 2026-09-10"))).not.toContain("day_starts");
});
