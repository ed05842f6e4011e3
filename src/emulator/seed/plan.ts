/** Plans what kind of order the n-th one is: where, when, of which type, channel and status. */
import type { OrderStatus, OrderTiming, OrderType } from "../../contract/enums.js";
import type { Store } from "../domain/model.js";
import { createRandom, streamSeed, type Random } from "../domain/random.js";

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

export const firstOrderId = 100_001;

const channels: Readonly<Record<OrderType, readonly (readonly [string, number])[]>> = {
  delivery: [
    ["catalog", 50],
    ["marketplace_a", 22],
    ["portal", 8],
    ["messaging_extension", 8],
    ["integration", 4],
    ["marketplace_c", 3],
    ["marketplace_d", 3],
    ["marketplace_e", 2],
  ],
  takeout: [
    ["catalog", 40],
    ["store_front_catalog", 30],
    ["portal", 10],
    ["messaging_extension", 6],
    ["marketplace_a", 6],
    ["integration", 4],
    ["totem", 4],
  ],
  onsite: [
    ["totem", 50],
    ["portal", 30],
    ["integration", 20],
  ],
  closed_table: [
    ["table_catalog", 70],
    ["portal", 30],
  ],
};

const types = [
  ["delivery", 60],
  ["takeout", 20],
  ["onsite", 8],
  ["closed_table", 12],
] as const satisfies readonly (readonly [OrderType, number])[];

/** An order that nobody finalized was left in one of these. */
const leftIn: Readonly<Record<OrderType, OrderStatus>> = {
  delivery: "delivered",
  takeout: "waiting_to_catch",
  onsite: "waiting_to_catch",
  closed_table: "ready",
};

/** Every open status, wherever section 3 allows it. */
const open: readonly (readonly [OrderType, readonly OrderStatus[]])[] = [
  ["delivery", ["confirmed", "ready", "released", "delivered", "waiting_confirmation"]],
  ["takeout", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["onsite", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["closed_table", ["confirmed", "ready", "waiting_confirmation"]],
];

/** These kinds of order are under way right now; what one doesn't name is left to chance. */
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

export interface Timeline {
  /** The times are in milliseconds since the epoch in ascending order, whole seconds. */
  readonly createdAt: Float64Array;
  /** The first order of the last hours has this number. */
  readonly firstRecent: number;
}

/** Makes the last orders go through every open status, type by type and store by store; the others are history. */
export function planOrder(seed: number, index: number, stores: readonly Store[], timeline: Timeline): Plan {
  const random = createRandom(streamSeed(seed, index));
  const recent = index - timeline.firstRecent;
  const fixed = recent < 0 ? {} : scenarios[Math.floor(recent / stores.length) % scenarios.length];
  const scenario = drawScenario(random, fixed);
  const store = recent < 0 ? undefined : stores[recent % stores.length];
  return {
    id: firstOrderId + index,
    store: store ?? random.pick(stores),
    ...scenario,
    createdAt: timeline.createdAt[index] ?? 0,
    random,
  };
}
