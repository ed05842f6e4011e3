/** Orders that change between two calls. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";

import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import type { GroupList } from "../../../src/sales/merge/groups.js";
import { told } from "./oracle.js";

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

/** The days that both have whole, and differ. */
export function differentDays(
  lists: readonly (GroupList | undefined)[],
  [from, to]: readonly [string, string],
) {
  const [one, other] = lists.map(
    (list) => new Map(list?.grouped.groups.map((group) => [String(group.key), told(group)])),
  );
  const different: string[] = [];
  for (let day = Temporal.PlainDate.from(from); day.toString() <= to; day = day.add({ days: 1 })) {
    const [left, right] = [one, other].map((days) => days?.get(day.toString()) ?? { count: 0, cents: 0 });
    if (JSON.stringify(left) !== JSON.stringify(right)) different.push(day.toString());
  }
  return different;
}
