/** `comanda history drivers` sums the fees of drivers that were assigned on this machine. */
import { formatCents, numberFromCents } from "../../api/money.js";
import type { DriverFees } from "../../state/journal.js";
import { shownDate } from "../../languages/local-time.js";
import type { Period } from "../../sales/period.js";
import type { PeriodRequest } from "../../sales/period.js";
import type { Output } from "../../cli/output.js";
import type { Column } from "../../cli/column.js";
import type { Command } from "../../toolkit/command.js";
import type { Machine } from "../../toolkit/machine.js";
import { plural, t } from "../../languages/language.js";
import { amountFormat, readPeriod } from "../../sales/preferences.js";
import { readDrivers } from "../driver/by-name.js";

export interface DriversOptions {
  readonly period: PeriodRequest;
  readonly zone: string | undefined;
  /** The stores that `--store` names. */
  readonly stores: readonly string[];
  readonly allStores: boolean;
}

export interface DriversResult {
  /** Did the person ask for several stores? Then each line names its store, even if this machine knows but one. */
  readonly areSeveral: boolean;
  readonly stores: readonly StoreDrivers[];
}

interface StoreDrivers {
  readonly store: string;
  readonly drivers: readonly (DriverFees & { readonly name: string | null })[];
  /** The number of assignments with an unknown outcome. */
  readonly unknown: number;
  /** The number of assigned orders with a cancel of unknown outcome. */
  readonly maybeCanceled: number;
  /** The period as it is shown. */
  readonly days: string;
  /** Writes an amount by the store's locale and currency. */
  readonly amount: (value: number) => string;
}

export const drivers: Command<DriversOptions, DriversResult> = {
  description: {
    usage: "drivers",
    summary: "the orders that each driver was given here, and the fees for them",
    description:
      "The last assignment of an order counts, at the time when it was made, with the last fee that was given here. No call of the service tells this: " +
      "orders that were assigned elsewhere, such as in the portal are not in it, and where the order kept the fee that it " +
      "had, the fee is not known here. An order that was canceled from here is counted with its fee, and named beside it: whether its driver is " +
      "paid is the store's to say. One that was canceled elsewhere can't be told from the others.",
    takes: ["store", "allStores", "format"],
    options: [
      { flags: "-p, --period <period>", description: "as of `comanda summary` (default: yesterday)" },
      { flags: "--from <date>", description: "first day, or a date-time with offset" },
      { flags: "--to <date>", description: "last day, or a date-time with offset" },
      { flags: "--tz <zone>", description: "whose days are counted; default: the store's, or the machine's" },
    ],
    examples: ["history drivers --period yesterday", "history drivers --period this-month --format csv"],
  },
  parse(line) {
    const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
    const isNamed = [period, from, to].some((edge) => edge !== undefined);
    return {
      period: isNamed ? { period, from, to } : { period: "yesterday" },
      zone: line.text("--tz"),
      stores: line.globals.stores,
      allStores: line.globals.allStores,
    };
  },
  async run(machine, options) {
    const aliases = await machine.storeAliases(options);
    const stores = await Promise.all(aliases.map((store) => driversOf(machine, store, options)));
    return { areSeveral: options.allStores || options.stores.length > 1, stores };
  },
  async present({ areSeveral, stores }, output) {
    if (output.json) {
      const shapes = stores.map(({ store, drivers: fees }) => ({ store, drivers: fees.map(jsonOf) }));
      output.value(areSeveral ? { stores: shapes } : (shapes[0]?.drivers ?? []));
    } else await presentRows(stores, areSeveral, output);
    const unknown = stores.reduce((sum, store) => sum + store.unknown, 0);
    if (unknown > 0) {
      output.notice(
        plural(unknown, {
          one: t`1 assignment is not counted: nothing tells whether it was done. See: comanda history --outcome unknown`,
          other: t`${unknown} assignments are not counted: nothing tells whether they were done. See: comanda history --outcome unknown`,
        }),
      );
    }
    const maybeCanceled = stores.reduce((sum, store) => sum + store.maybeCanceled, 0);
    if (maybeCanceled > 0) {
      output.notice(
        plural(maybeCanceled, {
          one: t`1 of the orders may have been canceled: nothing tells whether it was. See: comanda history --outcome unknown`,
          other: t`${maybeCanceled} of the orders may have been canceled: nothing tells whether they were. See: comanda history --outcome unknown`,
        }),
      );
    }
  },
};

async function driversOf(
  machine: Machine,
  store: string,
  { period: request, zone }: DriversOptions,
): Promise<StoreDrivers> {
  const state = await machine.state();
  const period = await readPeriod(machine, request, { store, zone });
  const { driversOwed } = await import("../../state/journal.js");
  const owed = await driversOwed(state, store, {
    since: Date.parse(period.start),
    until: lastMillisecond(period, request),
  });
  const names = new Map((await readDrivers(machine, store)).map(({ id, name }) => [id, name]));
  const [from, to] = [shownDate(period.first), shownDate(period.last)];
  return {
    store,
    drivers: owed.drivers.map((fees) => ({ ...fees, name: names.get(fees.driver) ?? null })),
    unknown: owed.unknown,
    maybeCanceled: owed.maybeCanceled,
    days: from === to ? from : t`${from} to ${to}`,
    amount: await amountFormat(machine, store),
  };
}

async function presentRows(
  stores: readonly StoreDrivers[],
  areSeveral: boolean,
  output: Output,
): Promise<void> {
  for (const { store, days } of stores)
    output.heading(t`Drivers of ${store}, ${days}: orders that were assigned on this machine.`);
  const rows = stores.flatMap(({ store, drivers: fees, amount }) =>
    fees.map((each) => ({ ...each, store, amount })),
  );
  const isTable = output.format === "table";
  if (rows.length === 0 && isTable) {
    output.notice(t`The journal has no assignment of that time.`);
    return;
  }
  const hasCanceled = !isTable || rows.some(({ canceledOrders }) => canceledOrders > 0);
  const shownColumns = [
    ...(areSeveral ? [storeColumn] : []),
    ...columns,
    ...(hasCanceled ? canceledColumns : []),
  ];
  await output.records(shownColumns, rows);
}

/** A period that ends now ends with the last whole second, but assignments since then belong to it, too. */
function lastMillisecond({ running, end }: Period, { to }: DriversOptions["period"]): number {
  return Date.parse(end) + (running && to === undefined ? 999 : 0);
}

type Fees = StoreDrivers["drivers"][number];
type Row = Fees & Pick<StoreDrivers, "store" | "amount">;

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

const storeColumn: Column<Row> = { heading: "Store", name: "store", cell: ({ store }) => store };

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
