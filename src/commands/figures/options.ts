/** `summary`, `grouped` and `report` share these options. */
import { dateFields, dimensions, type DateField, type Dimension } from "../../api/values.js";
import type { Filters } from "../../api/models.js";
import { dimensionRule } from "../../api/input.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { suggestion } from "../../api/basics.js";
import { collect, type Command, contradiction } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import type { Freshness } from "../../sales/ask.js";
import { parseFilters } from "../../sales/filters.js";
import { comparisons, type Comparison, type PeriodRequest } from "../../sales/period.js";

export interface SalesRequest {
  readonly stores: readonly string[];
  readonly allStores: boolean;
  readonly period: PeriodRequest;
  /** The zone that was typed. */
  readonly zone: string | undefined;
  readonly filters: Filters | undefined;
  /** The filters as they were typed. */
  readonly filterTexts: readonly string[];
  /** It goes out only where it was typed: the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly comparison: Comparison | undefined;
  /** What can't be asked for is left out, rather than refused: a comparison that reaches back too far, weekdays of late days. */
  readonly leavesOut: boolean;
  readonly freshness: Freshness;
  readonly dryRun: boolean;
}

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
  return command
    .option("-p, --period <period>", `default ${usual}; the names: comanda help periods`)
    .option("--from <date>", "first day, or date-time with offset")
    .option("--to <date>", "last day, or date-time with offset (default: now)")
    .option("--tz <zone>", "time zone of the days (default: the store's)");
}

export function takeFresh(command: Command): Command {
  return command.option("--fresh", "ask even for what is kept from the last ten minutes");
}

export function takeFiguresOptions(command: Command): Command {
  return takeFresh(
    takePeriod(command, "yesterday")
      .option("-f, --filter <filter>", "only these orders: comanda help filters (repeatable)", collect)
      .option("--net", "without canceled orders")
      .addOption(
        command
          .createOption("--date-field <field>", "created_at (the default), or scheduled_date")
          .choices(dateFields),
      )
      .addOption(
        command
          .createOption("--compare <with>", "previous, week, month or year: comanda help periods")
          .choices(comparisons),
      ),
  ).option("--offline", "ask nothing: show what is kept, however old");
}

/** @throws {ComandaError} `usage` or `invalid_input` for what is wrong in any zone of a store */
export function salesRequest(
  { options: { stores, allStores, dryRun } }: Pick<Context, "options">,
  { period, from, to, tz, filter = [], net, dateField, compare, fresh, offline }: FiguresOptions,
  usual = "yesterday",
): SalesRequest {
  const filterTexts = net ? [...filter, "status!=canceled"] : filter;
  if (fresh && offline) throw contradiction("--fresh", "--offline");
  return {
    stores,
    allStores,
    period: { period: (period ?? from ?? to) === undefined ? usual : period, from, to },
    zone: tz,
    filters: filterTexts.length === 0 ? undefined : parseFilters(filterTexts),
    filterTexts,
    dateField,
    comparison: compare,
    leavesOut: false,
    freshness: fresh ? "fresh" : offline ? "offline" : "usual",
    dryRun,
  };
}

/** @throws {ComandaError} `usage` where it is missing, `invalid_input` for another name or what can't go together */
export function parseDimension(text: string | undefined, dateField: DateField | undefined): Dimension {
  const hint = t`Give --by ${dimensions.join(", ")}.`;
  if (text === undefined)
    throw new ComandaError("usage", t`The dimension to split the figures by is missing.`, { hint });
  const dimension = dimensions.find((each) => each === text.replaceAll("-", "_"));
  if (dimension === undefined) {
    const question = suggestion(text, dimensions);
    throw new ComandaError("invalid_input", t`There is no dimension "${text}".${question}`, { hint });
  }
  if (dimensionRule.holds({ group_by: dimension, date_field: dateField })) return dimension;
  throw new ComandaError("invalid_input", t`Sales by scheduled date can't be split by hour.`, {
    hint: t`Use --by day, or --date-field created_at.`,
  });
}
