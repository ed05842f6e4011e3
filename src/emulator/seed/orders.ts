/** Seeds the orders: a lean record of each at once, the order in full when it is needed. */
import { numberFromCents } from "../../contract/money.js";
import type { Order } from "../../contract/models.js";
import type { OrderRecord } from "../domain/orders.js";
import type { Cast } from "./cast.js";
import { drafting, type Draft } from "./draft.js";
import { firstOrderId, planOrder, type Plan } from "./plan.js";
import { renderOrder } from "./render.js";
import { anyTaste } from "./tastes.js";
import { createTimeline } from "./timeline.js";

export interface SeededOrders {
  /** Lists all orders in the order of their ids, which is the order of their creation. */
  records(): Generator<OrderRecord>;
  /** @returns `undefined` for an order that was not seeded */
  full(id: number): Order | undefined;
}

/** @param now milliseconds since the epoch: the orders end here */
export function seedOrders(seed: number, count: number, now: number, cast: Cast): SeededOrders {
  const { stores } = cast;
  const timeline = createTimeline(seed, count, now, stores.length);
  const draftOf = drafting(cast, anyTaste);
  const make = (index: number): [Plan, Draft] => {
    const plan = planOrder(seed, index, stores, timeline);
    return [plan, draftOf(plan)];
  };
  return {
    *records() {
      for (let index = 0; index < count; index += 1) yield recordOf(...make(index));
    },
    full(id) {
      const index = id - firstOrderId;
      return index >= 0 && index < count ? renderOrder(...make(index)) : undefined;
    },
  };
}

/** Makes the record of an order that is as its plan and draft say. */
export function recordOf(plan: Plan, draft: Draft): OrderRecord {
  return {
    id: plan.id,
    storeId: plan.store.id,
    orderType: plan.orderType,
    timing: plan.timing,
    salesChannel: plan.salesChannel,
    customerOrigin: draft.customerOrigin,
    deliveredBy: draft.deliveredBy,
    createdAt: plan.createdAt,
    scheduledStart: draft.scheduledStart,
    total: draft.total,
    deliveryFee: draft.deliveryFee,
    paymentMethodIds: draft.payments.map((payment) => payment.method.id),
    paidOnlineByCreditCard: draft.payments.some(
      ({ method }) => method.online && method.code === "credit_card",
    ),
    inDeliveryRoute: draft.inDeliveryRoute,
    status: plan.status,
    driverId: draft.driverId,
    driverFee: draft.driverFee === null ? null : numberFromCents(draft.driverFee),
    cancellationReason: draft.cancellationReason,
    updatedAt: draft.updatedAt,
  };
}
