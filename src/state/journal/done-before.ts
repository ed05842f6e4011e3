/** Was this change of an order's status the last one, as this machine's journal has it? */
import type { ChangedOrder } from "../../client/call/done-before.js";
import type { StateFolder } from "../state-folder.js";
import { readHistory, type HistoryRow } from "./history.js";
import type { Place } from "./write.js";

/**
 * An order that still has the status of a change had these before it (section 3), never after it. Times aren't compared,
 * since a clock may have been set back: an order only goes forward.
 */
const comesBefore: Readonly<Record<string, readonly string[]>> = {
  dispatchOrder: ["assignDriver"],
  deliverOrder: ["assignDriver", "dispatchOrder"],
};
/** Nothing comes after these. */
const final: readonly string[] = ["finalizeOrder", "cancelOrder"];

/**
 * Never true of what isn't known: neither where another change may have come after it, nor where it was sent and its answer
 * was lost.
 *
 * @throws {ComandaError} `state_unusable`
 */
export async function isLastChange(
  state: Pick<StateFolder, "existingDatabase">,
  { store, environment }: Place,
  { operation, order }: ChangedOrder,
): Promise<boolean> {
  if (order === null) return false;
  let isDone = false;
  for await (const rows of readHistory(state, { order, store: store ?? undefined })) {
    for (const row of rows) {
      if (row.environment !== environment || (store === null && row.store !== null)) continue;
      if (row.operation === operation) isDone ||= wasDone(row);
      else if (mayHaveComeAfter(operation, row)) return false;
    }
  }
  return isDone;
}

function wasDone({ outcome, settled }: HistoryRow): boolean {
  return outcome === "done" || settled?.outcome === "done";
}

function mayHaveComeAfter(operation: string, row: HistoryRow): boolean {
  if (final.includes(operation) || comesBefore[operation]?.includes(row.operation)) return false;
  return wasDone(row) || (row.outcome === "unknown" && !row.settled);
}
