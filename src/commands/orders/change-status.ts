/** Changes the status of one order, of several, or of a list on stdin, and tells what came of each. */
import type { CallOptions } from "../../client/call.js";
import type { Client } from "../../client/client.js";
import type { DescribedRequest } from "../../client/client.js";
import type { CancelInput } from "../../api/models.js";
import type { StatusChange } from "../../api/operations.js";
import { ComandaError, type ErrorCode } from "../../client/errors.js";
import { plural, t, translated } from "../../languages/language.js";
import type { Output } from "../../cli/output.js";
import { startProgress } from "../../cli/progress.js";
import type { Column } from "../../cli/column.js";
import type { StoreAddress } from "../../toolkit/choose-store.js";
import type { Command, CommandDescription } from "../../toolkit/command.js";
import type { Connection } from "../../toolkit/connection.js";
import { showRequests } from "../../toolkit/dry-run.js";
import type { Machine } from "../../toolkit/machine.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";
import {
  doneWrite,
  failedWrite,
  outcomeColumn,
  outcomes,
  reasonColumns,
  skippedWrite,
  type OutcomeName,
} from "../../toolkit/outcomes.js";
import { withConnection } from "../../toolkit/with-connection.js";
import { stopGracefully, stopReason, writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";

import { orderActions } from "./actions.js";
import { parseOrderIds, readOrderIds, type OrderIds } from "./order-ids.js";
import { asOnlySender, outcomesBefore } from "./order-run.js";
import { orderError, orderLine, type OrderTold } from "./outcomes.js";

export interface ChangeStatusOptions extends WriteOptions {
  readonly orders: OrderIds;
  /** Leave out what this machine has done of the list already. */
  readonly resume: boolean;
  /** The service keeps it with a canceled order. */
  readonly reason: string | undefined;
  /** Cancel without asking. */
  readonly yes: boolean;
}

export type ChangeStatusResult =
  | { readonly kind: "requests"; readonly requests: readonly DescribedRequest[] }
  /** The person answered no. */
  | { readonly kind: "declined" }
  /** The error is absent where the change is done. */
  | { readonly kind: "one"; readonly outcome: OrderTold; readonly error?: ComandaError }
  | ({ readonly kind: "several" } & Changes);

interface Changes {
  /** In the order in which they were typed; empty for JSON, which is written as orders are settled. */
  readonly outcomes: readonly OrderTold[];
  readonly counts: Readonly<Record<OutcomeName, number>>;
  /** How many of those that were skipped had been done before. */
  readonly before: number;
  /** Why the rest was skipped. */
  readonly endReason: ComandaError | undefined;
}

/** At most so many orders are out at once. */
const concurrency = 16;
/** From this number on, the engine is tuned for many calls. */
const manyOrders = 1_000;
/** So many orders that are done are listed one by one, so that memory stays flat. */
const shortList = 200;

export function changeStatus(
  action: StatusChange,
  description: Pick<CommandDescription, "summary" | "description" | "examples">,
): Command<ChangeStatusOptions, ChangeStatusResult> {
  return {
    description: {
      usage: `${action} <id...>`,
      ...description,
      takes: ["store", "dryRun", "format"],
      options: [
        ...(action === "cancel"
          ? [
              { flags: "--reason <text>", description: "why; kept with the order (section 4.2)" },
              { flags: "-y, --yes", description: "cancel without asking" },
            ]
          : []),
        {
          flags: "--resume",
          description:
            "go on with this list where an earlier command was cut short: what is done is left out, what is unknown is told",
        },
      ],
    },

    parse(line) {
      const reason = line.text("--reason");
      if (reason?.trim() === "")
        throw new ComandaError("usage", t`--reason can't be empty.`, {
          hint: t`Leave it out to cancel without a reason.`,
        });
      return {
        ...writeOptionsOf(line),
        orders: parseOrderIds(line.words),
        resume: line.flag("--resume"),
        reason,
        yes: line.flag("--yes"),
      };
    },

    async run(machine, { orders: typed, resume, reason, yes, store, dryRun }) {
      const { context, output } = machine;
      const orders = typed === "stdin" ? await readOrderIds(context, (text) => output.warn(text)) : typed;
      return withConnection(machine.context, { store }, async (connection) => {
        const input = reason === undefined ? {} : { cancellation_reason: reason };
        if (dryRun) {
          const before = resume ? await outcomesBefore(machine, connection, action, orders) : undefined;
          const { operation } = orderActions[action];
          const requests = orders
            .filter((order) => !before?.has(order))
            .map((order_id) => connection.describer.operation(operation, { order_id, ...input }));
          return { kind: "requests", requests };
        }
        if (action === "cancel" && !yes && !(await isConfirmed(machine, connection, orders)))
          return { kind: "declined" };
        const [order] = orders;
        if (order === undefined || orders.length > 1 || resume)
          return changeAll(machine, connection, { action, orders, input, resume });
        try {
          const outcome = await stopGracefully(machine.context, (options) =>
            change(connection.client, action, order, input, options),
          );
          return { kind: "one", outcome };
        } catch (error) {
          if (!(error instanceof ComandaError)) throw error;
          const outcome = { order, action, ...failedWrite(error) };
          return { kind: "one", outcome, error: orderError(error, order, connection.place) };
        }
      });
    },

    async present(result, output) {
      switch (result.kind) {
        case "requests":
          showRequests(output, result.requests);
          return;
        case "declined":
          output.notice(t`Nothing was canceled.`);
          return;
        case "one":
          if (output.json) output.jsonLine(orderLine(result.outcome));
          else if (result.error) return;
          else if (output.format !== "table") await output.records(columns, [result.outcome]);
          else output.sentence(t`Order ${result.outcome.order} ${translated(orderActions[action].done)}.`);
          return;
        case "several":
          await presentAll(result, output);
      }
    },

    failure(result) {
      if (result.kind === "one") return result.error;
      return result.kind === "several" ? incompleteError(result) : undefined;
    },
  };
}

/**
 * A cancel can't be undone.
 *
 * @returns false where the person said no
 * @throws {ComandaError} `usage` where several are to be canceled and nobody can be asked
 */
async function isConfirmed(
  machine: Machine,
  { label, environment }: StoreAddress,
  orders: readonly string[],
): Promise<boolean> {
  const [order = ""] = orders;
  const subject = plural(orders.length, { one: t`order ${order}`, other: t`${orders.length} orders` });
  const place = label === environment ? label : `${label} (${environment})`;
  if (machine.canAsk()) return machine.askYesNo(t`Cancel ${subject} at ${place}? This can't be undone.`);
  if (orders.length === 1) return true;
  throw new ComandaError("usage", t`Canceling ${subject} needs --yes where nobody can be asked.`, {
    hint: t`A canceled order can't be brought back. Add --yes if that is what you want.`,
  });
}

async function change(
  client: Client,
  action: StatusChange,
  order: string,
  input: CancelInput,
  options: CallOptions,
): Promise<OrderTold> {
  const done =
    action === "cancel"
      ? await client.cancelOrder(order, input, options)
      : await client[orderActions[action].operation](order, options);
  return { order, action, ...doneWrite(done) };
}

interface ChangeRequest {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly input: CancelInput;
  readonly resume: boolean;
}

/** Sends several at a time. After a signal, or an error that all would meet, the rest is skipped. */
async function changeAll(
  machine: Machine,
  connection: Connection,
  { action, orders, input, resume }: ChangeRequest,
): Promise<ChangeStatusResult> {
  const { context, output } = machine;
  const { client } = connection;
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
      return await change(client, action, order, input, options);
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsAll.includes(error.code)) endReason ??= error;
      return { order, action, ...failedWrite(error) };
    }
  }

  let before = 0;
  await asOnlySender(machine, connection, { action, orders }, async (check) => {
    const known = resume ? await outcomesBefore(machine, connection, action, orders) : undefined;
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
    await stopGracefully(machine.context, (options) =>
      Promise.all(Array.from({ length: Math.min(concurrency, orders.length) }, () => worker(options))),
    );
    progress.end();
  });
  return {
    kind: "several",
    outcomes: listed.size === 0 ? [] : orders.flatMap((order) => listed.get(order) ?? []),
    ...{ counts, before, endReason },
  };
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

async function presentAll({ outcomes: rows, counts, endReason }: Changes, output: Output): Promise<void> {
  const isForPerson = output.format === "table";
  const shown = isForPerson ? [orderColumn, outcomeColumn, ...reasonColumns(rows)] : columns;
  if (!output.json) await output.records(shown, rows);
  const unlisted = output.format === "table" ? Math.max(0, counts.done - shortList) : 0;
  if (unlisted > 0) output.words(t`… and ${unlisted} more, all done.`);
  if (endReason?.code === "output_closed") return;
  const texts: Readonly<Record<OutcomeName, string>> = {
    done: t`${counts.done} done`,
    refused: t`${counts.refused} refused`,
    failed: t`${counts.failed} failed`,
    unknown: t`${counts.unknown} unknown`,
    skipped: t`${counts.skipped} skipped`,
  };
  output.notice(
    outcomes
      .filter((name) => counts[name] > 0)
      .map((name) => texts[name])
      .join(", "),
  );
}

const orderColumn: Column<OrderTold> = { heading: "Order", name: "order_id", cell: (row) => row.order };

const columns: readonly Column<OrderTold>[] = [
  orderColumn,
  { heading: "Action", name: "action", cell: (row) => row.action, isWord: true },
  outcomeColumn,
  { heading: "HTTP", name: "http_status", cell: (row) => row.httpStatus },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Service code", name: "service_code", cell: (row) => row.serviceCode },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details },
];

/** @returns the signal that ended it, or else how many orders were not done; `undefined` where all were */
function incompleteError({ counts, before, endReason }: Changes): ComandaError | undefined {
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
