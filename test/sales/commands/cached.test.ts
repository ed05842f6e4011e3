/** Cached answers: which requests they answer, how old they may be, and who may read them; and the days that `sync` stores. */
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";

import { beforeEach, describe, expect, test, vi } from "vitest";

import { type Desk, parseJson, StoreDesk, tokenFor, withoutLimits } from "../../support/desk.js";
import { startStub } from "../../support/stub-service.js";

let store: StoreDesk;
let desk: Desk;
async function open(orders: number): Promise<void> {
  store = await StoreDesk.open({ orders, seed: 8, ...withoutLimits });
  desk = store.desk;
  await signIn();
}
beforeEach(() => open(200));

const calls = () => store.requests().filter((call) => call.includes("/orders/summary")).length;
const signIn = () => store.signIn("centro", 501, (session) => ({ ...session, signed_in_at: 1 }));
const september = "summary --period 2026-09 --tz UTC";
const json = async (line: string): Promise<unknown> => {
  const { code, stdout, stderr } = await desk.run(`${line} --json`);
  expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  return parseJson(stdout);
};

describe("the answer cache", () => {
  test("separates answers by the credentials in variables, without storing anything of them", async () => {
    const [one, other] = [tokenFor(store.emulator, 501), tokenFor(store.emulator, 502)];
    for (const token of [one, one, other, one]) {
      const env = { COMANDA_BASE_URL: store.emulator.baseUrl, COMANDA_ACCESS_TOKEN: token };
      expect((await desk.run(september, { env })).code).toBe(0);
    }
    expect(calls()).toBe(2);
    const file = readFileSync(desk.salesFile).toString("latin1");
    expect(file).not.toContain(one);
    expect(file).not.toContain(createHash("sha256").update(one).digest("hex").slice(0, 12));
  });

  test("isn't used or overwritten, with one warning, if its database is damaged", async () => {
    writeFileSync(desk.salesFile, "no database ".repeat(1000), { mode: 0o600 });
    const before = lstatSync(desk.salesFile);
    const { code, stdout, stderr } = await desk.run(`${september} --json`);
    expect(code).toBe(0);
    expect(stderr.match(/is damaged\. The figures are not cached/g)).toHaveLength(1);
    expect(parseJson(stdout)).toMatchObject({ cached: false });
    expect((await desk.run("sync --days 3")).code).toBe(2);
    expect((await desk.run(`${september} --offline`)).code).toBe(5);
    expect(lstatSync(desk.salesFile).mtimeMs).toBe(before.mtimeMs);
  });

  test("is used for a changed order, except with --fresh; sync reports its day", async () => {
    await desk.run("stores set centro --tz UTC --currency BRL");
    await desk.run("sync --days 60");
    const before = (await json("summary --period 2026-10")) as { readonly total_revenue: number };
    const isOfOctober = ({ createdAt }: { createdAt: number }) =>
      new Date(createdAt).toISOString().startsWith("2026-10");
    const order = store.emulator.world.orders.ofStore(501).find(isOfOctober);
    if (!order) throw new Error("There is no order of October.");
    Object.assign(order, { total: order.total + 19_267 });
    const expected = { total_revenue: Math.round(before.total_revenue * 100 + 19_267) / 100, cached: false };
    expect(await json("summary --period 2026-10")).toMatchObject({ ...before, cached: true });
    expect(await json("summary --period 2026-10 --fresh")).toMatchObject(expected);

    const date = new Date(order.createdAt).toISOString().slice(0, 10);
    const changed = { store: "centro", currency: "BRL", days: 60, changed: [{ date }] };
    expect(await json("sync --days 60")).toMatchObject({ stores: [changed] });
    expect((await desk.run("sync --days 60")).stdout).toBe("");
  });

  test("has the currency of its request, and stores with two currencies have no total", async () => {
    await store.signIn("norte", 502);
    for (const [name, currency] of Object.entries({ centro: "BRL", norte: "EUR" }))
      await desk.run(`stores set ${name} --tz UTC --currency ${currency}`);
    expect(await json("summary --all-stores --period 2026-10")).toMatchObject({ total: null });
    const { stdout } = await desk.run("summary --all-stores --period 2026-10 --format csv");
    expect(stdout.match(/EUR|BRL/g)).toEqual(["BRL", "EUR"]);
    await desk.run("stores set centro --currency USD");
    expect((await desk.run("summary --store centro --period 2026-10 --offline")).code).toBe(5);
    await desk.run("stores set norte --currency USD");
    const both = await json("summary --all-stores --period 2026-10");
    expect(both).toMatchObject({ total: { currency: "USD" } });
  });
});

test("the header shows the request time of the oldest answer, such as the previous period's or another section's", async () => {
  await desk.run(september);
  desk.pass(5 * 60_000);
  const compared = "summary --period 2026-10 --tz UTC --compare previous";
  expect((await desk.run(compared)).stdout).toContain(", as of 2026-11-20 15:00 (cached)\n");
  expect((await desk.run(`${compared} --format csv`)).stdout).toContain(",2026-11-20T15:00:00.000Z,");
  await desk.run("grouped --by driver_id --period 2026-08 --tz UTC");
  desk.pass(9 * 60_000);
  const { stdout } = await desk.run("report --period 2026-08 --tz UTC --out -");
  expect(stdout).toContain(", as of 2026-11-20 15:05 (cached)<");
});

test("--offline exits with 5 without an answer, and with 10 if only some stores have one", async () => {
  await desk.run(`${september} -s centro`);
  desk.pass(3 * 24 * 60 * 60_000);
  // The token has expired.
  await signIn();
  const { code, stdout } = await desk.run(`${september} --offline --json`);
  expect(code).toBe(0);
  expect(parseJson(stdout)).toMatchObject({ cached: true });
  const lacking = await desk.run("summary --period 2026-08 --tz UTC --offline");
  expect(lacking).toMatchObject({ code: 5, stdout: "" });
  expect(lacking.stderr).toContain("No cached figures for 2026-08-01 to 2026-08-31.");
  await desk.run("summary --from 2025-07-01 --to 2025-12-31 --tz UTC");
  const years = await desk.run("summary --from 2024-07-01 --to 2026-06-30 --tz UTC --offline");
  expect(years.stderr).toContain("No cached figures for 2024-07-01 to 2025-06-30, 2026-01-01 to 2026-06-30.");
  await store.signIn("norte", 502);
  const both = await desk.run(`${september} --all-stores --offline --json`);
  expect(both.code).toBe(10);
  const norte = { store: "norte", error: { exit_code: 5 } };
  expect(parseJson(both.stdout)).toMatchObject({ stores: [{ store: "centro", cached: true }, norte] });
  expect(calls()).toBe(2);
});

describe("a cached answer", () => {
  const seen = { total_order_count: 2, total_revenue: 30, average_order_value: 15 };

  test("of this month ends on the previous day if midnight has passed since", async () => {
    const month = "grouped --by day --period this-month --tz America/Sao_Paulo --json";
    // The clock shows 23:59:50 in São Paulo.
    desk.pass((12 * 3_600 - 10) * 1_000);
    await signIn();
    const before = await desk.run(month);
    desk.pass(20_000);
    const after = await desk.run(month);
    expect(parseJson(after.stdout)).toEqual({ ...Object(parseJson(before.stdout)), cached: true });
    expect(after.stdout).toContain('"to":"2026-11-20T23:59:50-03:00"');
    expect(after.stdout).not.toContain('"2026-11-21"');
  });

  /** Runs a line three times, 0.7 s apart, while the first request is running. */
  async function runStaggered(line: string) {
    const stub = await startStub();
    const env = { COMANDA_BASE_URL: stub.url, COMANDA_ACCESS_TOKEN: "t" };
    const others: ReturnType<Desk["run"]>[] = [];
    stub.behave((response) => {
      const answer = () => response.end(JSON.stringify(seen));
      if (stub.requests.length > 1) {
        answer();
        return;
      }
      for (let process = 0; process < 2; process += 1) {
        desk.pass(700);
        others.push(desk.run(line, { env }));
      }
      const wait = () => expect(desk.waits.length + stub.requests.length).toBeGreaterThan(2);
      void vi.waitFor(wait, { interval: 5, timeout: 5_000 }).finally(answer);
    });
    const first = await desk.run(line, { env });
    return { ended: [first, ...(await Promise.all(others))], requests: stub.requests.length };
  }

  test.each([
    ["summary --period today --tz UTC --json", 1],
    ["summary --period today --tz UTC --json --compare previous", 2],
  ])("is shared by processes that start 0.7 s apart: %s", async (line, expected) => {
    const { ended, requests } = await runStaggered(line);
    for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(requests).toBe(expected);
    const [one, ...rest] = ended.map(({ stdout }) => stdout.replaceAll('"cached":true', '"cached":false'));
    for (const other of rest) expect(other).toBe(one);
  });
});

test("days survive a new sign-in to the same store, and those of another store are hidden with a warning", async () => {
  await open(2_500);
  await desk.run("stores set centro --tz UTC");
  await desk.run("sync --days 60");
  const dates = () => desk.sales("select date from sales_by_day").length;
  await store.signIn("centro", 501, (session) => ({ ...session, signed_in_at: 2 }));
  const again = await desk.run("sync --days 10 --quiet");
  expect({ ...again, dates: dates() }).toEqual({
    ...{ code: 0, stderr: "", dates: 60 },
    stdout: expect.stringMatching(
      /^centro: the figures show the same store .*: 60 \(2026-09-21 to 2026-11-19\)\.\n$/,
    ) as string,
  });
  expect(await desk.run("sync --days 10 --quiet")).toEqual({ code: 0, stdout: "", stderr: "" });

  await store.signIn("centro", 502, (session) => ({ ...session, signed_in_at: 3 }));
  const other = await desk.run("sync --days 10 --quiet");
  expect({ ...other, dates: dates() }).toEqual({
    ...{ code: 0, stdout: "", dates: 10 },
    stderr: expect.stringMatching(
      /^warning: centro: days stored before this sign-in are hidden: 60 \(2026-09-21 to 2026-11-19\)\. .*\n$/,
    ) as string,
  });
  const [query = ""] = /select \* from days where .*/.exec(other.stderr) ?? [];
  expect(desk.sales(query).length).toBeGreaterThanOrEqual(60);
});
