/** The data of the emulated service, which is the same for the same seed, scene, count and time. */
import { localDefaults } from "../../base/defaults.js";
import type { App, Driver, DriverChange, EmulatorOptions, Person, Store } from "../inputs.js";
import type { Readings } from "../readings.js";
import { castOf, seedApps } from "../seed/cast.js";
import { seedBusyOrders, seedMixedOrders } from "../seed/scenes.js";
import { Orders } from "./orders.js";
import { invalid } from "./refused.js";
import { createEmulatorClock, type SettableClock } from "./time.js";

export class World {
  readonly clock: SettableClock;
  readonly stores: ReadonlyMap<number, Store>;
  readonly storesByKey: ReadonlyMap<string, Store>;
  readonly people: readonly Person[];
  /** Drivers by id. Ids are unique over all stores. */
  readonly drivers = new Map<number, Driver>();
  /** The apps that are registered at the start; later changes are in the authorization server. */
  readonly apps: readonly App[];
  /** The pre-filled orders of section 4.9, each with the request's body; the newest is last. */
  readonly prefilledOrders: { readonly id: string; readonly storeId: number; readonly body: unknown }[] = [];
  /** The current orders. Don't store a reference, because {@link reset} replaces them. */
  orders: Orders;
  readonly #fill: () => Orders;

  constructor(settings: EmulatorOptions, readings: Readings) {
    const { seed = localDefaults.seed, scene = "mixed", orders = localDefaults.orders } = settings;
    const { now = Date, redirectUris = [] } = settings;
    const clock = typeof now === "number" ? createEmulatorClock(Date, now) : createEmulatorClock(now);
    const cast = castOf(seed, settings.stores);
    const start = clock.now();
    this.clock = clock;
    this.stores = new Map(cast.stores.map((store) => [store.id, store]));
    this.storesByKey = new Map(cast.stores.map((store) => [store.apiKey, store]));
    this.people = cast.people;
    this.apps = seedApps(redirectUris);
    this.#fill = () => {
      this.prefilledOrders.length = 0;
      this.drivers.clear();
      for (const driver of cast.drivers) this.drivers.set(driver.id, driver);
      const seeded =
        scene === "busy" ? seedBusyOrders(seed, start, cast) : seedMixedOrders(seed, orders, start, cast);
      return new Orders(seeded, this.stores, clock, readings.card_cancellation);
    };
    this.orders = this.#fill();
  }

  /**
   * @param id by default, the first store's
   * @throws {Refused} for an unknown store
   */
  storeOf(id?: number): Store {
    const [first] = this.stores.values();
    const store = id === undefined ? first : this.stores.get(id);
    if (store) return store;
    throw invalid(`There is no store ${id ?? ""}; there are ${[...this.stores.keys()].join(", ")}`);
  }

  /**
   * Changes fields of a driver, or creates a driver if the id is unknown.
   *
   * @throws {Refused} for an unknown store
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

  /**
   * Returns the drivers of all stores, or of one.
   *
   * @throws {Refused} for an unknown store
   */
  driversOf(storeId?: number): readonly Driver[] {
    this.storeOf(storeId);
    return [...this.drivers.values()].filter((driver) => driver.storeId === (storeId ?? driver.storeId));
  }

  /** Restores the orders, drivers and clock of the seed. */
  reset(): void {
    this.clock.reset();
    this.orders = this.#fill();
  }
}
