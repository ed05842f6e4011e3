/** Every JSON document of figures has the fields that `results.ts` describes, and no others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";

import { comparedFigures, figuresOfStores, plannedFigures, storeFigures } from "../../src/core/results.js";
import { StoreDesk, withoutLimits } from "../support/desk.js";
import { parseJson } from "../support/json.js";

const figures = z.union([storeFigures, comparedFigures, figuresOfStores]);
const store = await StoreDesk.open({ orders: 900, seed: 5, ...withoutLimits });
const { desk, emulator } = store;
beforeAll(async () => {
  await store.signIn("norte", 502);
  await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");
});
afterAll(() => store.close());

const october = "--period 2026-10 --tz America/Sao_Paulo";

describe.each<[command: string, Record<string, readonly string[]>]>([
  ["summary", { one: ["", "--compare previous", "--alert orders>0", "--net --filter total>=50"] }],
  [
    "grouped",
    {
      one: ["--by status", "--by sales_channel --top 1", "--by day_of_week --compare previous"],
      compared: ["--by day --compare month", "--by driver_id --compare previous --top 2"],
    },
  ],
])("%s --json", (command, lines) => {
  test.each(Object.values(lines).flat())("fits its schema with %j", async (flags) => {
    const { stdout } = await desk.run(
      `${command} -s centro ${october} ${flags} --json`.replaceAll("  ", " "),
    );
    expect(figures.safeParse(parseJson(stdout)).error).toBeUndefined();
  });

  test.each(Object.values(lines).flat())("of several stores fits its schema with %j", async (flags) => {
    const { stdout } = await desk.run(
      `${command} --all-stores ${october} ${flags} --json`.replaceAll("  ", " "),
    );
    expect(figuresOfStores.safeParse(parseJson(stdout)).error).toBeUndefined();
  });
});

test("a dry run's JSON fits its schema", async () => {
  const { stdout } = await desk.run(`grouped -s centro --by day ${october} --net --dry-run --json`);
  expect(plannedFigures.parse(parseJson(stdout)).requests).toMatchObject([
    { filters: ["status_not_in=canceled"], date_field: "created_at", cached: false },
  ]);
});

test("--net is the filter status_not_in=canceled in JSON and CSV, and a text in a table's first line", async () => {
  const line = `summary -s centro ${october} --net`;
  const document = storeFigures.parse(parseJson((await desk.run(`${line} --json`)).stdout));
  expect(document.query).toEqual({ filters: ["status_not_in=canceled"], date_field: "created_at" });
  const { stdout } = await desk.run(`${line} --format csv`);
  expect(stdout).toMatch(/,status_not_in=canceled,created_at,2026-/);
  const [first] = (await desk.run(`${line} --filter total>=50`)).stdout.split("\n");
  expect(first).toMatch(/, without canceled orders, total>=50$/);
});

test("CSV has no place for the groups that --top leaves out, so they are said on stderr", async () => {
  const { stderr } = await desk.run(`grouped -s centro --by sales_channel ${october} --top 1 --format csv`);
  expect(stderr).toMatch(/^\d+ more groups: \d+ orders, [\d,.]+\n$/);
});
