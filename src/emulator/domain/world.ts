/**
 * One object holds everything that the emulated service knows. It is the same for the same seed, scene, count and
 * time.
 */
import type { Order } from "../../api/models.js";
import type { SettableClock } from "./time.js";
import { PrefilledOrders } from "./prefilled-orders.js";
import { invalid } from "./refused.js";
import type { App, Driver, DriverChange, Person, Store } from "./model.js";
import { OrderBook } from "./orders.js";
import type { Readings } from "../readings.js";
import { seedApps, type Cast } from "../seed/cast.js";
import { seedBusyOrders } from "../seed/busy.js";
import type { Catalog } from "../seed/catalog.js";
import type { SeededOrders } from "../seed/draft.js";
import { seedMixedOrders } from "../seed/mixed.js";
import type { Scene } from "../inputs.js";

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

export class World {
  readonly clock: SettableClock;
  readonly stores: ReadonlyMap<number, Store>;
  readonly storesByKey: ReadonlyMap<string, Store>;
  readonly people: readonly Person[];
  /** Drivers are listed by id. Ids are unique over all stores. */
  readonly drivers = new Map<number, Driver>();
  /** Each store sells what is in its catalog. */
  readonly catalogs: ReadonlyMap<number, Catalog>;
  /** These apps are registered at the start. From then on the authorization server has them. */
  readonly apps: readonly App[];
  /** Orders that were made after the start stay in full, as they were made. */
  readonly createdOrders = new Map<number, Order>();
  readonly prefilledOrders = new PrefilledOrders();
  readonly #seeded: SeededOrders;
  /** {@link reset} replaces the book as a whole, so don't keep it. */
  orders: OrderBook;

  constructor(private readonly options: WorldOptions) {
    const { clock, cast, seed, scene, orders, redirectUris = [] } = options;
    this.clock = clock;
    this.stores = new Map(cast.stores.map((store) => [store.id, store]));
    this.storesByKey = new Map(cast.stores.map((store) => [store.apiKey, store]));
    this.people = cast.people;
    this.catalogs = cast.catalogs;
    this.apps = seedApps(redirectUris);
    this.#seeded =
      scene === "busy"
        ? seedBusyOrders(seed, clock.now(), cast)
        : seedMixedOrders(seed, orders, clock.now(), cast);
    this.orders = this.#fill();
  }

  /**
   * @param id the first store without one
   * @throws {Refused} where there is no such store
   */
  storeOf(id?: number): Store {
    const store = id === undefined ? this.options.cast.stores[0] : this.stores.get(id);
    if (store) return store;
    throw invalid(`There is no store ${id ?? ""}; there are ${[...this.stores.keys()].join(", ")}`);
  }

  /**
   * Changes the named fields of a driver; an unknown id makes a new driver.
   *
   * @throws {Refused} where there is no such store
   */
  putDriver({ id, storeId, name, active }: DriverChange): Driver {
    const before = this.drivers.get(id);
    const driver: Driver = {
      id,
      storeId: this.storeOf(storeId ?? before?.storeId).id,
      name: name ?? before?.name ?? `Driver ${id}`,
      active: active ?? before?.active ?? true,
    };
    this.drivers.set(id, driver);
    return driver;
  }

  /** Goes back to the seed with orders, drivers and clock. */
  reset(): void {
    this.clock.reset();
    this.orders = this.#fill();
  }

  #fill(): OrderBook {
    const { cast, clock, readings } = this.options;
    this.createdOrders.clear();
    this.prefilledOrders.clear();
    this.drivers.clear();
    // Two emulators of one process share nothing, whatever a test does to its own.
    for (const driver of cast.drivers) this.drivers.set(driver.id, { ...driver });
    const fullOrder = (id: number) => {
      const order = this.createdOrders.get(id) ?? this.#seeded.full(id);
      if (!order) throw new RangeError(`no order ${id}`);
      return order;
    };
    const book = new OrderBook(this.stores, clock, fullOrder, readings.card_cancellation);
    for (const record of this.#seeded.records()) book.add(record);
    return book;
  }
}
