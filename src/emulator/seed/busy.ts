/**
 * Makes the orders of a busy restaurant: some 120 orders a day over fourteen months and the running one, evenings that go past
 * midnight, strong weekends, a slow Monday, two days a year closed. The other stores have the same rhythm with less.
 *
 * Each day is drawn by itself, from seed, store and date, so that a day stays the same when it is drawn again later.
 */
import type { OrderStatus } from "../../api/values.js";
import type { Store } from "../domain/model.js";
import type { SeededOrders } from "../domain/orders.js";
import { createRandom, streamSeed, weightsFrom, type Random } from "../domain/random.js";
import { offsetMinutes } from "../domain/time.js";
import { driversByStore, type Cast } from "./cast.js";
import { draftOrder, drawScenario, madeStatus, restaurantTaste } from "./draft.js";
import type { Draft, Scenario } from "./draft.js";
import { renderOrder } from "./render.js";

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
const monthsBack = 14;
const ordersADay = 120;
/** Each store has such a part of the first store's orders. */
const sizes = [1, 0.3, 0.2];
/** Every store behind those has this part: a chain of fifty starts within a second or two. */
const furtherSize = 0.05;
/** A day of one store has room for so many ids; the ids of a store ascend with time. */
const idsADay = 1_000;

/** Each weekday has its weight, from Sunday on. Together they are 7. */
const weekdays = [0.95, 0.5, 0.8, 0.95, 1.05, 1.35, 1.4];
/** Each month has its weight, from January on. */
const months = [0.93, 0.95, 1, 0.98, 1.02, 1.03, 1.04, 1, 1, 1.02, 1.03, 1.15];
/** The days are written as month and day. */
const closedOn = ["12-25", "01-01"];
/** The business grows by so much a year, counted from the first day of 2026. */
const growth = 0.08;

/** Each hour of the business day has its weight, from 11 on; 24 is the hour after midnight. */
const usualHours = weightsFrom(11, [50, 140, 110, 40, 10, 10, 30, 90, 160, 170, 120, 70, 40, 20, 7]);
/** These days are Friday and Saturday. */
const longNight = weightsFrom(11, [5, 14, 11, 4, 1, 1, 3, 9, 16, 17, 12, 11, 9, 6, 3, 1]);
const sunday = weightsFrom(11, [8, 22, 19, 8, 1, 1, 3, 9, 16, 17, 12, 7, 4]);

/** @param now is where they end, in milliseconds since the epoch */
export function* seedBusyOrders(seed: number, now: number, cast: Cast): SeededOrders {
  const drivers = driversByStore(cast);
  // A day has room for the ids of so many stores.
  const rows = Math.max(cast.stores.length, sizes.length);
  const today = new Date(now);
  // A clock that stands near 1970 has fewer days behind it.
  const firstMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsBack, 1);
  for (let date = Math.max(0, firstMonth / day); date * day <= now + day; date += 1) {
    for (const [index, store] of cast.stores.entries()) {
      const row = date * rows + index;
      const times = timesOfDay(createRandom(streamSeed(seed, -2 - row)), store, index, date);
      for (const [n, createdAt] of times.entries()) {
        if (createdAt > now) break;
        const id = row * idsADay + n + 1;
        const draft = (): Draft => {
          const random = createRandom(streamSeed(seed, id));
          const scenario = drawScenario(random);
          const status = statusAt(random, scenario, now - createdAt);
          const plan = { id, store, ...scenario, status, createdAt, random };
          const drawn = draftOrder(plan, drivers.get(store.id) ?? [], restaurantTaste);
          drawn.record.updatedAt = Math.min(drawn.record.updatedAt, now);
          return drawn;
        };
        yield [draft().record, () => renderOrder(draft())];
      }
    }
  }
}

/** Lists the times at which the orders of a day are created, ascending. */
function timesOfDay(random: Random, store: Store, index: number, date: number): number[] {
  const at = new Date(date * day);
  const weekday = at.getUTCDay();
  const hours = weekday === 0 ? sunday : weekday >= 5 ? longNight : usualHours;
  const years = (date * day - Date.UTC(2026, 0, 1)) / (365 * day);
  const grown = Math.min(Math.max(1 + growth * years, 0.6), 1.6);
  const season = (weekdays[weekday] ?? 1) * (months[at.getUTCMonth()] ?? 1);
  if (closedOn.includes(at.toISOString().slice(5, 10))) return [];
  const luck = random.chance(0.03) ? 0.6 : 0.88 + 0.24 * random.next();
  const count = Math.round(ordersADay * (sizes[index] ?? furtherSize) * grown * season * luck);
  // The clock may change in the night: an hour after midnight then reads one more or less.
  const midnight = date * day - offsetMinutes(date * day + day / 2, store.timeZone) * minute;
  return Array.from(
    { length: count },
    () => midnight + random.weighted(hours) * hour + random.int(0, 3_599) * second,
  ).sort((a, b) => a - b);
}

/** @param age counts milliseconds since the order was created */
function statusAt(random: Random, { orderType, timing }: Scenario, age: number): OrderStatus {
  const fate = random.next();
  if (age < 6 * minute) return "waiting_confirmation";
  if (fate < 0.06) return "canceled";
  if (timing === "scheduled" && age < 45 * minute) return "scheduled_confirmed";
  if (age < 25 * minute) return "confirmed";
  if (age < 35 * minute) return "ready";
  if (age < 70 * minute) return madeStatus(orderType);
  // Some orders are not finalized before the next day, and a few never.
  const openShare = age < 12 * hour ? 0.2 : 0.01;
  if (fate > 1 - openShare) return orderType === "delivery" ? "delivered" : madeStatus(orderType);
  return "closed";
}
