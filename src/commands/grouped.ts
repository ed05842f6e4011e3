/** `comanda grouped` gives the figures of a period, split by one dimension. */
import { dimensions, type Dimension } from "../api/enums.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { planCalls, presentPlan, type CallPlan } from "../sales/dry-run.js";
import type { SalesResult } from "../sales/figures.js";
import { figuresOptions, parseDimension, parseSalesRequest, type SalesRequest } from "../sales/options.js";
import { parseSort, type Sort } from "../sales/render/rank.js";
import { renderSales } from "../sales/render/render.js";
import { askStores, missingStores } from "../sales/stores.js";
import { askForDimension } from "../toolkit/asking.js";
import type { Command } from "../toolkit/command.js";
import { wholeNumber } from "../toolkit/command-line.js";

export interface GroupedOptions extends SalesRequest {
  readonly by: Dimension;
  readonly sort: Sort | undefined;
  readonly top: number | undefined;
  readonly chart: boolean;
}

interface Answered {
  readonly kind: "figures";
  readonly sales: SalesResult;
}

export const grouped: Command<GroupedOptions, Answered | CallPlan> = {
  description: {
    usage: "grouped",
    summary: "the figures of a period, split by one dimension",
    description: [
      `Dimensions: ${dimensions.slice(0, 5).join(", ")} (in time's order); ${dimensions.slice(5).join(", ")}. Time goes by the store's zone.`,
      "Days without orders are there with 0. Days, weeks and months are compared by their place, the first with the first; all others by their key. Weekdays and hours are compared per day, since a month has four Tuesdays or five: Days says how many.",
      "Where the store's days start late (comanda stores set --day-starts), each day is asked for by itself, 5 a minute; weeks, months and weekdays are refused, since the service counts them from midnight.",
      "Periods, comparisons and filters: comanda help periods, comanda help filters.",
    ].join("\n\n"),
    options: [
      { flags: "--by <dimension>", description: "what to split by (section 4.7; required)" },
      ...figuresOptions,
      {
        flags: "--sort <field>",
        description: "revenue, orders, average, label or key, with :asc or :desc after it if wanted",
      },
      {
        flags: "--top <number>",
        description: "only the first so many groups; by revenue where --sort isn't given",
      },
      { flags: "--chart", description: "draw the revenue as bars" },
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: [
      "grouped --by hour",
      "grouped --by day --period last-month --compare year",
      "grouped --by driver_id --period last-7-days --top 5",
      "grouped --by sales_channel --period 2026-10 --filter 'status=closed' --chart",
      "grouped --by day --period last-month --format csv",
    ],
  },
  ask(machine, line) {
    // All other faults of the command line are told before anything is asked.
    parseSalesRequest(line);
    return askForDimension(machine, line, { option: "--by", question: t`Split by what?` });
  },
  parse(line) {
    const chart = line.flag("--chart");
    if (chart && line.globals.format !== "table") {
      throw new ComandaError("usage", t`--chart doesn't go with --format ${line.globals.format}.`, {
        hint: t`Bars are for people: leave out one of the two.`,
      });
    }
    const request = parseSalesRequest(line);
    const sort = line.text("--sort");
    return {
      ...request,
      by: parseDimension(line.text("--by"), request.dateField),
      sort: sort === undefined ? undefined : parseSort(sort),
      top:
        line.text("--top") === undefined
          ? undefined
          : wholeNumber(line, "--top", { least: 1, most: 999_999_999 }),
      chart,
    };
  },
  async run(machine, { by, ...request }) {
    const questions = [{ by, isCompared: true }];
    if (request.dryRun) return planCalls(machine, request, questions);
    const [sales] = await askStores(machine, "grouped", request, questions);
    if (!sales) throw new RangeError("one question has one answer");
    return { kind: "figures", sales };
  },
  async present(result, output, { sort, top, chart, dateField }) {
    if (result.kind === "plan") await presentPlan(result, output);
    else await renderSales(result.sales, output, { sort, top, chart, dateField });
  },
  failure: (result) => (result.kind === "plan" ? undefined : missingStores(result.sales.stores)),
};
