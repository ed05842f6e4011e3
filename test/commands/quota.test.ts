/** What `quota` tells of the ledger, and that whoever waits gets the next place. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { quota } from "../../src/commands/quota.js";
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
    })),
  );
  expect(store.requests()).toEqual([]);
  await store.comanda(`orders dispatch ${await store.order()}`);
  store.desk.pass(10_000);
  const [general, summary] = await rows("quota --store centro --json");
  expect(general).toMatchObject({ left: 299, next_free_at: null });
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

test("the command line of quota", async () => {
  await expect(parse(quota, "-s", "centro")).resolves.toEqual({ store: "centro" });
  await expect(parse(quota, "--dry-run")).rejects.toThrow("doesn't take --dry-run");
});
