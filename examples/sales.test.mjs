// Tests a program against the emulator, with vitest:
//   npx vitest run --root examples sales
import { afterAll, beforeAll, expect, test } from "vitest";

import { createClient } from "comanda";
import { startEmulator } from "comanda/testing";

const now = Date.UTC(2026, 9, 5, 12);
/** @type {import("comanda/testing").Emulator} */
let emulator;
/** @type {import("comanda").Client} */
let client;

beforeAll(async () => {
  // The same seed and time always create the same orders.
  emulator = await startEmulator({ orders: 0, seed: 7, now, rateLimits: false });
  client = createClient({ baseUrl: emulator.baseUrl, credentials: emulator.signIn().credentials });
});
afterAll(() => emulator.close());

const today = { start_date: "2026-10-05T00:00:00Z", end_date: "2026-10-05T23:59:59Z" };

test("adds up the orders of a day", async () => {
  const total = emulator.createOrder().total + emulator.createOrder().total;
  const { value: summary } = await client.summary(today);
  expect(summary.total_order_count).toBe(2);
  expect(summary.total_revenue).toBeCloseTo(total);
});

test("ends an interrupted call", async () => {
  emulator.setFaults("delay=60000");
  const signal = AbortSignal.timeout(50);
  await expect(client.summary(today, { signal })).rejects.toMatchObject({ code: "interrupted" });
});
