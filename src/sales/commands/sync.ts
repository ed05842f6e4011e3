/** `comanda sync` keeps the answers about sales up to date, and tells what was restated. */
import { dimensions as allDimensions } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { groupBy } from "../../shared/group-by.js";
import { t } from "../../shared/language.js";
import type { Freshness } from "../ledger/freshness.js";
import { parseDimension } from "../plan/request.js";
import { restatedShape } from "../present/json.js";
import { answeringStores, type SalesResult, type StoreFigures } from "../results.js";
import { renderRecords, type Column, type Output } from "../../terminal/index.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import type { Command } from "../../toolkit/command.js";
import { parseFreshness } from "../ask/freshness-options.js";
import { timeZoneOption } from "../ask/options.js";
import { manyNames, missingStores, restatedTexts } from "../ask/say-of-stores.js";
import { planShape, presentPlan } from "../ask/call-plan.js";
import { duration } from "../ask/progress.js";
import type { SyncRow } from "../ask/sync-rows.js";
import { syncStores, type StoreSync } from "../ask/sync-stores.js";
import { planSync, type SyncPlan, type SyncRequest } from "../ask/sync-work.js";

export interface SyncOptions extends SyncRequest {
  readonly dryRun?: boolean;
  readonly outline?: boolean;
}

export type SyncResult = SalesResult<StoreSync> | SyncPlan;

const defaultDays = 40;
const maxDays = 3 * 366;
const dayMs = 24 * 60 * 60_000;
/** Changes that cancel each other out within a month are found after so many days at the latest. */
const defaultFullEvery = 14;
/**
 * Answers of the last hours aren't asked for again, so that a run that was stopped goes on, and cron's time may vary.
 */
const defaultMaxAgeMs = dayMs / 2;

export const sync: Command<SyncOptions, SyncResult> = {
  description: {
    usage: "sync",
    summary: "ask again what may have changed, keep it, and tell what was restated",
    description: [
      "Made for cron: it asks what is kept and may still change, keeps every answer, and says nothing where nothing was restated. A day is final once nothing has changed between two answers that were asked at least 35 days after it, hence the 40 days.",
      `By day it asks whole months, one call each. By any other dimension (${allDimensions.filter((dimension) => dimension !== "day").join(", ")}) a new day is one call; the days that are known take one call a month, and where this isn't their sum, it is halved until the days are found that have changed. Changes within a month that cancel each other out show in no sum: so each day is asked by itself every ${defaultFullEvery} days, or as often as --full-every says. It leaves one call a minute to other commands, goes on where it was stopped, and an answer that it has counted outlives any kill.`,
      "With --all-stores, runs that do the same at the same time, on whatever machines share their state, share the stores out: each is one run's alone. Each run ends when all of them are done, takes over those of a machine that has been silent for three minutes, and says which were whose.",
      "What was asked within the last 12 hours is not asked again; --max-age sets that to something else, and --fresh asks each day by itself. --json says in not_looked_at what the run had no need to ask, and what is kept beside the days and dimensions that it is about.",
      "--plan says for any number of stores how many calls tonight's run takes, and how long; a day that has changed takes up to 6 more. --dry-run says which calls go out, and which answers are kept. Both ask nothing.",
      "--export writes one table of what is kept: store, day, dimension, key, label, orders, cents, currency, asked_at, partial, which is true of a day that wasn't over. What else is kept is said on stderr. With --offline it does so without asking.",
    ].join("\n\n"),
    options: [
      {
        flags: "--days <number>",
        description: `how many days back (default: ${defaultDays}; at most ${maxDays})`,
      },
      { flags: "--dimensions <list>", description: "what to split by, with commas between (default: day)" },
      timeZoneOption,
      {
        flags: "--full-every <days>",
        description: `ask each day by itself after so many days (default: ${defaultFullEvery})`,
      },
      {
        flags: "--max-age <duration>",
        description: "ask again what was asked before that (default: 12h)",
      },
      { flags: "--fresh", description: "ask each day by itself, even what is kept" },
      {
        flags: "--export <format>",
        description: "write what is kept as one table",
        choices: ["csv", "jsonl"],
      },
      { flags: "--offline", description: "ask nothing: with --export" },
      { flags: "--plan", description: "say how many calls it takes, and how long; ask nothing" },
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: [
      "sync --all-stores --quiet",
      "sync --days 400 --dry-run",
      "sync --dimensions day,sales_channel --days 7",
      "sync --offline --export csv",
    ],
  },
  parse(line) {
    const format = line.globals.format;
    const exportFormat = (["csv", "jsonl"] as const).find((form) => form === line.text("--export"));
    const isJson = format === "json";
    if (isJson ? exportFormat !== undefined : format !== "table") {
      const form = isJson ? t`both --json and --export` : `--format ${format}`;
      throw new ComandaError("usage", t`sync doesn't go with ${form}.`, {
        hint: t`Give --json, or --export csv or jsonl.`,
      });
    }
    if (line.flag("--offline") && exportFormat === undefined) {
      throw new ComandaError("usage", t`--offline leaves sync nothing to do.`, {
        hint: t`Add --export csv, or leave it out.`,
      });
    }
    return {
      stores: line.globals.stores,
      allStores: line.globals.allStores,
      days: wholeNumber(line, "--days", { least: 1, most: maxDays, usual: defaultDays }),
      dimensions: [
        ...new Set(
          (line.text("--dimensions") ?? "day")
            .split(",")
            .map((name) => parseDimension(name.trim(), undefined, "--dimensions")),
        ),
      ],
      timeZone: line.text("--tz"),
      freshness: freshnessOf(line),
      fullEveryMs:
        dayMs * wholeNumber(line, "--full-every", { least: 1, most: maxDays, usual: defaultFullEvery }),
      export: exportFormat,
      dryRun: line.globals.dryRun,
      outline: line.flag("--plan"),
    };
  },
  async run(machine, options) {
    const { openStores } = await import("../ask/stores.js");
    const { timeZone, outline = false, dryRun = false } = options;
    const presentation = { time_zone: timeZone };
    const opened = await openStores(machine, { ...options, presentation, purpose: "sync" });
    try {
      if (outline || dryRun) return await planSync(machine, opened, options, !outline);
      return await syncStores(machine, opened, options);
    } finally {
      await opened.close();
    }
  },
  async present(result, output, options) {
    if (result.kind === "plan") {
      if (options.outline === true) presentOutline(result, output);
      else await presentPlan(result, output);
      return;
    }
    const stores = answeringStores(result);
    const rows = stores.flatMap(({ figures }) => figures.rows);
    const isExported = options.export !== undefined;
    if (options.export === "csv")
      output.text(await renderRecords("csv", columns, rows, { view: output.view }));
    else if (options.export === "jsonl") for (const row of rows) output.jsonLine(row);
    else if (output.json) output.value(shapeOf(stores, result.areSeveral));
    if (isExported) sayCoverage(stores, options, output);
    sayShares(stores, output);
    if (isExported || !output.json) sayRestated(stores, result.areSeveral, output, isExported);
  },
  failure: (result) => (result.kind === "plan" ? undefined : missingStores(result)),
};

/** @throws {ComandaError} as `parseFreshness` */
function freshnessOf(line: CommandLine): Freshness {
  const freshness = parseFreshness(line);
  if (freshness.kind === "fresh" || freshness.kind === "offline") return freshness;
  const maxAgeMs = freshness.kind === "usual" ? freshness.maxAgeMs : undefined;
  return { kind: "usual", maxAgeMs: maxAgeMs ?? defaultMaxAgeMs };
}

function presentOutline(plan: SyncPlan, output: Output): void {
  const { stores, dimensions, calls, waitMs } = plan;
  if (output.json) {
    output.value({ stores, dimensions, ...planShape(plan) });
    return;
  }
  output.words(t`Stores: ${stores}, dimensions: ${dimensions}, calls: ${calls}.`);
  if (waitMs !== undefined)
    output.words(
      t`About ${duration(waitMs)}, since each store has a limit of its own and all go on at once.`,
    );
  output.notice(t`Nothing was asked (--plan).`);
}

type Stores = readonly StoreFigures<StoreSync>[];

function callsOf(stores: Stores): number {
  return stores.reduce((sum, { figures }) => sum + figures.calls, 0);
}

function shapeOf(stores: Stores, areSeveral: boolean): object {
  const shares = areSeveral && {
    stores: stores.map(({ store, figures: { calls, by } }) => ({
      ...{ store, calls },
      elsewhere: by ? { outcome: by.outcome, pid: by.pid, host: by.host } : null,
    })),
  };
  return {
    calls: callsOf(stores),
    restated: stores.flatMap(({ store, figures: { restated } }) =>
      restated.map((restatement) => ({ store, ...restatedShape(restatement) })),
    ),
    not_looked_at: stores.flatMap(({ store, figures: { notLookedAt } }) =>
      notLookedAt.map((days) => ({ store, ...days })),
    ),
    ...shares,
  };
}

/** Says which run did which stores, since other runs may have done the same at the same time. */
function sayShares(stores: Stores, output: Output): void {
  const byRun = groupBy(stores, ({ figures: { by } }) => {
    if (!by) return "";
    const { pid, host, outcome } = by;
    return outcome === "done"
      ? t`Done by process ${pid} on ${host}`
      : t`Failed for process ${pid} on ${host}`;
  });
  const namesOf = (part: Stores) => manyNames(part.map(({ store }) => store));
  const doneHere = byRun.get("") ?? [];
  byRun.delete("");
  if (byRun.size === 0) return;
  output.notice(t`Done by this run: ${namesOf(doneHere) || t`none`}.`);
  for (const [runner, others] of byRun) output.notice(`${runner}: ${namesOf(others)}.`);
}

/** Says what was restated: on stdout, for the reader of cron's mail; beside an exported table on stderr. */
function sayRestated(stores: Stores, areSeveral: boolean, output: Output, isBesideTable: boolean): void {
  const now = Math.max(...stores.map(({ age }) => age.askedAt));
  const ofStores = stores.map((store) => ({ ...store, restated: store.figures.restated }));
  for (const line of restatedTexts(ofStores, areSeveral, now))
    if (isBesideTable) output.notice(line);
    else output.words(line);
  if (output.columns === undefined || isBesideTable) return;
  const unchanged = stores.filter(({ figures: sync }) => sync.restated.length === 0 && sync.by === undefined);
  if (unchanged.length === 0) return;
  const names = manyNames(unchanged.map(({ store }) => store));
  output.sentence(t`${names}: ${callsOf(unchanged)} calls, nothing restated.`);
}

/** Says what an export holds, and what is kept beside it. */
function sayCoverage(stores: Stores, { days, dimensions }: SyncOptions, output: Output): void {
  output.notice(t`The export has the last ${days} days by ${dimensions.join(", ")}.`);
  const keptBeside = groupBy(
    stores.flatMap(({ figures }) => figures.beside),
    ({ dimension }) => dimension,
  );
  if (keptBeside.size === 0) return;
  const list = [...keptBeside].map(([dimension, kept]) => {
    const [first = ""] = kept.map((days) => days.first).toSorted();
    const last = kept.map((days) => days.last).toSorted();
    return t`${dimension} ${first} to ${last.at(-1) ?? ""}`;
  });
  output.notice(t`Kept too, and not in it: ${list.join(", ")}. --days and --dimensions add them.`);
}

const columns: readonly Column<SyncRow>[] = (
  ["store", "day", "dimension", "key", "label", "orders", "cents", "currency", "asked_at", "partial"] as const
).map((name) => ({ heading: name, name, cell: (row) => row[name] }));
