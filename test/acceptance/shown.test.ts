/** The README's pictures. UPDATE_RECORDINGS=1 records both again, the second one with Chromium. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { systemClock } from "../../src/base/clock.js";
import { Bench } from "../support/bench.js";
import { openChromium } from "../support/browser.js";
import { terminalSvg } from "../support/terminal-svg.js";

const pictures = path.resolve(import.meta.dirname, "../../examples/pictures");
const isRecording = process.env["UPDATE_RECORDINGS"] === "1";
/** It is Friday, 21:00 in São Paulo. */
const clock = { ...systemClock, now: () => Date.parse("2026-11-21T00:00:00Z") };
vi.stubEnv("TZ", "America/Sao_Paulo");
const env = { FORCE_COLOR: "1", COMANDA_RATE_LIMITS: "off" };
const bench = await Bench.open({ env, now: clock, scene: "busy", rateLimits: false });
await bench.setEnvironment();
await bench.login(["--store", "centro", "--env", "test", "--tz", "America/Sao_Paulo"], {}, { clock });

/** Compares a recording with its file, after it was rewritten if the run records. */
function expectRecorded(name: string, content: string): void {
  const file = path.join(pictures, name);
  if (isRecording) writeFileSync(file, content);
  expect(content).toBe(readFileSync(file, "utf8"));
}

test("README's picture of a terminal shows what the program prints", async () => {
  for (const [place, status] of ["confirmed", "closed", "confirmed"].entries())
    await bench.order({ id: 4711 + place, status });
  let shown = "";
  const add = (text: string) => {
    shown += text;
  };
  for (const line of [
    "orders dispatch 4711 4712 4713",
    "summary --period last-week --compare previous",
    "grouped --by day --period last-7-days --chart",
  ]) {
    add(`${shown === "" ? "" : "\n"}$ \u001b[1mcomanda ${line}\u001b[22m\n`);
    await bench.inProcess(line, { clock, columns: 80, onStdout: add, onStderr: add });
  }
  expectRecorded("terminal.svg", terminalSvg(shown));
});

test("README's picture of a report is one of the page that the program writes", async () => {
  const { stdout, code } = await bench.inProcess("report --period 2026-10 --out -", { clock });
  expect(code).toBe(0);
  if (isRecording) {
    const browser = await openChromium();
    const page = await browser.newPage({ viewport: { width: 1_000, height: 760 } });
    await page.setContent(stdout);
    await page.screenshot({ path: path.join(pictures, "report.png") });
    await browser.close();
  }
  expectRecorded("report.sha256", `${createHash("sha256").update(stdout).digest("hex")}\n`);
});
