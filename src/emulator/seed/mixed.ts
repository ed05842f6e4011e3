/** Makes three years of a few orders of every kind: more of them late than early, busy at lunch and in the evening. */
import type { OrderStatus, OrderType } from "../../api/values.js";
import type { SeededOrders } from "../domain/orders.js";
import { createRandom, streamSeed, weightsFrom } from "../domain/random.js";
import { driversByStore, type Cast } from "./cast.js";
import { anyTaste, draftOrder, drawScenario, type Draft, type Scenario } from "./draft.js";
import { renderOrder } from "./render.js";

const firstOrderId = 100_001;
const hour = 3_600_000;
const day = 24 * hour;
const years = 3 * 365 * day;
const recentHours = 6;

/** Each hour of the day at UTC-3 has its weight: midnight, and those from 9 on. */
const hours = [...weightsFrom(0, [2]), ...weightsFrom(9, [1, 2, 8, 14, 10, 4, 3, 3, 4, 9, 14, 13, 8, 5, 3])];

/** Every open status, wherever section 3 allows it. */
const open: readonly (readonly [OrderType, readonly OrderStatus[]])[] = [
  ["delivery", ["confirmed", "ready", "released", "delivered", "waiting_confirmation"]],
  ["takeout", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["onsite", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["closed_table", ["confirmed", "ready", "waiting_confirmation"]],
];

/** These kinds of order are under way right now; what one doesn't name is left to chance. */
const scenarios: readonly Partial<Scenario>[] = [
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

/** @param now milliseconds since the epoch: the orders end here */
export function* seedMixedOrders(seed: number, count: number, now: number, cast: Cast): SeededOrders {
  const { stores } = cast;
  const drivers = driversByStore(cast);
  // The last orders go through every open status, type by type and store by store; the others are history.
  const firstRecent = count - Math.min(Math.ceil(count / 2), 2 * scenarios.length * stores.length);
  for (const [index, createdAt] of timesOf(seed, count, firstRecent, now).entries()) {
    const draft = (): Draft => {
      const random = createRandom(streamSeed(seed, index));
      const recent = index - firstRecent;
      const fixed = recent < 0 ? {} : scenarios[Math.floor(recent / stores.length) % scenarios.length];
      const scenario = drawScenario(random, fixed);
      const store = (recent < 0 ? undefined : stores[recent % stores.length]) ?? random.pick(stores);
      const plan = { id: firstOrderId + index, store, ...scenario, createdAt, random };
      return draftOrder(plan, drivers.get(store.id) ?? [], anyTaste);
    };
    yield [draft().record, () => renderOrder(draft())];
  }
}

/** Makes the times at which the orders were created, ascending, in whole seconds. */
function timesOf(seed: number, count: number, firstRecent: number, now: number): number[] {
  const random = createRandom(streamSeed(seed, -1));
  const [start, end] = [now - years + hour, now - recentHours * hour];
  const days = Math.floor((end - start) / day);
  const times = Array.from({ length: count }, (_, index) => {
    // The times end two minutes short of now, so that nothing was changed in the future.
    if (index >= firstRecent) return end + random.next() * (recentHours * hour - 120_000);
    // The square root makes late days fuller than early ones.
    const date = Math.floor(Math.sqrt(random.next()) * days);
    const startOfDay = Math.floor((start + date * day) / day) * day + 3 * hour;
    const time = startOfDay + random.weighted(hours) * hour + random.int(0, 3_599) * 1_000;
    return Math.min(Math.max(time, start), end);
  });
  return times.map((time) => Math.floor(time / 1_000) * 1_000).sort((a, b) => a - b);
}
