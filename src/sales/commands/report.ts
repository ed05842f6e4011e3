/** `comanda report` gives a period's figures as a page to look at, or for machines. */
import { pathToFileURL } from "node:url";

import { hasDimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { reportPlan, type ReportFigures } from "../report/plan.js";
import type { SalesResult } from "../results.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import type { Command } from "../../toolkit/command.js";
import type { Machine } from "../../toolkit/machine.js";
import { askStores } from "../ask/ask-stores.js";
import { missingStores } from "../ask/say-of-stores.js";
import { planCalls, presentPlan, type CallPlan } from "../ask/call-plan.js";
import {
  filterTexts,
  parseSalesOptions,
  periodHelp,
  salesOptions,
  type SalesOptions,
} from "../ask/options.js";
import { checkDestination, writeFigures } from "./figures-file.js";
import {
  contentOf,
  earlyPage,
  reportFileName,
  sayDifferences,
  withEmptyGroups,
  type ReportOptions,
} from "./report-output.js";

export type ReportResult = MadeReport | CallPlan;

interface MadeReport {
  readonly kind: "report";
  readonly figures: SalesResult<ReportFigures>;
  /** The content goes to stdout; absent where it was written to a file, or no store gave figures for a page. */
  readonly content: string | undefined;
}

const defaults = { period: "last-month", comparison: "previous" } as const;

export const report: Command<ReportOptions, ReportResult> = {
  description: {
    usage: "report",
    summary: "a period at a glance, as one HTML file with pictures",
    description: [
      "Headline figures with a comparison; revenue and orders by day, hour, weekday, status, channel, order type, payment method, driver and origin, each as a picture and a table. The file needs nothing else: it can be mailed, printed, and read without a network.",
      "The headline, days, weekdays and hours are compared; --compare-sections compares every section. --dry-run says how many calls it takes, and how long.",
      "--heatmap adds a table of weekdays by hours, at one call for each hour that has orders (for a period of up to 26 days one for each day).",
      "A comparison that would begin more than 3 years back is left out, which the page says; --compare none leaves it out in any case.",
      "With --json or --format csv the same figures go to stdout, or where --out says.",
      "A month takes 10 calls where the service allows 5 a minute, so a first report lasts about a minute. Meanwhile the page is there with what the first calls brought, unless it would take a whole report's place, and says when the rest will be. An interrupted one goes on where it stopped, and a second one of the same period on the same day costs no calls. JSON and CSV have the service's own keys of weekdays, for which a first one takes a call more.",
      periodHelp,
    ].join("\n\n"),
    options: [
      ...salesOptions(defaults.period),
      {
        flags: "-o, --out <file>",
        description: "where to write it; - is stdout (default: report-<days>.html)",
      },
      { flags: "--no-fill", description: "without the days, hours and weekdays that have no orders" },
      { flags: "--compare-sections", description: "compare every section, even if that takes longer" },
      { flags: "--heatmap", description: "add a table of weekdays by hours" },
      { flags: "--open", description: "open it in the browser" },
    ],
    takes: ["store", "allStores", "format", "dryRun"],
    examples: [
      "report",
      "report --period last-year --dry-run",
      "report --period 2026-10 --out october.html",
      "report --period last-week --compare year --open",
      "report --compare-sections --heatmap --dry-run",
      "report --all-stores --period last-month --json",
    ],
  },
  parse(line) {
    const sales = parseSalesOptions(line, defaults);
    const [format, out, open] = [parseFormat(line), line.text("--out"), line.flag("--open")];
    if (open && (format !== "page" || out === "-")) {
      throw new ComandaError("usage", t`--open needs an HTML file to open.`, { hint: t`Leave it out.` });
    }
    const { dryRun } = line.globals;
    const [filters, fill] = [filterTexts(line), !line.flag("--no-fill")];
    return { ...sales, format, out, open, filters, fill, ...parseParts(line, sales, format), dryRun };
  },
  async run(machine, options) {
    const { out, request, heatmap, compareSections, format } = options;
    const plan = reportPlan({ ...request, heatmap, compareSections, keys: format !== "page" });
    if (options.dryRun) return planCalls(machine, options, plan);
    if (out !== undefined) checkDestination(machine.context.system, out);
    const figures = withEmptyGroups(
      machine,
      options,
      await askStores(machine, "report", options, plan, earlyPage(machine, options)),
    );
    sayDifferences(machine, figures);
    const content = await contentOf(machine, options, figures);
    const file = out ?? (format === "page" ? reportFileName(figures) : "-");
    if (content === undefined || file === "-") return { kind: "report", figures, content };
    await writeFile(machine, options, file, content);
    return { kind: "report", figures, content: undefined };
  },
  async present(result, output) {
    if (result.kind === "plan") {
      const text = t`The heat map takes one call for each hour with orders: they are counted as all 24.`;
      await presentPlan(result, output, result.estimated ? text : undefined);
    } else if (result.content !== undefined) output.text(result.content);
  },
  failure: (result) => (result.kind === "plan" ? undefined : missingStores(result.figures)),
};

/** @throws {ComandaError} `usage` where they don't go with the others */
function parseParts(
  line: CommandLine,
  { request: { dateField, comparison } }: SalesOptions,
  format: ReportOptions["format"],
): Pick<ReportOptions, "compareSections" | "heatmap"> {
  const [compareSections, heatmap] = [line.flag("--compare-sections"), line.flag("--heatmap")];
  if (compareSections && comparison === undefined) {
    throw new ComandaError("usage", t`--compare-sections needs a comparison.`, {
      hint: t`Leave out --compare none.`,
    });
  }
  if (heatmap && format === "csv") {
    throw new ComandaError("usage", t`--heatmap doesn't go with --format csv.`, {
      hint: t`comanda pivot --rows day_of_week --cols hour --format csv has the same figures.`,
    });
  }
  if (heatmap && !hasDimension(dateField, "hour")) {
    throw new ComandaError("usage", t`Sales by scheduled date have no hours for --heatmap.`, {
      hint: t`Leave out --heatmap, or --date-field scheduled_date.`,
    });
  }
  return { compareSections, heatmap };
}

/** @throws {ComandaError} `usage` for a format that a report doesn't have */
function parseFormat({ globals: { format } }: CommandLine): ReportOptions["format"] {
  if (format === "table") return "page";
  if (format !== "markdown") return format;
  throw new ComandaError("usage", t`A report is HTML, JSON or CSV.`, {
    hint: t`Leave out --format markdown; comanda grouped knows it.`,
  });
}

async function writeFile(
  { context, output }: Machine,
  { format, open }: ReportOptions,
  file: string,
  content: string,
): Promise<void> {
  const absolutePath = writeFigures(context, file, content);
  output.sentence(format === "page" ? t`The report is in ${file}.` : t`The figures are in ${file}.`);
  if (open && context.stdout.isTTY !== true) output.notice(t`Without a terminal no browser is opened.`);
  else if (open) await context.openBrowser(pathToFileURL(absolutePath).href);
  context.signal.throwIfAborted();
}
