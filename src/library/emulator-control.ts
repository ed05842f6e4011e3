/**
 * A test does these things to the service, and its program never sees them: apps, installations, tokens,
 * cancellations, drivers.
 */
import type { Order } from "../api/models.js";
import type {
  App,
  AppChange,
  Driver,
  DriverChange,
  Installation,
  Lifetimes,
} from "../emulator/domain/model.js";
import { localClientId } from "../emulator/seed/cast.js";
import type { Service } from "../emulator/service.js";

export interface EmulatorControl {
  /**
   * Changes an app, or makes a new one.
   *
   * @returns the app as it is now
   */
  setApp(change: AppChange): App;
  /** Lists which app is or was installed at which store. */
  installations(): readonly Installation[];
  /**
   * Removes an app, or all apps, from a store: their tokens and codes are no longer valid (section 5.2).
   *
   * @throws {RangeError} where there is no such store
   */
  uninstall(storeId: number, clientId?: string): void;
  /** Revokes the tokens of a store, or of all stores; apps stay installed. */
  revokeTokens(storeId?: number): void;
  /**
   * Sets how many seconds codes and tokens live that are issued from now on.
   *
   * @throws {RangeError} where one isn't a positive number
   */
  setTokenLifetimes(lifetimes: Partial<Lifetimes>): void;
  /** Lists the drivers of all stores, or of one. */
  drivers(storeId?: number): readonly Driver[];
  /**
   * Makes a driver, or changes one.
   *
   * @throws {RangeError} where there is no such store
   */
  setDriver(change: DriverChange): Driver;
  /**
   * Sets how cancellations end of orders that are paid online by credit card (section 3). They end after
   * `afterSeconds` of the emulator's time; null leaves them in `canceling`.
   */
  setCancellation(settings: {
    readonly afterSeconds?: number | null;
    readonly result?: "succeeds" | "fails";
  }): void;
  /**
   * Ends a cancellation that is under way.
   *
   * @throws {RangeError} where the order isn't in `canceling`
   */
  endCancellation(orderId: number, result: "succeeds" | "fails"): Order;
}

export function controlOf(service: Service): EmulatorControl {
  const { world, server } = service;
  return {
    setApp: ({ clientId = localClientId, ...change }) => server.changeApp({ clientId, ...change }),
    installations: () => server.installations(),
    uninstall: (storeId, clientId) => {
      server.uninstall(world.storeOf(storeId).id, clientId);
    },
    revokeTokens: (storeId) => {
      server.revokeAll(storeId === undefined ? undefined : world.storeOf(storeId).id);
    },
    setTokenLifetimes: (lifetimes) => {
      server.setLifetimes(lifetimes);
    },
    drivers: (storeId) =>
      [...world.drivers.values()].filter((driver) => storeId === undefined || driver.storeId === storeId),
    setDriver: (change) => world.putDriver(change),
    setCancellation: (settings) => {
      Object.assign(world.orders.cancellation, settings);
    },
    endCancellation: (orderId, result) => {
      const record = world.orders.find(orderId);
      if (record?.status !== "canceling")
        throw new RangeError(`Order ${orderId} is ${record?.status ?? "not there"}, not canceling.`);
      world.orders.endCancellation(record, result);
      return world.orders.full(record);
    },
  };
}
