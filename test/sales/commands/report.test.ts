/** `comanda report` as a file: what it costs, where it goes, and what it says of stores that gave nothing. */
import { linkSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 600, seed: 11, now: desk.clock });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL");
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const page = () => path.join(desk.folder, "october.html");
const calls = () =>
  emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;
const report = (flags: string) => desk.run(`report --period 2026-10 ${flags}`);

test("A report takes 14 calls within the limits, says how long, and takes none the second time", async () => {
  const plan = await report("--dry-run");
  expect(plan.stdout).toMatch(/^14 calls: about 2 min\.$/m);
  const before = path.join(desk.folder, "before.html");
  writeFileSync(page(), "the old one");
  linkSync(page(), before);
  const made = await report(`--out ${page()}`);
  // It is replaced as a whole, and never written into.
  expect(readFileSync(before, "utf8")).toBe("the old one");
  expect(made).toMatchObject({ code: 0, stdout: `The report is in ${page()}.\n` });
  expect(made.stderr).toMatch(/^14 calls, of which the service takes 5 a minute: about 2 min\.$/m);
  expect(readFileSync(page(), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(readdirSync(desk.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  const again = await report("--out -");
  expect([again.code, calls()]).toEqual([0, 14]);
  expect(again.stdout).toMatch(/^<!doctype html>/);
});

test("A store that fails is named, on the page too: exit 10", async () => {
  emulator.service.limiter.enabled = false;
  await desk.signIn("velho", emulator.baseUrl, "nobody-gave-this");
  const { code, stderr } = await desk.run(`report --all-stores --period 2026-10 --out ${page()}`, {
    env: { COMANDA_RATE_LIMITS: "off" },
  });
  expect(code).toBe(10);
  expect(stderr).toContain("1 of 2 stores gave no figures: velho.");
  expect(readFileSync(page(), "utf8")).toContain("velho");
  expect(readFileSync(page(), "utf8")).not.toContain("nobody-gave-this");
});

test("A store whose days start late has a report, without weekdays, which the service counts from midnight", async () => {
  emulator.service.limiter.enabled = false;
  await desk.run("stores set centro --day-starts 04:00");
  const { code } = await desk.run(`report --period last-week --out ${page()}`, {
    env: { COMANDA_RATE_LIMITS: "off" },
  });
  expect(code).toBe(0);
  expect(readFileSync(page(), "utf8")).toMatch(/<\/html>\n$/);
});

test.each([
  ["a folder that isn't there", () => path.join(desk.folder, "no", "report.html")],
  ["a folder in the file's place", () => desk.folder],
])("It says before any call that --out is %s", async (_, out) => {
  expect((await report(`--out ${out()}`)).code).toBe(2);
  expect(calls()).toBe(0);
});

test("A report that fails leaves the one that was there", async () => {
  writeFileSync(page(), "the old one");
  emulator.service.limiter.enabled = false;
  expect((await report(`--out ${page()} --max-wait 0`)).code).toBe(7);
  expect(readFileSync(page(), "utf8")).toBe("the old one");
});

test.each(["--json", "--format markdown", "--open --out -"])("report %s is refused", async (flags) => {
  expect((await report(flags)).code).toBe(2);
  expect(calls()).toBe(0);
});
