/**
 * A test does these things to the service, and its program never sees them. `/_emulator` does the same over HTTP.
 */
import type { App, AppChange, Driver, DriverChange, Installation } from "./domain/model.js";
import type { Service } from "./service.js";

export function controlOf({ world, server, limiter }: Service) {
  return {
    /** Changes an app, or makes a new one. @returns the app as it is now */
    setApp: (change: AppChange): App => server.setApp(change),

    /** Lists which app is or was installed at which store. */
    installations: (): readonly Installation[] => server.installations(),

    /**
     * Removes every app from a store: their tokens and codes are no longer valid (section 5.2).
     *
     * @throws {RangeError} where there is no such store
     */
    uninstall: (storeId: number): void => {
      server.uninstall(world.storeOf(storeId).id);
    },

    /** Lists the drivers of all stores, or of one. */
    drivers: (storeId?: number): readonly Driver[] =>
      [...world.drivers.values()].filter((driver) => driver.storeId === (storeId ?? driver.storeId)),

    /**
     * Makes a driver, or changes one.
     *
     * @throws {RangeError} where there is no such store
     */
    setDriver: (change: DriverChange): Driver => world.putDriver(change),

    /** Switches the limits of section 8, and forgets the requests that were counted. */
    setRateLimits: (enabled: boolean): void => {
      limiter.switch(enabled);
    },
  };
}
