/**
 * Which status changes are possible, as data: section 3. The targets are the specification's. The sources that
 * it does not show are chosen here, once:
 *
 * - An order that the store has not accepted yet, or that is not paid yet, can be cancelled and nothing else.
 * - Repeating a change is refused with 4002, since its target is not among its sources.
 * - An order of a table (`closed_table`) is never dispatched: no target is shown for it.
 * - While a cancellation is under way (`canceling`), every call is refused.
 */
import type { OrderStatus, OrderType } from "../../contract/enums.js";
import type { StatusChange } from "../../contract/operations.js";

interface Transition {
  /** The statuses from which the change is accepted. */
  readonly from: readonly OrderStatus[];
  readonly to: OrderStatus;
}

const pending = ["waiting_confirmation", "pending_payment", "pending_online_payment"] as const;
const preparing = ["scheduled_confirmed", "confirmed", "ready"] as const;

const dispatchForPickup: Transition = { from: preparing, to: "waiting_to_catch" };
const finalizePickup: Transition = { from: [...preparing, "waiting_to_catch"], to: "closed" };
const cancelPickup: Transition = { from: [...pending, ...preparing, "waiting_to_catch"], to: "canceled" };

/** A change that is missing for an order type is never possible there. */
export const transitions: Readonly<Record<StatusChange, Readonly<Partial<Record<OrderType, Transition>>>>> = {
  dispatch: {
    delivery: { from: preparing, to: "released" },
    takeout: dispatchForPickup,
    onsite: dispatchForPickup,
  },
  deliver: {
    delivery: { from: ["released"], to: "delivered" },
  },
  finalize: {
    delivery: { from: [...preparing, "released", "delivered"], to: "closed" },
    takeout: finalizePickup,
    onsite: finalizePickup,
    closed_table: { from: preparing, to: "closed" },
  },
  cancel: {
    delivery: { from: [...pending, ...preparing, "released", "delivered"], to: "canceled" },
    takeout: cancelPickup,
    onsite: cancelPickup,
    closed_table: { from: [...pending, ...preparing], to: "canceled" },
  },
};

/** The status that a change leads to, or `undefined` where it is refused with code 4002. */
export function targetOf(
  change: StatusChange,
  order: { readonly orderType: OrderType; readonly status: OrderStatus },
): OrderStatus | undefined {
  const transition = transitions[change][order.orderType];
  return transition?.from.includes(order.status) ? transition.to : undefined;
}
