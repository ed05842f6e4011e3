/** Creates fixed and random orders for the summaries. */
import fc from "fast-check";

import { orderStatuses, orderTimings, orderTypes } from "../../../src/api/values.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";

export const now = Date.parse("2026-11-20T15:00:00Z");

export function orderOf(fields: Partial<OrderRecord> = {}): OrderRecord {
  return {
    id: 1,
    storeId: 1,
    orderType: "delivery",
    timing: "immediate",
    salesChannel: "catalog",
    customerOrigin: null,
    deliveredBy: "merchant",
    createdAt: now,
    scheduledStart: null,
    total: 1000,
    deliveryFee: 0,
    paymentMethodIds: [1],
    paidOnlineByCreditCard: false,
    inDeliveryRoute: false,
    status: "closed",
    driverId: null,
    driverFee: null,
    cancellationReason: null,
    updatedAt: now,
    ...fields,
  };
}

const day = 86_400_000;
/** Instants of nine months, which contain the changes of the clock. */
const instants = fc
  .integer({ min: Date.parse("2026-02-20T00:00:00Z") / 1000, max: now / 1000 })
  .map((seconds) => seconds * 1000);

export const orders: fc.Arbitrary<OrderRecord> = fc
  .record({
    orderType: fc.constantFrom(...orderTypes),
    timing: fc.constantFrom(...orderTimings),
    salesChannel: fc.constantFrom("catalog", "portal", "totem"),
    customerOrigin: fc.constantFrom(null, "instagram", "a, b", "portal"),
    createdAt: instants,
    wait: fc.option(fc.integer({ min: 0, max: 20 * day }), { nil: null }),
    total: fc.constantFrom(0, 1, 10, 999, 1000, 1001, 123_456_789),
    deliveryFee: fc.constantFrom(0, 500, 790),
    paymentMethodIds: fc.subarray([1, 2, 3]),
    status: fc.constantFrom(...orderStatuses),
    driverId: fc.constantFrom(null, 7, 8),
  })
  .map(({ wait, ...fields }) =>
    orderOf({ ...fields, scheduledStart: wait === null ? null : fields.createdAt + wait }),
  );
