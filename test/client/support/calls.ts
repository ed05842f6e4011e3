import * as z from "zod/mini";

import type { Client } from "../../../src/client/client.js";
import type { CallableOperation } from "../../../src/api/operations.js";
import type { CancelInput, DriverInput } from "../../../src/api/models.js";
import type { GroupedSummaryQuery, SummaryQuery } from "../../../src/api/models.js";
import type { PrefilledOrderBody } from "../../../src/api/models.js";

const order = z.looseObject({ order_id: z.string() });

/** Calls an operation with input out of a file, whatever else is in it. */
export const calls: Record<CallableOperation, (client: Client, input: unknown) => Promise<unknown>> = {
  dispatchOrder: (client, input) => client.dispatchOrder(z.parse(order, input).order_id),
  deliverOrder: (client, input) => client.deliverOrder(z.parse(order, input).order_id),
  finalizeOrder: (client, input) => client.finalizeOrder(z.parse(order, input).order_id),
  cancelOrder: (client, input) => {
    const { order_id, ...rest } = z.parse(order, input);
    return client.cancelOrder(order_id, z.parse(z.custom<CancelInput>(), rest));
  },
  assignDriver: (client, input) => {
    const { order_id, ...rest } = z.parse(order, input);
    return client.assignDriver(order_id, z.parse(z.custom<DriverInput>(), rest));
  },
  summary: (client, input) => client.summary(z.parse(z.custom<SummaryQuery>(), input)),
  groupedSummary: (client, input) => client.groupedSummary(z.parse(z.custom<GroupedSummaryQuery>(), input)),
  createPrefilledOrder: (client, input) =>
    client.createPrefilledOrder(z.parse(z.custom<PrefilledOrderBody>(), input)),
};

export function isCallable(operation: string): operation is CallableOperation {
  return operation in calls;
}

/** One good input for each operation. */
export const examples: Record<CallableOperation, unknown> = {
  dispatchOrder: { order_id: "1" },
  deliverOrder: { order_id: "1" },
  finalizeOrder: { order_id: "1" },
  cancelOrder: { order_id: "1", cancellation_reason: "x" },
  assignDriver: { order_id: "1", driver_id: 7, driver_fee: 1 },
  summary: { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" },
  groupedSummary: { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z", group_by: "day" },
  createPrefilledOrder: { order_type: "takeout" },
};
