/** Creates pre-filled orders (section 4.9). */
import type * as z from "zod";

import type { PrefilledOrderBody } from "../api/models.js";
import type { Connection } from "./connection.js";
import type * as results from "./results.js";

/** A pre-filled order with its links. */
export type Prefilled = z.output<typeof results.prefilledOrder>;

/** @throws {ComandaError} the client's errors */
export async function prefill(
  { client, store, workspace }: Connection,
  order: PrefilledOrderBody,
): Promise<Prefilled> {
  const { value } = await client.createPrefilledOrder(order, { signal: workspace.signal });
  const { id, order_url, checkout_url } = value;
  return { store: store ?? null, id, order_url, checkout_url };
}
