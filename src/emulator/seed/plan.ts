/** Plans what kind of order the n-th one is: where, when, of which type, channel and status. */
import type { OrderStatus, OrderTiming, OrderType } from "../../contract/enums.js";
import type { Store } from "../domain/model.js";
import { createRandom, streamSeed, type Random } from "../domain/random.js";
import { scenarios, type Scenario } from "./scenarios.js";
import type { Timeline } from "./timeline.js";

export interface Plan {
  readonly id: number;
  readonly store: Store;
  readonly orderType: OrderType;
  readonly timing: OrderTiming;
  readonly salesChannel: string;
  readonly status: OrderStatus;
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

/** Makes the last orders go through every open status, type by type and store by store; the others are history. */
export function planOrder(
  seed: number,
  index: number,
  stores: readonly [Store, ...Store[]],
  timeline: Timeline,
): Plan {
  const random = createRandom(streamSeed(seed, index));
  const recent = index - timeline.firstRecent;
  const turn = Math.max(recent, 0);
  const fixed = scenarios[Math.floor(turn / stores.length) % scenarios.length] ?? {};
  const scenario = drawScenario(random, recent < 0 ? {} : fixed);
  const store = recent < 0 ? random.pick(stores) : (stores[turn % stores.length] ?? stores[0]);
  return {
    id: firstOrderId + index,
    store,
    ...scenario,
    createdAt: timeline.createdAt[index] ?? 0,
    random,
  };
}
