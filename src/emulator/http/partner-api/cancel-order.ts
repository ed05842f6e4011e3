/** Section 4.2. */
import { operations } from "../../../contract/operations.js";
import { refuse } from "../answers.js";
import { notFound } from "../../domain/choices.js";
import { changeStatus } from "./change-status.js";
import { findOrder } from "./find-order.js";
import { readOptionalJsonBody } from "../json-body.js";
import type { Call } from "./mount.js";

const { body: asked } = operations.cancelOrder;

export async function cancelOrder(call: Call): Promise<Response> {
  const record = findOrder(call);
  if (!record) return refuse(notFound);
  const body = await readOptionalJsonBody(call.c, asked.schema);
  if (!body.ok) return refuse(body.refusal);
  return changeStatus(call, "cancel", record, body.value?.cancellation_reason);
}
