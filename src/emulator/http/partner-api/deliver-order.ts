/** Section 4.4. */
import { refuse } from "../answers.js";
import { notFound } from "../../domain/choices.js";
import { changeStatus } from "./change-status.js";
import { findOrder } from "./find-order.js";
import type { Call } from "./mount.js";

export function deliverOrder(call: Call): Response {
  const record = findOrder(call);
  return record ? changeStatus(call, "deliver", record) : refuse(notFound);
}
