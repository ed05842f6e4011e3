/** Writes into the journal which list is sent, so that `--resume` finds what an earlier command left of it. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { doneOrRefusedText } from "../../client/call/outcome.js";
import type { StatusChange } from "../../contract/operations.js";
import { steadyNow } from "../../shared/clock.js";
import type { Fingerprint } from "../../state/journal/fingerprint.js";
import type { Journal } from "../../state/journal/journal.js";
import { digestOf, isSettled, isTold, type Earlier } from "../../state/journal/resume.js";
import type { JournalRun, Run } from "../../state/journal/runs.js";
import type { WriteLog } from "../../state/journal/write-log.js";
import { LeaseLost, type Lease } from "../../state/leases.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";

import { orderActions } from "./actions.js";
import type { OrderOutcome } from "./outcomes.js";

/** What an earlier command began and didn't end. */
export interface ResumedRun extends JournalRun {
  readonly orders: readonly string[];
}

/** @throws {ComandaError} `invalid_input` where there is nothing of this list to go on with */
export async function findRunToResume(
  machine: Machine,
  { store, environment, credentialKinds, fingerprint }: Connection,
  action: StatusChange,
  orders: readonly string[],
): Promise<ResumedRun> {
  const { findRun } = await import("../../state/journal/runs.js");
  const run = await findRun(await machine.state(), {
    place: { store: store ?? null, environment },
    fingerprint: fingerprint(),
    credential:
      credentialKinds.includes("bearer") || !credentialKinds.includes("api_key") ? "bearer" : "api_key",
    verb: action,
    orders,
  });
  return { ...run, orders };
}

/** Reads from the journal which orders would still be sent. */
export async function unsentOrders(machine: Machine, resumed: ResumedRun): Promise<readonly string[]> {
  const { readRun } = await import("../../state/journal/runs.js");
  const { earlier } = await readRun(await machine.state(), resumed);
  return resumed.orders.filter((order) => !isTold(earlier.get(order)));
}

export interface RunRequest {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly reason: string | undefined;
  /** Identifies the store and credential of the orders, so that a resumed run never sends them elsewhere. */
  readonly fingerprint: Fingerprint;
  readonly resumed: ResumedRun | undefined;
}

/** The sending of many orders consults the journal before and after each order. */
export interface OrderRun {
  /** Gives the outcome of an order that isn't sent again. */
  outcomeBefore(order: string): OrderOutcome | undefined;
  /**
   * Has to be called before each order is sent.
   *
   * @throws {ComandaError} `lock_timeout` where another process sends the list now
   */
  beforeSend(): Promise<void>;
  /** Notes what came of an order. Where nothing went out of it now, what was said of it before still holds. */
  conclude(outcome: OrderOutcome): OrderOutcome;
}

/**
 * Does the work under the lock of the run, and writes its end.
 *
 * @param work gets no run where there is no journal: then there are no earlier outcomes and no locks
 * @throws {ComandaError} `state_unusable` where the run can't be written, and nothing has been sent; `lock_timeout` where
 *   another process has it
 */
export async function inOrderRun<Result>(
  machine: Machine,
  journal: Journal | undefined,
  { action, orders, reason, resumed, fingerprint }: RunRequest,
  work: (run: OrderRun | undefined) => Promise<Result>,
): Promise<Result> {
  if (!journal) return work(undefined);
  const runs = await import("../../state/journal/runs.js");
  const { state } = journal;
  const { operation } = orderActions[action];
  const progress = { hasBegun: false };
  try {
    const digest = resumed ? resumed.digest : digestOf(orders);
    const lock = resumed?.lock ?? runs.listLock({ ...journal.place, verb: action, digest });
    return await runs.withListLock(state, lock, async (lease) => {
      const run = resumed
        ? await runs.resumeRun(journal, resumed, await runs.readRun(state, resumed))
        : await runs.beginRun(
            journal,
            { verb: action, operation, ...(reason !== undefined && { reason }), digest, fingerprint },
            orders,
          );
      progress.hasBegun = true;
      const check = leaseCheck(machine, lease, () => runs.takenOver(run.id));
      journal.join(checkedLog(run.log, check));
      let unsettled = 0;
      const result = await work({
        outcomeBefore(order) {
          const earlier = run.earlier.get(order);
          return isTold(earlier) ? resumedOutcome(order, action, earlier) : undefined;
        },
        beforeSend: check,
        conclude(outcome) {
          if (!isSettled(outcome)) unsettled += 1;
          const evidence = outcome.evidence ?? run.earlier.get(outcome.order_id)?.evidence ?? null;
          return outcome.outcome === "failed" ? { ...outcome, evidence } : outcome;
        },
      });
      await writeEnd(machine, run, unsettled === 0);
      return result;
    });
  } catch (error) {
    if (progress.hasBegun || !journal.goesWithout(error)) throw error;
    return work(undefined);
  }
}

/** Gives the outcome of an order that an earlier command sent. The journal doesn't keep the service's texts. */
function resumedOutcome(order: string, action: StatusChange, earlier: Earlier): OrderOutcome {
  const { outcome, http_status, code, attempts, evidence } = earlier;
  const isUnknown = outcome === "unknown";
  const unknownText = isSettled(earlier)
    ? doneOrRefusedText()
    : t`It was sent before, and nothing tells whether it was done.`;
  return {
    ...{ order_id: order, action, outcome, http_status },
    code: isUnknown ? (code ?? "outcome_unknown") : code,
    message: isUnknown ? unknownText : null,
    ...{ details: null, attempts, evidence, resumed: true },
  };
}

/** The orders are sent by now, so a failure to write the end is only a warning. */
async function writeEnd({ output }: Machine, run: Run, settled: boolean): Promise<void> {
  try {
    await run.end(settled);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(t`${error.message} The run's end is not written down.`);
  }
}

/** A process that was stopped for longer may have been taken for dead, and another process may have resumed its run. */
const leaseCheckMs = 2000;

/**
 * Makes a check that is called after every wait on the way to a request. It throws as soon as another process has the run.
 *
 * @param takenOver what is thrown then
 */
function leaseCheck(
  { context: { clock } }: Machine,
  lease: Lease,
  takenOver: () => Error,
): () => Promise<void> {
  // The first check is due at once, since beginning the run was a wait, too.
  let checkedAt = -Infinity;
  let pendingCheck: Promise<void> | undefined;
  const check = async () => {
    await lease.keep().catch((error: unknown) => {
      throw error instanceof LeaseLost ? takenOver() : error;
    });
    checkedAt = steadyNow(clock);
    pendingCheck = undefined;
  };
  return async () => {
    const isLost = lease.leftMs() <= 0;
    if (isLost || steadyNow(clock) - checkedAt > leaseCheckMs) await (pendingCheck ??= check());
  };
}

/** An order waits for its place within the limit and for its line in the journal, so the lease is checked after both. */
function checkedLog(log: Run["log"], check: () => Promise<void>): WriteLog {
  return {
    row(write) {
      const row = log.row(write);
      return {
        ...row,
        async sent() {
          await check();
          await row.sent();
          await check();
        },
      };
    },
  };
}
