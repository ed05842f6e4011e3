import { expect, test } from "vitest";

import { clear } from "../../src/commands/cache.js";
import { openAnswers } from "../../src/state/answers.js";
import { parseJson } from "../support/json.js";
import { openMachine, run } from "../support/machine.js";
import { parse } from "../support/parse.js";

test("parse: cache clear takes nothing", async () => {
  await expect(parse(clear)).resolves.toEqual({});
  await expect(parse(clear, "--store", "a")).rejects.toThrow("doesn't take --store");
});

test.each([
  [0, "0 answers were forgotten.\n"],
  [1, "1 answer was forgotten.\n"],
  [2, "2 answers were forgotten.\n"],
])("cache clear forgets %i answers and says so", async (count, sentence) => {
  const table = await openMachine();
  const json = await openMachine({ folder: table.folder, format: "json" });
  const source = { store: "centro", environment: "https://api.example", signIn: () => Promise.resolve("1") };
  const settings = { timeZone: undefined, currency: undefined, dayStarts: undefined };
  const answer = { total_order_count: 1, total_revenue: 2, average_order_value: 2 };
  for (const test of [table, json]) {
    const answers = openAnswers(await test.machine.state(), source, settings);
    for (let month = 1; month <= count; month += 1) {
      const query = { start_date: `2026-0${month}-01`, end_date: `2026-0${month}-20` };
      await answers.keep(query, 1000, answer, { timeZone: "UTC", days: undefined, rows: [] });
    }
    const { stdout, result } = await run(clear, test, {});
    expect(result).toEqual({ removed: count });
    if (test === json) expect(parseJson(stdout)).toEqual({ removed: count });
    else expect(stdout).toBe(sentence);
  }
});
