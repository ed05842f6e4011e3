/** Plans what kind of order there is: where, when, of which type, channel and status. */
import type { OrderStatus, OrderTiming, OrderType } from "../../api/enums.js";
import type { Store } from "../domain/model.js";
import type { Random, Weighted } from "../domain/random.js";

export interface Scenario {
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly status: OrderStatus;
}

export interface Plan extends Scenario {
  readonly id: number;
  readonly store: Store;
  /** The time is in milliseconds since the epoch, a whole second. */
  readonly createdAt: number;
  /** The order has its own stream of chance: the same seed and place draw the same values. */
  readonly random: Random;
}

const channels: Readonly<Record<OrderType, Weighted<string>>> = {
  delivery: Object.entries({
    catalog: 50,
    marketplace_a: 22,
    portal: 8,
    messaging_extension: 8,
    integration: 4,
    marketplace_c: 3,
    marketplace_d: 3,
    marketplace_e: 2,
  }),
  takeout: Object.entries({
    catalog: 40,
    store_front_catalog: 30,
    portal: 10,
    messaging_extension: 6,
    marketplace_a: 6,
    integration: 4,
    totem: 4,
  }),
  onsite: Object.entries({ totem: 50, portal: 30, integration: 20 }),
  closed_table: Object.entries({ table_catalog: 70, portal: 30 }),
};

const types: Weighted<OrderType> = [
  ["delivery", 60],
  ["takeout", 20],
  ["onsite", 8],
  ["closed_table", 12],
];

/** An order that nobody finalized was left in one of these. */
const leftIn: Readonly<Record<OrderType, OrderStatus>> = {
  delivery: "delivered",
  takeout: "waiting_to_catch",
  onsite: "waiting_to_catch",
  closed_table: "ready",
};

/** Draws whatever of an order's kind the scenario leaves open. */
export function drawScenario(random: Random, fixed: Partial<Scenario> = {}): Scenario {
  const orderType = fixed.orderType ?? random.weighted(types);
  const canBeScheduled = orderType === "delivery" || orderType === "takeout";
  const timing = fixed.timing ?? (canBeScheduled && random.chance(0.1) ? "scheduled" : "immediate");
  const salesChannel = fixed.salesChannel ?? random.weighted(channels[orderType]);
  const outcome = random.next();
  const past = outcome < 0.87 ? "closed" : outcome < 0.97 ? "canceled" : leftIn[orderType];
  return { orderType, timing, salesChannel, status: fixed.status ?? past };
}
