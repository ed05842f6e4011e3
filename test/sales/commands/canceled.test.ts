/** Canceled orders are in the figures: how many they are is said as soon as it is known, and never waited for. */
import { afterEach, beforeEach, expect, test } from "vitest";

import type { Emulator } from "../../../src/emulator/index.js";
import { Desk, tokenFor } from "../../support/desk.js";
import { startEmulator } from "../../support/emulators.js";

let desk: Desk;
let emulator: Emulator;
beforeEach(async () => {
  desk = new Desk();
  emulator = await startEmulator({ orders: 2_000, seed: 4, now: desk.clock });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
});
afterEach(async () => {
  await emulator.close();
  desk.remove();
});

const calls = () =>
  emulator.service.log.entries().filter(({ path }) => path.includes("/orders/summary")).length;
const september = "summary --tz UTC --period 2026-09";
const json = async (flags = "") =>
  JSON.parse((await desk.run(`${september} --json ${flags}`.trim())).stdout) as {
    total_order_count: number;
    canceled: { total_order_count: number; total_revenue: number } | null;
  };
/** Counted plainly. */
function counted() {
  const orders = emulator.world.orders
    .ofStore(501)
    .filter(({ createdAt }) => new Date(createdAt).toISOString().startsWith("2026-09"));
  const canceled = orders.filter(({ status }) => status === "canceled");
  expect(canceled.length).toBeGreaterThan(0);
  const cents = canceled.reduce((sum, { total }) => sum + total, 0);
  return { all: orders.length, canceled: { total_order_count: canceled.length, total_revenue: cents / 100 } };
}

test("A table says what is canceled, by one call of the other kind; JSON costs what it did, until it is known", async () => {
  const { canceled } = counted();
  expect(await json()).toMatchObject({ canceled: null });
  expect(calls()).toBe(1);
  const { stdout } = await desk.run(september);
  expect(stdout).toMatch(new RegExp(`OF WHICH CANCELED\\n.* ${canceled.total_order_count} \\(`));
  expect(calls()).toBe(2);
  expect(await json()).toMatchObject({ canceled });
  expect(calls()).toBe(2);
});

test("A table doesn't wait for what is canceled; JSON has it once it was asked by status", async () => {
  for (const by of ["day", "hour", "order_type", "driver_id"]) {
    await desk.run(`grouped --by ${by} --period 2026-08 --tz UTC`);
  }
  const { stdout } = await desk.run(september);
  const found = { said: stdout.includes("CANCELED"), calls: calls(), waits: desk.waits };
  expect(found).toEqual({ said: false, calls: 5, waits: [] });
  await desk.run("grouped --by status --period 2026-09 --tz UTC");
  expect(await json()).toMatchObject({ canceled: counted().canceled });
});

test("--net leaves canceled orders out, and JSON says so", async () => {
  const { all, canceled } = counted();
  expect(await json("--net")).toMatchObject({
    total_order_count: all - canceled.total_order_count,
    canceled: { total_order_count: 0, total_revenue: 0 },
  });
  expect(calls()).toBe(1);
});
