/**
 * The possible status changes of section 3 as data. The targets are the specification's. The sources that it doesn't show follow
 * from the readings `dispatch_from`, `dispatch_again`, `finalize_from` and `cancel_from`. In addition:
 *
 * - An order of a table (`closed_table`) can't be dispatched, because no target is shown for it.
 * - During a cancellation (`canceling`), every change is rejected.
 */
import type { OrderStatus, OrderType } from "../../api/values.js";
import type { StatusChange } from "../../api/operations.js";
import { usualReadings, type Readings } from "../readings.js";

type Statuses = readonly OrderStatus[];

const pending: Statuses = ["waiting_confirmation", "pending_payment", "pending_online_payment"];
const preparing: Statuses = ["scheduled_confirmed", "confirmed", "ready"];
/** The statuses of an order that has left the kitchen; an order of a table has none. */
const handedOver: Readonly<Record<OrderType, Statuses>> = {
  delivery: ["released", "delivered"],
  takeout: ["waiting_to_catch"],
  onsite: ["waiting_to_catch"],
  closed_table: [],
};

/** The targets that section 3 shows. A change without a target isn't possible for an order type. */
const targets: Readonly<Record<StatusChange, Readonly<Partial<Record<OrderType, OrderStatus>>>>> = {
  dispatch: { delivery: "released", takeout: "waiting_to_catch", onsite: "waiting_to_catch" },
  deliver: { delivery: "delivered" },
  finalize: { delivery: "closed", takeout: "closed", onsite: "closed", closed_table: "closed" },
  cancel: { delivery: "canceled", takeout: "canceled", onsite: "canceled", closed_table: "canceled" },
};

const dispatchSources: Readonly<Record<Readings["dispatch_from"], Statuses>> = {
  preparing,
  ready: ["ready"],
  any_open: [...pending, ...preparing],
};

/** Returns the status after a change, or `undefined` if the change is rejected with code 4002. */
export function targetOf(
  change: StatusChange,
  { orderType, status }: { readonly orderType: OrderType; readonly status: OrderStatus },
  readings = usualReadings,
): OrderStatus | undefined {
  const target = targets[change][orderType];
  const handed = handedOver[orderType];
  const isOnlyHandedOver = readings.finalize_from === "handed_over" && handed.length > 0;
  const sources: Readonly<Record<StatusChange, Statuses>> = {
    dispatch: dispatchSources[readings.dispatch_from],
    deliver: ["released"],
    finalize: [
      ...(readings.finalize_from === "any_open" ? pending : []),
      ...(isOnlyHandedOver ? [] : preparing),
      ...handed,
    ],
    cancel: [...pending, ...preparing, ...(readings.cancel_from === "any_open" ? handed : [])],
  };
  const isAgain = change === "dispatch" && readings.dispatch_again === "accepted" && status === target;
  return isAgain || sources[change].includes(status) ? target : undefined;
}
