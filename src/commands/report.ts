/** `comanda report`: a period's figures as a page to look at, or for machines. */
import { pathToFileURL } from "node:url";

import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { acrossEndpoints } from "../summary/plan/across-endpoints.js";
import type { Plan } from "../summary/plan/plans.js";
import { reportPlan, type ReportFigures } from "../summary/plan/report-plan.js";
import { fillPeriod } from "../summary/merge/fill.js";
import { makeReport, reportFileName } from "../summary/page/report.js";
import { reportShape, resultShape } from "../summary/present/json.js";
import { reportCsv } from "../summary/present/report-csv.js";
import { mapFigures, type SalesResult } from "../summary/results.js";
import type { Output } from "../terminal/index.js";
import type { CommandLine } from "./command-line.js";
import type { Command } from "./command.js";
import type { Machine } from "./machine.js";
import { askStores, missingStores, planCalls, type CallPlan } from "./summary/ask-stores.js";
import {
  csvOptions,
  filterTexts,
  parseSalesOptions,
  periodHelp,
  salesOptions,
  type SalesOptions,
} from "./summary/options.js";
import { duration } from "./summary/progress.js";
import { checkDestination, writeReport } from "./summary/report-file.js";

export interface ReportOptions extends SalesOptions {
  readonly format: "page" | "json" | "csv";
  /** A file, or `-` for stdout; absent: a page is named by its days, and figures for machines go to stdout. */
  readonly out: string | undefined;
  /** Is the page opened in the browser? */
  readonly open: boolean;
  /** Are days and hours without orders there too? */
  readonly fill: boolean;
  /** As they were typed. */
  readonly filters: readonly string[];
  /** Is nothing asked, and only said what would be? */
  readonly dryRun: boolean;
}

export type ReportResult = MadeReport | ({ readonly kind: "plan" } & CallPlan);

interface MadeReport {
  readonly kind: "report";
  readonly figures: SalesResult<ReportFigures>;
  /** What goes to stdout; absent where it was written to a file, or no store gave figures for a page. */
  readonly text: string | undefined;
}

const usual = { period: "last-month", comparison: "previous" } as const;

export const report: Command<ReportOptions, ReportResult> = {
  description: {
    usage: "report",
    summary: "a period at a glance, as one HTML file with pictures",
    description: [
      "Headline figures with a comparison; revenue and orders by day, hour, weekday, status, channel, order type, payment method, driver and origin, each as a picture and a table. The file needs nothing else: it can be mailed, printed, and read without a network.",
      "A comparison that would begin more than 3 years back is left out, which the page says; --compare none leaves it out in any case.",
      "With --json or --format csv the same figures go to stdout, or where --out says.",
      "It takes 9 calls where the service allows 5 a minute for each of two kinds, so a first report lasts about a minute. An interrupted one goes on where it stopped, and a second one of the same period on the same day costs no calls.",
      periodHelp,
    ].join("\n\n"),
    options: [
      ...salesOptions(usual.period),
      {
        flags: "-o, --out <file>",
        description: "where to write it; - is stdout (default: report-<days>.html)",
      },
      { flags: "--no-fill", description: "without the days, hours and weekdays that have no orders" },
      { flags: "--open", description: "open it in the browser" },
      ...csvOptions,
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: [
      "report",
      "report --period last-year --dry-run",
      "report --period 2026-10 --out october.html",
      "report --period last-week --compare year --open",
      "report --all-stores --period last-month --json",
    ],
  },
  parse(line) {
    const sales = parseSalesOptions(line, usual);
    const [format, out, open] = [parseFormat(line), line.text("--out"), line.flag("--open")];
    if (open && (format !== "page" || out === "-")) {
      throw new ComandaError("usage", t`--open needs an HTML file to open.`, { hint: t`Leave it out.` });
    }
    const { dryRun } = line.globals;
    return { ...sales, format, out, open, filters: filterTexts(line), fill: !line.flag("--no-fill"), dryRun };
  },
  async run(machine, options) {
    const { out } = options;
    if (options.dryRun) {
      return { kind: "plan", ...(await planCalls(machine, options, planOf(machine, options))) };
    }
    if (out !== undefined) checkDestination(machine.context.system, out);
    const asked = await askStores(machine, "report", options, planOf(machine, options));
    const figures = options.fill ? withEmptyGroups(machine, options, asked) : asked;
    const text = await textOf(machine, options, figures);
    const file = out ?? (options.format === "page" ? reportFileName(figures) : "-");
    if (text === undefined || file === "-") return { kind: "report", figures, text };
    await writeFile(machine, options, { file, text });
    return { kind: "report", figures, text: undefined };
  },
  present(result, output) {
    if (result.kind === "plan") sayPlan(result, output);
    else if (result.text !== undefined) output.text(result.text);
  },
  failure: (result) => (result.kind === "plan" ? undefined : missingStores(result.figures)),
};

function planOf({ context: { clock } }: Machine, { request }: ReportOptions): Plan<ReportFigures> {
  return acrossEndpoints(reportPlan(request), { ...request, now: clock.now() });
}

function sayPlan({ calls, waitMs }: CallPlan, output: Output): void {
  if (output.json) output.value({ calls, seconds: Math.ceil(waitMs / 1_000) });
  else if (calls === 0) output.line(t`0 calls: all of it is kept.`);
  else
    output.line(waitMs === 0 ? t`${calls} calls: no wait.` : t`${calls} calls: about ${duration(waitMs)}.`);
}

/** @throws {ComandaError} `usage` for a format that a report doesn't have */
function parseFormat({ globals: { format } }: CommandLine): ReportOptions["format"] {
  if (format === "table") return "page";
  if (format !== "markdown") return format;
  throw new ComandaError("usage", t`A report is HTML, JSON or CSV.`, {
    hint: t`Leave out --format markdown; comanda grouped knows it.`,
  });
}

function withEmptyGroups(
  { context }: Machine,
  { request }: ReportOptions,
  result: SalesResult<ReportFigures>,
): SalesResult<ReportFigures> {
  const now = context.clock.now();
  return mapFigures(result, (figures) => {
    const { period } = figures.summary.current;
    const filled = [...figures.groups].map(
      ([dimension, list]) => [dimension, fillPeriod(list, dimension, period, { now, ...request })] as const,
    );
    return { ...figures, groups: new Map(filled) };
  });
}

async function textOf(
  machine: Machine,
  { format, request: { dateField, comparison }, csv, filters }: ReportOptions,
  figures: SalesResult<ReportFigures>,
): Promise<string | undefined> {
  if (format === "csv") return reportCsv(figures, csv, { dateField, view: machine.output.view });
  if (format === "json") {
    return machine.output.valueText(resultShape(figures, dateField, reportShape));
  }
  const page = makeReport(figures, {
    comparison,
    dateField,
    filters,
    now: machine.context.clock.now(),
  });
  return page && (await machine.reportPage()).renderReport(page);
}

async function writeFile(
  { context, output }: Machine,
  { format, open }: ReportOptions,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<void> {
  const written = writeReport(context.system, file, text);
  output.sentence(format === "page" ? t`The report is in ${file}.` : t`The figures are in ${file}.`);
  if (open && context.stdout.isTTY !== true) output.notice(t`Without a terminal no browser is opened.`);
  else if (open) await context.openBrowser(pathToFileURL(written).href);
  context.signal.throwIfAborted();
}
