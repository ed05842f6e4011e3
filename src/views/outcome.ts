/** The outcome of changes in words, the same for a command, a list and the counter. */
import { statusChangeTexts, type StatusChange } from "../api/operations.js";
import type { ComandaError, Outcome } from "../base/errors.js";
import type { Context } from "../cli/context.js";
import { totalsText } from "../cli/notices.js";
import { localTime, type Tone } from "../cli/text.js";
import type { Column } from "../cli/records.js";
import { hasSeveralStores, storeZone, type Connection } from "../core/connection.js";
import {
  changeOrders,
  type ListChange,
  type ListEnd,
  type OrderLine,
  type SettledOrder,
} from "../core/orders.js";
import { plural, t, translated } from "../languages/language.js";

/** An order as a row, with the reason why it was not changed. */
export type OrderRow = OrderLine & Pick<SettledOrder, "error">;

/** An order of a list, as a row. */
type ShownOrder = OrderRow & Pick<SettledOrder, "index">;

/**
 * Changes orders and shows their outcomes: for a program each order, for a person a sentence, or the totals of a list and the orders that
 * need attention.
 *
 * @returns why not all orders were changed, for the caller to show
 * @throws {ComandaError} as {@link changeOrders}
 */
export async function showChanges(
  context: Context,
  connection: Connection,
  change: ListChange,
): Promise<ComandaError | undefined> {
  const { output } = context;
  const { action, orders, resume } = change;
  const { label } = connection;
  const isTable = output.format === "table";
  const rows: ShownOrder[] = [];
  let end: ListEnd | undefined;
  for await (const item of changeOrders(connection, change)) {
    if ("totals" in item) end = item;
    else if (output.json) output.value(item.line);
    // A table shows the orders that need attention. One that was changed earlier doesn't.
    else if (!isTable || (item.line.outcome !== "done" && item.line.code !== null))
      rows.push({ ...item, ...item.line });
  }
  const [order = "", ...others] = orders;
  if (others.length > 0 || resume) await showList(context, action, label, rows, end);
  else if (!isTable && !output.json) await output.records(orderColumns(undefined), rows);
  else if (isTable && !end?.failure)
    output.sentence(
      // The service can still undo a cancellation (section 3), so that is only accepted.
      action === "cancel"
        ? t`Cancellation of order ${order} accepted at ${label}.`
        : t`Order ${order} ${translated(statusChangeTexts[action].done)} at ${label}.`,
    );
  return end?.failure;
}

/** Asks before a cancellation, with the reason that the service stores. */
export function cancelQuestion(orders: readonly string[], label: string, reason: string | undefined): string {
  const [order = ""] = orders;
  const question = plural(orders.length, {
    one: t`Cancel order ${order} at ${label}?`,
    other: t`Cancel ${orders.length} orders at ${label}?`,
  });
  const withReason = reason === undefined ? question : `${question} ${t`Reason: "${reason}".`}`;
  return `${withReason} ${t`You can't undo this.`}`;
}

/** The maximum number of rows in the table of orders that need attention. */
const mostRows = 20;

/** Shows a list: for a program all orders, for a person the totals and the orders that need attention. */
async function showList(
  { output, workspace }: Context,
  action: StatusChange,
  label: string,
  rows: readonly ShownOrder[],
  end: ListEnd | undefined,
): Promise<void> {
  const columns = orderColumns(await storeZone(workspace, label));
  const sorted = rows.toSorted((one, other) => one.index - other.index);
  if (output.format !== "table" && !output.json) await output.records(columns, sorted);
  if (!end || end.failure?.code === "output_closed") return;
  const totals = totalsText(action, end.totals);
  output.notice((await hasSeveralStores(workspace)) ? t`At ${label}: ${totals}` : totals);
  // A list of one order has that order's error.
  if (output.format !== "table" || rows.length === 0 || end.totals.orders === 1) return;
  await output.records(columns, sorted.slice(0, mostRows));
  if (rows.length > mostRows) output.notice(t`… and ${rows.length - mostRows} more.`);
}

export const outcomeTones: Readonly<Record<Outcome["outcome"] | "skipped", Tone>> = {
  done: "green",
  refused: "red",
  failed: "red",
  unknown: "yellow",
  skipped: "dim",
};

/** Returns why an order was not changed. */
function reasonOf(order: OrderRow, zone: string | undefined): string {
  const { action, at, outcome, http_status: status, resumed, error } = order;
  if (resumed) {
    const time = localTime(Date.parse(at), zone);
    if (outcome === "unknown") return t`Sent earlier, at ${time}, with an unknown outcome. Not sent again.`;
    return action === "cancel"
      ? t`Cancellation accepted earlier, at ${time}.`
      : t`Changed earlier, at ${time}.`;
  }
  // The next step, which is shown below a list, explains "unknown".
  if (outcome === "unknown") return status === null ? t`no answer` : `HTTP ${status}`;
  if (error) {
    const { code, message, serviceMessage, details } = error;
    // The service's own words add nothing to "Order not found", or to what skips the rest.
    const isExplained = outcome === "refused" && code !== "not_found" && code !== "rate_limited";
    return [message, isExplained && (details ?? serviceMessage)].filter(Boolean).join(" ");
  }
  return action === "cancel"
    ? t`Cancellation accepted. After an online card payment, the service can still undo it.`
    : "";
}

/**
 * Returns the columns of orders and their outcomes. Only people read the reason in comanda's words; CSV contains the service's own texts.
 *
 * @param zone the store's time zone
 */
export function orderColumns(zone: string | undefined): readonly Column<OrderRow>[] {
  return [
    { heading: "Order", name: "order_id" },
    { heading: "Operation", name: "action", isDetail: true, text: ({ action }) => translated(action) },
    {
      heading: "Outcome",
      name: "outcome",
      text: ({ outcome }) => translated(outcome),
      tone: ({ outcome }) => outcomeTones[outcome],
    },
    { heading: "HTTP", name: "http_status", isDetail: true },
    { heading: "code", name: "code", isDetail: true },
    { heading: "Service code", name: "service_code", isDetail: true },
    { heading: "Reason", name: "message", text: (order) => reasonOf(order, zone) },
    { heading: "Details", name: "details", isDetail: true },
    { heading: "When", name: "at", isDetail: true },
    { heading: "Store", name: "store", isDetail: true },
    { heading: "Attempts", name: "attempts", isDetail: true, align: "right" },
    { heading: "Evidence", name: "evidence", isDetail: true },
    { heading: "Resumed", name: "resumed", isDetail: true, text: ({ resumed }) => (resumed ? t`yes` : "") },
  ];
}
