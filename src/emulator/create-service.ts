/** Puts the parts of the emulated service together. */
import { createEmulatorClock } from "./domain/clock.js";
import { type Fault, FaultSwitch } from "./http/faults/fault.js";
import { chooseReadings, type ReadingValue } from "./readings.js";
import { AuthorizationServer } from "./http/oauth/authorization-server.js";
import { RateLimiter } from "./http/rate-limit.js";
import { RequestLog, type LogEntry } from "./http/request-log.js";
import { RouteTable } from "./route-table.js";
import type { StoreInput } from "./inputs.js";
import { seedCast } from "./seed/cast.js";
import { castOf } from "./seed/own-stores.js";
import type { Scene } from "./seed/scene.js";
import type { Service } from "./service.js";
import { World } from "./domain/world.js";

export interface ServiceOptions {
  /** The same seed and time make the same orders; it is a 32-bit integer, by default 1. */
  readonly seed?: number;
  /** The scene says what the orders are like; the default is `mixed`. */
  readonly scene?: Scene;
  /** This many orders are there at the start; by default 2,000. The scene `busy` has its own number. */
  readonly orders?: number;
  /** These stores replace the emulator's own. */
  readonly stores?: readonly StoreInput[];
  /** Readings answer what the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  /** The emulator's time begins at this number of milliseconds since the epoch, or follows this clock. */
  readonly now?: number | { now(): number };
  /** Refuses fields, channels, drivers and cart items that the emulator's world doesn't have; the default is true. */
  readonly strict?: boolean;
  readonly faults?: readonly Fault[];
  /** The control surface asks for this token, where others than this machine may reach it. */
  readonly controlToken?: string;
  /** An access token lives so many seconds; by default as long as the specification says. */
  readonly accessTokenSeconds?: number;
  /** The limits of section 8 are in force; the default is true. */
  readonly rateLimits?: boolean;
  /** The apps have registered these redirect addresses beside `http://127.0.0.1:8765/callback`. */
  readonly redirectUris?: readonly string[];
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
  const server = new AuthorizationServer({
    apps: world.apps,
    people: world.people,
    stores: [...world.stores.values()],
    clock,
    readings,
    ...(accessTokenSeconds !== undefined && { lifetimes: { accessTokenSeconds } }),
  });
  const limiter = new RateLimiter(rateLimits, readings);
  const faults = new FaultSwitch();
  faults.set(options.faults ?? []);
  const log = new RequestLog();
  const routes = new RouteTable();
  return {
    readings,
    strict: options.strict ?? true,
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
