/** Calls about one order change its driver (section 4.1) and its status (sections 4.2 to 4.5). */
import * as z from "zod/mini";

import { isObject } from "./json.js";
import { once } from "./once.js";
import type { ReadOrder } from "./models.js";
import { hasAtMostTwoDecimals, isAmount } from "./money.js";
import { readOrder } from "./order.js";

const driverIdRule = "must be an integer of at least 1";
/** Section 4.1: "minimum 1". */
const driverIdSchema = once(() => z.int(driverIdRule).check(z.minimum(1, driverIdRule)));

/** Section 4.1 has the rule in these words. */
const driverFeeRule = "must be non-negative with at most two decimals";
/**
 * Section 4.1 says "minimum 0, multiple of 0.01". The decimal is judged, since dividing floats would be inexact. No
 * maximum is shown.
 */
export const driverFeeSchema = once(() =>
  z.number(driverFeeRule).check(z.minimum(0, driverFeeRule), z.refine(hasAtMostTwoDecimals, driverFeeRule)),
);

function isFee(fee: unknown): boolean {
  return z.safeParse(driverFeeSchema(), fee).success;
}

/**
 * The body goes over the wire. Without `driver_fee` the current fee is kept, `null` removes it, `0` is a delivery at
 * no cost.
 */
export const assignDriverBodySchema = once(() =>
  z.strictObject({
    driver_id: driverIdSchema(),
    driver_fee: z.optional(z.nullable(driverFeeSchema())),
  }),
);

export const cancelOrderBodySchema = once(() =>
  z.looseObject({ cancellation_reason: z.optional(z.string()) }),
);

const typedFeeRule = `${driverFeeRule}\nAs text it is written with a point, for example 7.50.`;
const typedFeeSchema = once(() =>
  z.custom<number | string>((fee) => (typeof fee === "string" ? isAmount(fee) : isFee(fee)), typedFeeRule),
);

/** Section 2.1 has `id` as an integer, section 4 as a text in the path: so it is digits, and may come as either. */
function isOrderId(id: unknown): boolean {
  return typeof id === "string" ? /^\d+$/.test(id) : Number.isSafeInteger(id) && Number(id) >= 0;
}

const orderId = once(() => ({
  order_id: z.pipe(
    z.custom<number | string>(isOrderId, "must be an order's id: digits alone, as a text or a number"),
    z.transform(String),
  ),
}));
export const orderInputSchema = once(() => z.strictObject(orderId()));

export const cancelInputSchema = once(() =>
  z.strictObject({
    cancellation_reason: z.optional(z.string()),
  }),
);

export const cancelOrderInputSchema = once(() =>
  z.strictObject({ ...orderId(), ...cancelInputSchema().shape }),
);

export const driverInputSchema = once(() =>
  z.strictObject({
    driver_id: driverIdSchema(),
    /**
     * Without this field the current fee is kept. `null` removes it, and 0 is a delivery at no cost. A text goes out
     * with the digits that were typed, for example `"7.50"`.
     */
    driver_fee: z.optional(z.nullable(typedFeeSchema())),
  }),
);

export const assignDriverInputSchema = once(() =>
  z.strictObject({ ...orderId(), ...driverInputSchema().shape }),
);

/** What a call about an order asked for, as it went out. */
export interface Asked {
  readonly orderId: string | null;
  /** `undefined` where the body is a stream, or names none. */
  readonly driverId: unknown;
}

/**
 * Reads the answer to a status change: an empty body (sections 4.2 to 4.5). `{}`, `null` and the order itself are taken for
 * it. Any other body doesn't show that the API did it, whatever its status.
 *
 * @returns `undefined` where nothing tells that it was done
 */
export function readStatusChange(json: unknown, text: string, asked: Asked): null | undefined {
  if (text.trim() === "" || json === null) return null;
  const isEmpty = isObject(json) && Object.keys(json).length === 0;
  return isEmpty || isOrderOf(json, asked) ? null : undefined;
}

/**
 * Reads the answer to an assignment: the order, with that driver (section 4.1).
 *
 * @returns `undefined` where nothing tells that it was done
 */
export function readAssignment(json: unknown, _text: string, asked: Asked): ReadOrder | undefined {
  if (!isObject(json) || !isOrderOf(json, asked)) return undefined;
  const { driver_id: driver } = json;
  const isTheirs = driver === undefined || asked.driverId === undefined || isSameId(driver, asked.driverId);
  return isTheirs ? readOrder(json) : undefined;
}

function isOrderOf(json: unknown, { orderId }: Asked): boolean {
  return isObject(json) && isSameId(json["id"], orderId);
}

/** An id may come as a text; leading zeros say nothing. */
function isSameId(one: unknown, other: unknown): boolean {
  const isId = typeof one === "number" || typeof one === "string";
  return isId && String(one).replace(/^0+(?=.)/, "") === String(other).replace(/^0+(?=.)/, "");
}
