/** `comanda sync`: what it asks, keeps, tells and writes. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { openStores } from "../../../src/sales/ask/stores.js";
import { openOf } from "../../../src/sales/results.js";
import { sync } from "../../../src/sales/commands/sync.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { openStateFolder } from "../../../src/state/state-folder.js";
import type { Group } from "../../../src/contract/models.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson, parseJsonLines } from "../../support/json.js";
import { parse } from "../../support/parse.js";

const dayMs = 24 * 60 * 60_000;

describe("parse", () => {
  test.each([
    [
      "",
      {
        days: 40,
        dimensions: ["day"],
        freshness: { kind: "usual", maxAgeMs: 12 * 60 * 60_000 },
        export: undefined,
      },
    ],
    ["--days 1096 --all-stores", { days: 1096, allStores: true }],
    ["--dimensions day,driver-id,day", { dimensions: ["day", "driver_id"] }],
    ["--offline --export jsonl", { freshness: { kind: "offline" }, export: "jsonl" }],
    ["--fresh", { freshness: { kind: "fresh" } }],
    [
      "--max-age 2h --full-every 7",
      { freshness: { kind: "usual", maxAgeMs: 7_200_000 }, fullEveryMs: 7 * dayMs },
    ],
  ])("sync reads %j", async (line, options) => {
    await expect(parse(sync, ...line.split(" ").filter(Boolean))).resolves.toMatchObject(options);
  });

  test.each([
    ["--days 0", "usage"],
    ["--days 4000", "usage"],
    ["--days ten", "usage"],
    ["--dimensions day,wekday", "invalid_input"],
    ["--offline", "usage"],
    ["--json --export csv", "usage"],
    ["--format csv", "usage"],
  ])("sync refuses %s as %s", async (line, code) => {
    await expect(parse(sync, ...line.split(" "))).rejects.toMatchObject({ code });
  });
});

describe("sync", () => {
  let desk: Desk;
  let emulator: Emulator;
  beforeEach(async () => {
    desk = new Desk();
    emulator = await startEmulator({ orders: 400, seed: 8, now: desk.clock });
    await desk.run("stores list");
    await signIn();
  });
  afterEach(async () => {
    await emulator.close();
    desk.remove();
  });

  const signIn = (store = "centro", id = 501) =>
    desk.signIn(store, emulator.baseUrl, tokenFor(emulator, id), (session) => ({
      ...session,
      signed_in_at: 1,
    }));
  const pass = async (days: number) => {
    desk.pass(days * dayMs);
    await signIn();
  };
  const calls = () =>
    emulator.service.log
      .entries()
      .filter(({ path: of, status }) => of.includes("/orders/summary") && status === 200).length;
  const tz = "--tz America/Sao_Paulo";
  const orderOf = (day: string) => {
    const order = emulator.world.orders
      .ofStore(501)
      .find(({ createdAt }) => new Date(createdAt - 3 * 60 * 60_000).toISOString().startsWith(day));
    if (!order) throw new Error(`${day} has no order`);
    return order;
  };
  /** A day of October with orders. */
  const aDay = () => {
    const { createdAt } =
      emulator.world.orders
        .ofStore(501)
        .find(({ createdAt: at }) => new Date(at - 3 * 60 * 60_000).toISOString().startsWith("2026-10")) ??
      {};
    return new Date((createdAt ?? 0) - 3 * 60 * 60_000).toISOString().slice(0, 10);
  };

  test("--plan says what any number of stores takes tonight, and asks nothing", async () => {
    for (let store = 1; store < 5; store += 1) await signIn(`store-${store}`);
    const line = "sync --all-stores --days 40 --dimensions day,sales_channel,driver_id --plan";
    const { stdout, code } = await desk.run(`${line} --json`);
    // Of one store: two months by day, and 40 days by each of the others, 4 a minute.
    const perStore = 2 + 2 * 40;
    expect([code, parseJson(stdout)]).toEqual([
      0,
      { stores: 5, dimensions: 3, calls: 5 * perStore, seconds: expect.any(Number) as number },
    ]);
    const text = await desk.run(line);
    expect(text.stdout).toContain(`Stores: 5, dimensions: 3, calls: ${5 * perStore}.`);
    expect(text.stderr).toContain("Nothing was asked (--plan).");
    expect(calls()).toBe(0);
  });

  test("asks what may have changed, and nothing of that a second time within hours; cron hears nothing", async () => {
    const first = await desk.run(`sync ${tz} --json`);
    expect({ code: first.code, value: parseJson(first.stdout), stderr: first.stderr }).toEqual({
      code: 0,
      value: { calls: 2, restated: [], not_looked_at: [] },
      stderr: "",
    });
    expect(await desk.run(`sync ${tz}`)).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(calls()).toBe(2);
    await pass(1);
    await desk.run(`sync ${tz}`);
    expect(calls()).toBe(4);
  });

  test("answers grouped by day, and the summary of the same period, from what it has asked", async () => {
    await desk.run(`sync ${tz}`);
    const { stdout } = await desk.run(`grouped --by day --period 2026-10 ${tz} --json`);
    expect(parseJson(stdout)).toMatchObject({ kept: true });
    const summary = parseJson((await desk.run(`summary --period 2026-10 ${tz} --json`)).stdout);
    expect(calls()).toBe(2);
    const asked = parseJson((await desk.run(`summary --period 2026-10 ${tz} --json --fresh`)).stdout);
    expect(summary).toEqual({ ...(asked as object), kept: true });
  });

  test("answers any days of what it has asked, also offline, with the canceled ones, as the service would", async () => {
    await desk.run("stores set centro --tz America/Sao_Paulo");
    await desk.run("sync --dimensions day,status --days 40");
    const synced = calls();
    const ask = async (line: string) => {
      const { code, stdout, stderr } = await desk.run(`${line} --json`);
      expect(code, stderr).toBe(0);
      return parseJson(stdout) as Record<string, unknown>;
    };
    const figures = ["total_order_count", "total_revenue", "average_order_value", "canceled"];
    const of = (found: Record<string, unknown>) => figures.map((name) => found[name]);
    const periods = ["--period yesterday", "--period last-week", "--from 2026-10-19 --to 2026-11-10"];
    const offline: Record<string, unknown>[] = [];
    for (const period of periods) offline.push(await ask(`summary ${period} --offline`));
    expect(calls()).toBe(synced);
    const unasked = await desk.run(`grouped --by week ${periods[2] ?? ""} --offline`);
    expect(unasked).toMatchObject({ code: 5, stdout: "" });
    expect(unasked.stderr).toContain("2026-10-19 to 2026-11-10 by week");
    // How the service writes weeks is learned of its own answers alone.
    await ask(`grouped --by week ${periods[2] ?? ""}`);
    const before = calls();
    const weeks = await ask(`grouped --by week ${periods[2] ?? ""} --offline --no-fill`);
    const young = await ask("summary --period last-week");
    expect(young).toMatchObject({ kept: true, asked_at: offline[1]?.["asked_at"] });
    expect(calls()).toBe(before);
    for (const [index, period] of periods.entries()) {
      const fresh = await ask(`summary ${period} --fresh`);
      const { groups } = (await ask(`grouped --by status ${period} --fresh`)) as { groups: Group[] };
      const canceled = groups.find(({ key }) => key === "canceled");
      const { total_order_count = 0, total_revenue = 0 } = canceled ?? {};
      expect(of(offline[index] ?? {})).toEqual(
        of({ ...fresh, canceled: { total_order_count, total_revenue } }),
      );
    }
    expect(offline[2]?.["total_order_count"]).toBeGreaterThan(0);
    const sum = (weeks["groups"] as { readonly total_order_count: number }[]).reduce(
      (all, { total_order_count: orders }) => all + orders,
      0,
    );
    expect(sum).toBe(offline[2]?.["total_order_count"]);
  });

  test("says with --dry-run what it and the other commands would ask, and asks nothing", async () => {
    const plan = parseJson((await desk.run(`sync ${tz} --dry-run --json`)).stdout);
    expect(plan).toMatchObject({ calls: 2, seconds: 0 });
    expect((plan as { requests: unknown[] }).requests[1]).toEqual({
      store: "centro",
      endpoint: "grouped",
      group_by: "day",
      from: "2026-10-01T00:00:00-03:00",
      to: "2026-10-31T23:59:59.999999-03:00",
      date_field: "created_at",
      filters: [],
      kept: false,
    });
    expect(calls()).toBe(0);
    await desk.run(`sync ${tz}`);
    const again = await desk.run(`sync ${tz} --dry-run`);
    expect(again.stdout).toMatch(/^0 calls: all of it is kept\.\n(?:.*\n)*.*2026-10-31T23:59:59/);
    expect(again.stderr).toContain("Nothing was asked (--dry-run).");
    const weeks = `grouped --by week --period 2026-10 --compare previous ${tz} --net --dry-run --json`;
    expect(parseJson((await desk.run(weeks)).stdout)).toMatchObject({
      calls: 2,
      requests: [{ group_by: "week", filters: ["status_not_in=canceled"] }, { kept: false }],
    });
    const summaries = await desk.run(
      `summary --period 2026-10 --compare previous ${tz} --dry-run --format csv`,
    );
    const [head, ...rows] = parseCsv(summaries.stdout);
    expect(head).toEqual(["store", "endpoint", "group_by", "from", "to", "filters", "kept"]);
    expect(rows.map((row) => [row[1], row[3]?.slice(0, 10), row[6]])).toEqual([
      ["summary", "2026-10-01", "true"],
      ["summary", "2026-09-01", "false"],
    ]);
    expect(calls()).toBe(2);
    expect((await desk.run(`summary --period 2026-09 ${tz} --dry-run --offline`)).code).toBe(5);
  });

  test("tells a day that was restated, once, with its store in JSON", async () => {
    const day = aDay();
    await desk.run(`sync ${tz}`);
    const order = orderOf(day);
    Object.assign(order, { total: order.total + 7010 });
    await pass(1);
    const { stdout } = await desk.run(`sync ${tz} --json`);
    expect(parseJson(stdout)).toMatchObject({
      restated: [
        {
          store: "centro",
          dimension: "day",
          key: day,
          from: "2026-10-01",
          to: "2026-10-31",
          since: "2026-11-20T15:00:00.000Z",
        },
      ],
    });
    const told = await desk.run(`grouped --by day --period 2026-10 ${tz} --currency BRL --locale pt-BR`);
    expect(told.stderr.replaceAll("\u00a0", " ")).toMatch(/^\d+ Oct restated: \+R\$ 70,10 since 20 Nov$/m);
    const json = await desk.run(`grouped --by day --period 2026-10 ${tz} --json`);
    expect(parseJson(json.stdout)).toMatchObject({ kept: true, restated: [{ key: day }] });
    await pass(1);
    expect(parseJson((await desk.run(`sync ${tz} --json`)).stdout)).toMatchObject({ restated: [] });
    expect((await desk.run(`grouped --by day --period 2026-10 ${tz} --json`)).stdout).not.toContain(
      "restated",
    );
  });

  test("leaves one call a minute to other commands, and says before how long a backfill takes", async () => {
    const { code, stderr } = await desk.run(`sync --dimensions status --days 130 ${tz}`, { looksOn: false });
    expect(code).toBe(0);
    expect(stderr).toBe("130 calls, 4 a minute so that other commands have room: about 32 min.\n");
    const at = emulator.service.log.entries().map(({ time }) => Date.parse(time));
    const most = Math.max(
      ...at.map((one) => at.filter((other) => other >= one && other < one + 60_000).length),
    );
    expect(most).toBe(4);
  });

  test("goes on where it was stopped", async () => {
    const interruption = new AbortController();
    const sleep = desk.clock.sleep;
    desk.clock.sleep = (ms, signal) => {
      interruption.abort(new ComandaError("interrupted", "Interrupted."));
      return sleep(ms, signal);
    };
    const line = `sync --dimensions status --days 9 ${tz} --json`;
    expect((await desk.run(line, { signal: interruption.signal })).code).toBe(130);
    expect({ calls: calls(), kept: desk.kept().length }).toEqual({ calls: 4, kept: 4 });
    desk.clock.sleep = sleep;
    expect(parseJson((await desk.run(line)).stdout)).toMatchObject({ calls: 5 });
  });

  test("The night's plan is what the night takes, at each store within its limit", async () => {
    const ids = [501, 502, 503];
    const signAll = async () => {
      for (const id of ids) await signIn(`store-${id}`, id);
      await desk.run("stores remove centro --yes");
    };
    await signAll();
    const line = `sync --all-stores --days 12 --dimensions day,status,order_type ${tz}`;
    await desk.run(line);
    desk.pass(dayMs);
    await signAll();
    const plan = parseJson((await desk.run(`${line} --plan --json`)).stdout) as Record<string, number>;
    const [before, start] = [calls(), desk.clock.now()];
    expect((await desk.run(line)).code).toBe(0);
    expect(calls() - before).toBe(plan["calls"]);
    expect(plan["calls"]).toBe(ids.length * (1 + 2 * 2));
    const took = (desk.clock.now() - start) / 1000;
    expect(Math.abs(took - (plan["seconds"] ?? 0))).toBeLessThanOrEqual(0.05 * took);
  });

  test("A night that was stopped in the middle of its search goes on with what it has been told", async () => {
    const line = `sync --dimensions status --days 14 ${tz} --json`;
    await desk.run(line);
    await pass(1);
    const createdAt = Date.parse("2026-11-12T15:00:00Z");
    emulator.world.orders.add({ ...orderOf(aDay()), id: emulator.world.orders.nextId, createdAt });
    const { calls: planned } = parseJson((await desk.run(`${line} --plan`)).stdout) as { calls: number };
    const before = calls();
    const interruption = new AbortController();
    const sleep = desk.clock.sleep;
    desk.clock.sleep = (ms, signal) => {
      interruption.abort(new ComandaError("interrupted", "Interrupted."));
      return sleep(ms, signal);
    };
    expect((await desk.run(line, { signal: interruption.signal })).code).toBe(130);
    desk.clock.sleep = sleep;
    expect(calls() - before).toBe(4);
    const { restated } = parseJson((await desk.run(line)).stdout) as { restated: unknown[] };
    expect(restated).toHaveLength(1);
    // Halves of 13 days, and the day itself.
    expect(calls() - before).toBeLessThanOrEqual(planned + 5);
  });

  test("says what it had no need to ask, and what is kept beside it; --fresh and --max-age ask again", async () => {
    await desk.run(`sync --dimensions status --days 5 ${tz}`);
    await desk.run(`sync --dimensions hour --days 9 ${tz}`);
    const line = `sync --dimensions hour --days 3 ${tz} --json`;
    const told = async (more = "") =>
      parseJson((await desk.run(`${line}${more}`)).stdout) as { calls: number; not_looked_at: unknown[] };
    const days = (dimension: string, from: string, to: string, reason: string) => ({
      ...{ store: "centro", dimension, from, to, reason },
    });
    const beside = [
      days("hour", "2026-11-11", "2026-11-16", "days"),
      days("status", "2026-11-15", "2026-11-19", "dimensions"),
    ];
    expect(await told()).toMatchObject({
      calls: 0,
      not_looked_at: [days("hour", "2026-11-17", "2026-11-19", "kept"), ...beside],
    });
    desk.pass(60_000);
    expect(await told(" --max-age 30s")).toMatchObject({ calls: 1, not_looked_at: beside });
    desk.pass(60_000);
    expect(await told(" --fresh")).toMatchObject({ calls: 3, not_looked_at: beside });
    const exported = await desk.run(`sync --dimensions hour --days 3 ${tz} --offline --export csv`);
    expect(exported.stderr).toContain("The export has the last 3 days by hour.");
    expect(exported.stderr.replaceAll(/\s+/g, " ")).toContain(
      "not in it: hour 2026-11-11 to 2026-11-16, status 2026-11-15 to 2026-11-19.",
    );
    const today = await desk.run(`sync ${tz} --days 3 --export csv`);
    const [header = [], ...rows] = parseCsv(today.stdout);
    const partial = rows.map(
      (row) => `${row[header.indexOf("day")] ?? ""} ${row[header.indexOf("partial")] ?? ""}`,
    );
    expect(partial).toContain("2026-11-20 true");
    expect(partial.filter((each) => each.endsWith("true"))).toHaveLength(1);
  });

  test("writes one table of what is kept, to the cent, also without asking", async () => {
    const line = `sync --dimensions day,status --days 20 ${tz} --currency BRL`.replace(" --currency BRL", "");
    await desk.run("stores set centro --currency BRL");
    const csv = parseCsv((await desk.run(`${line} --export csv`)).stdout);
    expect(csv[0]).toEqual([
      ...["store", "day", "dimension", "key", "label", "orders", "cents", "currency", "asked_at", "partial"],
    ]);
    const before = calls();
    const rows = parseJsonLines((await desk.run(`${line} --offline --export jsonl`)).stdout) as {
      readonly day: string;
      readonly dimension: string;
      readonly cents: number;
      readonly currency: string;
    }[];
    expect(calls()).toBe(before);
    expect(rows).toHaveLength(csv.length - 1);
    const cents = (dimension: string) =>
      rows
        .filter((row) => row.dimension === dimension && row.day < "2026-11-20")
        .reduce((sum, row) => sum + row.cents, 0);
    expect(cents("day")).toBe(cents("status"));
    expect(cents("day")).toBeGreaterThan(0);
    expect(rows[0]).toMatchObject({ currency: "BRL" });
    // A day without an order was looked at, too.
    const days = rows.filter(({ dimension }) => dimension === "day").map(({ day }) => day);
    expect(new Set(days).size).toBe(21);
    expect(rows).toContainEqual(expect.objectContaining({ dimension: "day", orders: 0, cents: 0 }));
    expect(rows).toContainEqual(expect.objectContaining({ key: "closed", label: "Finalizado" }));
  });

  test("of several stores one that fails doesn't keep the others from theirs: exit 10", async () => {
    await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");
    const { code, stdout } = await desk.run(`sync --all-stores ${tz} --json`);
    expect({ code, value: parseJson(stdout) }).toMatchObject({ code: 10, value: { calls: 2 } });
  });
});
