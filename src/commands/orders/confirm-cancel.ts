/** A cancel asks first, since it can't be undone. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";
import { localTime } from "../../shared/local-time.js";
import { placeInQuestion } from "../../toolkit/confirmation.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";

import { actionOf } from "./actions.js";

/**
 * @param yes cancel without asking, unless the store is protected
 * @returns false where the person said no
 * @throws {ComandaError} `usage` where several are to be canceled and nobody can be asked
 */
export async function confirmCancel(
  machine: Machine,
  connection: Connection,
  orders: readonly string[],
  yes: boolean,
): Promise<boolean> {
  const [order = ""] = orders;
  const subject = plural(orders.length, { one: t`order ${order}`, other: t`${orders.length} orders` });
  const confirmation = await connection.confirmCancel(subject);
  if (confirmation !== "unprotected") return confirmation === "confirmed";
  if (yes) return true;
  if (machine.canAsk()) {
    if (orders.length === 1) await tellLastChange(machine, order, connection.store);
    return machine.askYesNo(t`Cancel ${subject} at ${placeInQuestion(connection)}? This can't be undone.`);
  }
  if (orders.length === 1) return true;
  throw new ComandaError("usage", t`Canceling ${subject} needs --yes where nobody can be asked.`, {
    hint: t`A canceled order can't be brought back. Add --yes if that is what you want.`,
  });
}

/** Several stores of a machine may have an order of the same id, so more than one row is read. */
const mostRows = 20;

/** Tells what this machine did last to the order. */
async function tellLastChange(machine: Machine, order: string, store: string | undefined): Promise<void> {
  const { readHistory } = await import("../../state/journal/history.js");
  const state = await machine.state();
  for await (const rows of readHistory(state, { order }, mostRows)) {
    const row = rows.find((candidate) => candidate.store === (store ?? null));
    if (!row) continue;
    const { at, operation, outcome, user, actor } = row;
    const action = actionOf(operation) ?? operation;
    const change = translated(action === "assign" ? "driver assign" : action);
    machine.output.notice(
      t`The order's last change from here: ${localTime(Date.parse(at))}, ${change}, ${translated(outcome)} (${actor ?? user ?? "?"}).`,
    );
    return;
  }
}
