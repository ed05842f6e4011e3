import * as z from "zod/mini";

import type {
  CallableOperation,
  Client,
  GroupedSummaryQuery,
  SummaryQuery,
} from "../../../src/client/index.js";
import type { PrefilledOrderBody } from "../../../src/contract/prefilled-order.js";

const order = z.object({ orderId: z.string() });
const cancel = z.extend(order, { reason: z.optional(z.string()) });
const driver = z.extend(order, {
  driverId: z.number(),
  driverFee: z.optional(z.nullable(z.union([z.number(), z.string()]))),
});

/** Calls an operation with input out of a file. */
export const calls: Record<CallableOperation, (client: Client, input: unknown) => Promise<unknown>> = {
  dispatchOrder: (client, input) => client.dispatchOrder(z.parse(order, input).orderId),
  deliverOrder: (client, input) => client.deliverOrder(z.parse(order, input).orderId),
  finalizeOrder: (client, input) => client.finalizeOrder(z.parse(order, input).orderId),
  cancelOrder: (client, input) => {
    const { orderId, reason } = z.parse(cancel, input);
    return client.cancelOrder(orderId, reason === undefined ? {} : { reason });
  },
  assignDriver: (client, input) => {
    const { orderId, driverId, driverFee } = z.parse(driver, input);
    return client.assignDriver(orderId, { driverId, ...(driverFee === undefined ? {} : { driverFee }) });
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
  dispatchOrder: { orderId: "1" },
  deliverOrder: { orderId: "1" },
  finalizeOrder: { orderId: "1" },
  cancelOrder: { orderId: "1", reason: "x" },
  assignDriver: { orderId: "1", driverId: 7, driverFee: 1 },
  summary: { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z" },
  groupedSummary: { start_date: "2026-10-01T00:00:00Z", end_date: "2026-10-02T00:00:00Z", group_by: "day" },
  createPrefilledOrder: { order_type: "takeout" },
};
