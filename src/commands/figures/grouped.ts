import type { Command } from "commander";

import { dimensions } from "../../contract/summary.js";
import type { Context } from "../context.js";
import { leaf, perform } from "../leaf.js";

import { addCsvOptions, addFiguresOptions, periodHelp, type GroupedOptions } from "./options.js";

export function groupedCommand(context: Context): Command {
  const command = leaf({
    usage: "grouped",
    summary: "the figures of a period, split by one dimension",
    description: [
      `Dimensions: ${dimensions.slice(0, 5).join(", ")} (in time's order); ${dimensions.slice(5).join(", ")}.`,
      "On a terminal, figures in time are drawn as bars beneath their table; --chart draws them for any dimension, --no-chart for none. Without a period it is yesterday.",
      periodHelp,
    ].join("\n\n"),
    takes: ["store", "allStores", "format"],
    examples: [
      "grouped --by hour",
      "grouped --by day --period last-month --compare year",
      "grouped --by driver_id --period last-7-days --top 5 --rest",
      "grouped --by sales_channel --period 2026-10 --filter 'status=closed' --chart",
      "grouped --by day --period last-month --format csv",
    ],
  }).option("--by <dimension>", "what to split by (required)");
  addFiguresOptions(command)
    .option("--sort <field>", "revenue, orders, average, label or key, with :asc or :desc after it if wanted")
    .option("--top <number>", "only the first so many groups; by revenue where --sort isn't given")
    .option("--rest", "with --top: what the others sum up to, as one line")
    .option("--chart", "draw the revenue as bars")
    .option("--no-chart", "a table alone");
  addCsvOptions(command);
  return perform(command, context, async (invocation) => {
    const { runGrouped } = await import("./run-grouped.js");
    await runGrouped(invocation, command.opts<GroupedOptions>());
  });
}
