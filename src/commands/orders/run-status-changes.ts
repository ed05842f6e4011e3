/** Sends one status change or many, and tells what became of each order. */
import type { Client } from "../../client/index.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../errors/index.js";
import { startProgress, type Column } from "../../terminal/index.js";
import type { Invocation } from "../leaf.js";

import {
  doneOutcome,
  endsTheRun,
  failedOutcome,
  outcomes,
  skippedOutcome,
  type OrderOutcome,
  type Outcome,
} from "./outcomes.js";
import { eachOf } from "./pool.js";
import { keepYoungGenerationSmall } from "./small-young-generation.js";

export interface StatusChangeRun {
  readonly client: Client;
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly concurrency: number;
  readonly reason?: string;
}

/** Up to this many orders that are done are listed one by one. */
const shortList = 200;
/** Orders from which on the engine is told that there are many. */
const longRun = 1_000;

const sentences = {
  dispatch: "dispatched",
  deliver: "delivered",
  finalize: "finalized",
  cancel: "canceled",
} as const satisfies Record<StatusChange, string>;

/**
 * @throws {ComandaError} one order: what went wrong with it; several: `some_failed` where not all are done. In
 *   either case stdout has said by then what became of each.
 */
export async function runStatusChanges(invocation: Invocation, run: StatusChangeRun): Promise<void> {
  const [only, ...others] = run.orders;
  if (only === undefined) return;
  await (others.length === 0 ? changeOne(invocation, run, only) : changeMany(invocation, run));
}

async function changeOne(
  { context, output }: Invocation,
  run: StatusChangeRun,
  order: string,
): Promise<void> {
  try {
    const result = await send(run, order, context.signal);
    if (output.format === "table") output.sentence(`Order ${order} ${sentences[run.action]}.`);
    else if (output.json) output.jsonLine(doneOutcome(order, run.action, result));
    else await output.records(columns, [doneOutcome(order, run.action, result)]);
  } catch (error) {
    if (error instanceof ComandaError && output.json)
      output.jsonLine(failedOutcome(order, run.action, error));
    throw error;
  }
}

async function changeMany({ context, output, globals }: Invocation, run: StatusChangeRun): Promise<void> {
  const counts: Record<Outcome, number> = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const report = new TableReport(output.format === "table" ? shortList : Number.POSITIVE_INFINITY);
  const progress = startProgress(globals.quiet ? { write: () => undefined } : context.stderr, {
    ...{ total: run.orders.length, label: run.action, now: () => context.clock.now() },
  });
  let finished = 0;
  let ended: ComandaError | undefined;
  if (run.orders.length >= longRun) await keepYoungGenerationSmall();

  const settle = (outcome: OrderOutcome) => {
    counts[outcome.outcome] += 1;
    finished += 1;
    if (output.json) output.jsonLine(outcome);
    else report.add(outcome);
    progress.update(finished, counts.done < finished ? `${finished - counts.done} not done` : "");
  };
  await eachOf(run.orders, Math.min(run.concurrency, run.orders.length), async (order) => {
    if (context.signal.aborted) ended ??= reasonOf(context.signal);
    if (ended) {
      settle(skippedOutcome(order, run.action, ended));
      return;
    }
    try {
      settle(doneOutcome(order, run.action, await send(run, order, context.signal)));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsTheRun(error)) ended ??= error;
      settle(failedOutcome(order, run.action, error));
    }
  });
  progress.end();

  if (!output.json) await output.records(columns, report.rows());
  if (report.unlisted > 0) output.line(`… and ${report.unlisted} more, all done.`);
  output.notice(outcomes.flatMap((name) => (counts[name] > 0 ? [`${counts[name]} ${name}`] : [])).join(", "));
  context.signal.throwIfAborted();
  if (counts.done < run.orders.length) throw someFailed(counts, ended);
}

function send({ client, action, reason }: StatusChangeRun, order: string, signal: AbortSignal) {
  switch (action) {
    case "dispatch":
      return client.dispatchOrder(order, { signal });
    case "deliver":
      return client.deliverOrder(order, { signal });
    case "finalize":
      return client.finalizeOrder(order, { signal });
    case "cancel":
      return client.cancelOrder(order, reason === undefined ? {} : { reason }, { signal });
  }
}

/**
 * A person wants to see every order of a short list, and of a long one those that need a hand; memory stays
 * flat while the rest is only counted.
 */
class TableReport {
  readonly #done: OrderOutcome[] = [];
  readonly #others: OrderOutcome[] = [];
  readonly #wholeListUpTo: number;
  unlisted = 0;

  constructor(wholeListUpTo: number) {
    this.#wholeListUpTo = wholeListUpTo;
  }

  add(outcome: OrderOutcome): void {
    if (outcome.outcome !== "done") this.#others.push(outcome);
    else if (this.#done.length < this.#wholeListUpTo) this.#done.push(outcome);
    else this.unlisted += 1;
  }

  rows(): readonly OrderOutcome[] {
    return [...this.#done, ...this.#others];
  }
}

const columns: readonly Column<OrderOutcome>[] = [
  { heading: "Order", name: "order_id", cell: (row) => row.order_id },
  { heading: "Action", name: "action", cell: (row) => row.action },
  { heading: "Outcome", name: "outcome", cell: (row) => row.outcome },
  { heading: "HTTP", name: "http_status", cell: (row) => row.http_status },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Message", name: "message", cell: (row) => row.message },
];

function someFailed(
  counts: Readonly<Record<Outcome, number>>,
  ended: ComandaError | undefined,
): ComandaError {
  const total = outcomes.reduce((sum, name) => sum + counts[name], 0);
  const hints = [
    ended && `The run was ended early: ${ended.message}`,
    ended?.hint,
    counts.unknown > 0 &&
      "Unknown means that the request went out and no answer came back. To deliver, finalize or cancel again is harmless.",
    counts.refused > 0 && "Refused orders are as they were; the message of each says why.",
    counts.failed > 0 &&
      "Failed orders were certainly not changed: the same command may be run again for them.",
  ].filter((hint) => typeof hint === "string");
  return new ComandaError("some_failed", `${total - counts.done} of ${total} orders were not done.`, {
    ...(hints.length > 0 && { hint: hints.join("\n") }),
  });
}

function reasonOf(signal: AbortSignal): ComandaError {
  return signal.reason instanceof ComandaError
    ? signal.reason
    : new ComandaError("interrupted", "Interrupted.");
}
