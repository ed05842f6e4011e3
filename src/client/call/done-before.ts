/** `ok_if_already` makes a change that its order's status doesn't allow a success where it was done before. */
import { operations, statusChanges } from "../../contract/operations.js";
import type { BuiltCall } from "../request.js";
import type { Call } from "./call.js";
import { awaitedCallback } from "./callback.js";
import type { ObservedCall } from "./observer.js";
import type { Attempt } from "./outcome.js";

export function isStatusChange(operation: string): boolean {
  return Object.values(statusChanges).some(({ id }) => id === operation);
}

/** Tells whether the path of a contract's operation names an order (sections 4.1 to 4.5). */
export function isOfAnOrder(operation: string): boolean {
  return operation === operations.assignDriver.id || isStatusChange(operation);
}

/** A change of an order's status. `operation` is the client's method, for example `dispatchOrder`. */
export type ChangedOrder = Pick<ObservedCall, "operation" | "order">;

export type DoneBefore = ReturnType<typeof rememberChanges>;

/** The most orders that are remembered: a server runs for months. */
const mostOrders = 10_000;

/** @param ask the program's own knowledge, such as its journal, in place of what this client remembers */
export function rememberChanges(ask: ((change: ChangedOrder) => boolean | Promise<boolean>) | undefined) {
  const lastChanges = new Map<string | null, string>();
  return {
    note({ operation, order }: BuiltCall): void {
      if (ask) return;
      lastChanges.delete(order);
      lastChanges.set(order, operation.id);
      if (lastChanges.size > mostOrders) lastChanges.delete(lastChanges.keys().next().value ?? null);
    },
    /** Was this the last change of the order? Never true of an order that nothing is known of. */
    isDone: async ({ operation: { id }, order }: BuiltCall): Promise<boolean> =>
      ask
        ? awaitedCallback("doneBefore", () => ask({ operation: id, order }))
        : lastChanges.get(order) === id,
  };
}

/** An empty answer, as most changes have it. */
const noBody = { status: 204, headers: {}, body: "" };

/** Makes a success of a refusal that says that the call was done before. */
export async function unlessDoneBefore<Value>(
  { wasDone, progress, read }: Call<Value>,
  attempt: Attempt<Value>,
): Promise<Attempt<Value>> {
  // After a request of which nothing is known the answer tells of that one, too.
  if (!wasDone || progress.doubt || attempt.kind !== "refusal") return attempt;
  const { code, evidence, service, answer } = attempt;
  if (code !== "status_conflict" || evidence !== "api" || !(await wasDone())) return attempt;
  const success = read(noBody, undefined);
  return success ? { kind: "success", value: success.value, already: service, answer } : attempt;
}
