/** The scenes: three years of a few orders of every kind, and a busy restaurant. */
import type { OrderStatus, OrderType } from "../../api/values.js";
import type { SeededOrders } from "../domain/orders.js";
import { createRandom, streamSeed, weightsFrom, type Random } from "../domain/random.js";
import { offsetMinutes } from "../domain/time.js";
import type { Store } from "../inputs.js";
import type { Cast } from "./cast.js";
import { awkwardOrigins, campaigns, draftOrder, drawScenario } from "./orders.js";
import { madeStatus, renderOrder, type Scenario } from "./orders.js";

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

const firstOrderId = 100_001;
const years = 3 * 365 * day;
const recentHours = 6;

/** The weight of each hour of the day at UTC-3: midnight, and the hours from 9. */
const hours = [...weightsFrom(0, [2]), ...weightsFrom(9, [1, 2, 8, 14, 10, 4, 3, 3, 4, 9, 14, 13, 8, 5, 3])];

/** Every open status that section 3 allows for an order type. */
const open: readonly (readonly [OrderType, readonly OrderStatus[]])[] = [
  ["delivery", ["confirmed", "ready", "released", "delivered", "waiting_confirmation"]],
  ["takeout", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["onsite", ["confirmed", "ready", "waiting_to_catch", "waiting_confirmation"]],
  ["closed_table", ["confirmed", "ready", "waiting_confirmation"]],
];

/** Kinds of orders in progress; missing fields are random. */
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

export function* seedMixedOrders(seed: number, count: number, now: number, cast: Cast): SeededOrders {
  const { stores, drivers } = cast;
  // The last orders have every open status, by type and store; the others are finished.
  const firstRecent = count - Math.min(Math.ceil(count / 2), 2 * scenarios.length * stores.length);
  for (const [index, createdAt] of timesOf(seed, count, firstRecent, now).entries()) {
    const draft = () => {
      const random = createRandom(streamSeed(seed, index));
      const recent = index - firstRecent;
      const fixed = recent < 0 ? {} : scenarios[Math.floor(recent / stores.length) % scenarios.length];
      const scenario = drawScenario(random, fixed);
      const store = (recent < 0 ? undefined : stores[recent % stores.length]) ?? random.pick(stores);
      const plan = { id: firstOrderId + index, store, ...scenario, createdAt, random };
      const own = drivers.filter(({ storeId }) => storeId === store.id);
      return draftOrder(plan, own, awkwardOrigins);
    };
    yield [draft().record, () => renderOrder(draft())];
  }
}

/** Returns the creation times of the orders, ascending, in whole seconds. */
function timesOf(seed: number, count: number, firstRecent: number, now: number): number[] {
  const random = createRandom(streamSeed(seed, -1));
  const [start, end] = [now - years + hour, now - recentHours * hour];
  const days = Math.floor((end - start) / day);
  const times = Array.from({ length: count }, (_, index) => {
    // The times end two minutes ago, so that no change is in the future.
    if (index >= firstRecent) return end + random.next() * (recentHours * hour - 120_000);
    // The square root puts more orders on later days.
    const date = Math.floor(Math.sqrt(random.next()) * days);
    const startOfDay = Math.floor((start + date * day) / day) * day + 3 * hour;
    const time = startOfDay + random.weighted(hours) * hour + random.int(0, 3_599) * 1_000;
    return Math.min(Math.max(time, start), end);
  });
  return times.map((time) => Math.floor(time / 1_000) * 1_000).sort((a, b) => a - b);
}

const monthsBack = 14;
/** The orders per day in the first three stores. Any other store has few, so that a chain of fifty starts within two seconds. */
const ordersADay = [120, 36, 24];
const ordersElsewhere = 6;
/** The number of ids for each day of a store; a store's ids ascend with time. */
const idsADay = 1_000;

/** The weights of weekdays, from Sunday, and of months, from January. */
const weekdays = [0.95, 0.5, 0.8, 0.95, 1.05, 1.35, 1.4];
const months = [0.93, 0.95, 1, 0.98, 1.02, 1.03, 1.04, 1, 1, 1.02, 1.03, 1.15];

/** The weights of the hours of a business day, from 11; 24 is the hour after midnight. */
const usualHours = weightsFrom(11, [50, 140, 110, 40, 10, 10, 30, 90, 160, 170, 120, 70, 40, 20, 7]);
const longNight = weightsFrom(11, [5, 14, 11, 4, 1, 1, 3, 9, 16, 17, 12, 11, 9, 6, 3, 1]);
const sunday = weightsFrom(11, [8, 22, 19, 8, 1, 1, 3, 9, 16, 17, 12, 7, 4]);

export function* seedBusyOrders(seed: number, now: number, cast: Cast): SeededOrders {
  // The number of stores for whose ids a day has a range.
  const rows = Math.max(cast.stores.length, ordersADay.length);
  const today = new Date(now);
  // A clock near 1970 has fewer earlier days.
  const firstMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsBack, 1);
  for (let date = Math.max(0, firstMonth / day); date * day <= now + day; date += 1) {
    for (const [index, store] of cast.stores.entries()) {
      const drivers = cast.drivers.filter(({ storeId }) => storeId === store.id);
      const row = date * rows + index;
      const times = timesOfDay(createRandom(streamSeed(seed, -2 - row)), store, index, date);
      for (const [n, createdAt] of times.entries()) {
        if (createdAt > now) break;
        const id = row * idsADay + n + 1;
        const draft = () => {
          const random = createRandom(streamSeed(seed, id));
          const scenario = drawScenario(random);
          const status = statusAt(random, scenario, now - createdAt);
          const plan = { id, store, ...scenario, status, createdAt, random };
          const drawn = draftOrder(plan, drivers, campaigns);
          drawn.record.updatedAt = Math.min(drawn.record.updatedAt, now);
          return drawn;
        };
        yield [draft().record, () => renderOrder(draft())];
      }
    }
  }
}

function timesOfDay(random: Random, store: Store, index: number, date: number): number[] {
  const at = new Date(date * day);
  const weekday = at.getUTCDay();
  const hours = weekday === 0 ? sunday : weekday >= 5 ? longNight : usualHours;
  const years = (date * day - Date.UTC(2026, 0, 1)) / (365 * day);
  const grown = Math.min(Math.max(1 + 0.08 * years, 0.6), 1.6);
  const season = (weekdays[weekday] ?? 1) * (months[at.getUTCMonth()] ?? 1);
  if (["12-25", "01-01"].includes(at.toISOString().slice(5, 10))) return [];
  const luck = random.chance(0.03) ? 0.6 : 0.88 + 0.24 * random.next();
  const count = Math.round((ordersADay[index] ?? ordersElsewhere) * grown * season * luck);
  // If the clock changes at night, an hour after midnight reads one hour more or less.
  const midnight = date * day - offsetMinutes(date * day + day / 2, store.timeZone) * minute;
  return Array.from(
    { length: count },
    () => midnight + random.weighted(hours) * hour + random.int(0, 3_599) * second,
  ).sort((a, b) => a - b);
}

function statusAt(random: Random, { orderType, timing }: Scenario, age: number): OrderStatus {
  const fate = random.next();
  if (age < 6 * minute) return "waiting_confirmation";
  if (fate < 0.06) return "canceled";
  if (timing === "scheduled" && age < 45 * minute) return "scheduled_confirmed";
  if (age < 25 * minute) return "confirmed";
  if (age < 35 * minute) return "ready";
  if (age < 70 * minute) return madeStatus(orderType);
  // Some orders are finalized the next day, and a few never.
  const openShare = age < 12 * hour ? 0.2 : 0.01;
  if (fate > 1 - openShare) return orderType === "delivery" ? "delivered" : madeStatus(orderType);
  return "closed";
}
