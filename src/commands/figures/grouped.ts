/** `comanda grouped` shows the orders, revenue and average of a period by one dimension. */
import { categoricalDimensions, dimensions, temporalDimensions, type Dimension } from "../../api/values.js";
import { alternatives, suggestion } from "../../base/basics.js";
import { ComandaError } from "../../base/errors.js";
import { contradiction, invalidValue } from "../../base/fields.js";
import { wholeNumber, type Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { fetchPlanned, planFigures, type FiguresRequest } from "../../core/figures.js";
import { t } from "../../languages/language.js";
import { parseSort } from "../../sales/sort.js";
import { showFigures } from "../../views/figures.js";
import { showRequests } from "./dry-run.js";
import { takeFiguresOptions } from "./options.js";

interface GroupedOptions extends FiguresRequest {
  readonly by?: string;
  readonly sort?: string;
  readonly top?: string;
  readonly chart?: boolean;
}

export default function grouped(command: Command): void {
  takeFiguresOptions(
    command
      .details(
        `Time dimensions: ${temporalDimensions.join(", ")}.\nOther dimensions: ${categoricalDimensions.join(", ")}.`,
        "Days without orders are listed with 0. In a comparison, days, weeks and months are matched by position (first with first), and all other groups by key. Weekdays and hours are compared by their averages per day, because a month has four or five Tuesdays. The column Days shows how many days each average covers, with those of the previous period in parentheses.",
        "If the store's days start after midnight (comanda stores set --day-starts), comanda requests each day separately, at most 5 per minute. It then rejects --by week, month and day_of_week, because the service counts those from midnight.",
      )
      .option("--by <dimension>", "dimension to group by (required)"),
  )
    .option("--sort <field>", "revenue, orders, average, label or key; add :asc or :desc")
    .option("--top <number>", "number of groups to show, by revenue unless sorted")
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

async function showGroups(context: Context, options: GroupedOptions) {
  const { output, workspace } = context;
  const { chart = false } = options;
  if (chart && output.format !== "table") throw contradiction("--chart", `--format ${output.format}`);
  const sort = options.sort === undefined ? undefined : parseSort(options.sort);
  const top = options.top === undefined ? undefined : wholeNumber("--top", options.top, 1, 999_999_999);
  const by = parseDimension(options.by);
  const plan = await planFigures(workspace, context.options, options, [{ by, sort, top }]);
  if (context.options.dryRun) return showRequests(output, plan);
  const [result] = await fetchPlanned(plan);
  if (!result) return undefined;
  // On a narrow terminal, the bars with orders and revenue replace the table.
  const isNarrow = chart && output.columns !== undefined && output.columns < 60;
  await showFigures(output, result, !isNarrow);
  if (chart) {
    const { chartOf } = await import("./chart.js");
    output.text(`\n${chartOf(result, isNarrow, output.columns ?? 80)}`);
  }
  return result.failure;
}

function parseDimension(text: string | undefined): Dimension {
  const hint = t`Use ${alternatives(dimensions)}.`;
  if (text === undefined) throw new ComandaError("usage", t`${"--by"} is missing.`, { hint });
  const name = text.replaceAll("-", "_");
  const dimension = dimensions.find((each) => each === name);
  if (dimension !== undefined) return dimension;
  const question = suggestion(name.startsWith("weekday") ? "day_of_week" : text, dimensions);
  throw invalidValue("by", text, { hint }, question);
}
