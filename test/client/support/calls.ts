import type { Client } from "../../../src/client/client.js";
import type { CallableOperation } from "../../../src/api/operations.js";

type Methods = Readonly<Record<CallableOperation, (...all: readonly unknown[]) => Promise<unknown>>>;

/** Calls any operation with an input from a file. */
function calling(operation: CallableOperation, ofAnOrder: boolean) {
  return (client: Client, input: unknown) => {
    const call = (client as unknown as Methods)[operation];
    if (!ofAnOrder) return call(input);
    const { order_id, ...fields } = input as Readonly<Record<string, unknown>>;
    return Object.keys(fields).length > 0 ? call(order_id, fields) : call(order_id);
  };
}

export const calls: Readonly<Record<CallableOperation, ReturnType<typeof calling>>> = {
  dispatchOrder: calling("dispatchOrder", true),
  deliverOrder: calling("deliverOrder", true),
  finalizeOrder: calling("finalizeOrder", true),
  cancelOrder: calling("cancelOrder", true),
  assignDriver: calling("assignDriver", true),
  summary: calling("summary", false),
  groupedSummary: calling("groupedSummary", false),
  createPrefilledOrder: calling("createPrefilledOrder", false),
};

export function isCallable(operation: string): operation is CallableOperation {
  return operation in calls;
}
