/**
 * One object holds everything that the emulated service knows. It is the same for the same seed, scene, count and
 * time.
 */
import type { Order } from "../../contract/models.js";
import type { SettableClock } from "./clock.js";
import { PrefilledOrders, type PrefilledOrderRecord } from "./prefilled-orders.js";
import type { App, Driver, Person, Store } from "./model.js";
import { OrderBook, type OrderBookState } from "./orders.js";
import type { Readings } from "../readings.js";
import { seedApps, type Cast } from "../seed/cast.js";
import { seedBusyOrders } from "../seed/busy.js";
import type { Catalog } from "../seed/catalog.js";
import { seedOrders } from "../seed/orders.js";
import type { Scene } from "../seed/scene.js";

interface WorldOptions {
  readonly seed: number;
  readonly cast: Cast;
  readonly scene: Scene;
  /** This many orders are there at the start; the busy restaurant has its own number. */
  readonly orders: number;
  readonly clock: SettableClock;
  readonly readings: Readings;
  /** The apps have registered these redirect addresses beside the usual one. */
  readonly redirectUris?: readonly string[];
}

export interface World {
  readonly clock: SettableClock;
  readonly stores: ReadonlyMap<number, Store>;
  readonly people: readonly Person[];
  /** Drivers are listed by id. Ids are unique over all stores. */
  readonly drivers: Map<number, Driver>;
  /** Each store sells what is in its catalog. */
  readonly catalogs: ReadonlyMap<number, Catalog>;
  /** These apps are registered at the start. From then on the authorization server has them. */
  readonly apps: readonly App[];
  /** {@link World.reset} replaces the book as a whole, so don't keep it. */
  readonly orders: OrderBook;
  /** Orders that were made after the start stay in full, as they were made. */
  readonly createdOrders: Map<number, Order>;
  readonly prefilledOrders: PrefilledOrders;
  /** Goes back to the seed with orders, drivers and clock. */
  reset(): void;
  snapshot(): WorldSnapshot;
  restore(snapshot: WorldSnapshot): void;
}

/** A snapshot has the orders, pre-filled orders and clock of one emulator at one moment. */
export interface WorldSnapshot {
  readonly now: number;
  readonly orders: OrderBookState;
  readonly created: ReadonlyMap<number, Order>;
  readonly prefilled: readonly PrefilledOrderRecord[];
}

export function createWorld(options: WorldOptions): World {
  const { clock, cast, seed, scene } = options;
  const { people, drivers, catalogs } = cast;
  const stores = new Map(cast.stores.map((store) => [store.id, store]));
  const seeded =
    scene === "busy"
      ? seedBusyOrders(seed, clock.now(), cast)
      : seedOrders(seed, options.orders, clock.now(), cast);
  // Two emulators of one process share nothing, whatever a test does to its own.
  const crew = new Map(drivers.map((driver) => [driver.id, { ...driver }]));
  const apps = seedApps(options.redirectUris ?? []);
  const createdOrders = new Map<number, Order>();
  const prefilledOrders = new PrefilledOrders();

  const fill = (): OrderBook => {
    createdOrders.clear();
    prefilledOrders.clear();
    const book = new OrderBook(
      stores,
      clock,
      (id) => {
        const order = createdOrders.get(id) ?? seeded.full(id);
        if (!order) throw new RangeError(`no order ${id}`);
        return order;
      },
      options.readings.card_cancellation,
    );
    for (const record of seeded.records()) book.add(record);
    return book;
  };

  let orders = fill();
  return {
    clock,
    stores,
    people,
    catalogs,
    apps,
    createdOrders,
    prefilledOrders,
    drivers: crew,
    get orders() {
      return orders;
    },
    snapshot: () => ({
      now: clock.now(),
      orders: orders.state(),
      created: new Map(createdOrders),
      prefilled: prefilledOrders.all(),
    }),
    restore({ now, orders: state, created, prefilled }) {
      clock.set(now);
      orders.restore(state);
      createdOrders.clear();
      for (const [id, order] of created) createdOrders.set(id, order);
      prefilledOrders.restore(prefilled);
    },
    reset() {
      clock.reset();
      crew.clear();
      for (const driver of drivers) crew.set(driver.id, { ...driver });
      orders = fill();
    },
  };
}
