/** `comanda sync` keeps days as rows for SQL, and tells which have changed. */
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { missingStores } from "../sales/stores.js";
import { presentPlan, type CallPlan } from "../sales/dry-run.js";
import { changedLines, syncJson, syncStores, type SyncRequest, type SyncResult } from "../sales/sync.js";
import type { Command } from "../toolkit/command.js";
import { wholeNumber } from "../toolkit/command-line.js";

const usualDays = 40;
const mostDays = 3 * 365;

export const sync: Command<SyncRequest, SyncResult | CallPlan> = {
  description: {
    usage: "sync",
    summary: "ask the last days again, keep them as rows for SQL, and tell what has changed",
    description: [
      `Made for cron: it asks the service for its last days, one call for each store, and keeps each as a row of sales.db with the time when it was asked. Where a day is another one than it was, both rows stand beside each other, and sync says so; else it says nothing.`,
      "Programs that read SQLite, or PostgreSQL where state lies there, find the days in the views sales_by_day and restatements: comanda help sales-db.",
    ].join("\n\n"),
    options: [
      {
        flags: "--days <number>",
        description: `how many days back (default: ${usualDays}; at most ${mostDays})`,
      },
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: ["sync --all-stores --quiet", "sync --days 400 --dry-run", "sync --json"],
  },
  parse(line) {
    const { format, stores, allStores, dryRun } = line.globals;
    if (format !== "json" && format !== "table" && !dryRun) {
      throw new ComandaError("usage", t`sync doesn't go with --format ${format}.`, {
        hint: t`Give --json, or read the view restatements.`,
      });
    }
    return {
      stores,
      allStores,
      dryRun,
      days: wholeNumber(line, "--days", { least: 1, most: mostDays, usual: usualDays }),
    };
  },
  run: syncStores,
  async present(result, output) {
    if (result.kind === "plan") {
      await presentPlan(result, output);
      return;
    }
    if (output.json) {
      output.value(syncJson(result));
      return;
    }
    const lines = changedLines(result);
    for (const line of lines) output.words(line);
    if (lines.length === 0 && output.columns !== undefined) output.sentence(t`Nothing has changed.`);
  },
  failure: (result) => (result.kind === "plan" ? undefined : missingStores(result.stores)),
};
