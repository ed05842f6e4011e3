/**
 * Programs of integrators with a slip in each, which the types find: `npm run check:types` compiles this file and says which
 * of them would pass. Nothing of it is run. What lies inside a text, such as the form of a date, no type finds.
 */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import {
  createClient,
  type Client,
  type ErrorCode,
  type Order,
  type OrderStatus,
  type ReadOrder,
  type Result,
  type Summary,
} from "../../src/library/index.js";
import { startEmulator } from "../../src/library/emulator.js";

declare const client: Client;
declare const order: Order;
const period = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59-03:00" };
const days = { start_date: "2026-10-01", end_date: "2026-10-31", date_field: "scheduled_date" } as const;

const wrong = {
  "1: an order's id as an object": () =>
    // @ts-expect-error -- ids are digits
    client.dispatchOrder({ id: 4711 }),
  "2: a list of orders where one is meant": () =>
    // @ts-expect-error -- one order a call
    client.dispatchOrder(["4711"]),
  "3: no order at all": () =>
    // @ts-expect-error -- which order?
    client.finalizeOrder(),
  "4: a method that there isn't": (): keyof Client =>
    // @ts-expect-error -- it is deliverOrder
    "markDelivered",
  "5: a reason by another name": () =>
    // @ts-expect-error -- it is cancellation_reason
    client.cancelOrder("4711", { reason: "sold out" }),
  "6: the reason as a text by itself": () =>
    // @ts-expect-error -- it is a field
    client.cancelOrder("4711", "sold out"),
  "7: a misspelled reason": () =>
    // @ts-expect-error -- cancellation, with two l
    client.cancelOrder("4711", { cancelation_reason: "sold out" }),
  "8: a driver's id as text": () =>
    // @ts-expect-error -- a driver is a number
    client.assignDriver("4711", { driver_id: "12" }),
  "9: a driver without an id": () =>
    // @ts-expect-error -- which driver?
    client.assignDriver("4711", { driver_fee: 7.5 }),
  "10: fields in camel case": () =>
    // @ts-expect-error -- it is driver_id
    client.assignDriver("4711", { driverId: 12 }),
  "11: a fee in another currency's object": () =>
    // @ts-expect-error -- an amount is a number or a text
    client.assignDriver("4711", { driver_id: 12, driver_fee: { amount: 7.5 } }),
  "12: a field that the call refuses": () =>
    // @ts-expect-error -- no other properties
    client.assignDriver("4711", { driver_id: 12, note: "x" }),
  "13: the order's fields where the answer is meant": (): keyof Result<ReadOrder> =>
    // @ts-expect-error -- it is in value
    "driver_id",
  "14: a misspelled field of an order": (): keyof Order =>
    // @ts-expect-error -- it is total
    "totl",
  "15: a field of an order as another type": (): number =>
    // @ts-expect-error -- a friendly number of a marketplace may be null
    order.external_display_id,
  "16: a field of an answer that may be absent": async (): Promise<number> =>
    // @ts-expect-error -- an answer may lack any field
    (await client.assignDriver("4711", { driver_id: 12 })).value.total,
  "17: a summary without an end": () =>
    // @ts-expect-error -- end_date is required
    client.summary({ start_date: period.start_date }),
  "18: dates in camel case": () =>
    // @ts-expect-error -- it is start_date
    client.summary({ startDate: period.start_date, endDate: period.end_date }),
  "19: a Date where a text goes out": () =>
    // @ts-expect-error -- new Date().toISOString()
    client.summary({ start_date: new Date(), end_date: new Date() }),
  "20: group_by where nothing is split": () =>
    // @ts-expect-error -- it is groupedSummary
    client.summary({ ...period, group_by: "day" }),
  "21: a grouped summary without a dimension": () =>
    // @ts-expect-error -- group_by is required
    client.groupedSummary(period),
  "22: a dimension that there isn't": () =>
    // @ts-expect-error -- it is day_of_week
    client.groupedSummary({ ...period, group_by: "weekday" }),
  "23: hours of scheduled dates": () =>
    // @ts-expect-error -- a date has no hour
    client.groupedSummary({ ...days, group_by: "hour" }),
  "24: a misspelled date field": () =>
    // @ts-expect-error -- it is created_at
    client.summary({ ...period, date_field: "createdAt" }),
  "25: a status that there isn't": () =>
    // @ts-expect-error -- it is canceled
    client.summary({ ...period, filters: { status_in: ["cancelled"] } }),
  "26: a status that the filter doesn't take": () =>
    // @ts-expect-error -- section 4.8 leaves it out
    client.summary({ ...period, filters: { status_in: "canceling" } }),
  "27: a filter without its operator": () =>
    // @ts-expect-error -- it is status_in
    client.summary({ ...period, filters: { status: "closed" } }),
  "28: an operator that the field doesn't have": () =>
    // @ts-expect-error -- total has no list
    client.summary({ ...period, filters: { total_in: [50] } }),
  "29: a nested filter": () =>
    // @ts-expect-error -- one flat name each
    client.summary({ ...period, filters: { status: { in: ["closed"] } } }),
  "30: false where there is only true": () =>
    // @ts-expect-error -- it is customer_origin_not_null
    client.summary({ ...period, filters: { customer_origin_null: false } }),
  "31: several values where one goes": () =>
    // @ts-expect-error -- one amount
    client.summary({ ...period, filters: { total_gteq: [10, 20] } }),
  "32: a misspelled figure": (): keyof Summary =>
    // @ts-expect-error -- it is total_revenue
    "totalRevenue",
  "33: a pre-filled order by a slip of the fingers": () =>
    // @ts-expect-error -- it is customer
    client.createPrefilledOrder({ order_type: "takeout", custommer: { name: "Ana" } }),
  "34: an item by other names": () =>
    client.createPrefilledOrder({
      order_type: "takeout",
      // @ts-expect-error -- it is item_id and quantity
      cart: [{ item: 3001, qty: 2 }],
    }),
  "35: an address for a takeout": () =>
    // @ts-expect-error -- nothing is delivered
    client.createPrefilledOrder({ order_type: "takeout", delivery_address: { city: "Recife" } }),
  "36: an order type that can't be pre-filled": () =>
    // @ts-expect-error -- delivery or takeout
    client.createPrefilledOrder({ order_type: "onsite" }),
  "37: a status compared with none that there is": (): OrderStatus =>
    // @ts-expect-error -- it is delivered
    "deliverd",
  "38: an error's code that there isn't": (): ErrorCode =>
    // @ts-expect-error -- it is not_found
    "notFound",
  "39: an option that there isn't": () =>
    // @ts-expect-error -- it is timeoutMs
    createClient({ baseUrl: "https://api.example", credentials: {}, timeout: 5_000 }),
  "40: a token where a function is asked for": () =>
    createClient({
      baseUrl: "https://api.example",
      // @ts-expect-error -- async () => token
      credentials: { bearer: "TOKEN" },
    }),
  "41: a signal's controller in the signal's place": () =>
    // @ts-expect-error -- controller.signal
    client.dispatchOrder("4711", { signal: new AbortController() }),
  "42: a fault of the emulator that there isn't": () =>
    // @ts-expect-error -- it is delay
    startEmulator({ faults: [{ kind: "slow", ms: 5 }] }),
};

/** What is right stays so: an open value, a code to switch on, the platform's fetch, figures by the hour. */
const right = {
  statuses: (one: Order): boolean => one.status === "served_at_the_table" || one.status === "closed",
  channels: () => client.summary({ ...period, filters: { sales_channel_in: ["totem", "marketplace_z"] } }),
  hours: () => client.groupedSummary({ ...period, group_by: "hour" }),
  dimension: (group_by: "day" | "hour" | "status") => client.groupedSummary({ ...period, group_by }),
  transport: () => createClient({ baseUrl: "https://api.example", credentials: {}, fetch }),
  code: (code: ErrorCode) => code === "outcome_unknown",
  cart: () =>
    client.createPrefilledOrder({
      order_type: "delivery",
      cart: [{ item_id: 3001, quantity: 2 }],
      delivery_address: { city: "Recife" },
    }),
};

test("each of them has a line that the compiler has to refuse, and what is right has none", () => {
  const source = readFileSync(import.meta.filename, "utf8");
  const expected = [...source.matchAll(/^ +\/\/ @ts-expect-error -- /gm)];
  expect(expected).toHaveLength(Object.keys(wrong).length);
  expect(Object.keys(wrong).length).toBeGreaterThanOrEqual(39);
  expect(Object.keys(right)).toContain("transport");
});
