/** `comanda history drivers` sums the fees of drivers that were assigned on this machine. */
import { formatCents, numberFromCents } from "../../api/money.js";
import type { Column } from "../../cli/column.js";
import type { Context } from "../../cli/context.js";
import { oneStore } from "../../cli/global-options.js";
import { plural, t } from "../../languages/language.js";
import { shownDate } from "../../languages/local-time.js";
import type { DriverFees } from "../../state/journal.js";
import { readDrivers } from "../driver/by-name.js";
import { amountFormat, readPeriod } from "../figures/preferences.js";
import { storedAlias } from "../store.js";

export async function showDrivers(
  context: Context,
  { period: typed = "yesterday" }: { readonly period?: string },
): Promise<void> {
  const { output } = context;
  const store = await storedAlias(context, oneStore(context.options));
  const period = await readPeriod(context, { period: typed, from: undefined, to: undefined }, store);
  const { driversOwed } = await import("../../state/journal.js");
  const owed = await driversOwed(await context.state(), store, {
    since: Date.parse(period.start),
    // A period that ends now ends with the last whole second, but assignments since then belong to it, too.
    until: Date.parse(period.end) + (period.running ? 999 : 0),
  });
  const names = new Map((await readDrivers(context, store)).map(({ id, name }) => [id, name]));
  const drivers = owed.drivers.map((fees): Fees => ({ ...fees, name: names.get(fees.driver) ?? null }));
  if (output.json) output.value(drivers.map(jsonOf));
  else {
    const [from, to] = [shownDate(period.first), shownDate(period.last)];
    const days = from === to ? from : t`${from} to ${to}`;
    output.heading(t`Drivers of ${store}, ${days}: orders that were assigned on this machine.`);
    const amount = await amountFormat(context, store);
    const isTable = output.format === "table";
    const hasCanceled = !isTable || drivers.some(({ canceledOrders }) => canceledOrders > 0);
    if (drivers.length === 0 && isTable) output.notice(t`The journal has no assignment of that time.`);
    else {
      await output.records(
        [...columns, ...(hasCanceled ? canceledColumns : [])],
        drivers.map((fees) => ({ ...fees, amount })),
      );
    }
  }
  const { unknown, maybeCanceled } = owed;
  if (unknown > 0) {
    output.notice(
      plural(unknown, {
        one: t`1 assignment is not counted: nothing tells whether it was done. See: comanda history --outcome unknown`,
        other: t`${unknown} assignments are not counted: nothing tells whether they were done. See: comanda history --outcome unknown`,
      }),
    );
  }
  if (maybeCanceled > 0) {
    output.notice(
      plural(maybeCanceled, {
        one: t`1 of the orders may have been canceled: nothing tells whether it was. See: comanda history --outcome unknown`,
        other: t`${maybeCanceled} of the orders may have been canceled: nothing tells whether they were. See: comanda history --outcome unknown`,
      }),
    );
  }
}

type Fees = DriverFees & { readonly name: string | null };
type Row = Fees & { readonly amount: (value: number) => string };

function jsonOf({ driver, name, orders, knownFees, total, canceledOrders, canceledTotal }: Fees) {
  return {
    driver_id: driver,
    name,
    orders,
    known_fees: knownFees,
    total_fee: numberFromCents(total),
    without_fee: orders - knownFees,
    canceled_orders: canceledOrders,
    canceled_fee: numberFromCents(canceledTotal),
  };
}

const columns: readonly Column<Row>[] = [
  { heading: "Driver", name: "driver_id", cell: ({ driver }) => driver },
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Orders", name: "orders", align: "right", cell: ({ orders }) => orders },
  { heading: "Known fees", name: "known_fees", align: "right", cell: ({ knownFees }) => knownFees },
  amountColumn("Total", "total_fee", ({ total }) => total),
  {
    ...{ heading: "Fee not known", name: "without_fee", align: "right" },
    cell: ({ orders, knownFees }) => orders - knownFees,
  },
];

const canceledColumns: readonly Column<Row>[] = [
  {
    ...{ heading: "Canceled", name: "canceled_orders", align: "right" },
    cell: ({ canceledOrders }) => canceledOrders,
  },
  amountColumn("Canceled fees", "canceled_fee", ({ canceledTotal }) => canceledTotal),
];

function amountColumn(heading: string, name: string, cents: (row: Row) => DriverFees["total"]): Column<Row> {
  return {
    ...{ heading, name, align: "right" },
    cell: (row) => formatCents(cents(row)),
    tableText: (row) => row.amount(numberFromCents(cents(row))),
  };
}
