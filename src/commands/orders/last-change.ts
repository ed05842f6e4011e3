/** Tells a person who is about to cancel an order of its last change from this machine. */
import { localTime } from "../../shared/local-time.js";
import { t, translated } from "../../shared/language.js";
import type { HistoryRow } from "../../state/journal/history.js";
import type { Machine } from "../../toolkit/machine.js";

/** Several stores of a machine may have an order of the same id, so more than one row is read. */
const mostRows = 20;

/** @returns a sentence; `undefined` where this machine has sent nothing for the order */
export async function lastChangeText(
  machine: Machine,
  order: string,
  store: string | undefined,
): Promise<string | undefined> {
  const { readHistory } = await import("../../state/journal/history.js");
  const { folder } = await machine.state();
  for await (const rows of readHistory(folder, { order }, mostRows)) {
    const row = rows.find((candidate) => candidate.store === (store ?? null));
    if (row) return sentence(row);
  }
  return undefined;
}

function sentence({ at, operation, outcome, user, actor }: HistoryRow): string {
  const time = localTime(Date.parse(at));
  const change = translated(changes[operation] ?? operation);
  return t`The order's last change from here: ${time}, ${change}, ${translated(outcome)} (${actor ?? user ?? "?"}).`;
}

const changes: Readonly<Record<string, string>> = {
  dispatchOrder: "dispatch",
  deliverOrder: "deliver",
  finalizeOrder: "finalize",
  cancelOrder: "cancel",
  assignDriver: "driver assign",
};
