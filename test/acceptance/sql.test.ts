/** `comanda sql` as the built program: what it shows is a count of the orders, and what it refuses. */
import { once } from "node:events";
import { chmodSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { rowsInSearch } from "../support/in-search.js";
import { parseJson } from "../support/json.js";

const examples = readFileSync("examples/owner-questions.sql", "utf8")
  .split(/^-- (?=[A-Z].*[?.)]$)/m)
  .slice(1)
  .map((text) => {
    const [question = "", ...lines] = text.split("\n");
    return { question, statement: lines.join("\n") };
  });

/** São Paulo has had no daylight saving time since 2019: three hours behind UTC. */
const local = (instant: number) => new Date(instant - 3 * 3_600_000).toISOString();
const dayMs = 86_400_000;

type Rows = readonly Readonly<Record<string, string | number | null>>[];

let bench: Bench;
let first: string;
beforeAll(async () => {
  bench = await Bench.open({ orders: 400, rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  await bench.signIn();
  const zone = ["--tz", "America/Sao_Paulo"];
  const { code, stderr } = await bench.inProcess([
    ...["sync", "--days", "20", "--dimensions", "day,hour,sales_channel,driver_id", ...zone],
  ]);
  if (code !== 0) throw new Error(stderr);
  first = local(Date.now() - 20 * dayMs).slice(0, 10);
}, 60_000);
afterAll(() => bench.close());

const ask = async (statement: string, ...more: string[]) => {
  const { code, stdout, stderr } = await bench.inProcess(["sql", statement, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return parseJson(stdout) as Rows;
};
const ask1 = async (question: RegExp) => {
  const found = examples.find((one) => question.test(one.question));
  if (!found) throw new Error(`no question ${question.source}`);
  return ask(found.statement);
};
/** Every order of the days that are over, by day of the store. */
const ordersOf = (from = "") => {
  const today = local(Date.now()).slice(0, 10);
  return bench.emulator.world.orders
    .ofStore(501)
    .map((order) => ({ ...order, day: local(order.createdAt).slice(0, 10) }))
    .filter(({ day }) => day >= from && day < today);
};
/** Days are asked by whole months. */
const ordersOfDays = () => ordersOf(`${first.slice(0, 7)}-01`);

function countBy<Element>(
  all: readonly Element[],
  keyOf: (one: Element) => string,
): ReadonlyMap<string, Element[]> {
  const groups = new Map<string, Element[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
const centsOf = (orders: readonly { readonly total: number }[]) =>
  orders.reduce((sum, { total }) => sum + total, 0);

describe("the questions of an owner", () => {
  test("are ten, each a statement", () => {
    expect(examples).toHaveLength(10);
  });

  test("how much was sold is a count of the orders: by day, by month, an order", async () => {
    const days = countBy(ordersOfDays(), ({ day }) => day);
    const byDay = await ask1(/day by day/);
    expect(byDay.length).toBeGreaterThan(19);
    for (const { date, orders, revenue } of byDay) {
      const own = days.get(String(date)) ?? [];
      expect({ date, orders, revenue }).toEqual({ date, orders: own.length, revenue: centsOf(own) / 100 });
    }
    expect(byDay.reduce((sum, { orders }) => sum + Number(orders), 0)).toBe(ordersOfDays().length);
    const best = await ask1(/best days/);
    expect(best[0]?.["revenue"]).toBe(Math.max(...[...days.values()].map((own) => centsOf(own) / 100)));
    const months = [...countBy(ordersOfDays(), ({ day }) => day.slice(0, 7))].toSorted();
    expect(await ask1(/each month/)).toEqual(
      months.map(([month, own]) => ({ month, orders: own.length, revenue: centsOf(own) / 100 })),
    );
    const averages = await ask1(/bring in, month/);
    expect(averages.map(({ average }) => Number(average))).toEqual(
      months.map(([, own]) => expect.closeTo(centsOf(own) / own.length / 100, 1) as number),
    );
    const empty = await ask1(/sell nothing/);
    expect(empty).toEqual(byDay.filter(({ orders }) => orders === 0).map(({ date }) => ({ date })));
    const weekdays = await ask1(/usual Saturday/);
    expect(weekdays.reduce((sum, { days: count }) => sum + Number(count), 0)).toBe(byDay.length);
  });

  test("how it was split is a count too: by hour, channel and driver", async () => {
    const own = ordersOf(first);
    const hours = countBy(own, ({ createdAt }) => String(Number(local(createdAt).slice(11, 13))));
    const told = await ask1(/which hours/);
    expect(Object.fromEntries(told.map(({ hour, orders }) => [Number(hour), orders]))).toEqual(
      Object.fromEntries([...hours].map(([hour, all]) => [Number(hour), all.length])),
    );
    const channels = await ask1(/Which channel/);
    expect(channels.reduce((sum, { orders }) => sum + Number(orders), 0)).toBe(own.length);
    expect(channels.reduce((sum, { percent }) => sum + Number(percent), 0)).toBeCloseTo(100, 0);
    const drivers = countBy(
      own.filter(({ driverId }) => typeof driverId === "number"),
      ({ driverId }) => String(driverId),
    );
    const byDriver = await ask1(/each driver/);
    expect(Object.fromEntries(byDriver.map(({ driver, orders }) => [driver, orders]))).toEqual(
      Object.fromEntries([...drivers].map(([driver, all]) => [driver, all.length])),
    );
  });

  test("what was corrected afterwards is told", async () => {
    expect(await ask1(/corrected/)).toEqual([]);
  });
});

describe("what comanda sql takes", () => {
  test.each([
    ["a statement that writes", "delete from answers"],
    ["one that writes behind a query", "with a as (select 1) delete from answers"],
    ["another database", "attach '/tmp/other.db' as other"],
    [
      "a second one that a bracket hides",
      "select 1) select 1 from statement; delete from answers; select (1",
    ],
    ["nothing", ""],
    ["a mistake", "select revenu from sales_by_day"],
    ...rowsInSearch([
      ["a setting", "pragma journal_mode = delete"],
      ["two statements", "select 1; select 2"],
      ["a copy", "vacuum into '/tmp/copy.db'"],
      ["a transaction", "begin immediate"],
      ["a library", "select load_extension('/tmp/library.so')"],
      ["only a comment", "-- nothing"],
    ]),
  ])("is not %s: exit 2, and nothing is changed", async (_, statement) => {
    const file = path.join(bench.machine.configFolder, "data", "sales.db");
    const before = readFileSync(file);
    const { code, stdout } = await bench.inProcess(["sql", statement]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("is a statement on stdin, with its end or without", async () => {
    const input = "select count(*) as days -- how many\nfrom sales_by_day;\n";
    const { code, stdout } = await bench.comanda(["sql", "-", "--format", "csv"], { input });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^days\r\n\d+\r\n$/) as string,
    });
  });

  test("shows nulls, and texts as they are, in each format", async () => {
    const statement = "select null as a, '=1+1' as b, 9007199254740993 as c, 0.1 as d";
    const shown = async (format: string) =>
      (await bench.inProcess(["sql", statement, "--format", format])).stdout;
    expect(await shown("csv")).toBe("a,b,c,d\r\n,=1+1,9007199254740993,0.1\r\n");
    expect(await shown("ndjson")).toBe('{"a":null,"b":"=1+1","c":"9007199254740993","d":0.1}\n');
    expect(parseJson(await shown("json"))).toEqual([{ a: null, b: "=1+1", c: "9007199254740993", d: 0.1 }]);
    expect(await shown("table")).toContain("=1+1");
  });

  const endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";

  test("is ended when its time is over, though SQLite still computes: exit 2", async () => {
    const { code, stdout, stderr } = await bench.comanda(["sql", endless, "--max-time", "100ms"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("The statement takes longer than 0.1 s.");
  });

  test("is ended by Ctrl-C: exit 130", async () => {
    const [beginning, ...rest] = endless.split("count(*)");
    const some = `${beginning ?? ""}x${rest.join("")} where x < 300`;
    const running = bench.machine.start(["sql", some, "--format", "ndjson"]);
    await once(running.child.stdout, "data");
    running.child.kill("SIGINT");
    expect(await running.finished).toMatchObject({ code: 130 });
  });

  test("gives any number of rows, which are written as they come", async () => {
    const many =
      "with recursive n(x) as (select 1 union all select x + 1 from n limit 100001) select x from n";
    const { code, stdout } = await bench.comanda(["sql", many, "--format", "ndjson"]);
    expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 100_002 });
    const refused = await bench.inProcess(["sql", many]);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("needs figures that are kept: exit 5", async () => {
    const env = { COMANDA_DATA_DIR: path.join(bench.machine.configFolder, "nothing") };
    expect((await bench.inProcess(["sql", "select 1"], { env })).code).toBe(5);
  });

  test("reads a file that is its owner's alone, or that its owner lets others read", async () => {
    const file = path.join(bench.machine.configFolder, "data", "sales.db");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    expect(await ask("select count(*) as stores from stores")).toEqual([{ stores: 1 }]);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    chmodSync(file, 0o666);
    expect((await bench.inProcess(["sql", "select 1"])).stderr).toContain("chmod");
    chmodSync(file, 0o600);
  });
});
