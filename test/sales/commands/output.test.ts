/** The output of `summary` and `grouped`, and what they reject. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import type { InProcessOptions } from "../../support/context.js";
import { Desk, parseCsv, StoreDesk, tokenFor, withoutLimits } from "../../support/desk.js";

const store = await StoreDesk.open({ orders: 3_000, seed: 9, ...withoutLimits });
const { desk, emulator } = store;
await store.signIn("norte", 502);
await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");

/** Counts a store's orders and cents between two instants. */
function count(storeId: number, from: string, to: string) {
  const orders = emulator.world.orders
    .ofStore(storeId)
    .filter(({ createdAt }) => createdAt >= Date.parse(from) && createdAt < Date.parse(to));
  const cents = orders.reduce((sum, { total }) => sum + total, 0);
  return {
    total_order_count: orders.length,
    total_revenue: cents / 100,
    average_order_value: Math.floor(cents / orders.length + 0.5) / 100,
  };
}
const october = ["2026-10-01T03:00:00Z", "2026-11-01T03:00:00Z"] as const;
const saoPaulo = ["--tz", "America/Sao_Paulo"] as const;
const json = async (line: string, options: InProcessOptions = {}) => {
  const ran = await desk.run([...line.split(" "), ...saoPaulo, "--json"], options);
  return { ...ran, value: JSON.parse(ran.stdout) as unknown };
};
const sent = () => emulator.service.log.entries().filter(({ path }) => path.includes("/orders/summary"));

describe("summary", () => {
  test("prints the API's object with --json, and nothing on stderr", async () => {
    const ended = await json("summary -s centro --period last-month --fresh", { looksOn: true });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [from, to] = ["2026-10-01T00:00:00-03:00", "2026-10-31T23:59:59.999999-03:00"];
    expect(ended.value).toMatchObject({
      ...{ store: "centro", query: { filters: [], date_field: "created_at" }, currency: null },
      ...count(501, ...october),
      period: { from, to, time_zone: "America/Sao_Paulo" },
      ...{ asked_at: "2026-11-20T15:00:00.000Z", cached: false },
    });
  });

  test("shows its requests with --dry-run --json, in which --net is a filter", async () => {
    const { value } = await json("summary -s centro --period 2026-10 --net --dry-run");
    const request = { filters: ["status_not_in=canceled"], date_field: "created_at", cached: false };
    expect(value).toMatchObject({ requests: [request] });
  });

  test("reports the groups that --top omits on stderr with CSV", async () => {
    const { stderr } = await desk.run(
      "grouped -s centro --by sales_channel --period 2026-10 --top 1 --format csv --tz UTC",
    );
    expect(stderr).toMatch(/^\d+ more groups: \d+ orders, [\d,.]+\n$/);
  });

  test("warns about a guessed time zone each time, until it is set", async () => {
    const own = new Desk({ COMANDA_RATE_LIMITS: "off" });
    await own.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
    for (let time = 0; time < 2; time += 1) {
      const { stderr } = await own.run("summary --period 2026-10 --quiet");
      const notice = /^warning: .* this machine's time zone, .* comanda stores set centro --tz \S+\n$/;
      expect(stderr).toMatch(notice);
    }
    await own.run("stores set centro --tz America/Sao_Paulo");
    expect((await own.run("summary --period 2026-10")).stderr).toBe("");
  });
});

test("several stores have figures and a total if one of them fails, and exit code 10", async () => {
  const [centro, norte] = [count(501, ...october), count(502, ...october)];
  const { code, value, stderr, stdout } = await json("summary --all-stores --period 2026-10");
  expect(code).toBe(10);
  const velho = { store: "velho", error: { exit_code: 3, code: "token_refused" } };
  const orders = centro.total_order_count + norte.total_order_count;
  const revenue = Math.round((centro.total_revenue + norte.total_revenue) * 100) / 100;
  expect(value).toMatchObject({
    stores: [{ store: "centro", ...centro }, { store: "norte", ...norte }, velho],
    total: { total_order_count: orders, total_revenue: revenue },
  });
  expect(stderr).toContain("No figures for 1 of 3 stores: velho.");
  expect(stdout).not.toContain("a-token-that-nobody-gave");
  const table = await desk.run("summary --all-stores --period 2026-10 --tz America/Sao_Paulo");
  expect(table.stdout).toMatch(/^velho: no figures\. /m);
  expect(table.stdout).toMatch(/^Total /m);
  const csv = parseCsv((await desk.run("summary --all-stores --period 2026-10 --format csv")).stdout);
  expect(csv.map(([store]) => store)).toEqual(["store", "centro", "norte"]);
  // An alert at another store doesn't hide the failure.
  const alert = await desk.run("summary --all-stores --period 2026-10 --alert orders>0");
  expect(alert.code).toBe(11);
  expect(alert.stderr).toMatch(/^warning: velho: no figures\. /m);
});

describe("an alert that is triggered", () => {
  const alertText = (alias: string, storeId: number) =>
    `${alias}, 2026-10-01 to 2026-10-31 (America/Sao_Paulo), as of 2026-11-20 12:00: orders ${count(storeId, ...october).total_order_count} (rule: orders>0)`;
  const both = [alertText("centro", 501), alertText("norte", 502)];
  const stores = "-s centro -s norte --period 2026-10 --tz America/Sao_Paulo --alert orders>0";

  test.each([
    ["", "stdout"],
    ["--append FILE --quiet", "stdout"],
    ["--append FILE --format markdown", "stdout"],
    ["--format csv", "stderr"],
  ] as const)("prints store, period, figure and rule with %j, on %s", async (flags, stream) => {
    const file = path.join(desk.folder, `alert-${flags.replaceAll(/\W/g, "")}.csv`);
    const ended = await desk.run(`summary ${stores} ${flags.replace("FILE", file)}`.trim());
    expect(ended.code).toBe(11);
    for (const line of both) expect(ended[stream].replaceAll(" (cached)", "")).toContain(line);
    if (stream === "stderr")
      expect(parseCsv(ended.stdout).map(([alias]) => alias)).toEqual(["store", "centro", "norte"]);
    if (flags.includes("FILE")) expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(4);
  });

  test("is printed, and decides the exit code, if the line can't be added", async () => {
    const file = path.join(desk.folder, "other.csv");
    writeFileSync(file, "a,b\n");
    const { code, stdout, stderr } = await desk.run(`summary ${stores} --append ${file}`);
    expect({ code, lines: stdout.replaceAll(" (cached)", "").trimEnd().split("\n") }).toEqual({
      code: 11,
      lines: both,
    });
    expect(stderr).toMatch(/^warning: The columns of .* differ/);
  });

  test("isn't one that can't be evaluated", async () => {
    const none = "--period 2026-10 --filter driver_id=999999 --compare month";
    const ended = await desk.run(`summary -s centro ${none} --alert orders<-5%`);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("so this alert can't be evaluated: orders<-5%");
  });

  test("is part of its store's JSON, even with --append", async () => {
    const file = path.join(desk.folder, "a.csv");
    const { code, stdout } = await desk.run(`summary ${stores} --json --append ${file}`);
    expect(code).toBe(11);
    const centro = count(501, ...october);
    const alerts = [{ rule: "orders>0", holds: true, value: centro.total_order_count }];
    expect(JSON.parse(stdout)).toMatchObject({ stores: [{ ...centro, alerts }, { store: "norte" }] });
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(4);
  });
});

describe("figures", () => {
  const withoutHours = "--by hour can't be used with --date-field scheduled_date.";

  test.each([
    ["grouped", "--by is missing"],
    ["grouped --by hour --date-field scheduled_date", withoutHours],
    ["summary --period last-mouth", 'Did you mean "last-month"?'],
    ["summary --from 2026-10-01T25:00:00Z", 'Invalid value "2026-10-01T25:00:00Z" for --from.'],
    ["summary --tz Curitiba", "Use an IANA name or a state such as SP."],
    ["summary --filter stats=closed", 'Did you mean "status"?'],
    ["summary --offline --fresh", "--fresh can't be used with --offline."],
    ["grouped --by day --top 0", "--top"],
    ["grouped --by day --sort price", 'Invalid value "price" for --sort.'],
    ["grouped --by day --chart --json", "--chart"],
    ["summary --append /nowhere/sales.csv --compare previous", "--compare"],
  ])("are rejected with a hint and without a call: %s", async (line, words) => {
    emulator.service.log.clear();
    const { code, stderr, stdout } = await desk.run(`${line} -s centro`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(sent()).toEqual([]);
  });

  test.each([
    ["customer_origin=Instagram,whatsapp", "customer_origin_in=Instagram,whatsapp"],
    ["sales_channel=catalogg", "sales_channel_in=catalogg"],
  ])("with the filter %s request it as one value, with a notice", async (filter, sent) => {
    const line = `summary -s centro --period 2026-10 --json --filter ${filter}`;
    const { value, stderr } = await json(line);
    expect(stderr).toMatch(/^The (?:comma|sales_channel) .*\n$/);
    expect(value).toHaveProperty("total_order_count", 0);
    expect((await json(`${line} --quiet`)).stderr).toBe("");
    const { value: plan } = await json(`${line} --dry-run --fresh`);
    expect(plan).toMatchObject({ requests: [{ filters: [sent] }] });
  });
});

describe("groups of time in another zone than the store's", () => {
  const line = "--period 2026-10 --tz Asia/Tokyo -s centro";

  const byTime = ["hour", "day", "day_of_week", "week", "month"];
  test.each(byTime)("by %s are rejected, because the service groups in the store's zone", async (by) => {
    await desk.run("stores set centro --tz America/Sao_Paulo");
    const { code, stdout, stderr } = await desk.run(`grouped --by ${by} ${line}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/time zone of the store, America\/Sao_Paulo, not in Asia\/Tokyo.*\n.*Omit --tz/);
  });

  test("are accepted in a zone with the same days, and so are other groups and sums", async () => {
    for (const other of [
      "grouped --by day --period 2026-10 --tz -03:00 -s centro",
      `grouped --by status ${line}`,
      `grouped --by day --date-field scheduled_date ${line}`,
      `summary ${line}`,
    ])
      expect(await desk.run(other)).toMatchObject({ code: 0 });
  });
});

test("an alert says what was counted", async () => {
  const line = "summary --period 2026-10 -s centro --net -f order_type=delivery --alert orders>0 --tz -03:00";
  const { code, stdout } = await desk.run(line);
  expect(code).toBe(11);
  expect(stdout).toMatch(
    /^centro, .*\(-03:00\), as of 2026-11-20 12:00, without canceled orders, order_type=delivery: orders /,
  );
  desk.pass(86_400_000);
  expect((await desk.run(`${line} --offline`)).stdout).toContain(
    ", as of 2026-11-20 12:00 (cached), without",
  );
});
