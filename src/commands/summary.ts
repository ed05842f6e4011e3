/** `comanda summary`: section 4.6. */
import { summaryPlan, type AskCanceled, type SummaryFigures } from "../summary/plan/plans.js";
import { resultShape, summaryShape } from "../summary/present/json.js";
import { summaryTable } from "../summary/present/summary-table.js";
import type { SalesResult } from "../summary/results.js";
import type { Command } from "./command.js";
import { askStores, missingStores } from "./summary/ask-stores.js";
import {
  csvOptions,
  parseSalesOptions,
  periodHelp,
  salesOptions,
  tableOptions,
  type SalesOptions,
} from "./summary/options.js";

export interface SummaryOptions extends SalesOptions {
  readonly askCanceled: AskCanceled;
}

export const summary: Command<SummaryOptions, SalesResult<SummaryFigures>> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: [
      "Without a period it is yesterday. The window that was asked for is shown on stderr.",
      "Canceled orders are among the orders and in the revenue: --net leaves them out. A table says how many they are, where the service can be asked without a wait (one call of the other kind); --canceled asks in any case, also for JSON.",
      periodHelp,
    ].join("\n\n"),
    options: [
      ...salesOptions(),
      { flags: "--canceled", description: "ask how many of the orders are canceled, if it takes a wait" },
      ...csvOptions,
    ],
    takes: ["store", "allStores", "format"],
    examples: [
      "summary",
      "summary --period last-week --compare previous",
      "summary --from 2026-10-01 --to 2026-10-15 --filter 'status!=canceled'",
      "summary --period last-month --all-stores",
      "summary --period yesterday --format csv",
    ],
  },
  parse(line) {
    const { format } = line.globals;
    const cheap = format === "table" || format === "markdown" ? "if cheap" : "never";
    return { ...parseSalesOptions(line), askCanceled: line.flag("--canceled") ? "always" : cheap };
  },
  run: (machine, options) =>
    askStores(machine, "summary", options, summaryPlan(options.request, options.askCanceled)),
  async present(result, output, options) {
    const { dateField } = options.request;
    const { format } = output;
    if (format === "json") output.value(resultShape(result, dateField, summaryShape));
    else output.text(await summaryTable(result, tableOptions(options, format)));
  },
  failure: missingStores,
};
