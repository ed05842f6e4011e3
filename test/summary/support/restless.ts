/** Orders that change between two calls. */
import * as fc from "fast-check";

import type { OrderRecord } from "../../../src/emulator/domain/orders.js";

/** What becomes of one of the orders: a cent more, canceled, another driver's, gone, or a second one beside it. */
export interface Alteration {
  readonly order: number;
  readonly to: "dearer" | "canceled" | "driven" | "gone" | "twice";
}

export const alteration: fc.Arbitrary<Alteration> = fc.record({
  order: fc.nat(),
  to: fc.constantFrom("dearer", "canceled", "driven", "gone", "twice"),
});

export function alter(orders: OrderRecord[], { order, to }: Alteration): void {
  const index = order % orders.length;
  const found = orders[index];
  if (!found) return;
  if (to === "gone" && orders.length > 1) orders.splice(index, 1);
  else if (to === "twice") orders.push(found);
  else orders[index] = altered(found, to);
}

function altered(order: OrderRecord, to: Alteration["to"]): OrderRecord {
  switch (to) {
    case "canceled":
      return { ...order, status: to };
    case "driven":
      return { ...order, driverId: (order.driverId ?? 0) + 1 };
    default:
      return { ...order, total: order.total + 1 };
  }
}
