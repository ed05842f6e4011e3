/** `comanda driver` assigns the drivers of delivery orders (section 4.1). */
import { centsFromNumber, formatCents, typedAmount, typedAmountForm } from "../../api/money.js";
import type { Column } from "../../cli/column.js";
import { missingArgument, type Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { contradiction, oneStore } from "../../cli/global-options.js";
import type { ReadOrder } from "../../api/models.js";
import type { Result } from "../../client/call.js";
import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";
import { amountFormat } from "../figures/preferences.js";
import { parseOrderIds } from "../orders/order-ids.js";
import { orderError } from "../orders/outcomes.js";
import { knowsSeveral, withConnection } from "../store.js";
import { showRequests, stopGracefully } from "../writes.js";

import { askDriver, driverOfName, listDrivers, readDrivers } from "./by-name.js";

export function driver(group: Command): void {
  group
    .command("assign <order-id> [driver]")
    .about(
      "assign or replace the driver of a delivery order",
      "The driver is an id, or a name or the beginning of one, as sales figures by driver have told it. Without --fee and " +
        "--clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.",
    )
    .takes("store", "dryRun", "format")
    .option(
      "--fee <amount>",
      "what the driver gets; in the store's currency, at least 0, with at most two decimals",
    )
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
    .about(
      "the drivers who had orders in the last 30 days",
      "Their ids and names are those of the sales figures by driver: the service has no other list of them.",
    )
    .takes("store", "format")
    .examples("driver list", "driver list --json")
    .does(list);
}

interface AssignOptions {
  readonly fee?: string;
  readonly clearFee?: boolean;
}

async function assign(
  context: Context,
  options: AssignOptions,
  [orderId = "", typed]: readonly string[],
): Promise<void> {
  const { output } = context;
  const { dryRun } = context.options;
  const store = oneStore(context.options);
  const order = parseOrderId(orderId);
  const fee = parseFee(options.fee, options.clearFee ?? false);
  const given = typed === undefined ? undefined : parseDriver(typed);
  if (given === undefined && !context.canAsk()) throw missingArgument("driver");
  await withConnection(context, { store }, async (connection) => {
    const { client, describer, label, place } = connection;
    const answer = given ?? (await askDriver(context, order, connection, !dryRun));
    if (answer === undefined) {
      output.notice(t`Nobody was assigned.`);
      return;
    }
    const chosen = typeof answer === "number" ? answer : parseDriver(answer);
    const id = typeof chosen === "number" ? chosen : await driverOfName(context, connection, chosen, !dryRun);
    const input = { driver_id: id, ...fee };
    if (dryRun) {
      showRequests(output, [describer().operation("assignDriver", { order_id: order, ...input })]);
      return;
    }
    const assigned = await stopGracefully(context, (call) => client.assignDriver(order, input, call)).catch(
      (error: unknown) => {
        throw error instanceof ComandaError ? orderError(error, order, place) : error;
      },
    );
    if (output.json) output.jsonText(assigned.raw);
    else {
      if (output.format === "table" && (await knowsSeveral(context))) output.words(t`At ${label}:`);
      const { name, amount } = await readDisplay(context, label, assigned);
      await output.records(columns, [{ order, ...assigned.value, name, amount }]);
    }
  });
}

/** The fee goes out as the decimal that was typed; null removes it, and without the field the order keeps its fee. */
interface Fee {
  readonly driver_fee?: string | null;
}

/** People see a driver's name and an amount in the store's currency. */
interface DriverDisplay {
  /** `undefined` where no sales figures have named the driver. */
  readonly name: string | undefined;
  /** Writes an amount by the store's locale and currency. */
  readonly amount: (value: number) => string;
}

/** The driver is assigned by now: where name or currency can't be read, a warning is enough. */
async function readDisplay(
  context: Context,
  store: string,
  { value: order }: Result<ReadOrder>,
): Promise<DriverDisplay> {
  const { output } = context;
  const plain = { name: undefined, amount: showAmount };
  try {
    const drivers = await readDrivers(context, store);
    const name = drivers.find(({ id }) => id === order.driver_id)?.name;
    return { name, amount: await amountFormat(context, store) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(error.message);
    return plain;
  }
}

async function list(context: Context): Promise<void> {
  const store = oneStore(context.options);
  const drivers = await withConnection(context, { store }, (connection) => listDrivers(context, connection));
  await context.output.records(driverColumns, drivers);
}

const driverColumns: readonly Column<Awaited<ReturnType<typeof listDrivers>>[number]>[] = [
  { heading: "Driver", name: "name", cell: ({ name }) => name },
  { heading: "Id", name: "id", cell: ({ id }) => id },
  { heading: "Orders", name: "orders", align: "right", cell: ({ orders }) => orders },
];

interface AssignedRow extends DriverDisplay {
  readonly order: string;
  readonly id?: number;
  readonly display_id?: number;
  readonly status?: string;
  readonly driver_id?: number | null;
  readonly driver_fee?: number | null;
}

const columns: readonly Column<AssignedRow>[] = [
  { heading: "Order", name: "id", cell: ({ id, order }) => id ?? order },
  { heading: "Number", name: "display_id", cell: ({ display_id: number }) => number ?? missingText() },
  { heading: "Status", name: "status", cell: ({ status }) => status ?? missingText(), isWord: true },
  {
    ...{ heading: "Driver", name: "driver_id" },
    cell: ({ driver_id: driver }) => showDriver(driver),
    tableText: ({ driver_id: driver, name }) =>
      name === undefined ? String(showDriver(driver)) : `${name} (${driver ?? ""})`,
  },
  {
    ...{ heading: "Fee", name: "driver_fee" },
    cell: ({ driver_fee: fee }) => (fee === null ? t`none` : showFee(fee, showAmount)),
    tableText: ({ driver_fee: fee, amount }) => showFee(fee, amount),
  },
];

/** The order may have a value even if the answer lacks the field. */
const missingText = (): string => t`not shown`;

function showDriver(driver: number | null | undefined): number | string {
  return driver === undefined ? missingText() : (driver ?? t`none`);
}

function showFee(fee: number | null | undefined, show: (amount: number) => string): string {
  if (fee === undefined) return missingText();
  return fee === null ? t`no fee` : show(fee);
}

function showAmount(amount: number): string {
  const cents = centsFromNumber(amount);
  return cents === undefined ? String(amount) : formatCents(cents);
}

function parseOrderId(word: string): string {
  const ids = parseOrderIds([word]);
  if (ids !== "stdin") return ids[0] ?? "";
  throw new ComandaError("usage", t`driver assign takes one order, not a list on stdin.`, {
    hint: t`Give the order's id: comanda driver assign <order-id> <driver>`,
  });
}

/** A name has a letter. */
function parseDriver(text: string): number | string {
  if (/\p{L}/u.test(text)) return text;
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new ComandaError(
    "invalid_input",
    t`A driver is an id, a whole number of at least 1, or a name; not "${text}".`,
    { hint: t`The store's portal lists the drivers and their ids.` },
  );
}

/** Section 4.1: at least 0, at most two decimals. */
function parseFee(fee: string | undefined, clearFee: boolean): Fee {
  if (fee === undefined) return clearFee ? { driver_fee: null } : {};
  if (clearFee) throw contradiction("--fee", "--clear-fee");
  const driverFee = typedAmount(fee);
  if (driverFee === undefined) {
    throw new ComandaError("invalid_input", t`--fee takes ${translated(typedAmountForm)}, not "${fee}".`, {
      hint: t`For example: --fee 7.50, --fee 7,50, --fee 0`,
    });
  }
  return { driver_fee: driverFee };
}
