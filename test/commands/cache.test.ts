import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { clear } from "../../src/commands/cache.js";
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
  const ledger = path.join(table.folder, "data", "ledger");
  const store = path.join(ledger, "s-centro");
  for (const test of [table, json]) {
    mkdirSync(store, { recursive: true, mode: 0o700 });
    for (let month = 1; month <= count; month += 1) {
      writeFileSync(path.join(store, `2026-0${month}.jsonl`), "\t{}\n", { mode: 0o600 });
    }
    const { stdout, result } = await run(clear, test, {});
    expect(result).toEqual({ removed: count });
    if (test === json) expect(parseJson(stdout)).toEqual({ removed: count });
    else expect(stdout).toBe(sentence);
    expect(readdirSync(ledger)).toEqual([]);
  }
});

test("cache clear removes what earlier releases kept, and nothing else of that folder", async () => {
  const machine = await openMachine();
  const old = path.join(machine.folder, "cache");
  mkdirSync(old, { recursive: true, mode: 0o700 });
  const names = [`summary-${"0".repeat(32)}.json`, `grouped-${"f".repeat(32)}.json`];
  for (const name of [...names, "mine.json"]) writeFileSync(path.join(old, name), "{}", { mode: 0o600 });
  symlinkSync("/dev/null", path.join(old, `summary-${"1".repeat(32)}.json`));
  expect((await run(clear, machine, {})).result).toEqual({ removed: 2 });
  expect(readdirSync(old)).toEqual(["mine.json", `summary-${"1".repeat(32)}.json`]);
  const elsewhere = await openMachine();
  symlinkSync(old, path.join(elsewhere.folder, "cache"));
  await expect(run(clear, elsewhere, {})).rejects.toThrow("is a link");
  const alone = await openMachine();
  mkdirSync(path.join(alone.folder, "cache"), { mode: 0o700 });
  writeFileSync(path.join(alone.folder, "cache", names[0] ?? ""), "{}", { mode: 0o600 });
  await run(clear, alone, {});
  expect(readdirSync(alone.folder)).not.toContain("cache");
});
