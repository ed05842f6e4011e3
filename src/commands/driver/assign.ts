import type { Command } from "commander";

import { centsFromNumber, formatCents, typedAmount, typedAmountForm } from "../../contract/money.js";
import { ComandaError } from "../../shared/errors.js";
import type { Context } from "../context.js";
import { hearAnswers } from "../hear-answers.js";
import { leaf, perform, type Invocation } from "../leaf.js";
import { aboutOrder } from "../orders/outcomes.js";
import { readOrderIds } from "../orders/order-ids.js";

interface AssignOptions {
  readonly fee?: string;
  readonly clearFee?: boolean;
}

/** What goes out as `driver_fee`: a decimal as it was typed, null to remove the fee, absent to keep it. */
interface Fee {
  readonly driver_fee?: string | null;
}

export function assignDriverCommand(context: Context): Command {
  const command = leaf({
    usage: "assign <order-id> <driver-id>",
    summary: "assign or replace the driver of a delivery order",
    description:
      "Without --fee and --clear-fee the order keeps the fee it has. A fee of 0 is a delivery at no cost.",
    takes: ["store", "dryRun", "format"],
    examples: [
      "driver assign 4711 12",
      "driver assign 4711 12 --fee 7.50",
      "driver assign 4711 12 --fee 0",
      "driver assign 4711 12 --clear-fee --json",
    ],
  })
    .option("--fee <amount>", "what the driver gets, with at most two decimals")
    .option("--clear-fee", "remove the fee");
  return perform(command, context, (invocation, [order = "", driver = ""]) =>
    assignDriver(invocation, command.opts<AssignOptions>(), order, driver),
  );
}

async function assignDriver(
  invocation: Invocation,
  options: AssignOptions,
  givenOrder: string,
  givenDriver: string,
): Promise<void> {
  const { context, globals, output } = invocation;
  if (givenOrder === "-")
    throw new ComandaError("usage", "driver assign takes one order, not a list on stdin.", {
      hint: "Give the order's id: comanda driver assign <order-id> <driver-id>",
    });
  const [order = ""] = await readOrderIds([givenOrder], context);
  const driverId = parseDriverId(givenDriver);
  const fee = parseFee(options);

  const { openConnection } = await import("../connection.js");
  const connection = await openConnection(invocation);
  try {
    if (globals.dryRun) {
      const { showRequests } = await import("../dry-run.js");
      showRequests(output, [
        connection.client.describeRequest(
          "assignDriver",
          { order_id: order, driver_id: driverId, ...fee },
          connection.available,
        ),
      ]);
      return;
    }
    const answer = await hearAnswers(invocation, (callOptions) =>
      connection.client.assignDriver(order, { driver_id: driverId, ...fee }, callOptions),
    ).catch((error: unknown) => {
      throw aboutOrder(error, order, connection.place);
    });
    if (output.json) output.jsonText(answer.raw);
    else await output.records(columns, [{ order, ...answer.order }]);
  } finally {
    await connection.close();
  }
}

const columns = [
  { heading: "Order", name: "id", cell: ({ id, order }: AssignedRow) => id ?? order },
  {
    heading: "Number",
    name: "display_id",
    cell: ({ display_id: number }: AssignedRow) => number ?? notShown,
  },
  { heading: "Status", name: "status", cell: ({ status }: AssignedRow) => status ?? notShown },
  { heading: "Driver", name: "driver_id", cell: ({ driver_id: driver }: AssignedRow) => showDriver(driver) },
  { heading: "Fee", name: "driver_fee", cell: ({ driver_fee: fee }: AssignedRow) => showFee(fee) },
] as const;

interface AssignedRow {
  readonly order: string;
  readonly id?: number;
  readonly display_id?: number;
  readonly status?: string;
  readonly driver_id?: number | null;
  readonly driver_fee?: number | null;
}

/** A field that the answer lacks says nothing: there may be a driver all the same. */
const notShown = "not shown";

function showDriver(driver: number | null | undefined): number | string {
  return driver === undefined ? notShown : (driver ?? "none");
}

function showFee(fee: number | null | undefined): string {
  if (fee === undefined) return notShown;
  return fee === null ? "none" : showAmount(fee);
}

function showAmount(amount: number): string {
  const cents = centsFromNumber(amount);
  return cents === undefined ? String(amount) : formatCents(cents);
}

function parseDriverId(text: string): number {
  const driver = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (driver < 1) {
    throw new ComandaError("invalid_input", `A driver id is a whole number of at least 1, not "${text}".`, {
      hint: "The store's portal lists the drivers and their ids.",
    });
  }
  return driver;
}

/** Section 4.1: at least 0, at most two decimals. */
function parseFee({ fee, clearFee = false }: AssignOptions): Fee {
  if (fee === undefined) return clearFee ? { driver_fee: null } : {};
  if (clearFee) {
    throw new ComandaError("usage", "--fee and --clear-fee contradict each other.", {
      hint: "--fee 0 is a delivery at no cost; --clear-fee removes the fee.",
    });
  }
  const driverFee = typedAmount(fee);
  if (driverFee === undefined) {
    throw new ComandaError("invalid_input", `--fee takes ${typedAmountForm}, not "${fee}".`, {
      hint: "For example: --fee 7.50, --fee 7,50, --fee 0",
    });
  }
  return { driver_fee: driverFee };
}
