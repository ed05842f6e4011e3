/** `summary`, `grouped` and `report` share these options. */
import { dateFields, dimensions, type DateField, type Dimension } from "../api/enums.js";
import type { Filters } from "../api/models.js";
import { hasDimension } from "../api/rules.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { suggestion } from "../api/nearest.js";
import type { OptionDescription } from "../toolkit/command.js";
import type { CommandLine } from "../toolkit/command-line.js";
import type { Freshness } from "./ask.js";
import { parseFilters } from "./filters.js";
import { comparisons, type Comparison, type PeriodRequest } from "./period.js";

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

/** @param usual names the default period */
export function periodOptions(usual: string): readonly OptionDescription[] {
  return [
    { flags: "-p, --period <period>", description: `default ${usual}; the names: comanda help periods` },
    { flags: "--from <date>", description: "first day, or date-time with offset" },
    { flags: "--to <date>", description: "last day, or date-time with offset (default: now)" },
    { flags: "--tz <zone>", description: "time zone of the days (default: the store's)" },
  ];
}

export const freshOption: OptionDescription = {
  flags: "--fresh",
  description: "ask even for what is kept from the last ten minutes",
};

export const figuresOptions: readonly OptionDescription[] = [
  ...periodOptions("yesterday"),
  {
    flags: "-f, --filter <filter>",
    description: "only these orders: comanda help filters (repeatable)",
    repeatable: true,
  },
  { flags: "--net", description: "without canceled orders" },
  {
    flags: "--date-field <field>",
    description: "created_at (the default), or scheduled_date",
    choices: dateFields,
  },
  {
    flags: "--compare <with>",
    description: "previous, week, month or year: comanda help periods",
    choices: comparisons,
  },
  freshOption,
  { flags: "--offline", description: "ask nothing: show what is kept, however old" },
];

/** @throws {ComandaError} `usage` or `invalid_input` for what is wrong in any zone of a store */
export function parseSalesRequest(line: CommandLine, usual = "yesterday"): SalesRequest {
  const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
  const isNamed = period !== undefined || from !== undefined || to !== undefined;
  const filterTexts = [...line.list("--filter"), ...(line.flag("--net") ? ["status!=canceled"] : [])];
  const [fresh, offline] = [line.flag("--fresh"), line.flag("--offline")];
  if (fresh && offline) {
    throw new ComandaError("usage", t`--fresh and --offline contradict each other.`, {
      hint: t`Leave out one of the two.`,
    });
  }
  const { stores, allStores, dryRun } = line.globals;
  return {
    stores,
    allStores,
    period: { period: isNamed ? period : usual, from, to },
    zone: line.text("--tz"),
    filters: parseFilters(filterTexts),
    filterTexts,
    dateField: dateFields.find((field) => field === line.text("--date-field")),
    comparison: comparisons.find((name) => name === line.text("--compare")),
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
  if (hasDimension(dateField, dimension)) return dimension;
  throw new ComandaError("invalid_input", t`Sales by scheduled date can't be split by hour.`, {
    hint: t`Use --by day, or --date-field created_at.`,
  });
}
