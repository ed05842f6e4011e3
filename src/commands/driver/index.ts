/** `comanda driver` assigns the drivers of delivery orders (section 4.1). */
import type { ReadOrder } from "../../api/models.js";
import type { Result } from "../../client/call.js";
import type { DescribedRequest } from "../../client/client.js";
import { centsFromNumber, formatCents, typedAmount, typedAmountForm } from "../../api/money.js";
import { ComandaError } from "../../client/errors.js";
import { t, translated } from "../../languages/language.js";

import type { Column } from "../../cli/column.js";
import type { Command, CommandGroup } from "../../toolkit/command.js";
import { oneStore, withAnswers } from "../../toolkit/command-line.js";
import { askDriver, askDrivers, driverOfName, readDrivers, type KnownDriver } from "./by-name.js";
import { showRequests } from "../../toolkit/dry-run.js";
import type { Machine } from "../../toolkit/machine.js";
import { parseOrderIds } from "../orders/order-ids.js";
import { orderError } from "../orders/outcomes.js";
import { stopGracefully, writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";
import { amountFormat } from "../../sales/preferences.js";
import { withConnection } from "../../toolkit/with-connection.js";

export interface AssignOptions extends WriteOptions {
  readonly order: string;
  /** The id, or a name or its beginning. */
  readonly driver: number | string;
  readonly fee: Fee;
}

/** The fee goes out as the decimal that was typed; null removes it, and without the field the order keeps its fee. */
interface Fee {
  readonly driver_fee?: string | null;
}

export type AssignResult =
  | { readonly kind: "requests"; readonly requests: readonly DescribedRequest[] }
  | ({ readonly kind: "assigned"; readonly answer: Result<ReadOrder> } & DriverDisplay);

/** People see a driver's name and an amount in the store's currency. */
interface DriverDisplay {
  /** `undefined` where no sales figures have named the driver. */
  readonly name: string | undefined;
  /** Writes an amount by the store's locale and currency. */
  readonly amount: (value: number) => string;
}

export const assign: Command<AssignOptions, AssignResult> = {
  description: {
    usage: "assign <order-id> <driver>",
    summary: "assign or replace the driver of a delivery order",
    description:
      "The driver is an id, or a name or the beginning of one, as sales figures by driver have told it. Without --fee and " +
      "--clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.",
    takes: ["store", "dryRun", "format"],
    options: [
      {
        flags: "--fee <amount>",
        description:
          "what the driver gets; in the store's currency, at least 0, with at most two decimals (section 4.1)",
      },
      { flags: "--clear-fee", description: "remove the fee" },
    ],
    examples: [
      "driver assign 4711 12",
      "driver assign 4711 bia",
      "driver assign 4711 12 --fee 7.50",
      "driver assign 4711 12 --fee 0",
      "driver assign 4711 12 --clear-fee --json",
    ],
  },

  async ask(machine, line) {
    const [order] = line.words;
    if (order === undefined || line.words.length > 1) return line;
    // Any other fault of the line is told before the person is asked.
    const { store: named, dryRun } = assign.parse(withAnswers(line, { words: ["1"] }));
    const { store } = await machine.chooseStore({ store: named });
    const driver = await askDriver(machine, order, { store, dryRun });
    return withAnswers(line, { words: [driver], ...(store !== undefined && { store }) });
  },

  parse: (line) => ({
    order: parseOrderId(line.words[0] ?? ""),
    driver: parseDriver(line.words[1] ?? ""),
    fee: parseFee(line.text("--fee"), line.flag("--clear-fee")),
    ...writeOptionsOf(line),
  }),

  async run(machine, { order, driver, fee, store, dryRun }) {
    return withConnection(machine.context, { store }, async (connection) => {
      const { client, describer, label, place } = connection;
      const id =
        typeof driver === "number" ? driver : await driverOfName(machine, connection, driver, !dryRun);
      const input = { driver_id: id, ...fee };
      if (dryRun) {
        const request = describer.operation("assignDriver", { order_id: order, ...input });
        return { kind: "requests", requests: [request] };
      }
      const answer = await stopGracefully(machine.context, (options) =>
        client.assignDriver(order, input, options),
      ).catch((error: unknown) => {
        throw error instanceof ComandaError ? orderError(error, order, place) : error;
      });
      return { kind: "assigned", answer, ...(await readDisplay(machine, label, answer)) };
    });
  },

  async present(result, output, { order }) {
    if (result.kind === "requests") showRequests(output, result.requests);
    else if (output.json) output.jsonText(result.answer.raw);
    else {
      const { name, amount } = result;
      await output.records(columns, [{ order, ...result.answer.value, name, amount }]);
    }
  },
};

/** The driver is assigned by now: where name or currency can't be read, a warning is enough. */
async function readDisplay(
  machine: Machine,
  store: string,
  { value: order }: Result<ReadOrder>,
): Promise<DriverDisplay> {
  const { output } = machine;
  const plain = { name: undefined, amount: showAmount };
  if (output.json) return plain;
  try {
    const drivers = await readDrivers(machine, store);
    const name = drivers.find(({ id }) => id === order.driver_id)?.name;
    return { name, amount: await amountFormat(machine, store) };
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    output.warn(error.message);
    return plain;
  }
}

export interface ListOptions {
  readonly store: string | undefined;
}

export const list: Command<ListOptions, readonly KnownDriver[]> = {
  description: {
    usage: "list",
    summary: "the drivers who had orders in the last 30 days",
    description:
      "Their ids and names are those of the sales figures by driver: the service has no other list of them.",
    takes: ["store", "format"],
    examples: ["driver list", "driver list --json"],
  },
  parse: (line) => ({ store: oneStore(line.globals) }),
  run: (machine, options) =>
    withConnection(machine.context, options, (connection) => askDrivers(machine, connection)),
  present: (drivers, output) => output.records(driverColumns, drivers),
};

const driverColumns: readonly Column<KnownDriver>[] = [
  { heading: "Driver", name: "name", cell: ({ name }) => name },
  { heading: "Id", name: "id", cell: ({ id }) => id },
];

export const driver: CommandGroup = {
  name: "driver",
  summary: "assign the drivers of delivery orders",
  members: [assign, list],
};

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
export function parseFee(fee: string | undefined, clearFee: boolean): Fee {
  if (fee === undefined) return clearFee ? { driver_fee: null } : {};
  if (clearFee) {
    throw new ComandaError("usage", t`--fee and --clear-fee contradict each other.`, {
      hint: t`--fee 0 is a delivery at no cost; --clear-fee removes the fee.`,
    });
  }
  const driverFee = typedAmount(fee);
  if (driverFee === undefined) {
    throw new ComandaError("invalid_input", t`--fee takes ${translated(typedAmountForm)}, not "${fee}".`, {
      hint: t`For example: --fee 7.50, --fee 7,50, --fee 0`,
    });
  }
  return { driver_fee: driverFee };
}
