/** Reads from this machine's journal the orders that the counter can complete, and the last changes. */
import type { HistoryRow } from "../../state/journal/history.js";
import type { Machine } from "../../toolkit/machine.js";

import { maxSettledEntries, type Change, type Entries } from "./queue.js";

/** An evening has fewer orders. */
const mostRows = 500;

const actions: Readonly<Record<string, Change["action"]>> = {
  dispatchOrder: "dispatch",
  deliverOrder: "deliver",
  finalizeOrder: "finalize",
  cancelOrder: "cancel",
  assignDriver: "assign",
};

export interface JournalOrders {
  /** Ids of orders that may still be changed, the newest first. */
  readonly orders: readonly string[];
  readonly entries: Entries;
}

/** @param store the alias; absent for a store that environment variables name */
export async function readJournalOrders(machine: Machine, store: string | undefined): Promise<JournalOrders> {
  const { readHistory } = await import("../../state/journal/history.js");
  const { folder } = await machine.state();
  const rows: HistoryRow[] = [];
  for await (const page of readHistory(folder, {}, mostRows))
    rows.push(...page.filter((row) => row.store === (store ?? null)));
  return { orders: openOrders(rows), entries: lastChanges(rows) };
}

/** @param rows the newest first */
export function openOrders(
  rows: readonly Pick<HistoryRow, "order_id" | "operation" | "outcome">[],
): string[] {
  const isFinished = ({ operation, outcome }: Pick<HistoryRow, "operation" | "outcome">) =>
    outcome === "done" && (operation === "finalizeOrder" || operation === "cancelOrder");
  const finishedOrders = new Set(rows.filter(isFinished).map((row) => row.order_id));
  return [
    ...new Set(rows.flatMap(({ order_id: id }) => (id === null || finishedOrders.has(id) ? [] : [id]))),
  ];
}

/** @param rows the newest first */
function lastChanges(rows: readonly HistoryRow[]): Entries {
  const changes = rows.flatMap(({ order_id: order, operation, outcome, code, at }) => {
    const action = actions[operation];
    if (order === null || action === undefined) return [];
    const shownOutcome = { outcome, code, message: null, details: null };
    return [
      {
        change: { order, action },
        stage: { kind: "settled" as const, at: Date.parse(at), outcome: shownOutcome },
      },
    ];
  });
  const last = changes.slice(0, maxSettledEntries).toReversed();
  return last.map((entry, number) => ({ number, ...entry }));
}
