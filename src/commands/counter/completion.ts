/** Completes a line at Tab with the ids that this machine has seen in its journal, and with names of drivers. */
import type { HistoryRow } from "../../state/journal/history.js";
import type { Machine } from "../../toolkit/machine.js";
import { driversNamed } from "../driver/by-name.js";
import { actionOf } from "../orders/actions.js";

import type { Entry } from "./changes.js";

/** An evening has fewer orders. */
const mostRows = 500;

export interface JournalOrders {
  /** Ids of orders that may still be changed, the newest first. */
  readonly orders: readonly string[];
  /** The last changes, the newest at the end. */
  readonly entries: readonly Entry[];
}

/** @param store the alias; absent for a store that environment variables name */
export async function readJournalOrders(
  machine: Machine,
  store: string | undefined,
  mostEntries: number,
): Promise<JournalOrders> {
  const { readHistory } = await import("../../state/journal/history.js");
  const state = await machine.state();
  const rows: HistoryRow[] = [];
  for await (const page of readHistory(state, {}, mostRows))
    rows.push(...page.filter((row) => row.store === (store ?? null)));
  const entries = rows.flatMap(({ order_id: order, operation, outcome, code, at }): readonly Entry[] => {
    const action = actionOf(operation);
    if (order === null || action === undefined) return [];
    const shown = { outcome, code, message: null, details: null };
    return [{ change: { order, action }, stage: { kind: "settled", at: Date.parse(at), outcome: shown } }];
  });
  return { orders: openOrders(rows), entries: entries.slice(0, mostEntries).toReversed() };
}

/** @param rows the newest first */
export function openOrders(
  rows: readonly Pick<HistoryRow, "order_id" | "operation" | "outcome">[],
): readonly string[] {
  const ends = rows.filter(
    ({ operation, outcome }) =>
      outcome === "done" && (operation === "finalizeOrder" || operation === "cancelOrder"),
  );
  const finished = new Set(ends.map((row) => row.order_id));
  return [...new Set(rows.flatMap(({ order_id: id }) => (id === null || finished.has(id) ? [] : [id])))];
}

export interface CompletionData {
  /** Ids of orders, the newest first. */
  readonly orders: readonly string[];
  readonly drivers: readonly { readonly id: number; readonly name: string }[];
}

export interface Completion {
  readonly line: string;
  /** The possible words where there are several. */
  readonly candidates: readonly string[];
}

export function completeLine(line: string, { orders, drivers }: CompletionData): Completion {
  const [, before = "", word] = /^(\s*(?:[defc]\s+)?)(\S*)$/i.exec(line) ?? [];
  if (word !== undefined) return completeWord(before, ordersLike(orders, word), word);
  const [, head, name = ""] = /^(\s*(?:[def]\s+)?\S+\s+)(.*)$/i.exec(line) ?? [];
  if (head === undefined) return { line, candidates: [] };
  const named = name === "" ? drivers : driversNamed(drivers, name);
  return completeWord(
    head,
    named.map((driver) => driver.name),
    name,
  );
}

/** An id is found by its beginning, or else by its end, which a person remembers of a long number. */
function ordersLike(orders: readonly string[], word: string): readonly string[] {
  const byStart = orders.filter((order) => order.startsWith(word));
  return byStart.length > 0 ? byStart : orders.filter((order) => order.endsWith(word));
}

function completeWord(before: string, candidates: readonly string[], word: string): Completion {
  const [first = "", ...others] = candidates;
  if (candidates.length === 1) return { line: `${before}${first} `, candidates: [] };
  let common = first;
  while (!others.every((other) => other.startsWith(common))) common = common.slice(0, -1);
  return { line: before + (common.startsWith(word) ? common : word), candidates };
}
