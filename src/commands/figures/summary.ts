import type { Command } from "commander";

import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

import { addCsvOptions, addFiguresOptions, periodHelp, type SummaryOptions } from "./options.js";

export function summaryCommand(context: Context): Command {
  const command = leaf({
    usage: "summary",
    summary: "orders, revenue and average order value of a period",
    description: `Without a period it is yesterday. The window that was asked for is shown on stderr.\n\n${periodHelp}`,
    takes: ["store", "allStores", "format"],
    examples: [
      "summary",
      "summary --period last-week --compare previous",
      "summary --from 2026-10-01 --to 2026-10-15 --filter 'status!=canceled'",
      "summary --period last-month --all-stores",
      "summary --period yesterday --format csv",
    ],
  });
  addCsvOptions(addFiguresOptions(command));
  return perform(command, context, async (invocation) => {
    const { runSummary } = await import("./run-summary.js");
    await runSummary(invocation, command.opts<SummaryOptions>());
  });
}
