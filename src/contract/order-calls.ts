/** What the calls about one order take: its driver (section 4.1) and its status (sections 4.2 to 4.5). */
import * as z from "zod/mini";

import { isObject } from "../shared/json.js";
import { hasAtMostTwoDecimals, isAmount } from "./money.js";

const driverIdRule = "must be an integer of at least 1";
/** Section 4.1: "minimum 1". */
const driverIdSchema = z.int(driverIdRule).check(z.minimum(1, driverIdRule));

/** The rule in the words of section 4.1. */
const driverFeeRule = "must be non-negative with at most two decimals";
/** Section 4.1: "minimum 0, multiple of 0.01"; judged on the decimal, never by dividing floats. No maximum is shown. */
export const driverFeeSchema = z
  .number(driverFeeRule)
  .check(z.minimum(0, driverFeeRule), z.refine(hasAtMostTwoDecimals, driverFeeRule));

function isFee(fee: unknown): boolean {
  return z.safeParse(driverFeeSchema, fee).success;
}

/** Over the wire. `driver_fee` omitted keeps the current fee, `null` removes it, `0` is a delivery at no cost. */
export const assignDriverBodySchema = z.strictObject({
  driver_id: driverIdSchema,
  driver_fee: z.optional(z.nullable(driverFeeSchema)),
});

/** Over the wire. */
export const cancelOrderBodySchema = z.looseObject({ cancellation_reason: z.optional(z.string()) });

/** One segment of a path, where no encoding keeps a dot in its place, nor half of a surrogate pair. */
function isSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && text.isWellFormed();
}

const typedFeeRule = `${driverFeeRule}\nAs text it is written with a point, for example 7.50.`;
const typedFeeSchema = z.custom<number | string>(
  (fee) => (typeof fee === "string" ? isAmount(fee) : isFee(fee)),
  typedFeeRule,
);

/** Fields have the names of the specification. */
const orderId = {
  /** Opaque: encoded as one segment of the path. */
  order_id: z
    .string("must be a text\nA number becomes one with String(id).")
    .check(z.refine(isSegment, `must be one segment of a path: not empty, "." or ".."`)),
};
export const orderInputSchema = z.strictObject(orderId);

export const cancelInputSchema = z.strictObject({
  /** Stored with the order. */
  cancellation_reason: z.optional(z.string()),
});

export const cancelOrderInputSchema = z.strictObject({ ...orderId, ...cancelInputSchema.shape });

export const driverInputSchema = z.strictObject({
  /** At least 1. */
  driver_id: driverIdSchema,
  /**
   * Absent: the current fee is kept. `null`: it is removed. 0: a delivery at no cost. As text it goes out with
   * the digits that were typed, for example `"7.50"`.
   */
  driver_fee: z.optional(z.nullable(typedFeeSchema)),
});

export const assignDriverInputSchema = z.strictObject({ ...orderId, ...driverInputSchema.shape });

/**
 * What a status change answers is not shown: an empty body, but an object may come in its place, and JSON's `null`. A
 * list, a text or a page is no sign of the API's that it was done.
 *
 * @returns `undefined` where it is not an answer of the API
 */
export function readStatusChange(json: unknown, text: string): null | undefined {
  return text.trim() === "" || json === null || isObject(json) ? null : undefined;
}
