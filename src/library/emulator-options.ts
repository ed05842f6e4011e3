/** The options of `startEmulator` are checked here, since a slip would otherwise show far from here. */
import * as z from "zod/mini";

import { check } from "../api/input.js";
import { scenes } from "../emulator/inputs.js";
import { ownStoresSchema } from "../emulator/seed/own-stores.js";
import { isRedirectTarget } from "../emulator/http/authorization-request.js";

function whole(least: number, most: number) {
  return z
    .int(`must be a whole number from ${least} to ${most}`)
    .check(z.minimum(least, `must be at least ${least}`), z.maximum(most, `must be at most ${most}`));
}

/** A time is in milliseconds since the epoch, up to the year 9999: the emulator's dates have four digits. */
const time = z.number().check(z.minimum(0), z.maximum(253_402_300_799_999));
const clock = z.custom(
  (value: unknown) =>
    value !== null &&
    (typeof value === "object" || typeof value === "function") &&
    "now" in value &&
    typeof value.now === "function",
);

const optionsSchema = z.strictObject({
  port: z.optional(whole(0, 65_535)),
  seed: z.optional(whole(0, 4_294_967_295)),
  scene: z.optional(z.enum(scenes, `must be one of ${scenes.join(", ")}`)),
  orders: z.optional(whole(0, 1_000_000)),
  now: z.optional(
    z.union([time, clock], "must be milliseconds since the epoch, or a clock with a function now"),
  ),
  // Each fault is read by itself.
  faults: z.optional(z.array(z.unknown(), "must be a list of faults")),
  accessTokenSeconds: z.optional(
    z.number("must be a number of seconds").check(z.positive("must be more than 0"), z.maximum(1e9)),
  ),
  // Each reading is read by itself.
  readings: z.optional(
    z.union(
      [z.literal("random"), z.record(z.string(), z.unknown())],
      "must be values by their names, or random",
    ),
  ),
  stores: z.optional(ownStoresSchema),
  rateLimits: z.optional(z.boolean("must be true or false")),
  redirectUris: z.optional(
    z.array(
      z.string().check(z.refine(isRedirectTarget, "must be an absolute address without a fragment")),
      "must be a list of addresses",
    ),
  ),
});

/**
 * Checks the options.
 *
 * @throws {TypeError} that names each unknown option, and each value that an option can't have
 */
export function checkOptions(options: unknown): void {
  const result = check(optionsSchema, options, { owner: "startEmulator", kind: "option" });
  if (!result.ok) {
    throw cannotStart(
      result.problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(" ")).join(" "),
    );
  }
  const { scene, orders } = result.value;
  if (scene === "busy" && orders !== undefined)
    throw cannotStart("orders can't go with the scene busy, which has its own number.");
}

function cannotStart(why: string): TypeError {
  return new TypeError(`The emulator can't be started with these options: ${why}`);
}
