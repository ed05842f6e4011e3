/** `comanda report`: its calls, its wait for the rate limit, and its file; figures that need several calls. */
import { linkSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { containing, type Desk, parseJson, StoreDesk } from "../../support/desk.js";

let store: StoreDesk;
let desk: Desk;
beforeEach(async () => {
  store = await StoreDesk.open({ orders: 600, seed: 11 });
  desk = store.desk;
  await desk.run("stores set centro --tz America/Sao_Paulo --currency BRL");
});

const unlimited = { env: { COMANDA_RATE_LIMITS: "off" } };
const page = () => path.join(desk.folder, "october.html");
const calls = () => store.requests().filter((call) => call.includes("/orders/summary")).length;
const report = (flags: string) => desk.run(`report --period 2026-10 ${flags}`);

test("a report announces its 14 calls and how long they take, and requires none the second time", async () => {
  const plan = await report("--dry-run");
  expect(plan.stdout).toMatch(/^Calls: 14 \(limit: 5 per minute\)\. Expected wait: 2 min\.$/m);
  const before = path.join(desk.folder, "before.html");
  writeFileSync(page(), "the old one");
  linkSync(page(), before);
  const made = await report(`--out ${page()}`);
  // The file was replaced, not overwritten.
  expect(readFileSync(before, "utf8")).toBe("the old one");
  expect(made).toMatchObject({ code: 0, stdout: `Report saved to ${page()}.\n` });
  expect(made.stderr).toMatch(/^Calls: 14 \(limit: 5 per minute\)\. Expected wait: 2 min\.$/m);
  expect(readFileSync(page(), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  expect(readdirSync(desk.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  const again = await report("--out -");
  expect({ code: again.code, calls: calls() }).toEqual({ code: 0, calls: 14 });
  expect(again.stdout).toMatch(/^<!doctype html>/);
});

test.each([
  ["--period 2030", "starts in the future.\n"],
  ["--tz Europe/Lisbon", "not in Europe/Lisbon.\n  Omit --tz.\n"],
])("a report %s advises only what its options allow", async (flags, words) => {
  const { code, stderr } = await desk.run(`report ${flags}`);
  expect(code).toBe(2);
  expect(stderr.endsWith(words), stderr).toBe(true);
});

test("a report names a store that fails, and has no weekdays for a store whose days start late", async () => {
  store.emulator.service.limiter.enabled = false;
  await desk.run("stores set centro --day-starts 04:00");
  await desk.signIn("velho", store.emulator.baseUrl, "nobody-gave-this");
  const { code, stderr } = await desk.run(`report --all-stores --period 2026-10 --out ${page()}`, unlimited);
  expect(code).toBe(10);
  expect(stderr).toContain("No figures for 1 of 2 stores: velho.");
  expect(readFileSync(page(), "utf8")).toContain("velho");
  expect(readFileSync(page(), "utf8")).not.toContain("nobody-gave-this");
  expect(readFileSync(page(), "utf8")).not.toContain("By day of week");
  await store.signIn("norte", 502);
  await desk.run("stores set norte --currency BRL");
  const both = await desk.run("report -s centro -s norte --period 2026-10 --out -", unlimited);
  expect(both.stderr).toContain(
    "warning: centro: The service groups by day of week from midnight, but days at centro start at 04:00. The report omits this section.\n",
  );
  expect(both.stdout).toMatch(/By day of week<\/h2><h3><bdi>norte<\/bdi><\/h3>/);
  // The legends name the days, although one store's last day ends 4 hours later.
  expect(both.stdout).toMatch(/<\/span>2026-10-01 to 2026-10-31<span[^>]*><\/span>2026-09-01 to 2026-09-30</);
  expect(both.stdout).not.toContain("2026-11-01");
  expect(both.stdout).toMatch(/By status<\/h2><table/);
});

test("a plan counts a request that two sections share once, if its answer is reused", async () => {
  store.emulator.service.limiter.enabled = false;
  await desk.run("stores set centro --day-starts 04:00");
  const plan = async (flags: string) =>
    parseJson((await desk.run(`report --period 2026-10-05 --json ${flags}`, unlimited)).stdout);
  const planned = await plan("--dry-run");
  expect((await desk.run("report --period 2026-10-05 --out -", unlimited)).code).toBe(0);
  expect(planned).toMatchObject({ calls: calls(), requests: Array(calls()).fill(expect.anything()) });
  // The summaries of the day and of the day before are also its groups by day.
  expect(await plan("--dry-run --fresh")).toMatchObject({ calls: calls() + 2 });
});

test("an alert and a sync that wait for the rate limit print nothing without a terminal", async () => {
  for (const line of ["summary --alert orders<0", "sync --days 3"]) {
    for (let calls = 0; calls < 5; calls += 1)
      await desk.run(`${line.startsWith("sync") ? "grouped --by status" : "summary"} --fresh`);
    const waited = desk.waits.length;
    const ended = await desk.run(line.replace("summary", "summary --fresh"));
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(desk.waits.length).toBeGreaterThan(waited);
  }
});

test("a report that fails leaves an existing file unchanged", async () => {
  writeFileSync(page(), "the old one");
  store.emulator.service.limiter.enabled = false;
  expect((await report(`--out ${page()} --max-wait 0`)).code).toBe(7);
  expect(readFileSync(page(), "utf8")).toBe("the old one");
});

test.each(["--json", "--format markdown", "--open --out -", "--out /no-folder/report.html", "--out /"])(
  "report %s is rejected before any call",
  async (flags) => {
    const { code, stderr } = await report(flags);
    expect(code).toBe(2);
    expect(stderr.includes("Can't write")).toBe(stderr.includes("Check the path."));
    expect(calls()).toBe(0);
  },
);

test("days that start late are requested separately, and weeks are rejected with a hint", async () => {
  await desk.run("stores set centro --day-starts 04:00");
  const plan = await desk.run("grouped --by day --period last-30-days --dry-run --json");
  expect(parseJson(plan.stdout)).toMatchObject({ calls: 30, seconds: 300 });
  const sum = await desk.run("summary --period last-week --json");
  expect(parseJson(sum.stdout)).toMatchObject({ period: { day_starts: "04:00" } });
  const { code, stderr } = await desk.run("grouped --by week --period last-30-days");
  expect(code).toBe(2);
  expect(stderr).toContain("comanda summary --period last-week");
});

test("a request that only one of several stores accepts has that one's figures, and names the other", async () => {
  await desk.run("stores set centro --day-starts 04:00");
  await store.signIn("norte", 502);
  const weeks = "grouped --by week --period 2026-10 --all-stores --tz America/Sao_Paulo";
  const { code, stdout } = await desk.run(`${weeks} --json`);
  expect({ code, document: parseJson(stdout) }).toMatchObject({
    code: 10,
    document: {
      stores: [
        { store: "centro", error: { code: "invalid_input" } },
        { store: "norte", group_by: "week" },
      ],
    },
  });
  const plan = await desk.run(`${weeks} --dry-run --json --fresh`);
  expect({ ...plan, stdout: parseJson(plan.stdout) }).toMatchObject({
    code: 10,
    stdout: { calls: 1, requests: [{ store: "norte" }] },
    stderr: containing("No figures for 1 of 2 stores: centro."),
  });
  expect(await desk.run("summary --all-stores --period 2030")).toMatchObject({ code: 2, stdout: "" });
});
