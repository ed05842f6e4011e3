/** The README's terminal is drawn of what the program prints. UPDATE_RECORDINGS=1 draws it again; then look at it. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { systemClock } from "../../src/client/clock.js";
import { Bench } from "../support/bench.js";
import { Sink, testContext } from "../support/context.js";
import { terminalPicture } from "../support/terminal-picture.js";

/** A Friday night, nine o'clock in São Paulo. */
const evening = Date.parse("2026-11-21T00:00:00Z");
const clock = { ...systemClock, now: () => evening, monotonic: () => 0 };
const env = { COMANDA_LANG: "en", COMANDA_RATE_LIMITS: "off" };

let bench: Bench;
beforeAll(async () => {
  vi.stubEnv("TZ", "America/Sao_Paulo");
  bench = await Bench.open({ now: clock, scene: "busy", rateLimits: false });
  await bench.setEnvironment();
  const { code, stderr } = await bench.login(["--store", "centro", "--env", "test"], {}, { clock });
  expect(code, stderr).toBe(0);
  await bench.inProcess("stores set centro --tz America/Sao_Paulo");
});
afterAll(() => bench.close());

test("the terminal's shows three orders, and last week's sales", async () => {
  const ids = [await bench.order(), await bench.order({ status: "closed" }), await bench.order()];
  let shown = "";
  const add = (text: string) => {
    shown += text;
  };
  for (const line of [
    `orders dispatch ${ids.join(" ")}`,
    "summary --period last-week --compare previous",
    "grouped --by day --period last-7-days",
    "grouped --by day_of_week --period last-week --compare previous",
  ]) {
    add(`$ comanda ${line}\n`);
    const [stdout, stderr] = [new Sink(80, add), new Sink(80, add)];
    const terminal = { ...bench.machine.env, TERM: "xterm-256color", ...env };
    await runLine(testContext({ env: terminal, clock, stdout, stderr }), line.split(" "));
    add("\n");
  }
  // What a progress bar wrote over is gone.
  // eslint-disable-next-line no-control-regex -- the terminal's own mark is what it is about
  const settled = shown.replaceAll("\r\n", "\n").replaceAll(/[^\n]*\r\u001b\[2K/g, "");
  const text = ids.reduce((made, id, index) => made.replaceAll(id, `6200000${index}`), settled);
  const title = "comanda at a terminal: three orders are dispatched, and last week's sales are shown";
  const drawn = terminalPicture(text, 80, title);
  const file = path.resolve(import.meta.dirname, "../../examples/pictures/terminal.svg");
  if (process.env["UPDATE_RECORDINGS"] === "1") writeFileSync(file, drawn);
  expect(drawn).toBe(readFileSync(file, "utf8"));
});
