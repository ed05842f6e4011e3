/**
 * The operations of the partner API, each with the file that does it. An operation of the contract becomes a
 * route by a line here: path, credentials, scopes and rate limit come from the contract.
 */
import { Hono } from "hono";

import { operations, type Operation, type OperationId } from "../../../contract/operations.js";
import type { Environment, Service } from "../../service.js";
import { assignDriver } from "./assign-driver.js";
import { cancelOrder } from "./cancel-order.js";
import { createPrefilledOrder } from "./create-prefilled-order.js";
import { deliverOrder } from "./deliver-order.js";
import { dispatchOrder } from "./dispatch-order.js";
import { finalizeOrder } from "./finalize-order.js";
import { groupedSummary } from "./grouped-summary.js";
import { mountOperation, type Handler } from "./mount.js";
import { summary } from "./summary.js";

const handlers: ReadonlyMap<OperationId, Handler> = new Map<OperationId, Handler>([
  ["assignDriver", assignDriver],
  ["cancelOrder", cancelOrder],
  ["dispatchOrder", dispatchOrder],
  ["deliverOrder", deliverOrder],
  ["finalizeOrder", finalizeOrder],
  ["summary", summary],
  ["groupedSummary", groupedSummary],
  ["createPrefilledOrder", createPrefilledOrder],
]);

/** What the emulator answers of the contract: these, and the two OAuth endpoints. */
export const servedOperations: readonly Operation[] = Object.values(operations).filter(
  ({ id }) => handlers.has(id) || id === "token" || id === "revoke",
);

export function partnerApiRoutes(service: Service): Hono<Environment> {
  const app = new Hono<Environment>();
  for (const [id, handler] of handlers) mountOperation(app, service, operations[id], handler);
  return app;
}
