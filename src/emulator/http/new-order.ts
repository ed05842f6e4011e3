/**
 * Makes an order to a test's wishes: the named fields are as the test wants them, the rest follows from them or is
 * drawn.
 */
import * as z from "zod/mini";

import { orderStatuses, orderTimings, orderTypes } from "../../api/enums.js";
import { numberFromCents } from "../../api/money.js";
import { orderSchema } from "../../api/order.js";
import type { Order } from "../../api/models.js";
import { invalid } from "../domain/choices.js";
import { contradictions, orderTotal } from "../domain/order-rules.js";
import type { OrderRecord } from "../domain/orders.js";
import { createRandom } from "../domain/random.js";
import { houseCatalog, paymentMethod, paymentMethods } from "../seed/catalog.js";
import { draftOrder, splitPayments } from "../seed/draft.js";
import type { Scenario } from "../seed/plan.js";
import { renderOrder } from "../seed/render.js";
import { anyTaste } from "../seed/tastes.js";
import type { World } from "../domain/world.js";

/** Every field of section 2.1 may be named. Values that the API keeps open in its answers are closed here. */
export const newOrderSchema = z.strictObject({
  ...z.partial(orderSchema()).shape,
  status: z.optional(z.enum(orderStatuses)),
  order_type: z.optional(z.enum(orderTypes)),
  order_timing: z.optional(z.enum(orderTimings)),
  id: z.optional(z.int().check(z.minimum(1))),
  in_delivery_route: z.optional(z.boolean()),
  payment_method_ids: z.optional(
    z.array(z.enum(Object.fromEntries(paymentMethods.map(({ id }) => [`method_${id}`, id])))),
  ),
});
export type NewOrder = z.infer<typeof newOrderSchema>;

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
  const brokenRules = contradictions(order);
  if (brokenRules.length > 0) throw invalid(brokenRules.join("; "));
  world.createdOrders.set(id, order);
  const paymentMethodIds = methods.map((method) => method.id);
  const made = { ...record, ...factsOf(order), paymentMethodIds, inDeliveryRoute };
  world.orders.add(made);
  return made;
}

type OrderWishes = Omit<NewOrder, "in_delivery_route" | "payment_method_ids">;

function toCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Finds the kind of order that the wishes speak of. */
function scenarioOf(wishes: OrderWishes): Scenario {
  const { status = "confirmed" } = wishes;
  const atCounter = status === "waiting_to_catch" || status === "pending_payment";
  const isTakeout = atCounter || wishes.sales_channel === "store_front_catalog";
  const elsewhere = (wishes.table_number ?? null) === null ? "delivery" : "closed_table";
  const orderType = wishes.order_type ?? (isTakeout ? "takeout" : elsewhere);
  const scheduled = status === "scheduled_confirmed" || (wishes.schedule ?? null) !== null;
  const timing = wishes.order_timing ?? (scheduled ? "scheduled" : "immediate");
  const usualChannels = {
    delivery: "catalog",
    takeout: "catalog",
    onsite: "totem",
    closed_table: "table_catalog",
  };
  const channel = status === "pending_payment" ? "store_front_catalog" : usualChannels[orderType];
  return { orderType, timing, status, salesChannel: wishes.sales_channel ?? channel };
}

/** Reads the facts of the record from the order as it came out. */
function factsOf(order: Order) {
  return {
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
  };
}
