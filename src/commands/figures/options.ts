/** The options of the commands for figures. */
import { dateFields, type DateField } from "../../api/values.js";
import { collect, contradiction, type Command } from "../../cli/command.js";
import type { FiguresRequest } from "../../core/figures.js";
import { comparisons, type Comparison } from "../../sales/period.js";

export interface FiguresOptions {
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
  readonly tz?: string;
  readonly filter?: readonly string[];
  readonly net?: boolean;
  readonly dateField?: DateField;
  readonly compare?: Comparison;
  readonly fresh?: boolean;
  readonly offline?: boolean;
}

/** @param usual names the default period */
export function takePeriod(command: Command, usual: string): Command {
  const period = command.createOption("-p, --period <period>", "period; see comanda help periods");
  return command
    .addOption(period.default(undefined, usual))
    .option("--from <date>", "first day, or date-time with offset")
    .option("--to <date>", "last day, or date-time with offset (with --from: now)");
}

/** @param usual names the default period */
export function takePeriodInZone(command: Command, usual: string): Command {
  return takePeriod(command, usual)
    .option("--tz <zone>", "time zone of the days (default: the store's)")
    .option("--fresh", "ignore cached answers");
}

export function takeFiguresOptions(command: Command): Command {
  const dateField = command
    .createOption("--date-field <field>", "date")
    .choices(dateFields)
    .default(undefined, "created_at");
  const compare = command.createOption("--compare <with>", "compare with").choices(comparisons);
  return takePeriodInZone(command, "yesterday")
    .option("-f, --filter <filter>", "filter orders; see comanda help filters (repeatable)", collect)
    .option("--net", "exclude canceled orders")
    .addOption(dateField)
    .addOption(compare)
    .option("--offline", "use only cached answers, however old");
}

/**
 * Returns the request that the options describe.
 *
 * @throws {ComandaError} `usage` for options that exclude each other
 */
export function figuresRequest(
  { period, from, to, tz, filter, net, dateField, compare, fresh, offline }: FiguresOptions,
  usual = "yesterday",
): FiguresRequest {
  if (fresh && offline) throw contradiction("--fresh", "--offline");
  return {
    period: { period: (period ?? from ?? to) === undefined ? usual : period, from, to },
    zone: tz,
    filters: filter,
    net,
    dateField,
    comparison: compare,
    freshness: fresh ? "fresh" : offline ? "offline" : "usual",
  };
}
