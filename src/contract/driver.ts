/** The driver of a delivery order: section 4.1. */
import * as z from "zod/mini";

import { hasAtMostTwoDecimals } from "./money.js";

/** Section 4.1: "minimum 1". */
export const driverIdSchema = z.int().check(z.minimum(1));

/** Section 4.1: "minimum 0, multiple of 0.01"; judged on the decimal, never by dividing floats. No maximum is shown. */
export const driverFeeSchema = z
  .number()
  .check(z.minimum(0), z.refine(hasAtMostTwoDecimals, "must have at most two decimals"));

/** `driver_fee` omitted keeps the current fee, `null` removes it, `0` is a delivery at no cost. */
export const assignDriverBodySchema = z.strictObject({
  driver_id: driverIdSchema,
  driver_fee: z.optional(z.nullable(driverFeeSchema)),
});
export type AssignDriverBody = z.infer<typeof assignDriverBodySchema>;
