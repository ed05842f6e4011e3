/** The order of a path: section 7, code 4041. */
import type { OrderRecord } from "../../domain/orders.js";
import type { Call } from "./mount.js";

const orderId = /^[1-9]\d{0,15}$/;

/** `undefined` where the store has no such order; another store's order does not exist for it. */
export function findOrder({ c, service, store }: Call): OrderRecord | undefined {
  const text = c.req.param("order_id") ?? "";
  const record = orderId.test(text) ? service.world.orders.find(Number(text)) : undefined;
  return record?.storeId === store.id ? record : undefined;
}
