/** Puts the parts of the emulated service together. */
import { createEmulatorClock } from "./domain/clock.js";
import { type Fault, FaultSwitch } from "./http/faults/fault.js";
import { chooseReadings, type ReadingValue } from "./readings.js";
import { AuthorizationServer } from "./http/oauth/authorization-server.js";
import { RateLimiter } from "./http/rate-limit.js";
import { RequestLog, type LogEntry } from "./http/request-log.js";
import { RouteTable } from "./route-table.js";
import type { EmulatorSettings } from "./inputs.js";
import { seedCast } from "./seed/cast.js";
import { castOf } from "./seed/own-stores.js";
import type { Service } from "./service.js";
import { World } from "./domain/world.js";

export interface ServiceOptions extends EmulatorSettings {
  /** Readings answer what the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  readonly faults?: readonly Fault[];
  /** The control surface asks for this token, where others than this machine may reach it. */
  readonly controlToken?: string;
  /** Is told of each answer 500 of the emulator's own, which is a defect. */
  readonly onDefect?: (entry: LogEntry) => void;
}

export function createService(options: ServiceOptions = {}): Service {
  const { now } = options;
  const clock =
    typeof now === "number" ? createEmulatorClock(Date, now) : createEmulatorClock(now ?? Date, undefined);
  const { seed = 1, scene = "mixed", orders = 2_000, redirectUris = [], rateLimits = true } = options;
  const readings = chooseReadings(options.readings ?? {}, seed);
  const cast = options.stores ? castOf(options.stores, seed) : seedCast(seed);
  const world = new World({ cast, seed, scene, orders, clock, redirectUris, readings });
  const { accessTokenSeconds } = options;
  const lifetimes = accessTokenSeconds === undefined ? {} : { accessTokenSeconds };
  const server = new AuthorizationServer(world, readings, lifetimes);
  const limiter = new RateLimiter(rateLimits, readings);
  const faults = new FaultSwitch();
  faults.set(options.faults ?? []);
  const log = new RequestLog();
  const routes = new RouteTable();
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
      limiter.enabled = rateLimits;
      limiter.clear();
      faults.set(options.faults ?? []);
      log.clear();
      routes.clear();
      server.reset({ tokens });
    },
  };
}
