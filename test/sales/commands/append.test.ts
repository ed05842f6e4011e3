/** `summary --append`: what a file has after runs against the emulator. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { summary } from "../../../src/sales/commands/summary.js";
import type { Emulator } from "../../../src/emulator/index.js";
import type { WithLease } from "../../../src/state/leases.js";
import { Desk, parseCsv, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";
import { parseJson } from "../../support/json.js";
import { parse } from "../../support/parse.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
const folder = path.join(desk.folder, "shop");
const file = path.join(folder, "sales.csv");
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 300, seed: 3, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

const zone = "--tz America/Sao_Paulo";
const append = (period: string, more = "--store centro") =>
  desk.run(`summary ${more} ${zone} ${period} --append ${file}`);
const text = () => readFileSync(file, "utf8");
const days = (store = "centro") =>
  parseCsv(text())
    .filter(([name]) => name === store)
    .map(([, from]) => from);
const calls = () =>
  emulator.service.log.entries().filter(({ path: of }) => of.includes("/orders/summary")).length;

test("a run adds the day once, quietly; the same run again leaves the file as it is", async () => {
  expect(await append("--period yesterday")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const [header, row] = parseCsv(text());
  const { stdout } = await desk.run(`summary --store centro ${zone} --period yesterday --json`);
  const { total_order_count, total_revenue, average_order_value } = parseJson(stdout) as Record<
    string,
    number
  >;
  expect(Object.fromEntries((header ?? []).map((name, index) => [name, row?.[index]]))).toEqual({
    store: "centro",
    from: "2026-11-19",
    to: "2026-11-19",
    time_zone: "America/Sao_Paulo",
    day_starts: "00:00",
    currency: "",
    total_order_count: String(total_order_count),
    total_revenue: total_revenue?.toFixed(2),
    average_order_value: average_order_value?.toFixed(2),
    asked_at: "2026-11-20T15:00:00.000Z",
  });
  const [before, asked] = [text(), calls()];
  expect(await append("--period yesterday")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect([text(), calls()]).toEqual([before, asked]);
  expect(readdirSync(folder)).toEqual(["sales.csv"]);
});

test("days that were missed are filled by one call, each as a summary of it says", async () => {
  await append("--period 2026-11-10");
  const asked = calls();
  const { stderr } = await desk.run(`summary --store centro ${zone} --period 2026-11-14 --append ${file}`, {
    looksOn: true,
  });
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(`4 rows were added to ${file}.`);
  expect(calls() - asked).toBe(1);
  expect(days()).toEqual(["2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13", "2026-11-14"]);
  for (const [, day, , , , , orders, revenue] of parseCsv(text()).slice(1)) {
    const { stdout } = await desk.run(`summary --store centro ${zone} --period ${day ?? ""} --fresh --json`);
    expect(parseJson(stdout)).toMatchObject({
      total_order_count: Number(orders),
      total_revenue: Number(revenue),
    });
  }
});

test("a day without orders is a row of zeros", async () => {
  await append("--from 2024-03-01 --to 2024-03-02");
  expect(
    parseCsv(text())
      .slice(1)
      .map((row) => row.slice(1, 9)),
  ).toEqual([
    ["2024-03-01", "2024-03-01", "America/Sao_Paulo", "00:00", "", "0", "0.00", "0.00"],
    ["2024-03-02", "2024-03-02", "America/Sao_Paulo", "00:00", "", "0", "0.00", "0.00"],
  ]);
});

test("days from 4 in the morning and days from midnight don't meet in one file", async () => {
  const nights = "--store centro --day-starts 04:00";
  await append("--period 2026-11-10", nights);
  const [before, asked] = [text(), calls()];
  const refused = await append("--period 2026-11-12");
  expect(refused).toMatchObject({
    code: 2,
    error: { code: "invalid_input", hint: expect.stringContaining("--day-starts 04:00") as unknown },
  });
  expect([text(), calls()]).toEqual([before, asked]);
  await append("--period 2026-11-12", nights);
  const rows = parseCsv(text()).slice(1);
  expect(rows.map(([, from, , , starts]) => `${from ?? ""} ${starts ?? ""}`)).toEqual([
    "2026-11-10 04:00",
    "2026-11-11 04:00",
    "2026-11-12 04:00",
  ]);
  const { stdout } = await desk.run(
    `summary ${nights} ${zone} --from 2026-11-10 --to 2026-11-12 --fresh --json`,
  );
  const sum = rows.reduce((orders, row) => orders + Number(row[6]), 0);
  expect(parseJson(stdout)).toMatchObject({ total_order_count: sum });
});

test("two runs at once add each day once", async () => {
  const both = await Promise.all([append("--period last-7-days"), append("--period last-7-days")]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(days()).toHaveLength(7);
  expect(new Set(days()).size).toBe(7);
});

test("what another run adds while this one waits for the lease is not added again", async () => {
  await append("--period yesterday");
  const others = text();
  rmSync(file);
  const words = ["--store", "centro", "--tz", "America/Sao_Paulo", "--append", file];
  const options = await parse(summary, ...words);
  const machine = await desk.machine();
  const state = await machine.state();
  const withLease: WithLease = (...wanted) => {
    writeFileSync(file, others);
    return state.withLease(...wanted);
  };
  const found = await summary.run(
    { ...machine, state: () => Promise.resolve({ ...state, withLease }) },
    options,
  );
  expect(found).toMatchObject({ kind: "appended", changes: { added: [], updated: [] } });
  expect(text()).toBe(others);
});

describe("--update", () => {
  const ranges = "--from 2026-11-10 --to 2026-11-14 --update --fresh";
  /** An order of one real comes in late, on the day of another one. */
  const restate = () => {
    const dayOf = ({ createdAt }: { readonly createdAt: number }) =>
      new Date(createdAt - 3 * 60 * 60_000).toISOString().slice(0, 10);
    const order = emulator.world.orders
      .ofStore(501)
      .find((each) => dayOf(each) >= "2026-11-10" && dayOf(each) <= "2026-11-12");
    if (!order) throw new Error("no order in those days");
    emulator.world.orders.add({ ...order, id: emulator.world.orders.nextId, total: 100 });
    return dayOf(order);
  };

  test("brings a restated row up to date where it stands, tells which, and leaves all others as they are", async () => {
    await append("--from 2026-11-10 --to 2026-11-14");
    chmodSync(file, 0o640);
    const before = text().split("\r\n");
    const day = restate();
    desk.pass(60_000);
    const { code, stdout, stderr } = await append(ranges);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(`Brought up to date in ${file}: centro ${day}. `);
    const after = text().split("\r\n");
    expect(after.filter((line, index) => line !== before[index])).toHaveLength(1);
    const cents = (lines: readonly string[]) =>
      Math.round(100 * Number(lines.find((line) => line.includes(`centro,${day}`))?.split(",")[7]));
    expect(cents(after) - cents(before)).toBe(100);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    desk.pass(60_000);
    expect(await append(ranges)).toMatchObject({ code: 0, stderr: "" });
  });

  test("adds what is lacking too, and two runs at once lose no row", async () => {
    await append("--from 2026-11-10 --to 2026-11-12");
    restate();
    desk.pass(60_000);
    const both = await Promise.all([append(ranges), append("--from 2026-11-15 --to 2026-11-17 --update")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(days().toSorted()).toEqual(Array.from({ length: 8 }, (_, index) => `2026-11-${10 + index}`));
  });

  test("an older answer never takes the place of a younger one", async () => {
    await append("--from 2026-11-10 --to 2026-11-14");
    const younger = text().replaceAll(
      /,\d+,([\d.]+),([\d.]+),2026-[^\r]+/g,
      ",7,70.00,10.00,2030-01-01T00:00:00.000Z",
    );
    writeFileSync(file, younger);
    await append(ranges);
    expect(text()).toBe(younger);
  });

  test("without --append it is refused", async () => {
    expect(await desk.run("summary --update")).toMatchObject({ code: 2, error: { code: "usage" } });
  });
});

test("of several stores one that fails leaves the others' rows, and is told", async () => {
  await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");
  const { code, stderr } = await append("--period yesterday", "--store centro --store velho");
  expect({ code, stderr }).toMatchObject({ code: 10, stderr: expect.stringContaining("velho") as unknown });
  expect([days(), days("velho")]).toEqual([["2026-11-19"], []]);
});

test("of several stores each gets the days that it lacks, and what is true of both is said once", async () => {
  await desk.signIn("norte", emulator.baseUrl, tokenFor(emulator, 502));
  const plain = (stores: string, period: string) => desk.run(`summary ${stores} ${period} --append ${file}`);
  await plain("--store centro", "--period yesterday");
  const asked = calls();
  const { code, stderr } = await plain("--store centro --store norte", "--period last-3-days");
  expect({ code, calls: calls() - asked, warnings: stderr.match(/warning: .*/g) }).toEqual({
    ...{ code: 0, calls: 2 },
    warnings: [expect.stringMatching(/^warning: The days of centro, norte are counted in this machine's/)],
  });
  const three = ["2026-11-17", "2026-11-18", "2026-11-19"];
  expect([days().toSorted(), days("norte")]).toEqual([three, three]);
});

test.each([
  ["another header", "--period yesterday", "from,to,total_order_count\r\n"],
  ["a period that isn't over", "--period today", undefined],
  ["a day of more than 3 years ago", "--from 2022-01-01 --to 2026-11-19", undefined],
])("%s is refused before any call, and nothing is written", async (_, period, before) => {
  if (before !== undefined) writeFileSync(file, before);
  const asked = calls();
  expect(await append(period)).toMatchObject({ code: 2, error: { code: "invalid_input" } });
  expect(calls()).toBe(asked);
  expect(existsSync(file) ? text() : undefined).toBe(before);
});

test.each(["/dev/null", folder, path.join(folder, "none", "sales.csv")])(
  "%s is no place for rows",
  async (place) => {
    const ran = await desk.run(`summary --store centro ${zone} --append ${place}`);
    expect(ran).toMatchObject({ code: 2, error: { code: "invalid_input" } });
  },
);
