/** The options that `summary`, `grouped` and `report` share, as they are typed. Read by `request.ts`. */
import { Option, type Command } from "commander";

import { dateFields, type DateField } from "../../contract/summary.js";
import { collect } from "../globals.js";

export interface FiguresOptions {
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
  readonly includeToday?: boolean;
  readonly tz?: string;
  readonly dateField?: DateField;
  readonly filter?: readonly string[];
  readonly compare?: string;
  readonly locale?: string;
  readonly currency?: string;
  readonly fresh?: boolean;
}

export interface CsvFlags {
  readonly excel?: boolean;
  /** False with `--no-header`. */
  readonly header: boolean;
}

export type SummaryOptions = FiguresOptions & CsvFlags;

export interface GroupedOptions extends FiguresOptions, CsvFlags {
  readonly by?: string;
  readonly sort?: string;
  readonly top?: string;
  readonly rest?: boolean;
  /** Absent: where it helps. */
  readonly chart?: boolean;
}

/** "How was yesterday?" is what people ask in the morning, and cron at night. */
export const usualPeriod = "yesterday";

/** For the help text of each of the three. */
export const periodHelp = [
  "Periods: today, yesterday, this-week, last-week, this-month, last-month, this-year, last-year, last-N-days (ends yesterday; --include-today ends it now), a month (2026-10), a day (2026-10-05). Weeks begin on Monday. --from and --to take two dates, both days included, or two date-times with offset. Days are those of the store's zone: --tz, else what the settings say, else this machine's.",
  "Filters: 'status=closed,delivered', 'status!=canceled', 'total>=50', 'created_at_time<15:00', 'customer_origin=null', or the API's own spelling, 'status_in=closed'. An amount may have a decimal comma: 'total>=50,5'. Several filters hold together.",
  'A period of more than 6 months is fetched in parts, within 5 calls a minute. Answers for a window that ended at least 6 hours ago are kept on this machine: --fresh asks again, "comanda cache clear" forgets them.',
].join("\n\n");

export function addFiguresOptions(command: Command, period: string = usualPeriod): Command {
  return command
    .option("-p, --period <period>", `the period (default: ${period})`)
    .option("--from <date>", "first day, or date-time with offset")
    .option("--to <date>", "last day, or date-time with offset (default: now)")
    .option("--include-today", "let last-N-days end now instead of yesterday")
    .option("--tz <zone>", "time zone in which days are counted, for example America/Sao_Paulo")
    .addOption(
      new Option("--date-field <field>", "the date that counts (default: created_at)").choices(dateFields),
    )
    .option("-f, --filter <filter>", "only these orders (repeatable)", collect)
    .option("--compare <with>", "set the previous period, or the year before, beside it: previous, year")
    .option("--currency <code>", "currency of the amounts shown, for example BRL")
    .option("--locale <tag>", "how numbers are written, for example pt-BR")
    .option("--fresh", "ask the service even for what is kept on this machine");
}

export function addCsvOptions(command: Command): Command {
  return command
    .option("--excel", "with --format csv: byte order mark, separator and decimal mark of the locale")
    .option("--no-header", "with --format csv: without the line of column names");
}
