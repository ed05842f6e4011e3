/** What the built program leaves behind of the figures that it asked for. */
import { readdirSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";

test("figures change nothing but the kept answers, and only for the owner's eyes", async () => {
  const bench = await Bench.open({ rateLimits: false, env: { COMANDA_RATE_LIMITS: "off" } });
  onTestFinished(() => bench.close());
  await bench.signIn();
  const before = Object.keys(snapshot(bench.machine.configFolder));
  await bench.comanda("report --tz America/Sao_Paulo --out -");
  // Other programs are given the one file.
  expect(readdirSync(bench.machine.configFolder)).not.toContain("sales.db-wal");
  const added = Object.entries(snapshot(bench.machine.configFolder)).filter(
    ([name]) => !before.includes(name),
  );
  expect(added.map(([name]) => name)).toContain("sales.db");
  for (const [name, state] of added) {
    expect(name).toMatch(/^(sales|comanda)\.db$/);
    expect(state).toMatch(/^600 /);
  }
});
