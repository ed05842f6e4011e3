/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel`: sections 4.2 to 4.5. */
import type { StatusChange } from "../../api/operations.js";
import { type Command, endWith, oneStore } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t, translated } from "../../languages/language.js";
import { knowsSeveral, openConnection } from "../store.js";
import {
  orderActions,
  orderError,
  orderId,
  orderLine,
  sendChange,
  showRequests,
  stopGracefully,
} from "../writes.js";

interface ChangeOptions {
  readonly resume?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
}

export function orders(group: Command): void {
  const changing = (action: StatusChange) =>
    group
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
  changing("dispatch").about(
    "send orders on their way, or have them wait for pickup",
    "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
  );
  changing("deliver").about(
    "mark delivery orders as delivered",
    "Only delivery orders that are out for delivery can be delivered.",
  );
  changing("finalize").about("finalize orders", "A finalized order can't be changed any more.");
  changing("cancel")
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

async function changeOrders(
  context: Context,
  action: StatusChange,
  { resume = false, reason, yes = false }: ChangeOptions,
  words: readonly string[],
): Promise<void> {
  const { output } = context;
  const { dryRun } = context.options;
  const store = oneStore(context.options);
  const isOnStdin = words.includes("-");
  if (isOnStdin && words.length > 1)
    throw new ComandaError("usage", t`Give either order ids or "-" for ids on stdin, not both.`, {
      hint: t`For example: comanda orders dispatch 4711 4712, or comanda orders dispatch - < ids.txt`,
    });
  const typed = isOnStdin
    ? []
    : [...new Set(words.map((word, index) => orderId(word, t`argument ${index + 1}`)))];
  if (reason?.trim() === "")
    throw new ComandaError("usage", t`--reason can't be empty.`, {
      hint: t`Leave it out to cancel without a reason.`,
    });
  const input = reason === undefined ? {} : { cancellation_reason: reason };
  const ids = isOnStdin ? await (await import("./list.js")).readOrderIds(context) : typed;
  const connection = await openConnection(context, store);
  const { client, describe, place, label, environment } = connection;
  if (dryRun) {
    const { outcomesBefore } = await import("./list.js");
    const before = resume ? await outcomesBefore(context, connection, action, ids) : undefined;
    const left = ids.filter((order) => !before?.has(order));
    showRequests(
      output,
      await Promise.all(
        left.map((order) => describe((probe) => sendChange(probe, action, order, input, {}))),
      ),
    );
    return;
  }
  const [order = ""] = ids;
  if (action === "cancel" && !yes) {
    const subject = plural(ids.length, { one: t`order ${order}`, other: t`${ids.length} orders` });
    const where = label === environment ? label : `${label} (${environment})`;
    if (!context.canAsk() && ids.length > 1)
      throw new ComandaError("usage", t`Canceling ${subject} needs --yes where nobody can be asked.`, {
        hint: t`A canceled order can't be brought back. Add --yes if that is what you want.`,
      });
    if (
      context.canAsk() &&
      !(await context.askYesNo(t`Cancel ${subject} at ${where}? This can't be undone.`))
    ) {
      output.notice(t`Nothing was canceled.`);
      return;
    }
  }
  if (ids.length > 1 || resume) {
    const { changeList } = await import("./list.js");
    await changeList(context, connection, { action, orders: ids, input, resume });
    return;
  }
  const outcome = await stopGracefully(context, (options) =>
    sendChange(client, action, order, input, options),
  ).catch((error: unknown) => {
    if (!(error instanceof ComandaError)) throw error;
    if (output.json) output.value(orderLine(order, action, error));
    endWith(context, orderError(error, order, place));
    throw error;
  });
  if (output.json) output.value(orderLine(order, action, outcome));
  else if (output.format !== "table") {
    const { columns } = await import("./list.js");
    await output.records(columns, [orderLine(order, action, outcome)]);
  } else {
    const done = translated(orderActions[action].done);
    const isNamed = await knowsSeveral(context);
    output.sentence(isNamed ? t`Order ${order} ${done} at ${label}.` : t`Order ${order} ${done}.`);
  }
}
