/** Section 4.1. */
import type { AssignDriverBody } from "../../../contract/order-calls.js";
import { operations } from "../../../contract/operations.js";
import { jsonAnswer, refuse } from "../answers.js";
import { invalidParameters, notFound } from "../../domain/choices.js";
import type { OrderRecord } from "../../domain/orders.js";
import { findOrder } from "./find-order.js";
import { readJsonBody } from "../json-body.js";
import type { Call } from "./mount.js";

const { body: asked } = operations.assignDriver;

const describe = {
  driver_id: "driver_id must be an integer of at least 1",
  driver_fee: "driver_fee must be non-negative with at most two decimals",
};

export async function assignDriver(call: Call): Promise<Response> {
  const record = findOrder(call);
  if (!record) return refuse(notFound);
  const body = await readJsonBody(call.c, asked.schema, describe);
  if (!body.ok) return refuse(body.refusal);
  const objection = objectionTo(call, record, body.value);
  if (objection !== undefined) return refuse(invalidParameters(objection));
  apply(call, record, body.value);
  return jsonAnswer(call.service.world.orders.full(record));
}

/** Rule 1, and "must be an active driver of the authenticated store". */
function objectionTo(call: Call, record: OrderRecord, body: AssignDriverBody): string | undefined {
  if (record.orderType !== "delivery") return "This operation is only for delivery orders";
  if (record.deliveredBy !== "merchant") return "The order must be delivered by the store itself";
  if (record.inDeliveryRoute) return "The order must not belong to a delivery route";
  const driver = call.service.world.drivers.get(body.driver_id);
  if (driver?.storeId !== call.store.id || !driver.active) {
    return "driver_id must be an active driver of the store";
  }
  return undefined;
}

/** Omitted: the fee is kept. `null`: removed. `0`: a delivery at no cost. */
function apply(call: Call, record: OrderRecord, body: AssignDriverBody): void {
  record.driverId = body.driver_id;
  if (body.driver_fee !== undefined) record.driverFee = body.driver_fee;
  record.updatedAt = call.service.world.clock.now();
}
