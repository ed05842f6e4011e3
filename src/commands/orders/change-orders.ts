/** Sends a status change of one order or of many, and shows each outcome. */
import type { StatusChangeOptions } from "../../client/call/caller.js";
import type { Client, StatusChangeResult } from "../../client/client.js";
import type { CancelInput } from "../../contract/models.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";
import { failedWrite, outcomeColumn, reasonColumns, withServiceCode } from "../../toolkit/outcomes.js";
import {
  incompleteError,
  sendEach,
  showCounts,
  stopGracefully,
  type WritesResult,
} from "../../toolkit/writes.js";

import { orderActions } from "./actions.js";
import { inOrderRun, type ResumedRun } from "./order-run.js";
import { changedOutcome, orderError, type OrderOutcome } from "./outcomes.js";

export interface Changes {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly input: CancelInput;
  /** Does a change count as done that was done before? */
  readonly okIfAlready: boolean;
  /** At most so many orders are out at once. */
  readonly concurrency: number;
  readonly resumedRun?: ResumedRun | undefined;
  /** Tells the run's number before anything is sent. */
  readonly announcesRun: boolean;
  /** The store that `--store` names, which the command to resume has to name, too. */
  readonly store?: string | undefined;
}

export type ChangesResult = OneChange | ManyChanges;

interface OneChange {
  readonly kind: "one";
  readonly outcome: OrderOutcome;
  /** Absent where the change is done. */
  readonly error?: ComandaError;
}

interface ManyChanges {
  readonly kind: "several";
  /** The outcomes in the order in which the orders were typed; empty for JSON, which is written as orders are settled. */
  readonly outcomes: readonly OrderOutcome[];
  /** The number of further orders that are done. */
  readonly unlistedCount: number;
  readonly writes: WritesResult;
  /** The command that continues the run, where anything is left of it. */
  readonly resume: string | undefined;
}

type OrdersConnection = Pick<Connection, "client" | "place" | "journal" | "fingerprint">;

export async function changeOrders(
  machine: Machine,
  connection: OrdersConnection,
  changes: Changes,
): Promise<ChangesResult> {
  const [order] = changes.orders;
  const isSingle = changes.orders.length === 1 && !changes.resumedRun;
  if (order === undefined || !isSingle) return changeMany(machine, connection, changes);
  const { action } = changes;
  try {
    const result = await stopGracefully(machine, (options) =>
      send(connection.client, changes, order, options),
    );
    return { kind: "one", outcome: changedOutcome(order, action, result) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    const outcome = { order_id: order, action, ...failedWrite(error) };
    return { kind: "one", outcome, error: orderError(error, order, connection.place) };
  }
}

function send(
  client: Client,
  { action, input, okIfAlready }: Changes,
  order: string,
  callOptions: StatusChangeOptions,
): Promise<StatusChangeResult> {
  const options = { ...callOptions, ok_if_already: okIfAlready };
  return action === "cancel"
    ? client.cancelOrder(order, input, options)
    : client[orderActions[action].operation](order, options);
}

/** From this number on, the engine is tuned for many calls. */
const manyOrders = 1_000;

async function changeMany(
  machine: Machine,
  { client, journal, fingerprint }: OrdersConnection,
  changes: Changes,
): Promise<ManyChanges> {
  const { output } = machine;
  const { action, orders, concurrency, input, resumedRun } = changes;
  const list = new OutcomeList(output.format === "table" ? shortList : Number.POSITIVE_INFINITY);
  if (orders.length >= manyOrders) await expectManyCalls();
  const request = {
    ...{ action, orders, reason: input.cancellation_reason },
    ...{ fingerprint: fingerprint(), resumed: resumedRun },
  };
  return inOrderRun(machine, journal, request, async (run) => {
    const resume = run && resumeCommand(changes, run.id);
    if (changes.announcesRun && run && resume !== undefined)
      output.notice(t`Run ${run.id}. Should it be cut short: ${resume}`);
    const writes = await sendEach<string, OrderOutcome>(machine, {
      items: orders,
      concurrency,
      label: translated(action),
      rowWithoutSending: (order) => run?.rowWithoutSending(order),
      async send(order, options) {
        await run?.beforeSend();
        return changedOutcome(order, action, await send(client, changes, order, options));
      },
      row(order, write) {
        const outcome = { order_id: order, action, ...write };
        return run ? run.conclude(outcome) : outcome;
      },
      onSettled(outcome) {
        run?.onSettled(outcome);
        if (output.json) output.jsonLine(withServiceCode(outcome));
        else list.add(outcome);
      },
    });
    return {
      kind: "several",
      outcomes: list.inOrderOf(orders),
      unlistedCount: list.unlistedCount,
      writes,
      resume: run?.isUnfinished() ? resume : undefined,
    };
  });
}

function resumeCommand({ action, store }: Changes, run: string): string {
  const command = t`comanda orders ${action} --resume ${run}`;
  return store === undefined ? command : `${command} --store ${store}`;
}

/** So many orders that are done are listed one by one. */
const shortList = 200;

/**
 * A person wants to see every order of a short list, and those of a long list that need attention. The rest is only
 * counted, so that memory stays flat.
 */
class OutcomeList {
  readonly #listed = new Map<string, OrderOutcome>();
  readonly #mostDone: number;
  #doneCount = 0;

  constructor(mostDone: number) {
    this.#mostDone = mostDone;
  }

  add(outcome: OrderOutcome): void {
    if (outcome.outcome === "done") this.#doneCount += 1;
    if (outcome.outcome !== "done" || this.#doneCount <= this.#mostDone)
      this.#listed.set(outcome.order_id, outcome);
  }

  get unlistedCount(): number {
    return Math.max(0, this.#doneCount - this.#mostDone);
  }

  /** @param orders without repetitions, as they were typed */
  inOrderOf(orders: readonly string[]): readonly OrderOutcome[] {
    if (this.#listed.size === 0) return [];
    return orders.flatMap((order) => this.#listed.get(order) ?? []);
  }
}

export async function presentChanges(
  result: ChangesResult,
  output: Output,
  action: StatusChange,
): Promise<void> {
  if (result.kind === "one") {
    const { outcome, error } = result;
    const { done } = orderActions[action];
    if (output.json) output.jsonLine(withServiceCode(outcome));
    else if (error) return;
    else if (output.format !== "table") await output.records(columns, [outcome]);
    else if (outcome.already) output.sentence(t`Order ${outcome.order_id} was ${translated(done)} before.`);
    else output.sentence(t`Order ${outcome.order_id} ${translated(done)}.`);
    return;
  }
  const { outcomes, unlistedCount, writes } = result;
  const isForPerson = output.format === "table";
  const shownColumns = isForPerson ? [orderColumn, outcomeColumn, ...reasonColumns(outcomes)] : columns;
  if (!output.json) await output.records(shownColumns, outcomes);
  if (unlistedCount > 0) output.words(t`… and ${unlistedCount} more, all done.`);
  showCounts(output, writes);
}

const orderColumn: Column<OrderOutcome> = { heading: "Order", name: "order_id", cell: (row) => row.order_id };

const columns: readonly Column<OrderOutcome>[] = [
  orderColumn,
  { heading: "Action", name: "action", cell: (row) => row.action, isWord: true },
  outcomeColumn,
  { heading: "HTTP", name: "http_status", cell: (row) => row.http_status },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details, mayShorten: true },
];

export function changesError(result: ChangesResult): ComandaError | undefined {
  if (result.kind === "one") return result.error;
  const { writes, resume } = result;
  const error = incompleteError(writes, words);
  if (!error || resume === undefined) return error;
  const hint = [error.hint, t`To go on with the run: ${resume}`].filter(Boolean).join("\n");
  return new ComandaError(error.code, error.message, { hint });
}

const words = {
  notDone: "orders were not done",
  hints: {
    unknown:
      "Unknown means that the request went out and no answer came back. To deliver, finalize or cancel again is harmless.",
    refused: "Refused orders are as they were; the message of each says why.",
    failed: "Failed orders were certainly not changed: the same command may be run again for them.",
  },
} as const;
