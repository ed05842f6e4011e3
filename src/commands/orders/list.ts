/** Sends a list of orders, as one process at a time, and tells what came of each. */
import type { StatusChange } from "../../api/operations.js";
import type { CancelInput } from "../../api/models.js";
import { endWith } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { startProgress } from "../../cli/progress.js";
import type { CallOptions } from "../../client/call.js";
import { steadyNow } from "../../client/clock.js";
import { ComandaError, type ErrorCode } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import type { HistoryRow, OrderList } from "../../state/journal.js";
import { LeaseLost, type Lease } from "../../state/leases.js";
import { expectManyCalls } from "../many-calls.js";
import {
  failedWrite,
  outcomeColumn,
  outcomes,
  reasonColumns,
  skippedWrite,
  type OutcomeName,
} from "../outcomes.js";
import { knowsSeveral, type Connection } from "../store.js";
import { stopGracefully, stopReason } from "../writes.js";

import { columns, orderActions, orderColumn, orderLine, sendChange, type OrderTold } from "./outcomes.js";

/** At most so many orders are out at once. */
const concurrency = 16;
/** From this number on, the engine is tuned for many calls. */
const manyOrders = 1_000;
/** So many orders that are done are listed one by one, so that memory stays flat. */
const shortList = 200;

interface ChangeRequest {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly input: CancelInput;
  /** Leave out what this machine has done of the list already. */
  readonly resume: boolean;
}

/**
 * Sends several at a time. After a signal, or an error that all would meet, the rest is skipped.
 *
 * @throws {ComandaError} `some_failed`, or the signal's reason, where not all were done
 */
export async function changeList(
  context: Context,
  connection: Connection,
  { action, orders, input, resume }: ChangeRequest,
): Promise<void> {
  const { output } = context;
  if (orders.length >= manyOrders) await expectManyCalls();
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const listed = new Map<string, OrderTold>();
  let endReason: ComandaError | undefined;

  async function outcomeOf(
    order: string,
    check: () => Promise<void>,
    options: CallOptions,
  ): Promise<OrderTold> {
    if (context.signal.aborted) endReason ??= stopReason(context.signal);
    if (endReason) return { order, action, ...skippedWrite(endReason) };
    try {
      await check();
      return await sendChange(connection.client, action, order, input, options);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsAll.includes(error.code)) endReason ??= error;
      return { order, action, ...failedWrite(error) };
    }
  }

  let before = 0;
  await asOnlySender(context, connection, { action, orders }, async (check) => {
    const known = resume ? await outcomesBefore(context, connection, action, orders) : undefined;
    const progress = startProgress(output.status, {
      total: orders.length,
      label: translated(action),
      now: () => context.clock.now(),
    });
    let settled = 0;
    const queue = orders.values();
    const worker = async (options: CallOptions) => {
      for (const order of queue) {
        const earlier = known?.get(order);
        if (earlier?.outcome === "skipped") before += 1;
        const outcome = earlier ?? (await outcomeOf(order, check, options));
        counts[outcome.outcome] += 1;
        settled += 1;
        if (output.json) output.jsonLine(orderLine(outcome));
        else if (outcome.outcome !== "done" || output.format !== "table" || counts.done <= shortList)
          listed.set(order, outcome);
        progress.update(settled, counts.done < settled ? t`${settled - counts.done} not done` : "");
      }
    };
    await stopGracefully(context, (options) =>
      Promise.all(Array.from({ length: Math.min(concurrency, orders.length) }, () => worker(options))),
    );
    progress.end();
  });
  // In the order in which they were typed.
  const rows = listed.size === 0 ? [] : orders.flatMap((order) => listed.get(order) ?? []);
  await showRows(context, rows, counts);
  if (endReason?.code !== "output_closed") {
    const counted = countsText(counts);
    output.notice((await knowsSeveral(context)) ? t`At ${connection.label}: ${counted}` : counted);
  }
  endWith(context, incompleteError({ counts, before, endReason }));
}

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/**
 * After these errors every further order would end the same: trying them only adds load, and a refused credential may lock
 * the person out.
 */
const endsAll: readonly ErrorCode[] = [
  ...(["token_refused", "not_signed_in", "forbidden", "internal", "callback_failed"] as const),
  // Every order would wait for the lock again.
  "lock_timeout",
  ...stopCodes,
];

type Counts = Readonly<Record<OutcomeName, number>>;

async function showRows({ output }: Context, rows: readonly OrderTold[], { done }: Counts): Promise<void> {
  if (output.json) return;
  const isTable = output.format === "table";
  await output.records(isTable ? [orderColumn, outcomeColumn, ...reasonColumns(rows)] : columns, rows);
  if (isTable && done > shortList) output.words(t`… and ${done - shortList} more, all done.`);
}

function countsText(counts: Counts): string {
  const texts: Readonly<Record<OutcomeName, string>> = {
    done: t`${counts.done} done`,
    refused: t`${counts.refused} refused`,
    failed: t`${counts.failed} failed`,
    unknown: t`${counts.unknown} unknown`,
    skipped: t`${counts.skipped} skipped`,
  };
  return outcomes
    .filter((name) => counts[name] > 0)
    .map((name) => texts[name])
    .join(", ");
}

/** @returns the signal that ended it, or else how many orders were not done; `undefined` where all were */
function incompleteError({
  counts,
  before,
  endReason,
}: {
  readonly counts: Counts;
  /** How many of those that were skipped had been done before. */
  readonly before: number;
  /** Why the rest was skipped. */
  readonly endReason: ComandaError | undefined;
}): ComandaError | undefined {
  const total = outcomes.reduce((sum, name) => sum + counts[name], 0);
  if (endReason && stopCodes.includes(endReason.code)) return endReason;
  if (counts.done + before === total) return undefined;
  const hints: string[] = [];
  if (endReason) hints.push(t`The run was ended early: ${endReason.message}`);
  if (endReason?.hint !== undefined) hints.push(endReason.hint);
  if (counts.unknown > 0)
    hints.push(
      t`Unknown means that the request went out and no answer came back. To deliver, finalize or cancel again is harmless.`,
    );
  if (counts.refused > 0) hints.push(t`Refused orders are as they were; the message of each says why.`);
  if (counts.failed > 0)
    hints.push(t`Failed orders were certainly not changed: the same command may be run again for them.`);
  if (counts.failed + counts.skipped - before > 0)
    hints.push(t`To send what is left: the same command with --resume.`);
  return new ComandaError(
    "some_failed",
    t`${total - counts.done - before} of ${total} orders were not done.`,
    {
      ...(hints.length > 0 && { hint: hints.join("\n") }),
    },
  );
}

/**
 * The orders of a list that are not sent again, with what is told of them: what was done in the last 24 hours is skipped, and
 * what is unknown stays so.
 */
export async function outcomesBefore(
  context: Context,
  connection: Connection,
  action: StatusChange,
  orders: readonly string[],
): Promise<ReadonlyMap<string, OrderTold>> {
  const { earlierWrites } = await import("../../state/journal.js");
  const list = listOf(connection, action, orders);
  const { byOrder, otherSignIn } = await earlierWrites(await context.state(), list);
  if (otherSignIn > 0)
    context.output.notice(
      t`${otherSignIn} of these orders were sent before the last sign-in here: that isn't counted, since it may have been another store.`,
    );
  return new Map([...byOrder].map(([order, earlier]) => [order, outcomeBefore(order, action, earlier)]));
}

function outcomeBefore(order: string, action: StatusChange, earlier: HistoryRow): OrderTold {
  const { http_status, service_code, attempts, evidence, at } = earlier;
  const about = {
    order,
    action,
    httpStatus: http_status,
    serviceCode: service_code,
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
async function asOnlySender<Result>(
  context: Context,
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
    return await withList(await context.state(), listOf(connection, action, orders), (lease) => {
      progress.hasBegun = true;
      const check = leaseCheck(context, lease);
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
function leaseCheck({ clock }: Context, lease: Lease): () => Promise<void> {
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
