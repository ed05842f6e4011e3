/** A change that was typed at the counter: its words, and how it is sent. */
import { ComandaError } from "../../shared/errors.js";
import { plural, t, translated } from "../../shared/language.js";
import { printable } from "../../terminal/index.js";
import type { Machine } from "../../toolkit/machine.js";
import {
  doneWrite,
  failedWrite,
  reasonText,
  skippedWrite,
  type WriteOutcome,
} from "../../toolkit/outcomes.js";
import { assign, parseFee } from "../driver/index.js";
import { orderActions, type OrderAction } from "../orders/actions.js";
import { defaultChange, statusCommands } from "../orders/change-status.js";
import type { OrderOutcome } from "../orders/outcomes.js";

interface Driver {
  readonly id: number;
  readonly name?: string | undefined;
  /** The amount as it was typed; absent to keep the order's fee. */
  readonly fee?: string | undefined;
}

export interface Change {
  readonly order: string;
  /** `assign` changes the driver alone. */
  readonly action: OrderAction;
  readonly driver?: Driver | undefined;
  readonly reason?: string | undefined;
  /** The alias that was typed for a protected store. */
  readonly confirm?: string | undefined;
}

export type ShownOutcome = Pick<WriteOutcome, "outcome" | "code" | "message" | "details">;

export type Stage =
  /** The change can be taken back until this moment of the steady clock. */
  | { readonly kind: "waiting"; readonly until: number }
  | { readonly kind: "sending" }
  | { readonly kind: "settled"; readonly at: number; readonly outcome: ShownOutcome };

export interface Entry {
  readonly change: Change;
  stage: Stage;
}

/** People at a counter call a driver by the first name. */
export function changeText({ action, order, driver }: Change): string {
  const to = driver && ` → ${driver.name?.split(" ")[0] ?? String(driver.id)}`;
  const fee = driver?.fee === undefined ? "" : `, ${driver.fee}`;
  return printable(`${translated(action)} ${order}${to ?? ""}${fee}`);
}

/** `dispatch 4711, cancel 4712`. */
export function changeList(changes: readonly Change[]): string {
  return changes.map(changeText).join(", ");
}

/** The counter ended before these changes were sent. */
export function notSentText(changes: readonly Change[]): string {
  return plural(changes.length, {
    one: t`This had not gone out yet, and is not sent: ${changeList(changes)}.`,
    other: t`These had not gone out yet, and are not sent: ${changeList(changes)}.`,
  });
}

export function outcomeText(outcome: OrderOutcome): string {
  const { action, order_id: order } = outcome;
  if (outcome.outcome !== "done")
    return t`Order ${order}, ${translated(action)}: ${translated(outcome.outcome)}. ${reasonText(outcome)}`;
  if (action === "assign") return t`Order ${order}: the driver is assigned.`;
  return t`Order ${order} ${translated(orderActions[action].done)}.`;
}

/**
 * Sends a change by the commands that a person would type, with their journal, protection and limits. The driver is
 * assigned first: where that fails, the order's status stays as it is.
 *
 * @param machine must not ask
 * @param store the alias that `--store` would name
 */
export async function sendChange(
  machine: Machine,
  store: string | undefined,
  { order, action, driver, reason, confirm }: Change,
): Promise<readonly OrderOutcome[]> {
  const outcomes: OrderOutcome[] = [];
  if (driver) {
    const assignment = await outcomeOf(async () => {
      const fee = parseFee(driver.fee, false);
      const options = { order, driver: driver.id, fee, store, dryRun: false, noJournal: false };
      const result = await assign.run(machine, options);
      return result.kind === "assigned"
        ? doneWrite(result.answer.httpStatus, result.answer.attempts)
        : undefined;
    });
    outcomes.push({ order_id: order, action: "assign", ...assignment });
  }
  if (action === "assign") return outcomes;
  const isReady = outcomes.every(({ outcome }) => outcome === "done");
  const change = isReady
    ? await outcomeOf(async () => {
        const options = { ...defaultChange, orders: [order], reason, confirm, yes: true, store };
        const result = await statusCommands[action].run(machine, options);
        return result.kind === "one" ? result.outcome : undefined;
      })
    : skippedWrite(new ComandaError("some_failed", t`the driver was not assigned.`));
  return [...outcomes, { order_id: order, action, ...change }];
}

async function outcomeOf(work: () => Promise<WriteOutcome | undefined>): Promise<WriteOutcome> {
  try {
    const outcome = await work();
    if (outcome) return outcome;
    throw new RangeError("one order has one outcome");
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return failedWrite(error);
  }
}
