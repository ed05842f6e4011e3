/**
 * Makes the orders of a busy restaurant: some 120 orders a day over fourteen months and the running one, evenings that go past
 * midnight, strong weekends, a slow Monday, two days a year closed. The other stores have the same rhythm with less.
 *
 * Each day is drawn by itself, from seed, store and date, so that a day stays the same when it is drawn again later.
 */
import type { OrderStatus } from "../../api/enums.js";
import type { Store } from "../domain/model.js";
import { createRandom, streamSeed, weightsFrom, type Random } from "../domain/random.js";
import { offsetMinutes } from "../domain/time.js";
import type { Cast } from "./cast.js";
import { drafting, drawScenario, restaurantTaste } from "./draft.js";
import type { Draft, Plan, Scenario, SeededOrders } from "./draft.js";
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
const weekdays = [0.95, 0.5, 0.8, 0.95, 1.05, 1.35, 1.4] as const;
/** Each month has its weight, from January on. */
const months = [0.93, 0.95, 1, 0.98, 1.02, 1.03, 1.04, 1, 1, 1.02, 1.03, 1.15] as const;
/** The days are written as month and day. */
const closedOn: ReadonlySet<string> = new Set(["12-25", "01-01"]);
/** The business grows by so much a year, counted from the first day of 2026. */
const growth = 0.08;

/** Each hour of the business day has its weight, from 11 on; 24 is the hour after midnight. */
const usualHours = weightsFrom(11, [50, 140, 110, 40, 10, 10, 30, 90, 160, 170, 120, 70, 40, 20, 7]);
/** These days are Friday and Saturday. */
const longNight = weightsFrom(11, [5, 14, 11, 4, 1, 1, 3, 9, 16, 17, 12, 11, 9, 6, 3, 1]);
const sunday = weightsFrom(11, [8, 22, 19, 8, 1, 1, 3, 9, 16, 17, 12, 7, 4]);

/** @param now is where they end, in milliseconds since the epoch */
export function seedBusyOrders(seed: number, now: number, cast: Cast): SeededOrders {
  const { stores } = cast;
  const draftOf = drafting(cast, restaurantTaste);
  // The stores of a day, for whose ids there is room.
  const rows = Math.max(stores.length, sizes.length);
  const [firstDay, lastDay] = [firstDayOf(now), Math.floor(now / day) + 1];
  const make = (place: OrderOfDay, createdAt: number): Draft => {
    const draft = draftOf(planOf(seed, place, createdAt, now));
    draft.record.updatedAt = Math.min(draft.record.updatedAt, now);
    return draft;
  };
  const timesOf = (store: Store, index: number, date: number): number[] =>
    timesOfDay(seed, { store, index, rows, date }).filter((time) => time <= now);
  return {
    *records() {
      for (let date = firstDay; date <= lastDay; date += 1) {
        for (const [index, store] of stores.entries()) {
          const times = timesOf(store, index, date);
          for (const [n, createdAt] of times.entries())
            yield make({ store, index, rows, date, n }, createdAt).record;
        }
      }
    },
    full(id) {
      const place = placeOf(id, stores, rows);
      if (!place || place.date < firstDay || place.date > lastDay) return undefined;
      const createdAt = timesOf(place.store, place.index, place.date)[place.n];
      return createdAt === undefined ? undefined : renderOrder(make(place, createdAt));
    },
  };
}

/** A store opens on this day, counted from 1970-01-01. */
interface StoreDay {
  readonly store: Store;
  /** The store has this place among the stores. */
  readonly index: number;
  /** A day has room for so many stores. */
  readonly rows: number;
  readonly date: number;
}

/** Makes the n-th order of a store's day. */
interface OrderOfDay extends StoreDay {
  readonly n: number;
}

function idOf({ date, index, rows, n }: OrderOfDay): number {
  return (date * rows + index) * idsADay + n + 1;
}

function placeOf(id: number, stores: readonly Store[], rows: number): OrderOfDay | undefined {
  const row = Math.floor((id - 1) / idsADay);
  const index = row % rows;
  const store = stores[index];
  return store && { store, index, rows, date: Math.floor(row / rows), n: (id - 1) % idsADay };
}

/** Gives the first of the month. Before 1970 there is nothing. */
function firstDayOf(now: number): number {
  const today = new Date(now);
  return Math.max(0, Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsBack, 1) / day);
}

/** Lists the times at which the orders of a day are created, ascending. */
function timesOfDay(seed: number, storeDay: StoreDay): number[] {
  const { store, index, rows, date } = storeDay;
  const random = createRandom(streamSeed(seed, -2 - (date * rows + index)));
  const weekday = (date + 4) % 7;
  const hours = weekday === 0 ? sunday : weekday >= 5 ? longNight : usualHours;
  // The clock may change in the night: an hour after midnight then reads one more or less.
  const midnight = date * day - offsetMinutes(date * day + day / 2, store.timeZone) * minute;
  return Array.from(
    { length: countOf(random, storeDay) },
    () => midnight + random.weighted(hours) * hour + random.int(0, 3_599) * second,
  ).sort((a, b) => a - b);
}

function countOf(random: Random, { index, date }: StoreDay): number {
  const at = new Date(date * day);
  if (closedOn.has(at.toISOString().slice(5, 10))) return 0;
  const years = (date * day - Date.UTC(2026, 0, 1)) / (365 * day);
  const grown = Math.min(Math.max(1 + growth * years, 0.6), 1.6);
  const season = (weekdays[at.getUTCDay()] ?? 1) * (months[at.getUTCMonth()] ?? 1);
  const luck = random.chance(0.03) ? 0.6 : 0.88 + 0.24 * random.next();
  return Math.round(ordersADay * (sizes[index] ?? furtherSize) * grown * season * luck);
}

function planOf(seed: number, place: OrderOfDay, createdAt: number, now: number): Plan {
  const id = idOf(place);
  const random = createRandom(streamSeed(seed, id));
  const scenario = drawScenario(random);
  const status = statusAt(random, scenario, now - createdAt);
  return { id, store: place.store, ...scenario, status, createdAt, random };
}

/** @param age counts milliseconds since the order was created */
function statusAt(random: Random, { orderType, timing }: Scenario, age: number): OrderStatus {
  const fate = random.next();
  if (age < 6 * minute) return "waiting_confirmation";
  if (fate < 0.06) return "canceled";
  if (timing === "scheduled" && age < 45 * minute) return "scheduled_confirmed";
  if (age < 25 * minute) return "confirmed";
  const made =
    orderType === "delivery" ? "released" : orderType === "closed_table" ? "ready" : "waiting_to_catch";
  if (age < 35 * minute) return "ready";
  if (age < 70 * minute) return made;
  // Some orders are not finalized before the next day, and a few never.
  const openShare = age < 12 * hour ? 0.2 : 0.01;
  if (fate > 1 - openShare) return orderType === "delivery" ? "delivered" : made;
  return "closed";
}
