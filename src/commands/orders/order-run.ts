/** Begins a run of many orders in the journal, or resumes an earlier one. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { StatusChange } from "../../contract/operations.js";
import { steadyNow } from "../../shared/clock.js";
import type { Fingerprint } from "../../state/journal/fingerprint.js";
import type { Journal } from "../../state/journal/journal.js";
import { digestOf, isSettled, stepOf } from "../../state/journal/resume.js";
import type { JournalRun, Run, WhoseRun } from "../../state/journal/runs.js";
import type { WriteLog } from "../../state/journal/write-log.js";
import { LeaseLost, type Lease } from "../../state/leases.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";

import { orderActions } from "./actions.js";
import { mergeWithEarlier, resumedOutcome, type OrderOutcome } from "./outcomes.js";

export interface ResumeOptions {
  /** The run that `--resume` names; without it, the last unfinished one with this list. */
  readonly run: string | undefined;
  /** Sends orders with an unknown outcome again. */
  readonly retryUnknown: boolean;
}

export interface ResumedRun extends JournalRun {
  readonly orders: readonly string[];
  readonly retryUnknown: boolean;
}

/**
 * @param confirm the store that `--confirm` names
 * @param list has to be the run's own list; absent where the run is named alone
 * @throws {ComandaError} `invalid_input` where there is no such run
 */
export async function findRunToResume(
  machine: Machine,
  connection: Connection,
  action: StatusChange,
  { run: id, retryUnknown, confirm }: ResumeOptions & { readonly confirm: string | undefined },
  list: readonly string[] | undefined,
): Promise<ResumedRun> {
  const { store, environment, credentialKinds, fingerprint } = connection;
  const { findRun, readRun } = await import("../../state/journal/runs.js");
  const state = await machine.state();
  const run = await findRun(state, {
    place: { store: store ?? null, environment },
    fingerprint: fingerprint(),
    credential:
      credentialKinds.includes("bearer") || !credentialKinds.includes("api_key") ? "bearer" : "api_key",
    verb: action,
    id,
    orders: list,
  });
  refuseOtherStoresRun(connection, run, confirm);
  const { orders } = await readRun(state, run);
  return { ...run, orders, retryUnknown };
}

/**
 * A run that was cut short continues only at the store where it began. After another sign-in, or with another key, only a
 * person knows whether the store is the same. Another address is another service.
 *
 * @param confirm the store that `--confirm` names
 * @throws {ComandaError} `invalid_input` where it is another store, or nobody confirms that it is the same
 */
function refuseOtherStoresRun(
  { label, fingerprint }: Connection,
  { id, fingerprint: runFingerprint, difference }: WhoseRun,
  confirm: string | undefined,
): void {
  if (difference === "address") {
    const [before, now] = [runFingerprint?.address ?? "", fingerprint().address];
    throw new ComandaError(
      "invalid_input",
      t`The run ${id} was begun at ${before}, and ${label} is at ${now} now.`,
      {
        hint: t`Nothing was sent. Go on where it was begun, or begin a run with what is left: \`comanda history\` shows what was sent.`,
      },
    );
  }
  if (difference === undefined || confirm !== undefined) return;
  const message =
    difference === "bearer"
      ? t`The run ${id} was begun with another sign-in.`
      : t`The run ${id} was begun with another API key.`;
  throw new ComandaError("invalid_input", message, {
    hint: t`Nothing was sent, since nothing tells whether it is the same store. If it is, say so: --confirm ${label}`,
  });
}

/** Reads from the journal which orders the run would still send. */
export async function unsentOrders(machine: Machine, resumed: ResumedRun): Promise<readonly string[]> {
  const { readRun } = await import("../../state/journal/runs.js");
  const { earlier } = await readRun(await machine.state(), resumed);
  return resumed.orders.filter((order) => stepOf(earlier.get(order), resumed.retryUnknown).kind === "send");
}

export interface RunRequest {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly reason: string | undefined;
  /** Identifies the store and credential of the orders, so that a resumed run never sends them elsewhere. */
  readonly fingerprint: Fingerprint;
  readonly resumed: ResumedRun | undefined;
}

/** The sending of many orders consults the run before and after each order. */
export interface OrderRun {
  readonly id: string;
  /** Gives the outcome of an order that isn't sent again. */
  rowWithoutSending(order: string): OrderOutcome | undefined;
  /**
   * Has to be called before each order is sent.
   *
   * @throws {ComandaError} `lock_timeout` where another process has the run now
   */
  beforeSend(): Promise<void>;
  /** Joins the outcome with an earlier one, since an outcome that an earlier part of the run left unknown may stay so. */
  conclude(outcome: OrderOutcome): OrderOutcome;
  onSettled(outcome: OrderOutcome): void;
  /** Is there an order that the run can still send? */
  isUnfinished(): boolean;
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
        id: run.id,
        rowWithoutSending(order) {
          const step = stepOf(run.earlier.get(order), resumed?.retryUnknown ?? false);
          return step.kind === "tell" ? resumedOutcome(order, action, step.earlier) : undefined;
        },
        beforeSend: check,
        conclude(outcome) {
          const earlier = run.earlier.get(outcome.order_id);
          return earlier ? mergeWithEarlier(earlier, outcome) : outcome;
        },
        isUnfinished: () => unsettled > 0,
        onSettled: (outcome) => {
          if (!isSettled(outcome)) unsettled += 1;
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
