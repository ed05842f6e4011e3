/** `comanda pivot` splits the figures by two dimensions at once. */
import { dimensions, type Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { pivotPlan, type Pivot } from "../pivot/pivot.js";
import { parseDimension } from "../plan/request.js";
import { pivotDifferenceTexts } from "../present/differences.js";
import { resultShape } from "../present/json.js";
import { pivotFigures, pivotShape, pivotTables, type PivotFigure } from "../present/pivot-table.js";
import { askForDimension } from "../../toolkit/asking.js";
import type { Command } from "../../toolkit/command.js";
import { askStores } from "../ask/ask-stores.js";
import { planCalls, presentPlan } from "../ask/call-plan.js";
import { sayKept, warnOfDifferences } from "../ask/say-of-stores.js";
import { failureOf, figuresTakes, type FiguresResult } from "./figures.js";
import {
  isForPeople,
  parseSalesOptions,
  periodHelpAlone,
  salesOptions,
  type SalesOptions,
} from "../ask/options.js";

export interface PivotOptions extends SalesOptions {
  readonly rows: Dimension;
  readonly cols: Dimension;
  readonly figure: PivotFigure;
  readonly heatmap: boolean;
  readonly dryRun: boolean;
}

export const pivot: Command<PivotOptions, FiguresResult<Pivot>> = {
  description: {
    usage: "pivot",
    summary: "the figures of a period, split by two dimensions at once",
    description: [
      "Which evenings need two cooks? Which channel grows? A table of any two dimensions, exact to the cent, out of a service that splits by one: --rows day_of_week --cols hour, --rows month --cols sales_channel, --rows week --cols driver_id.",
      `Dimensions: ${dimensions.join(", ")}.`,
      "It takes one call for each column (or row, where those are fewer) and up to two for the totals, within 5 calls a minute; two dates take one call, and one for each until the service has told how it writes them. How many, and how long, is said before; --dry-run says it and asks nothing. Answers are kept: a pivot that was stopped goes on where it was. What no filter selects, such as orders without a driver, stands last, in a column of its own: the table adds up to the total in any case.",
      "Payment methods can only be set against days, weeks and months, and what can be filtered: an order may be paid in several ways.",
      periodHelpAlone,
    ].join("\n\n"),
    options: [
      { flags: "--rows <dimension>", description: "what stands in the rows (required)" },
      { flags: "--cols <dimension>", description: "what stands in the columns (required)" },
      {
        flags: "--figure <name>",
        description: "what a table shows; CSV and JSON have all three",
        choices: Object.keys(pivotFigures),
        default: "orders",
      },
      { flags: "--heatmap", description: "shade the cells of the table by their size" },
      ...salesOptions().filter(({ flags }) => !flags.startsWith("--compare")),
    ],
    takes: figuresTakes,
    examples: [
      "pivot --rows day_of_week --cols hour --period last-month --heatmap",
      "pivot --rows month --cols sales_channel --period last-30-days --figure revenue",
      "pivot --rows week --cols driver_id --period last-month --dry-run",
      "pivot --rows day_of_week --cols hour --period last-month --all-stores",
      "pivot --rows day --cols order_type --period last-7-days --format csv",
    ],
  },
  async ask(machine, line) {
    // All other faults of the command line are told before anything is asked.
    parseSalesOptions(line);
    const rows = { option: "--rows", question: t`What stands in the rows?` };
    const cols = { option: "--cols", question: t`What stands in the columns?` };
    return askForDimension(machine, await askForDimension(machine, line, rows), cols);
  },
  parse(line) {
    const sales = parseSalesOptions(line);
    const dimensionOf = (option: string) =>
      parseDimension(line.text(option), sales.request.dateField, option);
    const [rows, cols] = [dimensionOf("--rows"), dimensionOf("--cols")];
    if (rows === cols) {
      throw new ComandaError("usage", t`--rows and --cols are the same dimension.`, {
        hint: t`Give two of ${dimensions.join(", ")}.`,
      });
    }
    const typed = line.text("--figure");
    const figure = typed === "revenue" || typed === "average" ? typed : "orders";
    const heatmap = isForPeople(line, "--heatmap", t`Shades are for people: leave out one of the two.`);
    return { ...sales, rows, cols, figure, heatmap, dryRun: line.globals.dryRun };
  },
  async run(machine, options) {
    const request = { rows: options.rows, cols: options.cols, dateField: options.request.dateField };
    const plan = pivotPlan(request);
    if (options.dryRun) return planCalls(machine, options, plan);
    return askStores(machine, "pivot", options, plan);
  },
  async present(result, output, { figure, heatmap, request: { dateField } }) {
    if (result.kind === "plan") {
      await presentPlan(result, output, t`The first ones are for the totals, which say what else is asked.`);
      return;
    }
    const { format } = output;
    warnOfDifferences(output, result, pivotDifferenceTexts);
    if (format === "json") {
      output.value(resultShape(result, dateField, pivotShape));
      return;
    }
    sayKept(output, result);
    const shown = { format, figure, dateField, view: output.view, heatmap: heatmap && !output.plain };
    output.text(await pivotTables(result, shown));
  },
  failure: failureOf,
};
