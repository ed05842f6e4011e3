/** `summary`, `grouped` and `report` share these options. */
import { dateFields } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { withoutCanceled } from "../plan/canceled.js";
import { parseFilters } from "../plan/filters.js";
import { parseDayStart } from "../../state/settings/store-settings.js";
import { comparisons, type Comparison } from "../period/comparison.js";
import { unitNamed } from "../period/names.js";
import { parseComparison, type SalesRequest } from "../plan/request.js";
import type { TableOptions } from "../present/columns.js";
import { parseCurrency, parseLocale } from "../present/number-format.js";
import type { Output } from "../../terminal/index.js";
import { underHeading, type OptionDescription } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";

import { freshnessOptions, parseFreshness, type FreshnessOption } from "./freshness-options.js";
import type { Presentation } from "./preferences.js";

/** People ask "How was yesterday?" in the morning, and cron asks it at night. */
const usualPeriod = "yesterday";

const helpParagraphs = [
  "Periods: today, yesterday, this-week, last-week, this-month, last-month, month-to-yesterday, this-year, last-year, last-N-days (ends yesterday; --from last-6-days ends now), a month (2026-10), a year (2025), a day (2026-10-05). Weeks begin on Monday. --from and --to take two dates, both days included, or two date-times with offset; a name stands for its first and its last day (--from last-month --to yesterday). Days are those of the store's zone: --tz, else what the settings say, else this machine's.",
  "Filters: 'status=closed,delivered', 'status!=canceled', 'total>=50', 'created_at_time<15:00', 'customer_origin=null', or the API's own spelling, 'status_in=closed'. An amount may have a decimal comma: 'total>=50,5'. Several filters hold together.",
  "Comparisons: previous (a whole month with the whole month before, a year with the year, a week with the week, N days with the N days before), week (seven days earlier), month (the same dates a month earlier; of this month, or where no period is given, it is the month to yesterday against the last one to the same day), year (months and years a year earlier; anything else 364 days earlier, so that the weekdays are the same), date (the same dates a year earlier), or any second period (2025-11, 2025-11-01..2025-11-21). A period that isn't over meets the same part of the other one. Where the two have not as many days, the heading says so.",
  "A period of more than 6 months is fetched in parts, within 5 calls a minute. Every answer is kept on this machine with the time it was asked, and says so. Orders settle late, so it is asked again after a day, until two answers agree that were asked at least 35 days after the period; figures of a period that ended less than 6 hours ago are always asked, and those until now after 15 seconds. --max-age sets the day to something else, --fresh asks in any case. A change that this machine makes to an order makes all that was kept of the store doubtful: it is asked again. --offline asks nothing and --as-of shows what was known then; both end with exit code 5 where something is lacking, and say what.",
];

export const periodHelp = helpParagraphs.join("\n\n");
export const periodHelpAlone = helpParagraphs
  .filter((paragraph) => !paragraph.startsWith("Comparisons:"))
  .join("\n\n");

export const timeZoneOption: OptionDescription = {
  flags: "--tz <zone>",
  description: "time zone in which days are counted, for example America/Sao_Paulo",
};

/** @param period names the default in the help */
export function salesOptions(period: string = usualPeriod): readonly OptionDescription[] {
  return [
    ...underHeading("Period:", [
      { flags: "-p, --period <period>", description: `the period (default: ${period})` },
      { flags: "--from <date>", description: "first day, or date-time with offset" },
      { flags: "--to <date>", description: "last day, or date-time with offset (default: now)" },
      timeZoneOption,
      {
        flags: "--day-starts <time>",
        description: "when a day starts: sales after midnight belong to the night before (default: 00:00)",
      },
    ]),
    ...underHeading("Orders:", [
      {
        flags: "-f, --filter <filter>",
        description: "only these orders; comanda help filters names the fields (section 4.8; repeatable)",
        repeatable: true,
      },
      { flags: "--net", description: "without canceled orders: the same as --filter 'status!=canceled'" },
      {
        flags: "--date-field <field>",
        description:
          "the date that counts; scheduled_date doesn't go with hours (section 4.6; default: created_at)",
        choices: dateFields,
      },
    ]),
    {
      flags: "--compare <with>",
      description: `set another period beside it: ${comparisons.join(", ")}, a period (2025-11-01..2025-11-21), or none`,
    },
    ...underHeading("Amounts:", [
      { flags: "--currency <code>", description: "currency of the amounts shown, for example BRL" },
      { flags: "--locale <tag>", description: "how numbers are written, for example pt-BR" },
    ]),
    ...freshnessOptions,
  ];
}

export interface SalesOptions {
  readonly stores: readonly string[];
  readonly allStores: boolean;
  readonly request: SalesRequest;
  readonly presentation: Presentation;
  /** The freshness says which of the answers that are kept on this machine may be used. */
  readonly freshness: FreshnessOption;
}

/** @throws {ComandaError} `usage` or `invalid_input` for what is wrong in any zone of a store */
export function parseSalesOptions(
  line: CommandLine,
  defaults: { readonly period: string; readonly comparison?: Comparison } = { period: usualPeriod },
): SalesOptions {
  const [period, from, to] = [line.text("--period"), line.text("--from"), line.text("--to")];
  const isPeriodAbsent = period === undefined && from === undefined && to === undefined;
  const compare = line.text("--compare");
  const comparison = compare === undefined ? defaults.comparison : parseComparison(compare);
  const periodName = isPeriodAbsent ? defaults.period : period;
  // The running month is cut at yesterday, since a day that isn't over would be compared with a whole one.
  const isRunningMonth = periodName !== undefined && unitNamed(periodName) === "this-month";
  const isMonthToYesterday = comparison === "month" && (isPeriodAbsent || isRunningMonth);
  const [locale, currency] = [line.text("--locale"), line.text("--currency")];
  return {
    stores: line.globals.stores,
    allStores: line.globals.allStores,
    request: {
      period: {
        period: isMonthToYesterday ? "month-to-yesterday" : periodName,
        from,
        to,
      },
      dateField: dateFields.find((field) => field === line.text("--date-field")),
      filters: parseFilters(filterTexts(line)),
      comparison,
      comparisonIsOptional: defaults.comparison !== undefined,
    },
    presentation: {
      time_zone: line.text("--tz"),
      day_starts: checkedDayStart(line.text("--day-starts")),
      locale: locale === undefined ? undefined : parseLocale(locale),
      currency: currency === undefined ? undefined : parseCurrency(currency),
    },
    freshness: parseFreshness(line),
  };
}

/** Checks a day's start and keeps it as it was typed: even 00:00 overrides the settings. */
function checkedDayStart(text: string | undefined): string | undefined {
  if (text !== undefined) parseDayStart(text);
  return text;
}

/** Lists every filter as it was typed, and for `--net` the filter that it stands for. */
export function filterTexts(line: CommandLine): readonly string[] {
  return line.flag("--net") ? [...line.list("--filter"), withoutCanceled] : line.list("--filter");
}

/**
 * Tells whether an option that draws for people is given.
 *
 * @throws {ComandaError} `usage` where it doesn't go with the format
 */
export function isForPeople(line: CommandLine, option: string, hint: string): boolean {
  const { format } = line.globals;
  const isGiven = line.flag(option);
  if (isGiven && format !== "table")
    throw new ComandaError("usage", t`${option} doesn't go with --format ${format}.`, { hint });
  return isGiven;
}

export function tableOptions(
  { request }: SalesOptions,
  { view }: Pick<Output, "view">,
  format: TableOptions["format"],
): TableOptions {
  return { format, compared: request.comparison !== undefined, dateField: request.dateField, view };
}
