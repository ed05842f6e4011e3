/** Puts the parts of the emulated service together. */
import { randomBytes } from "node:crypto";

import { createEmulatorClock } from "./domain/clock.js";
import { type Fault, FaultSwitch } from "./http/faults/fault.js";
import { chooseReadings, type ReadingValue } from "./readings.js";
import { lifetimesOf } from "./http/oauth/choices.js";
import { createAuthorizationServer } from "./http/oauth/authorization-server.js";
import { RateLimiter } from "./http/rate-limit.js";
import { RequestLog, type LogEntry } from "./http/request-log.js";
import { RouteTable } from "./route-table.js";
import type { StoreInput } from "./inputs.js";
import { seedCast } from "./seed/cast.js";
import { castOf } from "./seed/own-stores.js";
import type { Scene } from "./seed/scene.js";
import type { Service } from "./service.js";
import { createWorld } from "./domain/world.js";

export interface ServiceOptions {
  /** The same seed and time make the same orders; a 32-bit integer, 1 without it. */
  readonly seed?: number;
  /** What the orders are like; `mixed` without it. */
  readonly scene?: Scene;
  /** How many orders there are at the start; 2,000 without it. The scene `busy` has its own number. */
  readonly orders?: number;
  /** In the place of the emulator's own. */
  readonly stores?: readonly StoreInput[];
  /** What the specification leaves open; `random` is drawn by the seed. */
  readonly readings?: Readonly<Record<string, ReadingValue>> | "random";
  /** Milliseconds since the epoch at which the emulator's time begins, or a clock that it follows. */
  readonly now?: number | { now(): number };
  /** Refuses fields, channels, drivers and cart items that the emulator's world doesn't have; on without it. */
  readonly strict?: boolean;
  readonly faults?: readonly Fault[];
  /** What the control surface asks for, where others than this machine may reach it. */
  readonly controlToken?: string;
  /** How long an access token lives; as the specification says without it. */
  readonly accessTokenSeconds?: number;
  /** Section 8; on without it. */
  readonly rateLimits?: boolean;
  /** Redirect addresses that the apps have registered beside `http://127.0.0.1:8765/callback`. */
  readonly redirectUris?: readonly string[];
  /** Told of each answer 500 of the emulator's own: a defect. */
  readonly onDefect?: (entry: LogEntry) => void;
}

export function createService(options: ServiceOptions = {}): Service {
  const { now } = options;
  const clock =
    typeof now === "number" ? createEmulatorClock(Date, now) : createEmulatorClock(now ?? Date, undefined);
  const { seed = 1, scene = "mixed", orders = 2_000, redirectUris = [], rateLimits = true } = options;
  const readings = chooseReadings(options.readings ?? {}, seed);
  const cast = options.stores ? castOf(options.stores, seed) : seedCast(seed);
  const world = createWorld({ cast, seed, scene, orders, clock, redirectUris, readings });
  const lifetimes = {
    ...lifetimesOf(readings),
    ...(options.accessTokenSeconds !== undefined && { accessTokenSeconds: options.accessTokenSeconds }),
  };
  const server = createAuthorizationServer({
    apps: world.apps,
    people: world.people,
    stores: [...world.stores.values()],
    clock,
    randomBytes,
    lifetimes,
    readings,
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
      if (tokens) server.reset();
      for (const app of world.apps) server.setApp(app);
      server.setLifetimes(lifetimes);
    },
  };
}
