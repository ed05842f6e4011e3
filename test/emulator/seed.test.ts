import { describe, expect, test } from "vitest";
import * as z from "zod/mini";

import { orderStatuses, orderTimings, orderTypes } from "../../src/api/values.js";
import { filterFields } from "../../src/api/filters.js";
import { orderSchemas } from "../../src/api/responses.js";
import { centsFromNumber } from "../../src/api/money.js";
import type { Order } from "../../src/api/models.js";
import type { OrderRecord } from "../../src/emulator/domain/orders.js";
import { createTestEmulator } from "./support.js";

function ordersOf(seed: number, count: number): [OrderRecord, Order][] {
  const { orders } = createTestEmulator({ seed, orders: count }).service.world;
  return [...orders.all()].map((record) => [record, orders.full(record)]);
}

/** Computes the total by sections 2.1 and 2.3 in millionths, independently of the emulator's arithmetic. */
function expectedTotal(order: Order): number {
  const micro = (amount: unknown): number => Math.round(Number(amount ?? 0) * 1e6);
  const items = order.items.map((item) => {
    const options = item.options.map((each) => each.quantity * micro(each.unit_price ?? each.total_price));
    const unit = micro(item.unit_price) + options.reduce((sum, amount) => sum + amount, 0);
    expect(micro(item.total_price)).toBe(Math.round(item.quantity * unit));
    return micro(item.total_price);
  });
  const amounts = [
    ...items,
    ...[order.delivery_fee, order.service_fee, order.additional_fee].map(micro),
    ...order.payments.map((payment) => micro(payment.payment_fee)),
    ...order.discounts.map((discount) => -micro(discount.total)),
  ];
  return amounts.reduce((sum, amount) => sum + amount, 0) / 1e6;
}

/** Returns the conditions of sections 2.1 and 3 that an order violates. */
function violations(order: Order): string[] {
  const { status, order_type: type, order_timing: timing, sales_channel: channel } = order;
  const { driver_id, driver_fee, delivery_fee, delivery_address, table_number, service_fee, user } = order;
  const isDelivery = type === "delivery";
  const conditions = {
    "released and delivered": isDelivery || (status !== "released" && status !== "delivered"),
    waiting_to_catch: status !== "waiting_to_catch" || type === "takeout" || type === "onsite",
    pending_payment: status !== "pending_payment" || channel === "store_front_catalog",
    scheduled_confirmed: status !== "scheduled_confirmed" || timing === "scheduled",
    store_front_catalog: channel !== "store_front_catalog" || type === "takeout",
    delivered_by: (order.delivered_by === null) === !isDelivery,
    delivery:
      isDelivery ||
      (driver_id === null && driver_fee === null && delivery_fee === 0 && delivery_address === null),
    table: type === "closed_table" || (table_number === null && service_fee === 0 && user === null),
    schedule: (order.schedule !== null) === (timing === "scheduled"),
    cancellation_reason: order.cancellation_reason === null || status === "canceled",
    customer: order.customer !== null || channel === "portal" || channel === "messaging_extension",
    combo: order.items.every(
      ({ kind, options, items }) => (kind === "combo" ? options.length : items.length) === 0,
    ),
    total: order.total >= 0,
  };
  return Object.entries(conditions).flatMap(([name, isMet]) => (isMet ? [] : [name]));
}

/** Returns every 41st order of some weeks and all of the last hours. The scene can't begin before 1970. */
function someBusyOrders(): [OrderRecord, Order][] {
  const now = Date.UTC(1970, 1, 20, 18);
  const { orders } = createTestEmulator({ scene: "busy", now: { now: () => now } }).service.world;
  return [...orders.all()]
    .filter(({ createdAt }, index) => index % 41 === 0 || createdAt > now - 5 * 3_600_000)
    .map((record) => [record, orders.full(record)]);
}

describe.each([
  ...[1, 4_294_967_295].map((seed) => [`seed ${seed}`, ordersOf(seed, 300)] as const),
  ["the busy restaurant", someBusyOrders()] as const,
])("every order of %s", (_, orders) => {
  test("matches the contract and the rules of sections 2.1 and 3", () => {
    for (const [, order] of orders) {
      const result = z.safeParse(orderSchemas().order, order);
      expect(result.success ? "" : JSON.stringify([result.error.issues, order])).toBe("");
      expect(violations(order), String(order.id)).toEqual([]);
    }
  });

  test("adds up exactly, and its payments equal its total", () => {
    for (const [, order] of orders) {
      expect(order.total).toBe(expectedTotal(order));
      const paid = order.payments.map((payment) => centsFromNumber(Number(payment.total)) ?? Number.NaN);
      expect(paid.reduce((sum, cents) => sum + cents, 0)).toBe(centsFromNumber(order.total));
    }
  });
});

test("the seeded orders include every status, type, timing and channel", () => {
  const orders = ordersOf(1, 2_000);
  const values = (field: keyof Order): Set<unknown> => new Set(orders.map(([, order]) => order[field]));
  expect([...orderStatuses].filter((status) => !values("status").has(status))).toEqual([]);
  expect([...orderTypes].filter((type) => !values("order_type").has(type))).toEqual([]);
  expect([...orderTimings].filter((timing) => !values("order_timing").has(timing))).toEqual([]);
  const channels = filterFields.sales_channel.values.values;
  expect(channels.filter((channel) => !values("sales_channel").has(channel))).toEqual([]);
});

test("the seeded orders are the same for the same seed, and differ for another seed", () => {
  expect(ordersOf(3, 150)).toEqual(ordersOf(3, 150));
  const totals = (seed: number): number[] => ordersOf(seed, 150).map(([record]) => record.total);
  expect(totals(3)).not.toEqual(totals(4));
});
