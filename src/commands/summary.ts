/** `comanda summary`: section 4.6. */
import { summaryPlan, type SummaryFigures } from "../summary/plan/plans.js";
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

export const summary: Command<SalesOptions, SalesResult<SummaryFigures>> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: `Without a period it is yesterday. The window that was asked for is shown on stderr.\n\n${periodHelp}`,
    options: [...salesOptions(), ...csvOptions],
    takes: ["store", "allStores", "format"],
    examples: [
      "summary",
      "summary --period last-week --compare previous",
      "summary --from 2026-10-01 --to 2026-10-15 --filter 'status!=canceled'",
      "summary --period last-month --all-stores",
      "summary --period yesterday --format csv",
    ],
  },
  parse: parseSalesOptions,
  run: (machine, options) => askStores(machine, "summary", options, summaryPlan),
  async present(result, output, options) {
    const { dateField } = options.request;
    const { format } = output;
    if (format === "json") output.value(resultShape(result, (figures) => summaryShape(figures, dateField)));
    else output.text(await summaryTable(result, { ...tableOptions(options, format, output), dateField }));
  },
  failure: missingStores,
};
