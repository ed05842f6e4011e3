/** The README's terminal output. UPDATE_RECORDINGS=1 rewrites it. */
import { readFileSync, writeFileSync } from "node:fs";

import { afterAll, expect, test, vi } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { Bench } from "../support/bench.js";

/** It is Friday, 21:00 in São Paulo. */
const clock = { ...systemClock, now: () => Date.parse("2026-11-21T00:00:00Z") };
vi.stubEnv("TZ", "America/Sao_Paulo");
const env = { NO_COLOR: "1", COMANDA_RATE_LIMITS: "off" };
const bench = await Bench.open({ env, now: clock, scene: "busy", rateLimits: false });
afterAll(() => bench.close());

test("the README shows what the program prints", async () => {
  await bench.setEnvironment();
  await bench.login(["--store", "centro", "--env", "test", "--tz", "America/Sao_Paulo"], {}, { clock });
  for (const [place, status] of ["confirmed", "closed", "confirmed"].entries())
    await bench.order({ id: 4711 + place, status });
  const readme = readFileSync("README.md", "utf8");
  const [, block = ""] = /^```text\n(.*?)\n```$/ms.exec(readme) ?? [];
  let shown = "";
  const add = (text: string) => {
    shown += text;
  };
  for (const [command, line = ""] of block.matchAll(/^\$ comanda (.*)$/gm)) {
    add(`${shown === "" ? "" : "\n"}${command}\n`);
    await bench.inProcess(line, { clock, columns: 80, onStdout: add, onStderr: add });
  }
  if (process.env["UPDATE_RECORDINGS"] === "1")
    writeFileSync(
      "README.md",
      readme.replace(block, () => shown.trimEnd()),
    );
  expect(shown.trimEnd()).toBe(block);
});
