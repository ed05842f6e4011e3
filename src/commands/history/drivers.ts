/** `comanda history drivers`: what a store owes its drivers, as far as they were assigned here. */
import { formatCents, numberFromCents } from "../../contract/money.js";
import { driverFees, type DriverFees } from "../../state/journal/driver-fees.js";
import type { Period } from "../../summary/period/period.js";
import type { Column } from "../../terminal/index.js";
import type { Command } from "../command.js";
import { oneStore } from "../command-line.js";
import { plural, t } from "../../shared/language.js";

export interface DriversOptions {
  readonly period: { readonly period?: string; readonly from?: string; readonly to?: string };
  readonly zone: string | undefined;
  readonly store: string | undefined;
}

export interface DriversResult {
  readonly drivers: readonly (DriverFees & { readonly name: string | null })[];
  /** Assignments of which nobody knows whether they were done. */
  readonly unknown: number;
  readonly store: string;
  /** As it is shown. */
  readonly days: string;
}

export const drivers: Command<DriversOptions, DriversResult> = {
  description: {
    usage: "drivers",
    summary: "the orders that each driver was given here, and the fees for them",
    description:
      "The last assignment of an order counts, with the last fee that was given here. No call of the service tells this: " +
      "orders that were assigned elsewhere, such as in the portal, or with --no-journal are not in it, and where the order kept the fee that it " +
      "had, the fee is not known here.",
    takes: ["store", "format"],
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
    const isGiven = period !== undefined || from !== undefined || to !== undefined;
    return {
      period: isGiven
        ? {
            ...(period !== undefined && { period }),
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
          }
        : { period: "yesterday" },
      zone: line.text("--tz"),
      store: oneStore(line.globals),
    };
  },
  async run(machine, { period: request, zone, store: named }) {
    const store = await machine.storeAlias(named);
    const { folder } = await machine.state();
    const period = await machine.period(request, { store, zone });
    const { readHistory } = await machine.history();
    const filter = {
      store,
      operation: "assignDriver",
      since: period.start.epochMilliseconds,
      until: lastMillisecond(period, request),
    };
    const rows = [...readHistory(folder, filter)].flat();
    const names = new Map((await machine.knownDrivers(store)).map(({ id, name }) => [id, name]));
    return {
      drivers: driverFees(rows).map((each) => ({ ...each, name: names.get(each.driver) ?? null })),
      unknown: rows.filter(({ outcome }) => outcome === "unknown").length,
      store,
      days:
        period.from.date === period.to.date ? period.from.date : t`${period.from.date} to ${period.to.date}`,
    };
  },
  async present({ drivers: fees, unknown, store, days }, output) {
    if (output.json) output.value(fees.map(jsonOf));
    else {
      output.heading(t`Drivers of ${store}, ${days}: orders that were assigned on this machine.`);
      if (fees.length === 0 && output.format === "table")
        output.notice(t`The journal has no assignment of that time.`);
      else await output.records(columns, fees);
    }
    if (unknown > 0) {
      output.notice(
        plural(unknown, {
          one: t`1 assignment is not counted: nothing tells whether it was done. See: comanda history --outcome unknown`,
          other: t`${unknown} assignments are not counted: nothing tells whether it was done. See: comanda history --outcome unknown`,
        }),
      );
    }
  },
};

/** A period that ends now ends with the last whole second; what was sent since is in it too. */
function lastMillisecond({ kind, end }: Period, { to }: DriversOptions["period"]): number {
  const endsNow = kind !== "days" && to === undefined;
  return end.epochMilliseconds + (endsNow ? 999 : 0);
}

type Row = DriversResult["drivers"][number];

function jsonOf({ driver, name, orders, knownFees, total }: Row) {
  return {
    driver_id: driver,
    name,
    orders,
    known_fees: knownFees,
    total_fee: numberFromCents(total),
    without_fee: orders - knownFees,
  };
}

const columns: readonly Column<Row>[] = [
  { heading: "Driver", name: "driver_id", cell: ({ driver }) => driver },
  { heading: "Name", name: "name", cell: ({ name }) => name },
  { heading: "Orders", name: "orders", align: "right", cell: ({ orders }) => orders },
  { heading: "Known fees", name: "known_fees", align: "right", cell: ({ knownFees }) => knownFees },
  { heading: "Total", name: "total_fee", align: "right", cell: ({ total }) => formatCents(total) },
  {
    heading: "Fee not known",
    name: "without_fee",
    align: "right",
    cell: ({ orders, knownFees }) => orders - knownFees,
  },
];
