/** Which change of its status an order had last, as far as this client knows. */
import { statusChanges } from "../../contract/operations.js";
import type { ObservedCall } from "./outcome.js";
import { callbackFailed } from "./callback.js";

export function changesStatus(operation: string): boolean {
  return Object.values(statusChanges).some(({ id }) => id === operation);
}

/** A change of an order's status. `operation` is the client's method, for example `dispatchOrder`. */
export type ChangedOrder = Pick<ObservedCall, "operation" | "order">;

interface BuiltChange {
  readonly operation: { readonly id: string };
  readonly order: string | null;
}

export interface DoneBefore {
  note(done: BuiltChange): void;
  /** Was this the last change of the order? Never true of what isn't known. */
  isDone(change: BuiltChange): Promise<boolean>;
}

/** Orders that are remembered: a server runs for months. */
const mostOrders = 10_000;

/** @param ask the program's own knowledge, such as its journal, in place of what this client remembers */
export function rememberChanges(
  ask: ((change: ChangedOrder) => boolean | Promise<boolean>) | undefined,
): DoneBefore {
  const last = new Map<string | null, string>();
  return {
    note({ operation, order }) {
      if (ask) return;
      last.delete(order);
      last.set(order, operation.id);
      if (last.size > mostOrders) last.delete(last.keys().next().value ?? null);
    },
    async isDone({ operation: { id }, order }) {
      if (!ask) return last.get(order) === id;
      try {
        return await ask({ operation: id, order });
      } catch (error) {
        throw callbackFailed("doneBefore", error);
      }
    },
  };
}
