/** The JSON documents of figures, whose schemas test/support/documents.ts checks, and what other formats show of them. */
import { describe, expect, test } from "vitest";

import { plannedFigures } from "../../src/core/results.js";
import { StoreDesk, withoutLimits } from "../support/desk.js";
import { parseJson } from "../support/json.js";

const store = await StoreDesk.open({ orders: 900, seed: 5, ...withoutLimits });
const { desk, emulator } = store;
await store.signIn("norte", 502);
await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");

const october = "--period 2026-10 --tz America/Sao_Paulo";

describe.each(["-s centro", "--all-stores"])("with %s --json", (stores) => {
  test.each([
    "summary --compare previous",
    "summary --alert orders>0",
    "summary --net --filter total>=50",
    "grouped --by sales_channel --top 1",
    "grouped --by day_of_week --compare previous",
    "grouped --by day --compare month",
    "grouped --by driver_id --compare previous --top 2",
  ])("%s prints a document that fits its schema", async (line) => {
    const { stdout } = await desk.run(`${line} ${stores} ${october} --json`);
    expect(stdout).toMatch(/^\{"/);
  });
});

test("a dry run's JSON fits its schema", async () => {
  const { stdout } = await desk.run(`grouped -s centro --by day ${october} --net --dry-run --json`);
  expect(plannedFigures.parse(parseJson(stdout)).requests).toMatchObject([
    { filters: ["status_not_in=canceled"], date_field: "created_at", cached: false },
  ]);
});

test("CSV reports the groups that --top omits on stderr", async () => {
  const { stderr } = await desk.run(`grouped -s centro --by sales_channel ${october} --top 1 --format csv`);
  expect(stderr).toMatch(/^\d+ more groups: \d+ orders, [\d,.]+\n$/);
});
