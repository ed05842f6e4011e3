import type { Command } from "commander";

import type { Context } from "../context.js";
import { addCsvOptions, addFiguresOptions, periodHelp } from "../figures/options.js";
import { leaf, perform } from "../leaf.js";

import { usualReportPeriod, type ReportOptions } from "./options.js";

export function reportCommand(context: Context): Command {
  const command = leaf({
    usage: "report",
    summary: "a period at a glance, as one HTML file with pictures",
    description: [
      "Headline figures with a comparison; revenue and orders by day, hour, weekday, channel, order type, payment method, driver and origin, each as a picture and a table. The file needs nothing else: it can be mailed, printed, and read without a network.",
      "With --json or --format csv the same figures go to stdout, or where --out says.",
      "It takes 10 calls where the service allows 5 a minute for each of two kinds, so a first report lasts about a minute. An interrupted one goes on where it stopped, and a second one of the same period costs no calls.",
      periodHelp,
    ].join("\n\n"),
    takes: ["store", "allStores", "format"],
    examples: [
      "report",
      "report --period 2026-10 --out october.html",
      "report --period last-week --compare year --open",
      "report --all-stores --period last-month --json",
    ],
  });
  addFiguresOptions(command, usualReportPeriod)
    .option("-o, --out <file>", "where to write it; - is stdout (default: report-<days>.html)")
    .option("--open", "open it in the browser");
  addCsvOptions(command);
  return perform(command, context, async (invocation) => {
    const { runReport } = await import("./run-report.js");
    await runReport(invocation, command.opts<ReportOptions>());
  });
}
