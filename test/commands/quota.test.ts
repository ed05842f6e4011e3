/** What `quota` tells of the ledger, and that whoever waits gets the next place. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { quota } from "../../src/commands/quota.js";
import { openLimits } from "../../src/state/limits.js";
import { openStateFolder } from "../../src/state/state-folder.js";
import { parseJson } from "../support/json.js";
import { parse } from "../support/parse.js";
import { StoreDesk } from "../support/store-desk.js";

let store: StoreDesk;
beforeEach(async () => {
  store = await StoreDesk.open();
});
afterEach(() => store.close());

const rows = async (line = "quota --json") =>
  parseJson((await store.comanda(line)).stdout) as Record<string, unknown>[];

test("quota tells what is left of each limit, without a call", async () => {
  expect(await rows()).toEqual(
    [
      ["general", 300, 180],
      ["summary", 5, 60],
      ["summary_grouped", 5, 60],
      ["history", 5, 60],
    ].map(([bucket, limit, window_seconds]) => ({
      store: "centro",
      environment: "test",
      ...{ bucket, limit, window_seconds, left: limit },
      next_free_at: null,
      waiting: [],
    })),
  );
  expect(store.requests()).toEqual([]);
  await store.comanda(`orders dispatch ${await store.order()}`);
  store.desk.pass(10_000);
  const [general, summary] = await rows("quota --store centro --json");
  expect(general).toMatchObject({ left: 299, next_free_at: "2026-11-20T15:03:01.001Z" });
  expect(summary).toMatchObject({ left: 5, next_free_at: null });
  expect((await store.comanda("quota")).stdout).toMatch(/centro +test +general +299 +300 +180/);
  expect((await store.comanda("quota --store norte")).code).toBe(2);
});

test("where comanda doesn't count, quota says so in place of a number", async () => {
  const env = { COMANDA_RATE_LIMITS: "off" };
  const { stdout, stderr } = await store.comanda("quota", { env });
  expect(stdout).toMatch(/centro +test +summary +not counted +5 +60/);
  expect(stderr).toContain("Requests are not counted here (COMANDA_RATE_LIMITS=off)");
  const json = parseJson((await store.comanda("quota --json", { env })).stdout);
  expect(json).toMatchObject([{ bucket: "general", left: null, next_free_at: null }, {}, {}, {}]);
});

test.each([
  "grouped --by day --period last-year --compare previous",
  "report --period last-year",
  "pivot --rows month --cols sales_channel --period last-year",
  "sync --days 400",
])("where comanda doesn't count, %s foresees no wait", async (line) => {
  const env = { COMANDA_RATE_LIMITS: "off" };
  const table = await store.comanda(`${line} --dry-run --tz UTC`, { env });
  expect(table.stdout).toMatch(/^\d+ calls, as fast as the service takes them: .*COMANDA_RATE_LIMITS=off/);
  const json = parseJson((await store.comanda(`${line} --dry-run --tz UTC --json`, { env })).stdout);
  expect(json).toMatchObject({ seconds: null });
});

test("whoever waits is told of, and gets the next place before one that came later", async () => {
  const folder = openStateFolder({ folder: store.desk.folder, clock: store.desk.clock, process });
  const key = { baseUrl: store.emulator.baseUrl, store: "store centro", bucket: "summary" } as const;
  const [one, other] = [openLimits(folder), openLimits(folder)];
  await one.reserve(key, 5);
  const waiting = await one.reserve(key, 1, { patienceMs: 120_000 });
  const [, summary] = await rows();
  expect(summary).toMatchObject({
    left: 0,
    next_free_at: "2026-11-20T15:01:01.001Z",
    waiting: [{ pid: process.pid, since: "2026-11-20T15:00:00.000Z", requests: 1, background: false }],
  });
  expect((await other.reserve(key, 1, { patienceMs: 0 })).ticket).toBeUndefined();
  store.desk.pass(1);
  const behind = await other.reserve(key, 5, { patienceMs: 120_000 });
  // Whoever waits says so every few seconds.
  for (let waited = 0; waited < 60_000; waited += 5000) {
    store.desk.pass(5000);
    await other.reserve(key, 5, { ticket: behind.ticket, patienceMs: 120_000 });
    await one.reserve(key, 1, { ticket: waiting.ticket, patienceMs: 120_000 });
  }
  store.desk.pass(1001);
  expect((await other.reserve(key, 5, { ticket: behind.ticket, patienceMs: 120_000 })).granted).toBe(4);
  expect((await one.reserve(key, 1, { ticket: waiting.ticket, patienceMs: 120_000 })).granted).toBe(1);
});

test("one that asks no more keeps nobody waiting", async () => {
  const folder = openStateFolder({ folder: store.desk.folder, clock: store.desk.clock, process });
  const key = { baseUrl: store.emulator.baseUrl, store: "store centro", bucket: "summary" } as const;
  const limits = openLimits(folder);
  await limits.reserve(key, 5);
  await limits.reserve(key, 5, { patienceMs: 120_000 });
  store.desk.pass(8000);
  expect((await limits.remaining(key)).waiting).toEqual([]);
  store.desk.pass(56_000);
  expect((await limits.reserve(key, 1)).granted).toBe(1);
  expect((await rows())[1]).toMatchObject({ waiting: [] });
});

test("the command line of quota", async () => {
  await expect(parse(quota, "-s", "centro")).resolves.toEqual({ store: "centro" });
  await expect(parse(quota, "--dry-run")).rejects.toThrow("doesn't take --dry-run");
});
