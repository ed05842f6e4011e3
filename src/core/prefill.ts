/** Creates pre-filled orders (section 4.9). */
import type * as z from "zod";

import type { PrefilledOrderBody } from "../api/models.js";
import { ComandaError } from "../base/errors.js";
import { continued, t } from "../languages/language.js";
import type { Connection } from "./connection.js";
import { withoutRequest } from "./orders.js";
import type * as results from "./results.js";

/** A pre-filled order with its links. */
export type Prefilled = z.output<typeof results.prefilledOrder>;

/** @throws {ComandaError} the client's errors, which name the store if the order was sent */
export async function prefill(
  { client, label, store, workspace }: Connection,
  order: PrefilledOrderBody,
): Promise<Prefilled> {
  try {
    const { value } = await client.createPrefilledOrder(order, { signal: workspace.signal });
    const { id, order_url, checkout_url } = value;
    return { store: store ?? null, id, order_url, checkout_url };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    if (error.evidence === null) throw error.reworded(withoutRequest(error, error.message));
    throw error.reworded(t`Pre-filled order at ${label}: ${continued(error.message)}`);
  }
}
