/** The parts of the emulated service, put together. */
import { createEmulatorClock } from "./domain/clock.js";
import { World } from "./domain/world.js";
import { AuthorizationServer } from "./http/authorization-server.js";
import { type Fault, FaultSwitch } from "./http/faults.js";
import { type LogEntry, RequestLog } from "./http/log.js";
import { RateLimiter } from "./http/rate-limit.js";
import { RouteTable } from "./http/routes.js";
import type { EmulatorSettings } from "./inputs.js";
import { chooseReadings, type Readings, type ReadingValue } from "./readings.js";
import { seedCast } from "./seed/cast.js";
import { castOf } from "./seed/own-stores.js";

export interface ServiceOptions extends EmulatorSettings {
  /** Readings answer what the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  readonly faults?: readonly Fault[];
  /** The control surface asks for this token, where others than this machine may reach it. */
  readonly controlToken?: string;
  /** Is told of each answer 500 of the emulator's own, which is a defect. */
  readonly onDefect?: (entry: LogEntry) => void;
}

export interface Service {
  readonly readings: Readings;
  /** The control surface asks for this token. Where there is none, the whole service is for this machine alone. */
  readonly controlToken: string | undefined;
  readonly world: World;
  readonly server: AuthorizationServer;
  readonly limiter: RateLimiter;
  readonly log: RequestLog;
  readonly faults: FaultSwitch;
  /** Tests put these answers in the place of the service's. */
  readonly routes: RouteTable;
  /** Is told of each answer 500 of the emulator's own, which is in the log as well. */
  readonly onDefect: ((entry: LogEntry) => void) | undefined;
  /** Goes back to the start. Installations and tokens stay, unless they are to go as well. */
  reset(options?: { readonly tokens?: boolean | undefined }): void;
}

export function createService(options: ServiceOptions = {}): Service {
  const { now, seed = 1, scene = "mixed", orders = 2_000, redirectUris = [], rateLimits = true } = options;
  const clock =
    typeof now === "number" ? createEmulatorClock(Date, now) : createEmulatorClock(now ?? Date, undefined);
  const readings = chooseReadings(options.readings ?? {}, seed);
  const cast = options.stores ? castOf(options.stores, seed) : seedCast(seed);
  const world = new World({ cast, seed, scene, orders, clock, redirectUris, readings });
  const server = new AuthorizationServer(world, readings, options.accessTokenSeconds);
  const limiter = new RateLimiter(rateLimits, readings);
  const [faults, log, routes] = [new FaultSwitch(), new RequestLog(), new RouteTable()];
  faults.set(options.faults ?? []);
  return {
    readings,
    controlToken: options.controlToken,
    world,
    server,
    limiter,
    log,
    faults,
    routes,
    onDefect: options.onDefect,
    reset({ tokens = false } = {}) {
      world.reset();
      limiter.switch(rateLimits);
      faults.set(options.faults ?? []);
      log.clear();
      routes.clear();
      server.reset({ tokens });
    },
  };
}
