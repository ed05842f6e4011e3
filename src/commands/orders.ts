/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel` (sections 4.2 to 4.5) change one order, or a list of orders. */
import type { CancelInput } from "../api/models.js";
import { statusChanges, type StatusChange } from "../api/operations.js";
import { type Command, endWith } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { decodeText, orderIds, readInput } from "../cli/input.js";
import { startProgress } from "../cli/output.js";
import { askYesNo } from "../cli/prompts.js";
import type { Column } from "../cli/records.js";
import { knowsSeveral, openConnection, type Connection } from "../cli/connection.js";
import type { Tone } from "../cli/text.js";
import { localTime } from "../cli/text.js";
import type { Client } from "../client/client.js";
import { ComandaError, type ErrorCode, type Outcome } from "../base/errors.js";
import type { CallOptions } from "../client/options.js";
import { continued, plural, t, translated, type Word } from "../languages/language.js";
import { earlierWrites, withList, type OrderList } from "../state/journal.js";

interface Action {
  /** Describes the order, or its cancellation, in a sentence such as "Order 4711 dispatched at centro." */
  readonly done: Word;
  readonly summary: string;
  readonly paragraphs: readonly Word[];
}

const noChangeAfter = "A finalized or canceled order can't be changed anymore.";
const mayBeUndone =
  "The service first accepts a cancellation. If the order was paid online by card, it becomes canceling, and then canceled or its previous status again. No answer says which, so check the order in the store's portal.";
const severalRequireYes = "Canceling several orders without a terminal requires --yes.";

export const orderActions = {
  dispatch: {
    done: "dispatched",
    summary: "dispatch orders for delivery or pickup",
    paragraphs: [
      "Delivery orders become released (out for delivery). Takeout and dine-in (onsite) orders become waiting_to_catch (waiting for pickup).",
    ],
  },
  deliver: {
    done: "delivered",
    summary: "mark orders that are out for delivery as delivered",
    paragraphs: [],
  },
  finalize: {
    done: "finalized",
    summary: "finalize orders",
    paragraphs: [noChangeAfter],
  },
  cancel: {
    done: "accepted",
    summary: "cancel orders",
    paragraphs: [mayBeUndone, noChangeAfter, severalRequireYes],
  },
} as const satisfies Readonly<Record<StatusChange, Action>>;

const howToEnterIds =
  "Separate order ids with spaces. To read them from stdin, one per line, pass -. Lines that begin with # are ignored.";
const howToContinue =
  "To continue a list that was not completed, run the same command with --resume. It skips changes done in the last 24 hours, or recorded as done. It reports changes whose outcome is unknown, but doesn't send them.";
/** The meaning of the outcome `unknown`. */
export const unknownMeaning =
  "Unknown: the request was sent, but no answer says whether the order was changed.";

interface ChangeOptions {
  readonly resume?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
}

export default function orders(group: Command): void {
  for (const action of Object.keys(orderActions) as StatusChange[]) {
    const { summary, paragraphs } = orderActions[action];
    const command = group
      .command(`${action} <id...>`)
      .about(summary, ...paragraphs, howToEnterIds, howToContinue, unknownMeaning)
      .takes("store", "dryRun", "format")
      .option("--resume", "skip changes already done, and those with unknown outcome")
      .does((context, options: ChangeOptions, words) => changeOrders(context, action, options, words));
    if (action === "cancel")
      command
        .option("--reason <text>", "reason, stored with the order")
        .option("-y, --yes", "cancel without asking for confirmation")
        .examples(
          'orders cancel 4711 --reason "The kitchen is closed"',
          "orders cancel 4711 4712 --yes",
          "orders cancel - --yes --json < ids.txt",
        );
    else
      command.examples(
        `orders ${action} 4711`,
        `orders ${action} 4711 4712 4713`,
        `orders ${action} - --json < ids.txt`,
      );
  }
}

async function changeOrders(
  context: Context,
  action: StatusChange,
  { resume = false, reason, yes = false }: ChangeOptions,
  words: readonly string[],
): Promise<void> {
  const { output, signal, options } = context;
  let typed = [...words.entries()];
  let placeOf = (index: number) => t`argument ${index + 1}`;
  if (words.length === 1 && words[0] === "-") {
    const lines = decodeText((await readInput(context, "-")).bytes).split("\n");
    typed = [...lines.entries()].filter(([, line]) => line.trim() !== "" && !line.trim().startsWith("#"));
    placeOf = (index) => t`line ${index + 1}`;
  }
  const hint = translated(howToEnterIds);
  if (typed.length === 0) throw new ComandaError("invalid_input", t`No order ids on stdin.`, { hint });
  const orders = orderIds(typed, placeOf, hint);
  if (reason?.trim() === "")
    throw new ComandaError("usage", t`Invalid value "${reason}" for ${"--reason"}.`, {
      hint: t`Run ${"comanda orders cancel"} --help for usage.`,
    });
  const input = reason === undefined ? {} : { cancellation_reason: reason };
  const connection = await openConnection(context, options.store);
  const { client, describe, label, store = null } = connection;
  const { id: operation } = statusChanges[action];
  const list: OrderList = { store, fingerprint: connection.fingerprint(), operation, orders };
  if (options.dryRun) {
    const before = resume ? await outcomesBefore(context, action, list) : undefined;
    const left = orders.filter((id) => !before?.has(id));
    output.requests(
      await Promise.all(left.map((id) => describe((probe) => sendChange(probe, action, id, input, {})))),
    );
    return;
  }
  const [order = ""] = orders;
  if (action === "cancel" && !yes) {
    const count = orders.length;
    const canAsk = context.canAsk();
    if (!canAsk && count > 1)
      throw new ComandaError("usage", `${translated(severalRequireYes)} ${t`Nothing was sent.`}`, {
        hint: translated(noChangeAfter),
      });
    const question = plural(count, {
      one: t`Cancel order ${order} at ${label}? You can't undo this.`,
      other: t`Cancel ${count} orders at ${label}? You can't undo this.`,
    });
    if (canAsk && !(await askYesNo(context, question))) {
      output.notice(t`Nothing was changed.`);
      return;
    }
  }
  if (orders.length > 1 || resume) {
    await changeList(context, connection, { action, list, input, resume });
    return;
  }
  const outcome = await sendChange(client, action, order, input, { signal });
  const line = orderLine(order, action, outcome);
  if (output.json) output.value(line);
  if (outcome instanceof ComandaError) endWith(context, orderError(outcome, order, label));
  else if (output.format === "table") output.sentence(doneSentence(action, order, label));
  else if (!output.json) await output.records(columns, [line]);
}

/** Says that a change is done. The service can still undo a cancellation (section 3), so that is only accepted. */
export function doneSentence(action: StatusChange, order: string, label: string): string {
  if (action === "cancel") return t`Cancellation of order ${order} accepted at ${label}.`;
  return t`Order ${order} ${translated(orderActions[action].done)} at ${label}.`;
}

/** The maximum number of orders that are sent at the same time. */
const concurrency = 16;

const stopCodes: readonly ErrorCode[] = ["interrupted", "terminated", "output_closed", "output_failed"];

/** After these errors, every further order would fail too: sending it adds load, and a refused credential may lock the user out. */
export const endsAll: readonly ErrorCode[] = [
  ...stopCodes,
  "token_refused",
  "not_signed_in",
  "forbidden",
  "internal",
  "callback_failed",
  "lock_timeout",
];

/** The maximum number of rows in the table of orders that need attention. */
const mostRows = 20;

/** `why` explains in comanda's own words why the order was not changed. */
interface Row extends OrderLine {
  readonly why?: string;
}

interface ChangeList {
  readonly action: StatusChange;
  readonly list: OrderList;
  readonly input: CancelInput;
  /** Skips orders that this machine has changed already. */
  readonly resume: boolean;
}

/**
 * Sends several orders at a time. After a signal or an error that would affect every order, the rest is skipped.
 *
 * @throws {ComandaError} `some_failed` or the signal's reason if not all orders were changed; the order's own error if the list
 *   has one order; `lock_timeout` if another process sends the same list
 */
async function changeList(
  context: Context,
  connection: Connection,
  { action, list, input, resume }: ChangeList,
): Promise<void> {
  const { output, signal } = context;
  const { orders } = list;
  const { journal, label } = connection;
  const counts = { done: 0, refused: 0, failed: 0, unknown: 0, skipped: 0 };
  const isTable = output.format === "table";
  /** By position in the list. For a table, only orders that need attention: one that was changed earlier has no code. */
  const rows: Row[] = [];
  // The calls create only short-lived objects, so memory stays flat if V8's young generation can't grow.
  if (orders.length >= 1_000)
    (await import("node:v8")).default.setFlagsFromString("--semi-space-growth-factor=1");
  const sending = { isStarted: false, isLimited: false };
  let settled = 0;
  let doneBefore = 0;
  let firstUnknown = orders.length;
  let endReason: ComandaError | undefined;
  let lastError: ComandaError | undefined;

  function totals(): string {
    const { done, refused, failed, unknown, skipped } = counts;
    const texts = [
      done > 0 && (action === "cancel" ? t`${done} accepted` : t`${done} done`),
      refused > 0 && t`${refused} refused`,
      failed > 0 && t`${failed} failed`,
      unknown > 0 && t`${unknown} unknown`,
      skipped > 0 && t`${skipped} skipped`,
    ];
    return texts.filter(Boolean).join(", ");
  }

  /** @param beforeSending throws if another process has locked the list meanwhile */
  async function sendAll(beforeSending?: () => Promise<void>): Promise<void> {
    sending.isStarted = true;
    const known = resume ? await outcomesBefore(context, action, list) : undefined;
    const progress = startProgress(output.status, {
      total: orders.length,
      label: translated(action),
      now: () => context.clock.now(),
    });
    const queue = orders.entries();
    const work = async () => {
      for (const [index, order] of queue) {
        if (signal.aborted && signal.reason instanceof ComandaError) endReason ??= signal.reason;
        let line = known?.get(order);
        let why = line?.message ?? "";
        if (line) {
          if (line.outcome === "skipped") doneBefore += 1;
          else lastError = new ComandaError("outcome_unknown", why, { outcome: "unknown" });
        } else if (endReason) {
          why = t`Stopped early: ${continued(endReason.message)}`;
          const untried = orderLine(order, action, new ComandaError(endReason.code, why));
          line = { ...untried, outcome: "skipped" };
        } else {
          const outcome = await sendChange(connection.client, action, order, input, {
            signal,
            beforeSending,
          });
          line = orderLine(order, action, outcome);
          if (outcome instanceof ComandaError) {
            lastError = outcome;
            if (endsAll.includes(outcome.code)) endReason ??= outcome;
            why = reasonOf(outcome);
          }
        }
        counts[line.outcome] += 1;
        if (line.outcome === "unknown") firstUnknown = Math.min(firstUnknown, index);
        if (line.code === "rate_limited") sending.isLimited = true;
        settled += 1;
        if (output.json) output.value(line);
        else if (!isTable || (line.outcome !== "done" && line.code !== null)) rows[index] = { ...line, why };
        progress.update(settled, totals());
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    progress.end();
  }

  try {
    await withList(await context.state(), list, sendAll);
  } catch (error) {
    if (sending.isStarted || !journal?.maySendWithout(error)) throw error;
    await sendAll();
  }
  const { done, failed, unknown, skipped } = counts;
  if (!isTable && !output.json) await output.records(columns, rows);
  if (endReason?.code !== "output_closed") {
    const store = (await knowsSeveral(context)) ? `${t`At ${label}:`} ` : "";
    output.notice(store + totals());
  }
  const open = orders.length - done - doneBefore;
  if (open === 0) return;
  const [order = "", ...others] = orders;
  const stopped = endReason && stopCodes.includes(endReason.code) ? endReason : undefined;
  if (lastError && others.length === 0 && !stopped) endWith(context, orderError(lastError, order, label));
  if (isTable) {
    await output.records(columns, Object.values(rows).slice(0, mostRows));
    if (open > mostRows) output.notice(t`… and ${open - mostRows} more: --json lists all.`);
  }
  const hints = [
    endReason && !stopped && t`Stopped early: ${continued(endReason.message)}`,
    endReason?.hint,
    unknown > 0 && translated(unknownMeaning),
    unknown > 0 && settleHint(orders[firstUnknown] ?? ""),
    unknown > 0 &&
      statusChanges[action].isRefusedTwice &&
      t`You can safely try again: if the order was changed, the service refuses with code 4002.`,
    unknown > 1 && t`To list all: comanda history --outcome unknown`,
    (sending.isLimited || failed + skipped > doneBefore) &&
      t`To send what wasn't sent, run the same command with --resume.`,
  ];
  const hint = hints.filter(Boolean).join("\n");
  // The most uncertain outcome of the orders.
  let outcome: ComandaError["outcome"] = failed + skipped > doneBefore ? "failed" : "refused";
  if (unknown > 0) outcome = "unknown";
  if (stopped) {
    // An interrupt isn't reported as an error, so the hint is printed here.
    if (isTable && hint !== "") for (const line of hint.split("\n")) output.notice(line);
    throw stopped.reworded(stopped.message, { outcome });
  }
  const total = orders.length;
  const notChanged = plural(open, {
    one: t`1 of ${total} orders was not changed.`,
    other: t`${open} of ${total} orders were not changed.`,
  });
  const message = unknown > 0 ? t`${open} of ${total} orders: not changed, or outcome unknown.` : notChanged;
  endWith(context, new ComandaError("some_failed", message, { hint: hint || undefined, outcome }));
}

/** Returns the orders of a list that `--resume` doesn't send again: those done in the last 24 hours, and unknown ones. */
async function outcomesBefore(
  context: Context,
  action: StatusChange,
  list: OrderList,
): Promise<ReadonlyMap<string, OrderLine>> {
  const state = await context.state();
  const { byOrder, otherSignIn } = await earlierWrites(state, list);
  if (otherSignIn > 0)
    context.output.notice(
      t`Orders sent before the last sign-in: ${otherSignIn}. --resume doesn't skip them, because it may have been to another store.`,
    );
  const { stores } = await state.settings.read();
  const zone = stores?.[list.store ?? ""]?.time_zone;
  const lines = new Map<string, OrderLine>();
  for (const [order, { at, outcome, http_status, service_code, attempts, evidence }] of byOrder) {
    const isDone = outcome === "done";
    const sentAt = localTime(Date.parse(at), zone);
    const isCancel = action === "cancel";
    const before = isCancel
      ? t`Cancellation accepted earlier, at ${sentAt}.`
      : t`Changed earlier, at ${sentAt}.`;
    lines.set(order, {
      order_id: order,
      action,
      outcome: isDone ? "skipped" : "unknown",
      http_status,
      code: isDone ? null : "outcome_unknown",
      message: isDone ? before : t`Sent earlier, at ${sentAt}, with an unknown outcome. Not sent again.`,
      details: null,
      attempts,
      evidence,
      resumed: true,
      service_code,
    });
  }
  return lines;
}

export const outcomeTones: Readonly<Record<OrderLine["outcome"], Tone>> = {
  done: "green",
  refused: "red",
  failed: "red",
  unknown: "yellow",
  skipped: "dim",
};

/** CSV contains the service's own texts and numbers. */
const columns: readonly Column<Row>[] = [
  { heading: "Order", name: "order_id", cell: (row) => row.order_id },
  { heading: "Operation", name: "action", isDetail: true, cell: ({ action }) => action, isWord: true },
  {
    heading: "Outcome",
    name: "outcome",
    cell: ({ outcome }) => outcome,
    isWord: true,
    tone: ({ outcome }) => outcomeTones[outcome],
  },
  { heading: "HTTP", name: "http_status", isDetail: true, cell: (row) => row.http_status },
  { heading: "code", name: "code", isDetail: true, cell: (row) => row.code },
  { heading: "Service code", name: "service_code", isDetail: true, cell: (row) => row.service_code },
  {
    heading: "Why",
    name: "message",
    cell: (row) => row.message,
    // The hint below the table explains "unknown".
    tableText: ({ outcome, http_status: status, resumed, why = "" }) => {
      if (outcome !== "unknown" || resumed) return why;
      return status === null ? t`no answer` : `HTTP ${status}`;
    },
  },
  { heading: "Details", name: "details", isDetail: true, cell: (row) => row.details },
];

/** Sends a change and returns its outcome, even if that is an error. */
export async function sendChange(
  client: Client,
  action: StatusChange,
  order: string,
  input: CancelInput,
  options: CallOptions,
): Promise<Outcome> {
  try {
    if (action === "cancel") return await client.cancelOrder(order, input, options);
    return await client[statusChanges[action].id](order, options);
  } catch (error) {
    if (error instanceof ComandaError) return error;
    throw error;
  }
}

/** The outcome of one order: a line of `--json`, and a row of every other format. Scripts rely on these names. */
export interface OrderLine {
  readonly order_id: string;
  readonly action: StatusChange;
  /** `skipped`: this command didn't send it. */
  readonly outcome: Outcome["outcome"] | "skipped";
  readonly http_status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly details: string | null;
  readonly attempts: number;
  readonly evidence: Outcome["evidence"];
  /** Set if an earlier command sent it. */
  readonly resumed?: true;
  readonly service_code: number | null;
}

export function orderLine(order: string, action: StatusChange, result: Outcome): OrderLine {
  const error = result instanceof ComandaError ? result : undefined;
  const { outcome, httpStatus, code, attempts, evidence, serviceCode } = result;
  const isUnknown = outcome === "unknown";
  const serviceText = error?.serviceMessage ?? null;
  const isAccepted = action === "cancel" && outcome === "done";
  const accepted = t`Cancellation accepted. After an online card payment, the service can still undo it.`;
  return {
    order_id: order,
    action,
    outcome,
    http_status: httpStatus,
    code,
    // The service's message explains the outcome, unless that is unknown.
    message: (isUnknown ? null : serviceText) ?? error?.message ?? (isAccepted ? accepted : null),
    details: error?.details ?? (isUnknown ? serviceText : null),
    attempts,
    evidence,
    service_code: serviceCode,
  };
}

/** Returns why an order was not changed. Only the service's details say what is wrong with a request. */
export function reasonOf({ code, message, details }: ComandaError): string {
  return code === "invalid_request" ? [message, details].filter(Boolean).join(" ") : message;
}

/** Two commands, because a shell would read `done|not-done` as a pipe, and record the order as done. */
const settleHint = (order: string) =>
  t`Once you have checked order ${order} in the store's portal, record the outcome.\nIf the order was changed: comanda history settle ${order} done\nIf it wasn't: comanda history settle ${order} not-done`;

/** Names the order and its store in the error's message, and adds how to record an unknown outcome. */
export function orderError(error: ComandaError, order: string, label: string): ComandaError {
  const ofOrder = t`Order ${order} at ${label}: ${continued(error.message)}`;
  if (error.code !== "outcome_unknown") return error.reworded(ofOrder);
  return error.reworded(ofOrder, { hint: [error.hint, settleHint(order)].filter(Boolean).join("\n") });
}
