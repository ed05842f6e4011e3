/** The busy restaurant: what figures are shown on. */
import { expect, test } from "vitest";

import { filterFields } from "../../src/api/filters.js";
import { orderTypes } from "../../src/api/values.js";
import type { OrderRecord } from "../../src/emulator/domain/orders.js";
import { paymentMethods } from "../../src/emulator/seed/catalog.js";
import { seedCast } from "../../src/emulator/seed/cast.js";
import { seedBusyOrders } from "../../src/emulator/seed/scenes.js";

const now = Date.UTC(2026, 10, 20, 18);
const cast = seedCast(1);
const store = cast.stores[0] ?? expect.unreachable();

const busy = (at = now, seed = 1): OrderRecord[] =>
  [...seedBusyOrders(seed, at, { ...cast, stores: [store] })].map(([record]) => record);

/** Before 1970 there is nothing: these are the orders of weeks, which are sooner there than those of fourteen months. */
const soon = Date.UTC(1970, 1, 20, 18);

const orders = busy();
const hour = 3_600_000;
const share = (condition: (order: OrderRecord) => boolean): number =>
  orders.filter(condition).length / orders.length;

test("some 120 orders a day, over fourteen months and the running one, up to now", () => {
  const days = (now - Date.UTC(2025, 8, 1)) / (24 * hour);
  expect(orders.length / days).toBeGreaterThan(105);
  expect(orders.length / days).toBeLessThan(135);
  const times = orders.map(({ createdAt }) => createdAt);
  expect(new Date(times[0] ?? 0).toISOString()).toMatch(/^2025-09-01/);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(orders.map(({ id }) => id)).toEqual(orders.map(({ id }) => id).toSorted((a, b) => a - b));
  expect(Math.max(...orders.map(({ updatedAt }) => updatedAt))).toBeLessThanOrEqual(now);
  expect(now - (times.at(-1) ?? 0)).toBeLessThan(hour);
});

test("some are canceled, and there is every channel, type, payment, driver and campaign", () => {
  expect(share(({ status }) => status === "canceled")).toBeGreaterThan(0.04);
  expect(share(({ status }) => status === "canceled")).toBeLessThan(0.08);
  const all = (valueOf: (order: OrderRecord) => unknown) => new Set(orders.map(valueOf));
  expect([...all(({ salesChannel }) => salesChannel)].toSorted()).toEqual(
    filterFields.sales_channel.values.values.toSorted(),
  );
  expect(all(({ orderType }) => orderType)).toEqual(new Set(orderTypes));
  const paid = new Set(orders.flatMap(({ paymentMethodIds }) => paymentMethodIds));
  expect(paid).toEqual(new Set(paymentMethods.map(({ id }) => id)));
  const own = cast.drivers.filter(({ storeId }) => storeId === store.id).map(({ id }) => id);
  expect(all(({ driverId }) => driverId)).toEqual(new Set([null, ...own]));
  expect(all(({ customerOrigin }) => customerOrigin).size).toBe(6);
});

test("the same for the same seed, and yesterday is the same a week later", () => {
  const facts = (records: readonly OrderRecord[], until: number) =>
    records
      .filter(({ createdAt }) => createdAt < until)
      .map(({ id, total, status, driverId, createdAt }) => [id, total, status, driverId, createdAt].join(" "))
      .join("\n");
  const early = busy(soon);
  // Those of the last hours go on, and are the same orders.
  const yesterday = soon - 24 * hour;
  expect(facts(early, yesterday)).not.toBe("");
  expect(facts(busy(soon + 7 * 24 * hour), yesterday) === facts(early, yesterday)).toBe(true);
  expect(facts(busy(soon), soon) === facts(early, soon)).toBe(true);
  expect(busy(soon, 2)[5]).not.toEqual(early[5]);
});
