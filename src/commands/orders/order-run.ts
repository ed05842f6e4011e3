/** Sends a list as one process at a time, and knows from the journal what of it was sent before. */
import { t } from "../../languages/language.js";
import type { StatusChange } from "../../api/operations.js";
import { steadyNow } from "../../client/clock.js";
import { ComandaError } from "../../client/errors.js";
import type { HistoryRow, OrderList } from "../../state/journal.js";
import { LeaseLost, type Lease } from "../../state/leases.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";

import { orderActions } from "./actions.js";
import type { OrderTold } from "./outcomes.js";

/**
 * The orders of a list that are not sent again, with what is told of them: what was done in the last 24 hours is skipped, and
 * what is unknown stays so.
 */
export async function outcomesBefore(
  machine: Machine,
  connection: Connection,
  action: StatusChange,
  orders: readonly string[],
): Promise<ReadonlyMap<string, OrderTold>> {
  const { earlierWrites } = await import("../../state/journal.js");
  const list = listOf(connection, action, orders);
  const { byOrder, otherSignIn } = await earlierWrites(await machine.state(), list);
  if (otherSignIn > 0)
    machine.output.notice(
      t`${otherSignIn} of these orders were sent before the last sign-in here: that isn't counted, since it may have been another store.`,
    );
  return new Map([...byOrder].map(([order, earlier]) => [order, outcomeBefore(order, action, earlier)]));
}

function outcomeBefore(order: string, action: StatusChange, earlier: HistoryRow): OrderTold {
  const { http_status, code, attempts, evidence, at } = earlier;
  const about = {
    order,
    action,
    httpStatus: http_status,
    serviceCode: typeof code === "number" ? code : null,
    details: null,
    attempts,
    evidence,
    resumed: true,
  } as const;
  if (earlier.outcome === "done")
    return {
      ...about,
      outcome: "skipped",
      code: null,
      message: t`It was done before, at ${at}.`,
    };
  return {
    ...about,
    outcome: "unknown",
    code: "outcome_unknown",
    message: t`It was sent before, and nothing tells whether it was done.`,
  };
}

/**
 * Does the work while no other process sends the same list; it is made sure of before each request.
 *
 * @param work is to be asked for before each order, and throws as soon as another process sends the list
 * @throws {ComandaError} `lock_timeout` where another process sends it
 */
export async function asOnlySender<Result>(
  machine: Machine,
  connection: Connection,
  { action, orders }: { readonly action: StatusChange; readonly orders: readonly string[] },
  work: (check: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const { journal } = connection;
  const unchecked = () => work(() => Promise.resolve());
  if (!journal) return unchecked();
  const { withList } = await import("../../state/journal.js");
  const progress = { hasBegun: false };
  try {
    return await withList(await machine.state(), listOf(connection, action, orders), (lease) => {
      progress.hasBegun = true;
      const check = leaseCheck(machine, lease);
      journal.guard(check);
      return work(check);
    });
  } catch (error) {
    if (progress.hasBegun || !journal.goesWithout(error)) throw error;
    return unchecked();
  }
}

function listOf(
  { store, fingerprint }: Connection,
  action: StatusChange,
  orders: readonly string[],
): OrderList {
  const { operation } = orderActions[action];
  return { store: store ?? null, fingerprint: fingerprint(), operation, orders };
}

/** A process that was stopped for longer may have been taken for dead, and another process may send its list. */
const leaseCheckMs = 2000;

/** Makes a check that is called after every wait on the way to a request. */
function leaseCheck({ context: { clock } }: Machine, lease: Lease): () => Promise<void> {
  // The first check is due at once, since what was read of the list took its time, too.
  let checkedAt = -Infinity;
  let pendingCheck: Promise<void> | undefined;
  const check = async () => {
    try {
      await lease.keep();
    } catch (error) {
      // The work isn't begun anew: the other process has the list.
      if (!(error instanceof LeaseLost)) throw error;
      throw new ComandaError("lock_timeout", t`Another process is sending this list of orders now.`);
    } finally {
      pendingCheck = undefined;
    }
    checkedAt = steadyNow(clock);
  };
  return async () => {
    if (lease.leftMs() <= 0 || steadyNow(clock) - checkedAt > leaseCheckMs) await (pendingCheck ??= check());
  };
}
