/** A list of orders: read from stdin, sent by one process at a time, and told one by one. */
import type { CancelInput } from "../../api/models.js";
import type { StatusChange } from "../../api/operations.js";
import type { Column } from "../../cli/records.js";
import { endWith } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { startProgress } from "../../cli/output.js";
import type { CallOptions } from "../../client/options.js";
import { ComandaError, type ErrorCode } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import { localTime } from "../../languages/local-time.js";
import { earlierWrites, withList, type OrderList } from "../../state/journal.js";
import { readInput } from "../input.js";
import { knowsSeveral, type Connection } from "../store.js";
import {
  orderActions,
  orderId,
  orderLine,
  sendChange,
  stopGracefully,
  stopReason,
  toneOfOutcome,
  type OrderLine,
} from "../writes.js";

/** No list of orders is longer; a wrong file is refused before it fills the memory. */
const maxListBytes = 64 * 1024 * 1024;

/**
 * Reads an id a line from stdin, and skips blank lines and `#` comments. It warns of comments that look like a typed order,
 * and of a list that may have been cut off: half an id may be another order's.
 *
 * @returns distinct ids in the order of the list
 * @throws {ComandaError} `invalid_input` that names the first line that can't be an id; nothing has been sent by then
 */
export async function readOrderIds(context: Context): Promise<readonly string[]> {
  const { output } = context;
  const { bytes } = await readInput(context, "-", {
    limit: maxListBytes,
    pipeHint: t`Pipe the ids in, one a line: comanda orders dispatch - < ids.txt`,
  });
  const text = new TextDecoder().decode(bytes);
  const numberComment = /^[ \t]*(#[ \t]?\d+)[ \t]*\r?$/m.exec(text)?.[1];
  if (numberComment !== undefined)
    output.warn(
      t`A line such as "${numberComment}" is a comment, so it is skipped. An id in a list has no # before it.`,
    );
  const ids = new Set<string>();
  for (const [index, line] of text.split("\n").entries())
    if (line.trim() !== "" && !line.trim().startsWith("#")) ids.add(orderId(line, t`line ${index + 1}`));
  if (ids.size === 0)
    throw new ComandaError("invalid_input", t`There is no order id on stdin.`, {
      hint: t`Give one id a line; blank lines and lines that begin with # are skipped.`,
    });
  if (ids.size > 1 && !text.endsWith("\n"))
    output.warn(
      t`The list ends in the middle of a line, so it may have been cut off. See whether its last id is whole.`,
    );
  return [...ids];
}

interface ChangeRequest {
  readonly action: StatusChange;
  readonly orders: readonly string[];
  readonly input: CancelInput;
  /** Leave out what this machine has done of the list already. */
  readonly resume: boolean;
}

/** At most so many orders are out at once. */
const concurrency = 16;
/** From this number on, the engine is tuned for many calls. */
const manyOrders = 1_000;

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/**
 * After these errors every further order would end the same: trying them only adds load, and a refused credential may lock
 * the person out.
 */
const endsAll: readonly ErrorCode[] = [
  ...stopCodes,
  "token_refused",
  "not_signed_in",
  "forbidden",
  "internal",
  "callback_failed",
  "lock_timeout",
];

/**
 * Sends several at a time. After a signal, or an error that all would meet, the rest is skipped.
 *
 * @throws {ComandaError} `some_failed`, or the signal's reason, where not all were done; `lock_timeout` where another process
 *   sends the same list
 */
export async function changeList(
  context: Context,
  connection: Connection,
  { action, orders, input, resume }: ChangeRequest,
): Promise<void> {
  const { output, signal } = context;
  if (orders.length >= manyOrders) {
    const { default: v8 } = await import("node:v8");
    // No call leaves anything behind: where the engine's young generation may not grow, memory stays flat.
    v8.setFlagsFromString("--semi-space-growth-factor=1");
  }
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const rows: OrderLine[] = [];
  let [begun, before] = [false, 0];
  let endReason: ComandaError | undefined;

  async function lineOf(order: string, options: CallOptions): Promise<OrderLine> {
    if (signal.aborted) endReason ??= stopReason(signal);
    if (endReason) {
      const { code, message } = endReason;
      const untried = new ComandaError(code, t`Not tried: ${message}`);
      return { ...orderLine(order, action, untried), outcome: "skipped" };
    }
    try {
      return orderLine(order, action, await sendChange(connection.client, action, order, input, options));
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      if (endsAll.includes(error.code)) endReason ??= error;
      return orderLine(order, action, error);
    }
  }

  async function sendAll(): Promise<void> {
    begun = true;
    const known = resume ? await outcomesBefore(context, connection, action, orders) : undefined;
    const progress = startProgress(output.status, {
      total: orders.length,
      label: translated(action),
      now: () => context.clock.now(),
    });
    let settled = 0;
    const queue = orders.entries();
    const worker = async (options: CallOptions) => {
      for (const [place, order] of queue) {
        const earlier = known?.get(order);
        if (earlier?.outcome === "skipped") before += 1;
        const line = earlier ?? (await lineOf(order, options));
        counts[line.outcome] += 1;
        settled += 1;
        if (output.json) output.value(line);
        else rows[place] = line;
        progress.update(settled, counts.done < settled ? t`${settled - counts.done} not done` : "");
      }
    };
    await stopGracefully(context, (options) =>
      Promise.all(Array.from({ length: Math.min(concurrency, orders.length) }, () => worker(options))),
    );
    progress.end();
  }

  const { journal } = connection;
  try {
    await withList(await context.state(), listOf(connection, action, orders), (assertOurs) => {
      journal?.guard(assertOurs);
      return sendAll();
    });
  } catch (error) {
    if (begun || !journal?.goesWithout(error)) throw error;
    await sendAll();
  }
  if (output.format === "table") await output.records(tableColumns(rows), rows);
  else if (!output.json) await output.records(columns, rows);
  if (endReason?.code !== "output_closed") {
    const counted = countsText(counts);
    output.notice((await knowsSeveral(context)) ? t`At ${connection.label}: ${counted}` : counted);
  }
  endWith(context, incompleteError({ counts, total: orders.length, before, endReason }));
}

type Counts = Readonly<Record<OrderLine["outcome"], number>>;

function countsText({ done, refused, failed, unknown, skipped }: Counts): string {
  return [
    done > 0 && t`${done} done`,
    refused > 0 && t`${refused} refused`,
    failed > 0 && t`${failed} failed`,
    unknown > 0 && t`${unknown} unknown`,
    skipped > 0 && t`${skipped} skipped`,
  ]
    .filter(Boolean)
    .join(", ");
}

interface Ended {
  readonly counts: Counts;
  readonly total: number;
  /** How many of those that were skipped had been done before. */
  readonly before: number;
  /** Why the rest was skipped. */
  readonly endReason: ComandaError | undefined;
}

/** @returns the signal that ended it, or else how many orders were not done; `undefined` where all were */
function incompleteError({ counts, total, before, endReason }: Ended): ComandaError | undefined {
  if (endReason && stopCodes.includes(endReason.code)) return endReason;
  const open = total - counts.done - before;
  if (open === 0) return undefined;
  const hints = [
    endReason && t`The run was ended early: ${endReason.message}`,
    endReason?.hint,
    counts.unknown > 0 &&
      t`Unknown means that the request went out, and nothing tells whether it was done. To deliver, finalize or cancel again is harmless.`,
    counts.refused > 0 && t`Refused orders are as they were; the message of each says why.`,
    counts.failed > 0 &&
      t`Failed orders were certainly not changed: the same command may be run again for them.`,
    counts.failed + counts.skipped > before && t`To send what is left: the same command with --resume.`,
  ];
  return new ComandaError("some_failed", t`${open} of ${total} orders were not done.`, {
    hint: hints.filter(Boolean).join("\n"),
  });
}

function listOf(
  { store, fingerprint }: Connection,
  action: StatusChange,
  orders: readonly string[],
): OrderList {
  const { operation } = orderActions[action];
  return { store: store ?? null, fingerprint: fingerprint(), operation, orders };
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
): Promise<ReadonlyMap<string, OrderLine>> {
  const list = listOf(connection, action, orders);
  const { byOrder, otherSignIn } = await earlierWrites(await context.state(), list);
  if (otherSignIn > 0)
    context.output.notice(
      t`${otherSignIn} of these orders were sent before the last sign-in here: that isn't counted, since it may have been another store.`,
    );
  const { settings } = await context.state();
  const { stores } = byOrder.size > 0 ? await settings.read() : {};
  const zone = stores?.[connection.store ?? ""]?.time_zone;
  return new Map(
    [...byOrder].map(([order, { at, outcome, http_status, service_code, attempts, evidence }]) => {
      const isDone = outcome === "done";
      const line: OrderLine = {
        order_id: order,
        action,
        outcome: isDone ? "skipped" : "unknown",
        http_status,
        code: isDone ? null : "outcome_unknown",
        message: isDone
          ? t`It was done before, at ${localTime(Date.parse(at), zone)}.`
          : t`It was sent before, and nothing tells whether it was done.`,
        details: null,
        attempts,
        evidence,
        resumed: true,
        service_code,
      };
      return [order, line];
    }),
  );
}

const orderColumn: Column<OrderLine> = { heading: "Order", name: "order_id", cell: (row) => row.order_id };

const outcomeColumn: Column<OrderLine> = {
  heading: "Outcome",
  name: "outcome",
  cell: ({ outcome }) => outcome,
  isWord: true,
  tone: toneOfOutcome,
};

/** Programs get the service's own texts and numbers. */
export const columns: readonly Column<OrderLine>[] = [
  orderColumn,
  { heading: "Action", name: "action", cell: (row) => row.action, isWord: true },
  outcomeColumn,
  { heading: "HTTP", name: "http_status", cell: (row) => row.http_status },
  { heading: "Code", name: "code", cell: (row) => row.code },
  { heading: "Service code", name: "service_code", cell: (row) => row.service_code },
  { heading: "Message", name: "message", cell: (row) => row.message },
  { heading: "Details", name: "details", cell: (row) => row.details },
];

/** People read why an order isn't done, unless all are. */
function tableColumns(rows: readonly OrderLine[]): readonly Column<OrderLine>[] {
  const reason: Column<OrderLine> = { heading: "Why", name: "message", cell: reasonText };
  return [orderColumn, outcomeColumn, ...(rows.some((row) => reasonText(row) !== "") ? [reason] : [])];
}

function reasonText({ outcome, code, message, details }: OrderLine): string {
  const said = details ?? message ?? "";
  switch (outcome === "refused" ? code : undefined) {
    case "status_conflict":
      return t`Its status doesn't allow it: it may be finished, or not at that step yet.`;
    case "not_found":
      return t`The service knows no such order. Is the id right, and of this store?`;
    case "token_refused":
      return t`The service refused the credential.`;
    case "forbidden":
      return t`The service doesn't allow it to this store's sign-in.`;
    case "invalid_request":
      return t`The service refused the request: ${said}`;
    default:
      return message ?? "";
  }
}
