/** `comanda report`: what it writes, where, and what it costs. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { ComandaError } from "../../../src/shared/errors.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 800, seed: 4, now: desk.clock });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = () =>
  emulator.service.log
    .entries()
    .filter(({ path: of, status }) => of.includes("/orders/summary") && status === 200).length;
const page = () => path.join(desk.folder, "report.html");
const report = (flags = "", options = {}) =>
  desk.run(`report --tz America/Sao_Paulo ${flags}`.trim(), options);
const headings = [
  "day",
  "hour",
  "weekday",
  "status",
  "channel",
  "order type",
  "payment method",
  "driver",
  "origin",
];

describe("a report", () => {
  test("A report is one file with headline figures, a section for each dimension, two pictures and a table in each", async () => {
    const { code, stdout } = await report(`--out ${page()}`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `The report is in ${page()}.\n` });
    // The answers are kept by now, so that no bar is drawn.
    const { stderr } = await report("--json", { looksOn: true });
    expect(stderr).toContain("2026-10-01 to 2026-10-31 (America/Sao_Paulo), compared with");
    const html = readFileSync(page(), "utf8");
    for (const heading of headings) expect(html).toContain(`>By ${heading}</h2>`);
    expect(html.match(/<figure>/g)).toHaveLength(2 * headings.length);
    expect(html.match(/<svg [^>]*role="img" aria-labelledby="[^"]+"/g)).toHaveLength(4 * headings.length);
    expect(html.match(/<title id=/g)).toHaveLength(4 * headings.length);
    expect(html.match(/<caption>/g)).toHaveLength(headings.length);
    // Nothing is loaded, nothing runs, and the pictures' colours are the page's.
    expect(html).not.toMatch(/<script|<link|src=|url\(|@import|#0a0b0/);
    expect(readdirSync(desk.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("A report takes 9 calls within the limits, says how long, and none the second time", async () => {
    const { code, stderr } = await report(`--out ${page()}`);
    expect({ code, calls: calls() }).toEqual({ code: 0, calls: 9 });
    expect(stderr).toMatch(/^9 calls, of which the service takes 5 a minute: about 1 min\.$/m);
    const first = readFileSync(page(), "utf8").replace(/Made by comanda on .*?\. /, "");
    const waited = desk.waits.length;
    const again = await report(`--out ${page()}`);
    expect({ code: again.code, calls: calls(), waits: desk.waits.length }).toEqual({
      code: 0,
      calls: 9,
      waits: waited,
    });
    expect(readFileSync(page(), "utf8").replace(/Made by comanda on .*?\. /, "")).toBe(first);
    await report("--json --fresh");
    expect(calls()).toBe(18);
  });

  test("report --dry-run says how many calls a report takes, and how long, and asks nothing", async () => {
    expect((await report("--dry-run")).stdout).toBe("9 calls: about 1 min.\n");
    await desk.run("stores set centro --tz America/Sao_Paulo");
    // Two halves of the year for each of 7 dimensions; four types, and the year before, from the other endpoint.
    const year = await desk.run("report --period last-year --dry-run --json");
    expect(JSON.parse(year.stdout)).toEqual({ calls: 24, seconds: 120 });
    expect(calls()).toBe(0);
    await report("--json");
    expect((await report("--dry-run")).stdout).toBe("0 calls: all of it is kept.\n");
  });

  test("A year's report takes 14 calls of one kind and 10 of the other, has the service's groups, and is kept", async () => {
    await desk.run("stores set centro --tz America/Sao_Paulo");
    const whole = parseJson((await desk.run("report --period last-year --json")).stdout);
    const grouped = emulator.service.log.entries().filter(({ path: of }) => of.endsWith("/summary/grouped"));
    // 5 at once, and 5 a minute later, and after another one; the other endpoint's meanwhile.
    expect({ calls: calls(), grouped: grouped.length }).toEqual({ calls: 24, grouped: 14 });
    expect((await desk.run("report --period last-year --json --offline")).code).toBe(0);
    const { stdout } = await desk.run("grouped --by order_type --period last-year --json --fresh");
    const figures = (found: unknown) =>
      (found as { groups: Record<string, unknown>[] }).groups.map((group) => ({ ...group, label: "" }));
    const { order_type: types } = (whole as { grouped: Record<string, unknown> }).grouped;
    expect(figures(types)).toEqual(figures(parseJson(stdout)));
  });

  test("A report goes on where it was interrupted", async () => {
    const interruption = new AbortController();
    const sleep = desk.clock.sleep;
    // Ctrl-C while it waits for the next minute.
    desk.clock.sleep = (ms, signal) => {
      interruption.abort(new ComandaError("interrupted", "Interrupted."));
      return sleep(ms, signal);
    };
    const { code, stdout } = await report(`--out ${page()}`, { signal: interruption.signal });
    expect({ code, stdout, written: existsSync(page()) }).toEqual({ code: 130, stdout: "", written: false });
    const before = calls();
    expect(before).toBe(6);
    desk.clock.sleep = sleep;
    expect((await report("--json --max-wait 2m")).code).toBe(0);
    expect(calls()).toBe(9);
  });

  test("A report gives the same figures to machines", async () => {
    const { code, stdout } = await report("--json");
    expect(code).toBe(0);
    const value = JSON.parse(stdout) as { summary: { current: object }; grouped: Record<string, object> };
    const summary = JSON.parse(
      (await desk.run("summary --tz America/Sao_Paulo --period last-month --json")).stdout,
    ) as object;
    expect(value.summary.current).toMatchObject({ ...summary, kept: false });
    const byHour = await desk.run("grouped --by hour --tz America/Sao_Paulo --period last-month --json");
    expect(JSON.parse(byHour.stdout)).toMatchObject(value.grouped["hour"] ?? {});
    expect(Object.keys(value.grouped)).toHaveLength(9);
    const csv = parseCsv((await report("--format csv")).stdout);
    expect(csv[0]).toEqual([
      ...["section", "key", "label", "total_order_count", "total_revenue", "average_order_value"],
    ]);
    expect(new Set(csv.slice(1).map(([section]) => section))).toEqual(
      new Set(["summary", "previous", ...Object.keys(value.grouped)]),
    );
    expect(calls()).toBe(9);
  });

  test("A report covers several stores, and says of each whether it does: exit 10", async () => {
    await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
    await desk.signIn("velho", emulator.baseUrl, "nobody-gave-this");
    const { code, stderr } = await report(`--all-stores --out ${page()}`);
    expect(code).toBe(10);
    expect(stderr).toContain("1 of 3 stores gave no figures: velho.");
    const html = readFileSync(page(), "utf8");
    expect(html).toContain("centro, norte</bdi></h1>");
    expect(html).toMatch(/velho<\/bdi><\/th><td[^>]*>Not covered: /);
    expect(html).not.toContain("nobody-gave-this");
  });

  test("A report has no hours of scheduled dates", async () => {
    const { code, stdout } = await report("--date-field scheduled_date --json");
    expect(code).toBe(0);
    expect(Object.keys((JSON.parse(stdout) as { grouped: object }).grouped)).not.toContain("hour");
  });

  test("A report of a period without orders says so", async () => {
    const { code } = await report(`--filter total>=9999999 --out ${page()}`);
    expect(code).toBe(0);
    expect(readFileSync(page(), "utf8").match(/No orders in this period/g)).toHaveLength(9);
  });
});

describe("where it goes", () => {
  test("report --out - writes to stdout", async () => {
    expect((await report("--out -")).stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  test.each([
    ["a folder that isn't there", () => path.join(desk.folder, "no", "report.html")],
    ["a folder in the file's place", () => desk.folder],
  ])("report says before any call that --out is %s", async (_, out) => {
    expect((await report(`--out ${out()}`)).code).toBe(2);
    expect(calls()).toBe(0);
  });

  test.skipIf(process.getuid?.() === 0)(
    "report says before any call that a folder can't be written",
    async () => {
      const folder = path.join(desk.folder, "closed");
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      expect((await report(`--out ${path.join(folder, "report.html")}`)).code).toBe(2);
      expect(calls()).toBe(0);
    },
  );

  test("A report that fails leaves the one that was there", async () => {
    writeFileSync(page(), "the old one");
    emulator.service.limiter.enabled = false;
    expect((await report(`--out ${page()} --max-wait 0`)).code).toBe(7);
    expect(readFileSync(page(), "utf8")).toBe("the old one");
  });

  test.each([
    ["--format markdown", 2],
    ["--open --json", 2],
    ["--open --out -", 2],
    ["--excel", 2],
  ])("report %s is refused", async (flags, code) => {
    expect((await report(flags)).code).toBe(code);
    expect(calls()).toBe(0);
  });
});
