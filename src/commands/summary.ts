/** `comanda summary`: section 4.6. */
import { summaryAlerts } from "../summary/compare/alerts.js";
import { summaryPlan, withBaseline, type AskCanceled, type SummaryFigures } from "../summary/plan/plans.js";
import { resultShape, summaryShape } from "../summary/present/json.js";
import { summaryTable } from "../summary/present/summary-table.js";
import type { SalesResult } from "../summary/results.js";
import type { Command } from "./command.js";
import {
  alertHelp,
  alertOptions,
  missingOrAlert,
  parseAlerts,
  presentAlerts,
  withAlerts,
  type Alerts,
} from "./summary/alerts.js";
import { askStores } from "./summary/ask-stores.js";
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
  readonly alerts: Alerts;
}

export const summary: Command<SummaryOptions, SalesResult<SummaryFigures>> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: [
      "Without a period it is yesterday. The window that was asked for is shown on stderr.",
      "Canceled orders are among the orders and in the revenue: --net leaves them out. A table says how many they are, where the service can be asked without a wait (one call of the other kind); --canceled asks in any case, also for JSON.",
      "The service counts orders and their totals. It can't tell items, margins, taxes or returning customers.",
      alertHelp,
      periodHelp,
    ].join("\n\n"),
    options: [
      ...salesOptions(),
      { flags: "--canceled", description: "ask how many of the orders are canceled, if it takes a wait" },
      ...alertOptions,
      ...csvOptions,
    ],
    takes: ["store", "allStores", "format"],
    examples: [
      "summary",
      "summary --period last-week --compare previous",
      "summary --from 2026-10-01 --to 2026-10-15 --filter 'status!=canceled'",
      "summary --period last-month --all-stores",
      "summary --alert 'orders<-95%' --baseline weekday-median:8",
      "summary --period yesterday --format csv",
    ],
  },
  parse(line) {
    const { format } = line.globals;
    const cheap = format === "table" || format === "markdown" ? "if cheap" : "never";
    const sales = parseSalesOptions(line);
    const alerts = parseAlerts(line, sales.request);
    const usual = alerts.rules.length > 0 ? "never" : cheap;
    return { ...sales, alerts, askCanceled: line.flag("--canceled") ? "always" : usual };
  },
  async run(machine, options) {
    const { request, alerts, askCanceled } = options;
    const { rules, weeks } = alerts;
    const plan = withBaseline(summaryPlan(request, askCanceled), weeks, { ...request, days: "one" });
    const result = await askStores(machine, "summary", options, plan);
    return withAlerts(result, alerts, (figures) => summaryAlerts(figures, rules, weeks));
  },
  async present(result, output, options) {
    const { dateField } = options.request;
    const { format } = output;
    if (presentAlerts(result, options.alerts, output)) return;
    if (format === "json") output.value(resultShape(result, dateField, summaryShape));
    else output.text(await summaryTable(result, { ...tableOptions(options, format), view: output.view }));
  },
  failure: missingOrAlert,
};
