import { summaryAlerts } from "../compare/alerts.js";
import { summaryPlan, type SummaryFigures } from "../plan/plans.js";
import { calendarText } from "../present/calendar-text.js";
import { answeringStores } from "../results.js";
import { resultShape, summaryShape } from "../present/json.js";
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
import { missingStores } from "../ask/say-of-stores.js";
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
  /** The service may be asked how many orders are canceled, where that costs no wait. */
  readonly mayAskCanceled: boolean;
  readonly append?: AppendTarget | undefined;
}

export const summary: Command<SummaryOptions, FiguresResult<SummaryFigures> | Appended> = {
  description: {
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: figuresHelp(
      "Where two periods have not as many of each weekday, it says what of the change is the calendar's: each weekday's average of the other period, times how many more of it there are. That takes the days of the other period, which are asked for where that costs no wait. JSON has it as calendar.",
      "Without a period it is yesterday. The window that was asked for is shown on stderr.",
      "Canceled orders are among the orders and in the revenue: --net leaves them out. A table says how many they are, where the service can be asked without a wait (one call of the other kind); JSON has it where it is known, as after grouped --by status.",
      "The service counts orders and their totals. It can't tell items, margins, taxes or returning customers.",
      appendHelp,
    ),
    options: figuresOptions(...appendOptions),
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
    const append = parseAppend(line);
    const figures = parseFigures(line);
    const isForPeople = line.globals.format === "table" || line.globals.format === "markdown";
    // A call for canceled orders would say nothing where --net leaves them out.
    const mayAskCanceled = isForPeople && figures.alerts.rules.length === 0 && !line.flag("--net");
    return { ...figures, append, mayAskCanceled };
  },
  run(machine, options) {
    const { request, alerts, mayAskCanceled, append } = options;
    if (append !== undefined) return appendSales(machine, append, options);
    const { rules, weeks } = alerts;
    return askFigures(machine, "summary", options, {
      plan: summaryPlan(request, mayAskCanceled),
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
        output.value(resultShape(result, dateField, summaryShape));
        return;
      }
      output.text(await summaryTable(result, tableOptions(options, output, format)));
      // Several stores differ, and a table of them has no room for it.
      const [store] = result.areSeveral || format !== "table" ? [] : answeringStores(result);
      const text = store && calendarText(store.figures, store.display);
      if (text !== undefined) output.words(text);
    });
  },
  failure: (result) => (result.kind === "appended" ? missingStores(result) : failureOf(result)),
};
