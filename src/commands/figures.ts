/** `comanda summary` shows the orders, revenue and average of a period, and `comanda grouped` the same grouped by one dimension. */
import { suggestion } from "../base/basics.js";
import { dimensionRule } from "../api/input.js";
import { dateFields, dimensions, type DateField, type Dimension } from "../api/values.js";
import { collect, contradiction, endWith, wholeNumber, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { readers } from "../cli/records.js";
import { ComandaError } from "../base/errors.js";
import { t } from "../languages/language.js";
import { alertFailure, judgeAlerts, parseAlert } from "../sales/alert.js";
import { appendSales } from "../sales/append.js";
import { parseFilters } from "../sales/filters.js";
import { comparisons, type Comparison } from "../sales/period.js";
import { parseSort, renderSales } from "../sales/render/render.js";
import { fetchSales, missingStores, type SalesRequest } from "../sales/collect.js";

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
    .option("--to <date>", "last day, or date-time with offset (with --from: now)")
    .option("--tz <zone>", "time zone of the days (default: the store's)")
    .option("--fresh", "ignore cached answers");
}

function takeFiguresOptions(command: Command): Command {
  const dateField = command
    .createOption("--date-field <field>", "date")
    .choices(dateFields)
    .default(undefined, "created_at");
  const compare = command.createOption("--compare <with>", "compare with").choices(comparisons);
  return takePeriod(command, "yesterday")
    .option("-f, --filter <filter>", "filter orders; see comanda help filters (repeatable)", collect)
    .option("--net", "exclude canceled orders")
    .addOption(dateField)
    .addOption(compare)
    .option("--offline", "use only cached answers, however old");
}

/** @throws {ComandaError} `usage` or `invalid_input` for options that aren't valid in any time zone */
export function salesRequest(
  { period, from, to, tz, filter = [], net, dateField, compare, fresh, offline }: FiguresOptions,
  usual = "yesterday",
): SalesRequest {
  const filters = net ? [...filter, "status!=canceled"] : filter;
  if (fresh && offline) throw contradiction("--fresh", "--offline");
  return {
    period: { period: (period ?? from ?? to) === undefined ? usual : period, from, to },
    zone: tz,
    filters: filters.length === 0 ? undefined : parseFilters(filters),
    dateField,
    comparison: compare,
    freshness: fresh ? "fresh" : offline ? "offline" : "usual",
  };
}

/** @throws {ComandaError} `usage` if it is missing, `invalid_input` if it is unknown or can't be used with the date field */
function parseDimension(text: string | undefined, dateField: DateField | undefined): Dimension {
  const hint = t`Use one of ${dimensions.join(", ")}.`;
  if (text === undefined) throw new ComandaError("usage", t`${"--by"} is missing.`, { hint });
  const name = text.replaceAll("-", "_");
  for (const dimension of dimensions) {
    if (dimension !== name) continue;
    if (dimensionRule.holds({ group_by: dimension, date_field: dateField })) return dimension;
    throw new ComandaError(
      "invalid_input",
      t`${`--by ${text}`} can't be used with ${`--date-field ${dateField ?? ""}`}.`,
    );
  }
  const question = suggestion(text, dimensions);
  throw new ComandaError("invalid_input", t`Invalid value "${text}" for ${"--by"}.` + question, { hint });
}

interface SummaryOptions extends FiguresOptions {
  readonly alert?: readonly string[];
  readonly append?: string;
}

export function summary(command: Command): void {
  takeFiguresOptions(command)
    .option("--alert <rule>", "exit with code 11 if this rule holds (repeatable)", collect)
    .option("--append <file>", "append a line to a CSV file")
    .takes("store", "allStores", "format", "dryRun")
    .examples(
      "summary --period last-week --compare previous --all-stores",
      "summary --alert 'orders<-30%' --compare week",
    )
    .does(showSummary);
}

/** Shows the figures that the options name, by default yesterday's. */
export async function showSummary(context: Context, options: SummaryOptions): Promise<void> {
  const { output } = context;
  const request = salesRequest(options);
  const rules = (options.alert ?? []).map(parseAlert);
  const change = rules.find(({ isPercent }) => isPercent);
  if (change && request.comparison === undefined)
    throw new ComandaError("usage", t`${"--compare"} is missing.`, {
      hint: t`The alert rule "${change.text}" requires a comparison, such as --compare week.`,
    });
  const { append } = options;
  if (append !== undefined) {
    // A line of the file has no columns for these, so lines of different queries would look alike.
    const { filter, net, dateField, compare } = options;
    const others = { "--filter": filter, "--net": net, "--date-field": dateField, "--compare": compare };
    for (const [flag, value] of Object.entries(others))
      if (value !== undefined) throw contradiction("--append", flag);
  }
  const [sales] = (await fetchSales(context, "summary", request, [undefined])) ?? [];
  if (!sales) return;
  const alerts = rules.length > 0 ? judgeAlerts(rules, sales) : undefined;
  const isTable = output.format === "table";
  if (append !== undefined) {
    const appended = await appendSales(append, sales);
    // A program that reads another format gets the figures themselves.
    if (isTable)
      output.sentence(
        appended === 0
          ? t`${append} already contains this store and period.`
          : t`Lines added to ${append}: ${appended}.`,
      );
  }
  const isAlarm = alerts !== undefined && readers[output.format] === "person";
  if (!isAlarm && (append === undefined || !isTable))
    await renderSales(sales, output, { dateField: request.dateField, alerts });
  // JSON contains them with the figures; CSV has no column for them.
  for (const { holds, text } of output.json ? [] : (alerts ?? [])) {
    if (holds !== true) continue;
    if (isAlarm) output.words(text);
    else output.warn(text);
  }
  const held = alerts && alertFailure(alerts);
  // The alert's error replaces the one that names stores without figures. JSON contains both.
  if (held && !output.json)
    for (const store of sales.stores)
      if ("error" in store) output.warn(t`${store.store}: no figures. ${store.error.message}`);
  endWith(context, held ?? missingStores(sales.stores));
}

interface GroupedOptions extends FiguresOptions {
  readonly by?: string;
  readonly sort?: string;
  readonly top?: string;
  readonly chart?: boolean;
}

export function grouped(command: Command): void {
  takeFiguresOptions(
    command
      .details(
        `Time dimensions: ${dimensions.slice(0, 5).join(", ")}.\nOther dimensions: ${dimensions.slice(5).join(", ")}.`,
        "Days without orders are listed with 0. In a comparison, days, weeks and months are matched by position (first with first), and all other groups by key. Weekdays and hours are compared by their averages per day, because a month has four or five Tuesdays. The column Days shows how many days each average covers.",
        "If the store's days start after midnight (comanda stores set --day-starts), comanda requests each day separately, at most 5 per minute. It then rejects --by week, month and day_of_week, because the service counts those from midnight.",
      )
      .option("--by <dimension>", "dimension to group by (required)"),
  )
    .option("--sort <field>", "revenue, orders, average, label or key; add :asc or :desc")
    .option("--top <number>", "number of groups to show (default order: by revenue)")
    .option("--chart", "draw the revenue as bars")
    .takes("store", "allStores", "format", "dryRun")
    .examples(
      "grouped --by hour",
      "grouped --by day --period last-month --compare year",
      "grouped --by driver_id --period last-7-days --top 5",
      "grouped --by sales_channel --period 2026-10 --filter 'status=closed' --chart",
      "grouped --by day --period last-month --format csv",
    )
    .does(showGroups);
}

async function showGroups(context: Context, options: GroupedOptions): Promise<void> {
  const { output } = context;
  const { chart = false } = options;
  if (chart && output.format !== "table") throw contradiction("--chart", `--format ${output.format}`);
  const request = salesRequest(options);
  const { dateField } = request;
  const sort = options.sort === undefined ? undefined : parseSort(options.sort);
  const top =
    options.top === undefined
      ? undefined
      : wholeNumber("--top", options.top, { least: 1, most: 999_999_999 });
  const by = parseDimension(options.by, dateField);
  const [sales] = (await fetchSales(context, "grouped", request, [by])) ?? [];
  if (!sales) return;
  await renderSales(sales, output, { sort, top, chart, dateField });
  endWith(context, missingStores(sales.stores));
}
