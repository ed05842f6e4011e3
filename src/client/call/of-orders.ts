/** Which operations of the contract are about one order. */
import { operations, statusChanges } from "../../api/operations.js";

export function isStatusChange(operation: string): boolean {
  return Object.values(statusChanges).some(({ id }) => id === operation);
}

/** Tells whether the path of a contract's operation names an order (sections 4.1 to 4.5). */
export function isOfAnOrder(operation: string): boolean {
  return operation === operations.assignDriver.id || isStatusChange(operation);
}
