/** `comanda grouped` gives the figures of a period, split by one dimension. */
import { dimensions } from "../api/values.js";
import { type Command, endWith, wholeNumber } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { parseSort, renderSales } from "../sales/render/render.js";

import {
  parseDimension,
  askStores,
  missingStores,
  salesRequest,
  takeFiguresOptions,
  type FiguresOptions,
} from "./figures.js";

interface GroupedOptions extends FiguresOptions {
  readonly by?: string;
  readonly sort?: string;
  readonly top?: string;
  readonly chart?: boolean;
}

export function grouped(command: Command): void {
  takeFiguresOptions(
    command
      .about(
        "the figures of a period, split by one dimension",
        `Dimensions: ${dimensions.slice(0, 5).join(", ")} (in time's order); ${dimensions.slice(5).join(", ")}. Time goes by the store's zone.`,
        "Days without orders are there with 0. Days, weeks and months are compared by their place, the first with the first; all others by their key. Weekdays and hours are compared per day, since a month has four Tuesdays or five: Days says how many.",
        "Where the store's days start late (comanda stores set --day-starts), each day is asked for by itself, 5 a minute; weeks, months and weekdays are refused, since the service counts them from midnight.",
        "Periods, comparisons and filters: comanda help periods, comanda help filters.",
      )
      .option("--by <dimension>", "what to split by (required)"),
  )
    .option("--sort <field>", "revenue, orders, average, label or key, with :asc or :desc after it if wanted")
    .option("--top <number>", "only the first so many groups; by revenue where --sort isn't given")
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
  if (chart && output.format !== "table") {
    throw new ComandaError("usage", t`--chart doesn't go with --format ${output.format}.`, {
      hint: t`Bars are for people: leave out one of the two.`,
    });
  }
  const request = salesRequest(context, options);
  const { dateField } = request;
  const sort = options.sort === undefined ? undefined : parseSort(options.sort);
  const top =
    options.top === undefined
      ? undefined
      : wholeNumber("--top", options.top, { least: 1, most: 999_999_999 });
  const questions = [{ by: parseDimension(options.by, dateField), isCompared: true }];
  const [sales] = (await askStores(context, "grouped", request, questions)) ?? [];
  if (!sales) return;
  await renderSales(sales, output, { sort, top, chart, dateField });
  endWith(context, missingStores(sales.stores));
}
