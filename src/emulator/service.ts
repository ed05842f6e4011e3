/** The emulated service, which combines all its parts. */
import * as z from "zod/mini";

import { oneOf, ruleCheck, type FieldRule } from "../api/schema.js";
import { scopeNames } from "../api/values.js";
import { isObject } from "../base/basics.js";
import { World } from "./domain/world.js";
import { RateLimiter } from "./http/access.js";
import { AuthorizationServer } from "./http/oauth.js";
import { FaultSwitch } from "./http/faults.js";
import { RouteTable } from "./http/incoming.js";
import { RequestLog } from "./http/received.js";
import { scenes, type EmulatorOptions } from "./inputs.js";
import { chooseReadings } from "./readings.js";
import { integer, ownStoresSchema, text } from "./seed/cast.js";

export interface ServiceOptions extends EmulatorOptions {
  /** The token that the control API requires. Without one, only this machine can use the service. */
  readonly controlToken?: string | undefined;
}

const custom = (fits: (value: unknown) => boolean, rule: string) => z.optional(z.custom(fits, rule));
/** Beyond the year 9999, ISO 8601 has no date-times with four digits for the year. */
const isTime = (value: unknown) => Number(value) >= 0 && Number(value) < Date.UTC(10_000, 0);
const isClock = (value: unknown) => isObject(value) && typeof value["now"] === "function";
const sceneRule: FieldRule<Pick<EmulatorOptions, "scene" | "orders">> = {
  field: "orders",
  message: "is only allowed if scene is mixed",
  holds: ({ scene, orders }) => scene !== "busy" || orders === undefined,
};
/** Checks the options of a test's emulator. */
export const emulatorOptionsSchema = z
  .strictObject({
    port: z.optional(integer(0, 65_535)),
    seed: z.optional(integer(-(2 ** 31), 2 ** 31 - 1)),
    scene: z.optional(oneOf(scenes)),
    orders: z.optional(integer(0)),
    stores: z.optional(ownStoresSchema),
    now: custom(
      (now) => (typeof now === "number" ? isTime(now) : isClock(now)),
      "must be milliseconds since 1970, before the year 10,000, or a clock",
    ),
    accessTokenSeconds: z.optional(integer(1)),
    rateLimits: z.optional(z.boolean()),
    redirectUris: z.optional(z.array(z.string())),
    readings: custom((given) => given === "random" || isObject(given), "must be an object or random"),
    faults: z.optional(z.array(z.unknown())),
  } satisfies Record<keyof EmulatorOptions, unknown>)
  .check(ruleCheck(sceneRule));

const id = integer(1);
/** The inputs of functions that control the service. The control API has the same fields in snake_case. */
export const controlSchemas = {
  app: z.strictObject({
    clientId: z.optional(text),
    name: z.optional(text),
    redirectUris: z.optional(z.array(z.url())),
    approved: z.optional(z.boolean()),
    scopes: z.optional(z.array(oneOf(scopeNames))),
  }),
  decision: z.strictObject({
    person: z.optional(z.string()),
    store: z.optional(id),
    allow: z.optional(z.boolean()),
  }),
  driver: z.strictObject({
    id,
    storeId: z.optional(id),
    name: z.optional(text),
    active: z.optional(z.boolean()),
  }),
  store: z.strictObject({ storeId: z.optional(id) }),
  rateLimits: z.strictObject({ enabled: z.boolean() }),
  uninstall: z.strictObject({ storeId: id }),
};

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
  /** Aborted when the emulator has closed. */
  const closed = new AbortController();
  /** Responses that tests use instead of the service's. */
  const routes = new RouteTable();
  /** Restores the initial state, except for installations and tokens. */
  const reset = (): void => {
    world.reset();
    limiter.switch(rateLimits);
    faults.set(options.faults ?? []);
    log.clear();
    routes.clear();
    server.reset();
  };
  return { readings, controlToken, world, server, limiter, log, faults, routes, closed, reset };
}
