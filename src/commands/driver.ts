/** `comanda driver` assigns the drivers of delivery orders (section 4.1), by id or by name. */
import type { ReadOrder } from "../api/models.js";
import { typedAmount } from "../api/money.js";
import { ComandaError } from "../base/errors.js";
import { contradiction, invalidValue } from "../base/fields.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderId } from "../cli/input.js";
import { askText, beforeSending } from "../cli/prompts.js";
import { markdownSafe, type Column } from "../cli/records.js";
import { hasSeveralStores, openConnection } from "../core/connection.js";
import { assignDriver, describeAssignment, driverName, recentDrivers } from "../core/drivers.js";
import { t, translated } from "../languages/language.js";
import type { ListedDriver } from "../views/driver-lists.js";
import { chooseDriver } from "../views/drivers.js";
import { formatOf, settingsView } from "../views/amounts.js";
import { orderColumns, type OrderRow } from "../views/outcome.js";

export default function driver(group: Command): void {
  group
    .command("assign <order-id> [driver]")
    .about(
      "assign a driver to a delivery order, or replace the driver",
      "Enter the driver's id. If the driver had orders today or in the last 30 days, you can also enter the name, or the first letters of any word in it. On a terminal, if you omit the driver, comanda prompts for one; if several match, you choose one. Without --fee or --clear-fee, the order's fee doesn't change. With a fee of 0, the driver is paid nothing for the delivery.",
    )
    .takes("store", "dryRun", "format")
    .option("--fee <amount>", "driver's fee, such as 7.50")
    .option("--clear-fee", "remove the fee")
    .examples(
      "driver assign 4711 12",
      "driver assign 4711 bia",
      "driver assign 4711 12 --fee 7.50",
      "driver assign 4711 12 --fee 0",
      "driver assign 4711 12 --clear-fee --json",
    )
    .does(assign);
  group
    .command("list")
    .about("list drivers with orders today or in the last 30 days")
    .takes("store", "format")
    .examples("driver list", "driver list --json")
    .does(list);
}

async function list({ output, workspace, options }: Context): Promise<void> {
  const connection = await openConnection(workspace, options.store);
  const recent = await recentDrivers(connection);
  // The other command doesn't need the calendar.
  const { recentRows, recentSentence } = await import("../views/driver-lists.js");
  const sentence = recentSentence(connection.label, recent);
  const rows = recentRows(connection.label, recent);
  if (output.format === "table") output.words(sentence);
  else if (output.format === "markdown") output.text(`${markdownSafe(sentence)}\n\n`);
  // No row shows the store and the days.
  else if (rows.length === 0) output.notice(sentence);
  await output.records(driverColumns, rows);
}

const driverColumns: readonly Column<ListedDriver>[] = [
  { heading: "driver", name: "name" },
  { heading: "Id", name: "id" },
  { heading: "orders", name: "orders", align: "right" },
  { heading: "Last day", name: "last_day", isDetail: true },
  { name: "store" },
  { name: "from", cell: ({ period }) => period.from },
  { name: "to", cell: ({ period }) => period.to },
  { name: "time_zone", cell: ({ period }) => period.time_zone },
  { name: "asked_at" },
];

async function assign(
  context: Context,
  { fee: typedFee, clearFee = false }: { readonly fee?: string; readonly clearFee?: boolean },
  [orderWord = "", typed]: readonly string[],
): Promise<ComandaError | undefined> {
  const { output, options, workspace } = context;
  const order = orderId(orderWord, t`argument ${1}`);
  if (typedFee !== undefined && clearFee) throw contradiction("--fee", "--clear-fee");
  const amount = typedFee === undefined ? undefined : typedAmount(typedFee);
  if (typedFee !== undefined && amount === undefined)
    throw invalidValue("fee", typedFee, {
      hint: t`Use at most two decimals and no thousands separator, such as ${"--fee 7.50, --fee 7,50, --fee 0"}.`,
    });
  const fee = clearFee ? null : amount;
  if (typed?.trim() === "" || (typed === undefined && !context.canAsk()))
    throw new ComandaError("usage", t`The driver's id or name is missing. Nothing was sent.`, {
      hintFacts: { about: "driver_ids" },
    });
  const connection = await openConnection(workspace, options.store);
  const { label, store } = connection;
  const isCachedOnly = options.dryRun === true;
  const ask = context.canAsk() ? (question: string) => askText(context, question) : undefined;
  const choose = async () => {
    let chosen = typed;
    if (chosen === undefined) {
      const { drivers } = await recentDrivers(connection, { isCachedOnly });
      for (const each of drivers) output.notice(`  ${driverName(each)}`);
      chosen = await ask?.(t`Driver for order ${order} (id or name; press Enter to assign none):`);
    }
    return chosen ? chooseDriver(connection, chosen, { ask, isCachedOnly }) : undefined;
  };
  const driver = await beforeSending(choose());
  if (!driver) {
    output.notice(t`Nothing was changed.`);
    return undefined;
  }
  const wanted = { order, driver, fee };
  if (options.dryRun) {
    output.requests([await describeAssignment(connection, wanted)]);
    return undefined;
  }
  const { line, order: assigned, failure } = await assignDriver(connection, wanted);
  const isTable = output.format === "table";
  if (output.json) output.valueWith(line, "order", assigned?.raw ?? "null");
  else if (assigned || !isTable) {
    if (isTable && (await hasSeveralStores(workspace))) output.words(t`At ${label}:`);
    const named = { driver_id: driver.id, driver_name: driver.name };
    const row = { ...assigned?.value, ...line, ...(failure && { error: failure }), ...named };
    // A table shows only an order that was assigned; an error says why another one wasn't.
    const first = isTable ? [{ heading: "Order", name: "order_id" } as const] : orderColumns(undefined);
    const columns = assignedColumns(formatOf(await settingsView(context), store).amount);
    await output.records([...first, ...columns], [row]);
  }
  return failure;
}

/** The outcome of an assignment, with the order as the service returned it. */
type Assigned = OrderRow &
  Partial<Pick<ReadOrder, "id" | "display_id" | "status" | "driver_fee">> & {
    readonly driver_id: number;
    readonly driver_name: string | null;
  };

/**
 * Returns the columns of an assigned order. If no response contains a field, the order may still have a value. CSV has no value then,
 * so that a column of numbers contains only numbers.
 */
function assignedColumns(amount: (value: number) => string): readonly Column<Assigned>[] {
  const shown = (value: string | number | null | undefined, missing = t`none`) =>
    String(value === undefined ? t`not shown` : (value ?? missing));
  return [
    { heading: "Number", name: "display_id", text: ({ display_id: number }) => shown(number) },
    { heading: "status", name: "status", text: ({ status }) => translated(shown(status)) },
    {
      heading: "driver",
      name: "driver_id",
      text: ({ driver_id: id, driver_name: name }) => driverName({ id, name }),
    },
    { name: "driver_name" },
    { name: "id" },
    {
      heading: "Driver fee",
      name: "driver_fee",
      type: "money",
      // Section 2.1: null if no fee was informed, so the store may still owe one.
      text: ({ driver_fee: fee }) => shown(typeof fee === "number" ? amount(fee) : fee, t`fee not set`),
    },
  ];
}
