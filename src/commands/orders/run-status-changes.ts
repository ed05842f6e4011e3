/** Sends one status change or many, and tells what became of each order. */
import type { CallOptions, Client } from "../../client/index.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import type { Column } from "../../terminal/index.js";
import { hearAnswers } from "../hear-answers.js";
import type { Invocation } from "../leaf.js";

import {
  aboutOrder,
  doneOutcome,
  failedOutcome,
  outcomes,
  skippedOutcome,
  type OrderOutcome,
} from "./outcomes.js";
import { conclude, sendEach, type Ran } from "./send-each.js";
import { keepYoungGenerationSmall } from "./small-young-generation.js";

export interface StatusChangeRun {
  readonly client: Client;
  /** As `Target` has it. */
  readonly place: string;
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

async function changeOne(invocation: Invocation, run: StatusChangeRun, order: string): Promise<void> {
  const { output } = invocation;
  try {
    const result = await hearAnswers(invocation, (options) => send(run, order, options));
    if (output.format === "table") output.sentence(`Order ${order} ${sentences[run.action]}.`);
    else if (output.json) output.jsonLine(doneOutcome(order, run.action, result));
    else await output.records(columns, [doneOutcome(order, run.action, result)]);
  } catch (error) {
    if (error instanceof ComandaError && output.json)
      output.jsonLine(failedOutcome(order, run.action, error));
    throw aboutOrder(error, order, run.place);
  }
}

async function changeMany(invocation: Invocation, run: StatusChangeRun): Promise<void> {
  const { output } = invocation;
  const { action, orders, concurrency } = run;
  const report = new TableReport(output.format === "table" ? shortList : Number.POSITIVE_INFINITY);
  if (orders.length >= longRun) await keepYoungGenerationSmall();
  const ran = await sendEach<string, OrderOutcome>(invocation, {
    items: orders,
    width: concurrency,
    label: action,
    send: async (order, options) => doneOutcome(order, action, await send(run, order, options)),
    failed: (order, error) => failedOutcome(order, action, error),
    skipped: (order, because) => skippedOutcome(order, action, because),
    settled: (outcome) => {
      if (output.json) output.jsonLine(outcome);
      else report.add(outcome);
    },
  });
  if (!output.json) await output.records(columns, report.rows(orders));
  if (report.unlisted > 0) output.line(`… and ${report.unlisted} more, all done.`);
  conclude(invocation, ran);
  if (ran.counts.done < orders.length) throw someFailed(ran);
}

function send({ client, action, reason }: StatusChangeRun, order: string, options: CallOptions) {
  switch (action) {
    case "dispatch":
      return client.dispatchOrder(order, options);
    case "deliver":
      return client.deliverOrder(order, options);
    case "finalize":
      return client.finalizeOrder(order, options);
    case "cancel":
      return client.cancelOrder(order, reason === undefined ? {} : { cancellation_reason: reason }, options);
  }
}

/**
 * A person wants to see every order of a short list, and of a long one those that need a hand; memory stays
 * flat while the rest is only counted.
 */
class TableReport {
  readonly #listed = new Map<string, OrderOutcome>();
  readonly #wholeListUpTo: number;
  #done = 0;
  unlisted = 0;

  constructor(wholeListUpTo: number) {
    this.#wholeListUpTo = wholeListUpTo;
  }

  add(outcome: OrderOutcome): void {
    if (outcome.outcome === "done") this.#done += 1;
    if (outcome.outcome !== "done" || this.#done <= this.#wholeListUpTo)
      this.#listed.set(outcome.order_id, outcome);
    else this.unlisted += 1;
  }

  /** @param orders as they were typed, each once */
  rows(orders: readonly string[]): readonly OrderOutcome[] {
    return orders.flatMap((order) => this.#listed.get(order) ?? []);
  }
}

const columns: readonly Column<OrderOutcome>[] = [
  { heading: "Order", name: "order_id", cell: (row) => row.order_id },
  { heading: "Action", name: "action", cell: (row) => row.action },
  { heading: "Outcome", name: "outcome", cell: (row) => row.outcome },
  { heading: "HTTP", name: "http_status", cell: (row) => row.http_status },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details },
];

function someFailed({ counts, ended }: Ran): ComandaError {
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
