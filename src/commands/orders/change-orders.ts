/** Sends a status change of one order or of many, and shows each outcome. */
import type { CancelInput } from "../../contract/models.js";
import type { StatusChangeOptions } from "../../client/call/caller.js";
import type { Client, StatusChangeResult } from "../../client/client.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";
import type { Column, Output } from "../../terminal/index.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";
import {
  incompleteError,
  sendEach,
  stopGracefully,
  showCounts,
  toneOfOutcome,
  withServiceCode,
  type WritesResult,
} from "../../toolkit/writes.js";

import { inOrderRun, type ResumedRun, type RunRequest } from "./order-run.js";
import { reasonText } from "./reasons.js";
import { orderError, doneOutcome, failedOutcome, skippedOutcome, type OrderOutcome } from "./outcomes.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";

export interface StatusVerb {
  readonly action: StatusChange;
  /** The operation's id in the contract. */
  readonly operation: "dispatchOrder" | "deliverOrder" | "finalizeOrder" | "cancelOrder";
  /** The participle for a changed order: `dispatched`. */
  readonly done: string;
  send(
    client: Client,
    order: string,
    input: CancelInput,
    options: StatusChangeOptions,
  ): Promise<StatusChangeResult>;
}

export interface Changes {
  readonly verb: StatusVerb;
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
  /** Why the journal could not be written, so that nothing was sent. */
  readonly journalError?: ComandaError;
}

/** So many orders that are done are listed one by one. */
const shortList = 200;
/** From this number on, the engine is tuned for many calls. */
const manyOrders = 1_000;

export async function changeOrders(
  machine: Machine,
  connection: Pick<Connection, "client" | "place" | "journal" | "fingerprint">,
  changes: Changes,
): Promise<ChangesResult> {
  const [order] = changes.orders;
  const isSingle = changes.orders.length === 1 && !changes.resumedRun;
  if (order !== undefined && isSingle) return changeOne(machine, connection, changes, order);
  return changeMany(machine, connection, changes);
}

async function changeOne(
  machine: Machine,
  { client, place }: Pick<Connection, "client" | "place">,
  { verb, input, okIfAlready }: Changes,
  order: string,
): Promise<OneChange> {
  const { action } = verb;
  try {
    const result = await stopGracefully(machine, (options) =>
      verb.send(client, order, input, { ...options, ok_if_already: okIfAlready }),
    );
    return { kind: "one", outcome: doneOutcome(order, action, result) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return {
      kind: "one",
      outcome: failedOutcome(order, action, error),
      error: orderError(error, order, place),
    };
  }
}

async function changeMany(
  machine: Machine,
  { client, journal, fingerprint }: Pick<Connection, "client" | "journal" | "fingerprint">,
  changes: Changes,
): Promise<ManyChanges> {
  const { output } = machine;
  const { verb, orders, input, okIfAlready } = changes;
  const list = new OutcomeList(output.format === "table" ? shortList : Number.POSITIVE_INFINITY);
  const tell = (outcome: OrderOutcome) => {
    if (output.json) output.jsonLine(withServiceCode(outcome));
    else list.add(outcome);
  };
  const result = (writes: WritesResult, resume?: string): ManyChanges => {
    return {
      kind: "several",
      outcomes: list.inOrderOf(orders),
      unlistedCount: list.unlisted,
      writes,
      resume,
    };
  };
  if (orders.length >= manyOrders) await expectManyCalls();
  try {
    return await inOrderRun(machine, journal, sentRun(changes, fingerprint()), async (run) => {
      const resume = run.id === undefined ? undefined : resumeCommand(changes, run.id);
      if (changes.announcesRun && run.id !== undefined && resume !== undefined)
        output.notice(t`Run ${run.id}. Should it be cut short: ${resume}`);
      const send = async (order: string, options: StatusChangeOptions) => {
        await run.beforeSend();
        return verb.send(client, order, input, { ...options, ok_if_already: okIfAlready });
      };
      const sent = await sendAll(machine, changes, {
        rowWithoutSending: (order) => run.rowWithoutSending(order),
        send,
        conclude: (outcome) => run.conclude(outcome),
        onSettled(outcome) {
          run.onSettled(outcome);
          tell(outcome);
        },
      });
      return result(sent, run.isUnfinished() ? resume : undefined);
    });
  } catch (error) {
    if (!(error instanceof ComandaError) || error.code !== "state_unusable") throw error;
    const send = () => Promise.reject(error);
    return { ...result(await sendAll(machine, changes, { send, onSettled: tell })), journalError: error };
  }
}

function sentRun(
  { verb: { action, operation }, orders, input, resumedRun }: Changes,
  fingerprint: RunRequest["fingerprint"],
): RunRequest {
  return { action, operation, orders, reason: input.cancellation_reason, fingerprint, resumed: resumedRun };
}

interface SendSteps {
  readonly rowWithoutSending?: (order: string) => OrderOutcome | undefined;
  readonly send: (order: string, options: StatusChangeOptions) => Promise<StatusChangeResult>;
  /** Gives the outcome that is shown in the end. */
  readonly conclude?: (outcome: OrderOutcome) => OrderOutcome;
  readonly onSettled: (outcome: OrderOutcome) => void;
}

function sendAll(
  machine: Machine,
  { verb: { action }, orders, concurrency }: Changes,
  { send, conclude = (outcome) => outcome, ...sending }: SendSteps,
): Promise<WritesResult> {
  return sendEach<string, OrderOutcome>(machine, {
    ...sending,
    items: orders,
    concurrency,
    label: translated(action),
    send: async (order, options) => doneOutcome(order, action, await send(order, options)),
    failedRow: (order, error) => conclude(failedOutcome(order, action, error)),
    skippedRow: (order, reason) => conclude(skippedOutcome(order, action, reason)),
  });
}

function resumeCommand({ verb: { action }, store }: Changes, run: string): string {
  const command = t`comanda orders ${action} --resume ${run}`;
  return store === undefined ? command : `${command} --store ${store}`;
}

/**
 * A person wants to see every order of a short list, and those of a long list that need attention. The rest is only
 * counted, so that memory stays flat.
 */
class OutcomeList {
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

  /** @param orders without repetitions, as they were typed */
  inOrderOf(orders: readonly string[]): readonly OrderOutcome[] {
    if (this.#listed.size === 0) return [];
    return orders.flatMap((order) => this.#listed.get(order) ?? []);
  }
}

export async function presentChanges(
  result: ChangesResult,
  output: Output,
  { done }: Pick<StatusVerb, "done">,
): Promise<void> {
  if (result.kind === "one") {
    const { outcome, error } = result;
    if (output.json) output.jsonLine(withServiceCode(outcome));
    else if (error) return;
    else if (output.format !== "table") await output.records(columns, [outcome]);
    else if (outcome.already) output.sentence(t`Order ${outcome.order_id} was ${translated(done)} before.`);
    else output.sentence(t`Order ${outcome.order_id} ${translated(done)}.`);
    return;
  }
  const { outcomes, unlistedCount, writes } = result;
  const isForPerson = output.format === "table" && output.view.fields === undefined;
  if (!output.json) await output.records(isForPerson ? tableColumns(outcomes) : columns, outcomes);
  if (unlistedCount > 0) output.words(t`… and ${unlistedCount} more, all done.`);
  showCounts(output, writes);
}

/** The column of reasons is left out where nothing went wrong. */
function tableColumns(rows: readonly OrderOutcome[]): readonly Column<OrderOutcome>[] {
  const reasonColumn = { heading: "Why", name: "message", cell: reasonText };
  return [order, outcome, ...(rows.every((row) => reasonText(row) === "") ? [] : [reasonColumn])];
}

const order: Column<OrderOutcome> = { heading: "Order", name: "order_id", cell: (row) => row.order_id };
const outcome: Column<OrderOutcome> = {
  ...{ heading: "Outcome", name: "outcome", isWord: true, tone: toneOfOutcome },
  cell: (row) => row.outcome,
};

const columns: readonly Column<OrderOutcome>[] = [
  order,
  { heading: "Action", name: "action", cell: (row) => row.action, isWord: true },
  outcome,
  { heading: "HTTP", name: "http_status", cell: (row) => row.http_status },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details, mayShorten: true },
];

export function changesError(result: ChangesResult): ComandaError | undefined {
  if (result.kind === "one") return result.error;
  const { writes, resume, journalError } = result;
  if (journalError) return journalError;
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
