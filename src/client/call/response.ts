/** What the success of each operation looks like: section 4. */
import * as z from "zod/mini";

import { readOrder, type ReadOrder } from "../../contract/order.js";
import { prefilledOrderSchema, type PrefilledOrder } from "../../contract/prefilled-order.js";
import {
  groupedSummarySchema,
  summarySchema,
  type GroupedSummary,
  type Summary,
} from "../../contract/summary.js";
import type { CallableOperation } from "../input.js";
import { isObject } from "../../shared/json.js";

export interface Responses {
  readonly dispatchOrder: null;
  readonly deliverOrder: null;
  readonly finalizeOrder: null;
  readonly cancelOrder: null;
  readonly assignDriver: ReadOrder;
  readonly summary: Summary;
  readonly groupedSummary: GroupedSummary;
  readonly createPrefilledOrder: PrefilledOrder;
}

/**
 * Reads the body of a 2xx.
 *
 * @param json the body as JSON, `undefined` where it is none
 * @returns `undefined` where it is not an answer of the API
 */
export type ReadResponse<Value> = (text: string, json: unknown) => { readonly value: Value } | undefined;

/**
 * A status change answers an empty body. An object may come in its place, and JSON's `null`; a list, a text or a page is
 * no sign of the API's that it was done.
 */
const nothing: ReadResponse<null> = (text, json) =>
  text.trim() === "" || json === null || isObject(json) ? { value: null } : undefined;

function object<Value>(schema: z.ZodMiniType<Value>): ReadResponse<Value> {
  return (_, json) => {
    const result = z.safeParse(schema, json);
    return result.success ? { value: result.data } : undefined;
  };
}

export const responses: { readonly [Id in CallableOperation]: ReadResponse<Responses[Id]> } = {
  dispatchOrder: nothing,
  deliverOrder: nothing,
  finalizeOrder: nothing,
  cancelOrder: nothing,
  // The order has been changed by now, so a field of another shape must not make that a failure.
  assignDriver: (_, json) => {
    const value = readOrder(json);
    return value && { value };
  },
  summary: object(summarySchema),
  groupedSummary: object(groupedSummarySchema),
  createPrefilledOrder: object(prefilledOrderSchema),
};
