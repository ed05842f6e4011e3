/** These kinds of order are under way right now: every open status, wherever section 3 allows it. */
import type { OrderStatus, OrderTiming, OrderType } from "../../contract/enums.js";

export interface Scenario {
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly status: OrderStatus;
}

const open: readonly (readonly [OrderType, readonly OrderStatus[]])[] = [
  ["delivery", ["confirmed", "ready", "released", "delivered", "waiting_confirmation"]],
  ["takeout", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["onsite", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["closed_table", ["confirmed", "ready", "waiting_confirmation"]],
];

/** A scenario leaves what it doesn't name to chance. */
export const scenarios: readonly Partial<Scenario>[] = [
  ...open.flatMap(([orderType, statuses]) =>
    statuses.map((status): Partial<Scenario> => ({ orderType, status, timing: "immediate" })),
  ),
  { orderType: "delivery", timing: "scheduled", status: "scheduled_confirmed" },
  { orderType: "takeout", timing: "scheduled", status: "scheduled_confirmed" },
  { orderType: "takeout", status: "pending_payment", salesChannel: "store_front_catalog" },
  { orderType: "delivery", status: "pending_online_payment", salesChannel: "catalog" },
  { orderType: "takeout", status: "pending_online_payment", salesChannel: "catalog" },
  { orderType: "delivery", status: "canceling", salesChannel: "catalog" },
  { orderType: "takeout", status: "canceling", salesChannel: "catalog" },
  { orderType: "delivery", status: "confirmed", salesChannel: "marketplace_a" },
  { orderType: "delivery", status: "closed" },
  { orderType: "takeout", status: "closed" },
  { orderType: "delivery", status: "canceled" },
];
