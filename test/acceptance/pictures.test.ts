/**
 * The pictures of the README are drawn of what the program prints. UPDATE_RECORDINGS=1 draws them again; then look at them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { systemClock } from "../../src/client/clock.js";
import { Bench } from "../support/bench.js";
import { openChromium } from "../support/browser.js";
import { Sink, testContext } from "../support/context.js";
import { terminalPicture } from "../support/terminal-picture.js";

const isUpdate = process.env["UPDATE_RECORDINGS"] === "1";
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
  expectFile("terminal.svg", terminalPicture(text, 80, title));
});

test("the report's shows the text of today's report", async () => {
  const file = path.join(bench.machine.folder, "report.html");
  const line = ["report", "--period", "last-month", "--out", file];
  const { code, stderr } = await bench.inProcess(line, { clock, env });
  expect(code, stderr).toBe(0);
  if (isUpdate) {
    const browser = await openChromium();
    const tab = await browser.newPage({ viewport: { width: 1000, height: 760 } });
    await tab.goto(pathToFileURL(file).href);
    await tab.screenshot({ path: pictureFile("report.png") });
    await browser.close();
  }
  expectFile("report.txt", textOfPage(readFileSync(file, "utf8")));
});

function expectFile(name: string, text: string): void {
  if (isUpdate) writeFileSync(pictureFile(name), text);
  expect(text).toBe(readFileSync(pictureFile(name), "utf8"));
}

function pictureFile(name: string): string {
  // What is told of a picture stands beside this test.
  const folder = name.endsWith(".txt") ? "test/acceptance" : "examples/pictures";
  return path.resolve(import.meta.dirname, "../..", folder, name);
}

/** A line for each text of the page up to the first of its tables, without its pictures. */
function textOfPage(html: string): string {
  const [shown = ""] = (/<body[^]*$/.exec(html)?.[0] ?? "").split("<table");
  return shown
    .replaceAll(/<(svg|style|script)\b[^]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n")
    .replace(/^\n/, "");
}
