import { summaryAlerts } from "../compare/alerts.js";
import { summaryPlan, type CanceledChoice, type SummaryFigures } from "../plan/plans.js";
import { calendarText } from "../present/calendar-text.js";
import { answeringStores } from "../results.js";
import { resultShape, storeLines, summaryShape } from "../present/json.js";
import { summaryTable } from "../present/summary-table.js";
import type { Command } from "../../toolkit/command.js";
import {
  appendHelp,
  appendOptions,
  appendSales,
  parseAppend,
  presentAppended,
  type Appended,
  type AppendTarget,
} from "./append.js";
import { missingAmong } from "../ask/say-of-stores.js";
import {
  askFigures,
  failureOf,
  figuresHelp,
  figuresOptions,
  figuresTakes,
  parseFigures,
  presentFigures,
  type FiguresOptions,
  type FiguresResult,
} from "./figures.js";
import { tableOptions } from "../ask/options.js";

export interface SummaryOptions extends FiguresOptions {
  readonly askCanceled: CanceledChoice;
  readonly append?: AppendTarget | undefined;
}

export const summary: Command<SummaryOptions, FiguresResult<SummaryFigures> | Appended> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: figuresHelp(
      "Where two periods have not as many of each weekday, it says what of the change is the calendar's: each weekday's average of the other period, times how many more of it there are. That takes the days of the other period, which are asked for where that costs no wait. JSON has it as calendar.",
      "Without a period it is yesterday. The window that was asked for is shown on stderr.",
      "Canceled orders are among the orders and in the revenue: --net leaves them out. A table says how many they are, where the service can be asked without a wait (one call of the other kind); --canceled asks in any case, also for JSON.",
      "The service counts orders and their totals. It can't tell items, margins, taxes or returning customers.",
      appendHelp,
    ),
    options: figuresOptions(
      {
        flags: "--canceled",
        description: "ask how many of the orders are canceled, if it takes a wait",
      },
      ...appendOptions,
    ),
    takes: figuresTakes,
    examples: [
      "summary",
      "summary --period last-week --compare previous",
      "summary --from 2026-10-01 --to 2026-10-15 --filter 'status!=canceled'",
      "summary --period last-month --all-stores",
      "summary --alert 'orders<-95%' --baseline weekday-median:8",
      "summary --period yesterday --format csv",
      "summary --period yesterday --append sales.csv",
      "summary --period last-30-days --append sales.csv --update",
    ],
  },
  parse(line) {
    const { format } = line.globals;
    const append = parseAppend(line);
    const tableChoice = format === "table" || format === "markdown" ? "if cheap" : "never";
    const figures = parseFigures(line);
    // A call for canceled orders would say nothing where --net leaves them out.
    const defaultChoice = figures.alerts.rules.length > 0 || line.flag("--net") ? "never" : tableChoice;
    return { ...figures, append, askCanceled: line.flag("--canceled") ? "always" : defaultChoice };
  },
  run(machine, options) {
    const { request, alerts, dryRun, askCanceled, append } = options;
    if (append !== undefined) return appendSales(machine, append, options);
    const { rules, weeks } = alerts;
    // The plan counts the call, which goes out where there is room for it.
    const canceledChoice = dryRun && askCanceled === "if cheap" ? "always" : askCanceled;
    return askFigures(machine, options, {
      label: "summary",
      plan: summaryPlan(request, canceledChoice),
      judge: (figures) => summaryAlerts(figures, rules, weeks),
    });
  },
  async present(sales, output, options) {
    const { dateField } = options.request;
    const { format } = output;
    if (sales.kind === "appended") {
      if (options.append) presentAppended(sales, options.append, output);
      return;
    }
    await presentFigures(sales, output, options, async (result) => {
      if (format === "json") {
        const jsonOf = output.jsonLines ? storeLines : resultShape;
        output.value(jsonOf(result, dateField, summaryShape));
        return;
      }
      output.text(await summaryTable(result, { ...tableOptions(options, format), view: output.view }));
      // Several stores differ, and a table of them has no room for it.
      const [store] = result.areSeveral || format !== "table" ? [] : answeringStores(result);
      const text = store && calendarText(store.figures, store.display);
      if (text !== undefined) output.words(text);
    });
  },
  failure: (result) => (result.kind === "appended" ? missingAmong(result.stores) : failureOf(result)),
};
