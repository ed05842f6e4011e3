/** What the four status changes do: sections 3 and 4.2 to 4.5. */
import type { StatusChange } from "../../../contract/operations.js";
import { emptyAnswer, refuse } from "../answers.js";
import { statusChangeSuccess, statusCannotChange } from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import { targetOf } from "../../domain/transitions.js";
import type { Call } from "./mount.js";

/** Where the order can't be changed, the answer is code 4002 and nothing has happened. */
export function changeStatus(
  { service }: Call,
  change: StatusChange,
  record: OrderRecord,
  reason?: string,
): Response {
  const target = targetOf(change, record);
  if (target === undefined) {
    return refuse(
      statusCannotChange(`A ${record.orderType} order can't go from ${record.status} by ${change}`),
    );
  }
  if (change === "cancel") service.world.orders.cancel(record, reason);
  else service.world.orders.setStatus(record, target);
  return emptyAnswer(statusChangeSuccess);
}
