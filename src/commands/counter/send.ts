/** Sends a change by the command that a person would type, with its journal, protection and limits. */
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Command } from "../../toolkit/command.js";
import type { Machine } from "../../toolkit/machine.js";
import { doneWrite, failedWrite, skippedWrite } from "../../toolkit/outcomes.js";
import { assign, parseFee } from "../driver/index.js";
import {
  cancel,
  deliver,
  dispatch,
  finalize,
  defaultChange,
  type ChangeStatusOptions,
  type ChangeStatusResult,
} from "../orders/change-status.js";
import type { OrderOutcome } from "../orders/outcomes.js";

import type { Change } from "./queue.js";

const commands: Readonly<Record<StatusChange, Command<ChangeStatusOptions, ChangeStatusResult>>> = {
  dispatch,
  deliver,
  finalize,
  cancel,
};

/**
 * The driver is assigned first: where that fails, the order's status stays as it is.
 *
 * @param machine must not ask
 * @param store the alias that `--store` would name
 */
export async function sendChange(
  machine: Machine,
  store: string | undefined,
  change: Change,
): Promise<readonly OrderOutcome[]> {
  const { action, order } = change;
  const assignment = change.driver && (await assignDriver(machine, store, order, change.driver));
  if (action === "assign") return assignment ? [assignment] : [];
  if (assignment === undefined) return [await changeStatus(machine, store, action, change)];
  if (assignment.outcome === "done") return [assignment, await changeStatus(machine, store, action, change)];
  const reason = new ComandaError("some_failed", t`the driver was not assigned.`);
  return [assignment, { order_id: order, action, ...skippedWrite(reason) }];
}

async function assignDriver(
  machine: Machine,
  store: string | undefined,
  order: string,
  { id: driver, fee }: NonNullable<Change["driver"]>,
): Promise<OrderOutcome> {
  try {
    const options = { order, driver, fee: parseFee(fee, false), store, dryRun: false, noJournal: false };
    const result = await assign.run(machine, options);
    if (result.kind === "assigned")
      return {
        order_id: order,
        action: "assign",
        ...doneWrite(result.answer.httpStatus, result.answer.attempts),
      };
    throw new RangeError("nothing was sent");
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return { order_id: order, action: "assign", ...failedWrite(error) };
  }
}

async function changeStatus(
  machine: Machine,
  store: string | undefined,
  action: StatusChange,
  { order, reason, confirm }: Change,
): Promise<OrderOutcome> {
  try {
    const options = { ...defaultChange, orders: [order], reason, confirm, yes: true, store };
    const result = await commands[action].run(machine, options);
    if (result.kind === "one") return result.outcome;
    throw new RangeError("one order has one outcome");
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return { order_id: order, action, ...failedWrite(error) };
  }
}
