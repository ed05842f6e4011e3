/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel`: sections 4.2 to 4.5. */
import type { StatusChange } from "../../api/operations.js";
import { endWith, type Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { oneStore } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t, translated } from "../../languages/language.js";
import { failedWrite } from "../outcomes.js";
import { knowsSeveral, withConnection, type Store } from "../store.js";
import { showRequests, stopGracefully } from "../writes.js";

import { parseOrderIds, readOrderIds } from "./order-ids.js";
import { columns, orderActions, orderError, orderLine, sendChange } from "./outcomes.js";

export function orders(group: Command): void {
  changing(group, "dispatch").about(
    "send orders on their way, or have them wait for pickup",
    "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
  );
  changing(group, "deliver").about(
    "mark delivery orders as delivered",
    "Only delivery orders that are out for delivery can be delivered.",
  );
  changing(group, "finalize").about("finalize orders", "A finalized order can't be changed any more.");
  changing(group, "cancel")
    .about(
      "cancel orders",
      "A canceled order can't be changed any more. At a terminal a cancel asks first; --yes skips the question, and canceling several takes it where nobody can be asked.",
    )
    .option("--reason <text>", "why; kept with the order")
    .option("-y, --yes", "cancel without asking")
    .examples(
      'orders cancel 4711 --reason "The kitchen is closed"',
      "orders cancel 4711 4712 --yes",
      "orders cancel - --yes --json < ids.txt",
    );
}

function changing(group: Command, action: StatusChange): Command {
  return group
    .command(`${action} <id...>`)
    .takes("store", "dryRun", "format")
    .option(
      "--resume",
      "go on with this list where an earlier command was cut short: what is done is left out, what is unknown is told",
    )
    .examples(
      `orders ${action} 4711`,
      `orders ${action} 4711 4712 4713`,
      `orders ${action} - --json < ids.txt`,
    )
    .does((context, options: ChangeOptions, words) => changeOrders(context, action, options, words));
}

interface ChangeOptions {
  readonly resume?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
}

async function changeOrders(
  context: Context,
  action: StatusChange,
  { resume = false, reason, yes = false }: ChangeOptions,
  words: readonly string[],
): Promise<void> {
  const { output } = context;
  const { dryRun } = context.options;
  const store = oneStore(context.options);
  const typed = parseOrderIds(words);
  if (reason?.trim() === "")
    throw new ComandaError("usage", t`--reason can't be empty.`, {
      hint: t`Leave it out to cancel without a reason.`,
    });
  const input = reason === undefined ? {} : { cancellation_reason: reason };
  const ids = typed === "stdin" ? await readOrderIds(context, (text) => output.warn(text)) : typed;
  await withConnection(context, { store }, async (connection) => {
    const { client, describer, place, label } = connection;
    if (dryRun) {
      const { outcomesBefore } = await import("./list.js");
      const before = resume ? await outcomesBefore(context, connection, action, ids) : undefined;
      const { operation } = orderActions[action];
      const left = ids.filter((order) => !before?.has(order));
      showRequests(
        output,
        left.map((order_id) => describer().operation(operation, { order_id, ...input })),
      );
      return;
    }
    if (action === "cancel" && !yes && !(await isConfirmed(context, connection, ids))) {
      output.notice(t`Nothing was canceled.`);
      return;
    }
    const [order] = ids;
    if (order === undefined || ids.length > 1 || resume) {
      const { changeList } = await import("./list.js");
      await changeList(context, connection, { action, orders: ids, input, resume });
      return;
    }
    const outcome = await stopGracefully(context, (options) =>
      sendChange(client, action, order, input, options),
    ).catch((error: unknown) => {
      if (!(error instanceof ComandaError)) throw error;
      if (output.json) output.jsonLine(orderLine({ order, action, ...failedWrite(error) }));
      endWith(context, orderError(error, order, place));
      throw error;
    });
    if (output.json) output.jsonLine(orderLine(outcome));
    else if (output.format !== "table") await output.records(columns, [outcome]);
    else {
      const done = translated(orderActions[action].done);
      const isNamed = await knowsSeveral(context);
      output.sentence(isNamed ? t`Order ${order} ${done} at ${label}.` : t`Order ${order} ${done}.`);
    }
  });
}

/**
 * A cancel can't be undone.
 *
 * @returns false where the person said no
 * @throws {ComandaError} `usage` where several are to be canceled and nobody can be asked
 */
async function isConfirmed(
  context: Context,
  { label, environment }: Store,
  orders: readonly string[],
): Promise<boolean> {
  const [order = ""] = orders;
  const subject = plural(orders.length, { one: t`order ${order}`, other: t`${orders.length} orders` });
  const place = label === environment ? label : `${label} (${environment})`;
  if (context.canAsk()) return context.askYesNo(t`Cancel ${subject} at ${place}? This can't be undone.`);
  if (orders.length === 1) return true;
  throw new ComandaError("usage", t`Canceling ${subject} needs --yes where nobody can be asked.`, {
    hint: t`A canceled order can't be brought back. Add --yes if that is what you want.`,
  });
}
