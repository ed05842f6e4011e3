/** The parts of the emulated service, put together. */
import { World } from "./domain/world.js";
import { RateLimiter } from "./http/access.js";
import { AuthorizationServer } from "./http/oauth.js";
import { FaultSwitch } from "./http/faults.js";
import { RouteTable } from "./http/incoming.js";
import { RequestLog } from "./http/received.js";
import type {
  App,
  AppChange,
  Driver,
  DriverChange,
  EmulatorSettings,
  FaultInput,
  Installation,
} from "./inputs.js";
import { chooseReadings, type ReadingValue } from "./readings.js";

export interface ServiceOptions extends EmulatorSettings {
  /** Readings answer what the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  readonly faults?: readonly FaultInput[];
  /** The control surface asks for this token. Without one the whole service is for this machine alone. */
  readonly controlToken?: string;
}

export type Service = ReturnType<typeof createService>;

export function createService(options: ServiceOptions = {}) {
  const { rateLimits = true, controlToken } = options;
  const readings = chooseReadings(options.readings ?? {}, options.seed);
  const world = new World(options, readings);
  const server = new AuthorizationServer(world, readings, options.accessTokenSeconds);
  const limiter = new RateLimiter(rateLimits, readings);
  const faults = new FaultSwitch();
  faults.set(options.faults ?? []);
  const log = new RequestLog();
  /** Tests put these answers in the place of the service's. */
  const routes = new RouteTable();
  /** Goes back to the start. Installations and tokens stay. */
  const reset = (): void => {
    world.reset();
    limiter.switch(rateLimits);
    faults.set(options.faults ?? []);
    log.clear();
    routes.clear();
    server.reset();
  };
  return { readings, controlToken, world, server, limiter, log, faults, routes, reset };
}

/** A test does these things to the service, and its program never sees them. `/_emulator` does the same over HTTP. */
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
