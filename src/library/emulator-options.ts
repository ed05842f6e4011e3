/** The options of `startEmulator` are checked here, since a slip would otherwise show far from here. */
import * as z from "zod/mini";

import { check } from "../api/input.js";
import { isRedirectTarget } from "../emulator/http/oauth.js";
import { scenes } from "../emulator/inputs.js";
import { ownStoresSchema } from "../emulator/seed/cast.js";

const whole = (most: number) => z.optional(z.int().check(z.minimum(0), z.maximum(most)));
/** A time is in milliseconds since the epoch, up to the year 9999: the emulator's dates have four digits. */
const time = z.number().check(z.minimum(0), z.maximum(253_402_300_799_999));
const clock = z.custom((value: unknown) => {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && "now" in value && typeof value.now === "function";
});
const redirectUri = z
  .string()
  .check(z.refine(isRedirectTarget, "must be an absolute address without a fragment"));

const optionsSchema = z.strictObject({
  port: whole(65_535),
  seed: whole(4_294_967_295),
  scene: z.optional(z.enum(scenes)),
  orders: whole(1_000_000),
  now: z.optional(
    z.union([time, clock], "must be milliseconds since the epoch, or a clock with a function now"),
  ),
  // Each fault and each reading is read by itself.
  faults: z.optional(z.array(z.unknown())),
  readings: z.optional(
    z.union(
      [z.literal("random"), z.record(z.string(), z.unknown())],
      "must be values by their names, or random",
    ),
  ),
  accessTokenSeconds: z.optional(z.number().check(z.gt(0, "must be more than 0"), z.maximum(1e9))),
  stores: z.optional(ownStoresSchema),
  rateLimits: z.optional(z.boolean()),
  redirectUris: z.optional(z.array(redirectUri)),
});

/** @throws {TypeError} that names each unknown option, and each value that an option can't have */
export function checkOptions(options: unknown): void {
  const result = check(optionsSchema, options, { owner: "startEmulator", kind: "option" });
  const problems = result.ok
    ? []
    : result.problems.map(({ message, hint = "" }) => `${message} ${hint}`.trim());
  if (result.ok && result.value.scene === "busy" && result.value.orders !== undefined)
    problems.push("orders can't go with the scene busy, which has its own number.");
  if (problems.length > 0)
    throw new TypeError(`The emulator can't be started with these options: ${problems.join(" ")}`);
}
