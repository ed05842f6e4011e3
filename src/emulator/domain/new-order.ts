/** Creates an order for a test from some of its fields. The other fields follow from them or are random. */
import * as z from "zod/mini";

import { feeRule } from "../../api/input.js";
import { orderStatuses, orderTimings, orderTypes } from "../../api/values.js";
import type { Order } from "../../api/models.js";
import { hasAtMostTwoDecimals, numberFromCents, type Cents } from "../../api/money.js";
import { orderSchemas } from "../../api/responses.js";
import { oneOf } from "../../api/schema.js";
import type { NewOrder } from "../inputs.js";
import { integer } from "../seed/cast.js";
import { campaigns, centsOf, draftOrder, paymentMethods, renderOrder } from "../seed/orders.js";
import type { Scenario } from "../seed/orders.js";
import { invalid } from "./refused.js";
import type { OrderRecord } from "./orders.js";
import { createRandom } from "./random.js";
import type { World } from "./world.js";

/** Amounts are added up in cents. */
const amount = z.number().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER / 100));
const driverFee = amount.check(z.refine(hasAtMostTwoDecimals, { error: feeRule }));

/** Accepts every field of section 2.1. Only documented values are accepted, even if the API may return others. */
export const newOrderSchema = z.strictObject({
  ...z.partial(orderSchemas().order).shape,
  status: z.optional(oneOf(orderStatuses)),
  order_type: z.optional(oneOf(orderTypes)),
  order_timing: z.optional(oneOf(orderTimings)),
  id: z.optional(integer(1)),
  driver_id: z.optional(z.nullable(integer(1))),
  driver_fee: z.optional(z.nullable(driverFee)),
  delivery_fee: z.optional(amount),
  service_fee: z.optional(amount),
  additional_fee: z.optional(amount),
  total: z.optional(amount),
  in_delivery_route: z.optional(z.boolean()),
  payment_method_ids: z.optional(z.array(z.literal(paymentMethods.map(({ id }) => id)))),
});

/** Adds the order to the world. @throws {Refused} if it isn't valid */
export function createOrder(world: World, newOrder: NewOrder): OrderRecord {
  const { in_delivery_route: inDeliveryRoute = false, payment_method_ids: methodIds, ...wishes } = newOrder;
  const store = world.storeOf(wishes.merchant_id);
  const id = wishes.id ?? world.orders.nextId;
  if (world.orders.find(id)) throw invalid(`id: there is an order ${id} already`);
  const now = Math.floor(world.clock.now() / 1_000) * 1_000;
  const createdAt = wishes.created_at === undefined ? now : Date.parse(wishes.created_at);
  const plan = { id, store, ...scenarioOf(wishes), createdAt, random: createRandom(id) };
  const drawn = draftOrder(plan, [], campaigns);
  const methods = methodIds
    ? paymentMethods.filter((method) => methodIds.includes(method.id))
    : drawn.methods;
  // Fees, discounts and origins are only set if a test names them, so by default an order costs the sum of its items.
  const record = { ...drawn.record, deliveryFee: 0, customerOrigin: null, updatedAt: createdAt };
  const costs = { serviceFee: 0, additionalFee: 0, discount: 0 };
  const named: Partial<Order> = Object.fromEntries(
    Object.entries(wishes).filter(([, value]) => value !== undefined),
  );
  // The payment follows from the total, and the total from the rendered order.
  const render = (total: Cents): Order => ({
    ...renderOrder({ ...drawn, ...costs, methods, record: { ...record, total } }),
    ...named,
  });
  const total = wishes.total ?? numberFromCents(Math.max(totalOf(render(0)), 0));
  const order: Order = { ...render(centsOf(total)), total };
  const made: OrderRecord = {
    ...record,
    customerOrigin: order.customer_origin,
    deliveredBy: order.delivered_by,
    total: centsOf(order.total),
    deliveryFee: centsOf(order.delivery_fee),
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
  world.orders.add(made, () => order);
  return made;
}

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

/** Computes `total` as in section 2.1. Amounts whose type isn't shown count only if they are numbers. */
function totalOf(order: Order): Cents {
  const sum = (amounts: readonly unknown[]) =>
    amounts.reduce<Cents>((total, amount) => total + (typeof amount === "number" ? centsOf(amount) : 0), 0);
  const prices = order.items.map((item) => item.total_price);
  const paymentFees = order.payments.map((payment) => payment.payment_fee);
  const costs = [...prices, order.delivery_fee, order.service_fee, order.additional_fee, ...paymentFees];
  return sum(costs) - sum(order.discounts.map((discount) => discount.total));
}
