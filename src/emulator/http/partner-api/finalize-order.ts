/** Section 4.5. */
import { refuse } from "../answers.js";
import { notFound } from "../../domain/choices.js";
import { changeStatus } from "./change-status.js";
import { findOrder } from "./find-order.js";
import type { Call } from "./mount.js";

export function finalizeOrder(call: Call): Response {
  const record = findOrder(call);
  return record ? changeStatus(call, "finalize", record) : refuse(notFound);
}
