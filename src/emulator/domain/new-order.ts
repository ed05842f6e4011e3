/** Makes an order to a test's wishes: the named fields are as the test wants them, the rest follows from them or is drawn. */
import * as z from "zod/mini";

import { orderStatuses, orderTimings, orderTypes } from "../../api/enums.js";
import type { Order } from "../../api/models.js";
import { centsFromNumber, hasAtMostTwoDecimals, numberFromCents, type Cents } from "../../api/money.js";
import { orderSchemas } from "../../api/schemas.js";
import type { NewOrder } from "../inputs.js";
import { houseCatalog, paymentMethod, paymentMethods } from "../seed/catalog.js";
import { anyTaste, draftOrder, splitPayments, type Scenario } from "../seed/draft.js";
import { renderOrder } from "../seed/render.js";
import { invalid } from "./refused.js";
import type { OrderRecord } from "./orders.js";
import { createRandom } from "./random.js";
import type { World } from "./world.js";

/** Every field of section 2.1 may be named. Values that the API keeps open in its answers are closed here. */
export const newOrderSchema = z.strictObject({
  ...z.partial(orderSchemas().order).shape,
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  order_timing: z.optional(z.enum(orderTimings)),
  id: z.optional(z.int().check(z.minimum(1))),
  in_delivery_route: z.optional(z.boolean()),
  payment_method_ids: z.optional(
    z.array(z.enum(Object.fromEntries(paymentMethods.map(({ id }) => [`method_${id}`, id])))),
  ),
});

/**
 * Puts the order into the world.
 *
 * @throws {Refused} where it can't be
 */
export function createOrder(world: World, newOrder: NewOrder): OrderRecord {
  const store = world.storeOf(newOrder.merchant_id);
  const id = newOrder.id ?? world.orders.nextId;
  if (world.orders.find(id)) throw invalid(`id: there is an order ${id} already`);
  const { in_delivery_route: inDeliveryRoute = false, payment_method_ids: methodIds, ...wishes } = newOrder;
  const now = Math.floor(world.clock.now() / 1_000) * 1_000;
  const createdAt = wishes.created_at === undefined ? now : Date.parse(wishes.created_at);
  const plan = { id, store, ...scenarioOf(wishes), createdAt, random: createRandom(id) };
  const drawn = draftOrder(plan, [], anyTaste(world.catalogs.get(store.id) ?? houseCatalog));
  const methods = methodIds?.map(paymentMethod) ?? drawn.payments.map((payment) => payment.method);
  // A test has to name a fee, a discount or an origin to get it: an order without wishes costs what its items do.
  const record = { ...drawn.record, deliveryFee: 0, customerOrigin: null, updatedAt: createdAt };
  const payments = methods.map((method) => ({ method, total: 0 }));
  const draft = { ...drawn, record, serviceFee: 0, additionalFee: 0, discount: 0, payments };
  const named: Partial<Order> = Object.fromEntries(
    Object.entries(wishes).filter(([, value]) => value !== undefined),
  );
  const order: Order = { ...renderOrder(draft), ...named };
  if (wishes.total === undefined) order.total = numberFromCents(Math.max(orderTotal(order), 0));
  if (wishes.payments === undefined) {
    const parts = splitPayments(methods, toCents(order.total));
    order.payments = order.payments.map((payment, index) => ({
      ...payment,
      total: numberFromCents(parts[index]?.total ?? 0),
      ...("change_for" in payment ? { change_for: null } : {}),
      ...("change_of" in payment ? { change_of: null } : {}),
    }));
  }
  const broken = contradictions(order);
  if (broken.length > 0) throw invalid(broken.join("; "));
  world.createdOrders.set(id, order);
  const made: OrderRecord = {
    ...record,
    customerOrigin: order.customer_origin,
    deliveredBy: order.delivered_by,
    total: toCents(order.total),
    deliveryFee: toCents(order.delivery_fee),
    driverId: order.driver_id,
    driverFee: order.driver_fee,
    cancellationReason: order.cancellation_reason,
    scheduledStart: order.schedule ? Date.parse(order.schedule.scheduled_date_time_start) : null,
    updatedAt: Date.parse(order.updated_at),
    paidOnlineByCreditCard: order.payments.some(
      (payment) => payment.payment_type === "online" && payment.payment_method === "credit_card",
    ),
    paymentMethodIds: methods.map((method) => method.id),
    inDeliveryRoute,
  };
  world.orders.add(made);
  return made;
}

function toCents(amount: number): Cents {
  return Math.round(amount * 100);
}

/** Finds the kind of order that the wishes speak of. */
function scenarioOf(wishes: NewOrder): Scenario {
  const { status = "confirmed" } = wishes;
  const atCounter = status === "waiting_to_catch" || status === "pending_payment";
  const isTakeout = atCounter || wishes.sales_channel === "store_front_catalog";
  const elsewhere = (wishes.table_number ?? null) === null ? "delivery" : "closed_table";
  const orderType = wishes.order_type ?? (isTakeout ? "takeout" : elsewhere);
  const scheduled = status === "scheduled_confirmed" || (wishes.schedule ?? null) !== null;
  const timing = wishes.order_timing ?? (scheduled ? "scheduled" : "immediate");
  const usual = { delivery: "catalog", takeout: "catalog", onsite: "totem", closed_table: "table_catalog" };
  const channel = status === "pending_payment" ? "store_front_catalog" : usual[orderType];
  return { orderType, timing, status, salesChannel: wishes.sales_channel ?? channel };
}

/** Amounts whose types are not shown count as far as they are numbers. */
function cents(amount: unknown): Cents {
  return typeof amount === "number" ? (centsFromNumber(amount) ?? Number.NaN) : 0;
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Computes `total` as section 2.1 has it, in cents; `NaN` where an amount has more than two decimals. */
function orderTotal(order: Order): Cents {
  return (
    sum(order.items.map((item) => cents(item.total_price))) +
    cents(order.delivery_fee) +
    cents(order.service_fee) +
    cents(order.additional_fee) +
    sum(order.payments.map((payment) => cents(payment.payment_fee))) -
    sum(order.discounts.map((discount) => cents(discount.total)))
  );
}

/** Is `total_price` as section 2.3 has it? */
function isItemTotalRight(item: Order["items"][number]): boolean {
  const options = item.options.map(({ unit_price, total_price, quantity }) =>
    unit_price === undefined ? cents(total_price) : quantity * cents(unit_price),
  );
  // The quantity is in hundredths, so that 0.35 kg at 79.00 is computed with integers.
  return (cents(item.quantity) * (cents(item.unit_price) + sum(options))) / 100 === cents(item.total_price);
}

/** Lists the conditions and formulas of sections 2.1, 2.3 and 3 that don't hold for an order, in words. */
export function contradictions(order: Order): string[] {
  const { status, order_type: type, order_timing: timing, sales_channel: channel, items } = order;
  const isDelivery = type === "delivery";
  const isScheduled = timing === "scheduled";
  const { driver_id, driver_fee, delivery_fee, delivery_address, table_number, service_fee, user } = order;
  const holds = {
    "status released and delivered are only for delivery":
      isDelivery || (status !== "released" && status !== "delivered"),
    "status waiting_to_catch is only for takeout and onsite":
      status !== "waiting_to_catch" || type === "takeout" || type === "onsite",
    "status pending_payment is only for sales_channel store_front_catalog":
      status !== "pending_payment" || channel === "store_front_catalog",
    "status scheduled_confirmed is only for order_timing scheduled":
      status !== "scheduled_confirmed" || isScheduled,
    "sales_channel store_front_catalog is only for takeout":
      channel !== "store_front_catalog" || type === "takeout",
    "delivered_by is null exactly where order_type is not delivery":
      (order.delivered_by === null) === !isDelivery,
    "driver_id, driver_fee, delivery_fee and delivery_address are only for delivery":
      isDelivery ||
      (driver_id === null && driver_fee === null && delivery_fee === 0 && delivery_address === null),
    "table_number, service_fee and user are only for closed_table":
      type === "closed_table" || (table_number === null && service_fee === 0 && user === null),
    "schedule is there exactly where order_timing is scheduled": (order.schedule !== null) === isScheduled,
    "cancellation_reason is only for canceled orders":
      order.cancellation_reason === null || status === "canceled",
    "customer may only be null for sales_channel portal and messaging_extension":
      order.customer !== null || channel === "portal" || channel === "messaging_extension",
    "driver_fee has at most two decimals": driver_fee === null || hasAtMostTwoDecimals(driver_fee),
    "total_price is quantity x (unit_price + options)": items.every(isItemTotalRight),
    "a combo has no options of its own, a regular item no items": items.every(
      ({ kind, options, items: children }) => (kind === "combo" ? options.length : children.length) === 0,
    ),
    "total is the sum of items and fees less the discounts, and at least 0":
      orderTotal(order) === cents(order.total) && order.total >= 0,
  };
  return Object.entries(holds).flatMap(([rule, isKept]) => (isKept ? [] : [rule]));
}
