import type { Client } from "../../../src/client/client.js";
import { operations, type CallableOperation } from "../../../src/api/operations.js";

type Methods = Readonly<Record<CallableOperation, (...all: readonly unknown[]) => Promise<unknown>>>;

/** Calls any operation with an input from a file. */
export function callOf(operation: CallableOperation, client: Client, input: unknown): Promise<unknown> {
  const call = (client as unknown as Methods)[operation];
  if (!operations[operation].path.includes("{order_id}")) return call(input);
  const { order_id, ...fields } = input as Readonly<Record<string, unknown>>;
  return Object.keys(fields).length > 0 ? call(order_id, fields) : call(order_id);
}

export function isCallable(operation: string): operation is CallableOperation {
  return operation in operations;
}
