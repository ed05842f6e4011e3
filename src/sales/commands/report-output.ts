/** A report is written as a page, JSON or CSV. An early page is there while the rest is waited for. */
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";
import { fillCompared } from "../merge/fill.js";
import { reportDifferences } from "../present/differences.js";
import { resultShape } from "../present/json.js";
import { reportCsv, reportShape } from "../present/report-data.js";
import { sectionTitles } from "../present/labels.js";
import type { ReportFigures } from "../report/plan.js";
import { answeringStores, mapFigures, type SalesResult } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";
import type { OnPartialResult } from "../ask/ask-stores.js";
import type { SalesOptions } from "../ask/options.js";
import { duration, announcedFromMs } from "../ask/progress.js";
import { warnOfDifferences } from "../ask/say-of-stores.js";
import type { StoreTie } from "../ask/tie-store.js";
import { agreementText, coverageTexts, differenceTexts } from "./tie-texts.js";
import { lastReport, mayHoldPart, writeFigures } from "./figures-file.js";

export interface ReportOptions extends SalesOptions {
  readonly format: "page" | "json" | "csv";
  /**
   * The output goes to a file, or to stdout for `-`. Absent, a page is named by its days, and figures for machines go
   * to stdout.
   */
  readonly out: string | undefined;
  readonly open: boolean;
  /** Days and hours without orders are added. */
  readonly fill: boolean;
  /** The filters stay as they were typed. */
  readonly filters: readonly string[];
  readonly compareSections: boolean;
  readonly heatmap: boolean;
  readonly dryRun: boolean;
}

export function withEmptyGroups(
  { context }: Machine,
  { request, fill }: ReportOptions,
  result: SalesResult<ReportFigures>,
): SalesResult<ReportFigures> {
  if (!fill) return result;
  const now = context.clock.now();
  return mapFigures(result, (figures) => {
    const sections = [...figures.sections].map(
      ([dimension, section]) => [dimension, fillCompared(section, dimension, { now, ...request })] as const,
    );
    return { ...figures, sections: new Map(sections) };
  });
}

/** Warns of sections that don't equal their headline. JSON has it in `differences`, and the page in each of them. */
export function sayDifferences({ output }: Machine, result: SalesResult<ReportFigures>): void {
  warnOfDifferences(output, result, (figures, display) =>
    reportDifferences(figures, display).map(
      ({ section, text }) => `${translated(sectionTitles[section].title)}: ${text}`,
    ),
  );
}

export async function contentOf(
  machine: Machine,
  options: ReportOptions,
  figures: SalesResult<ReportFigures>,
): Promise<string | undefined> {
  const { format, request } = options;
  const { dateField } = request;
  if (format === "csv") return reportCsv(figures);
  if (format === "json") {
    return machine.output.valueText(resultShape(figures, dateField, reportShape));
  }
  return pageOf(machine, options, figures);
}

/** @param readyAt is when the rest will be there, in milliseconds since the epoch; absent where this is all */
async function pageOf(
  machine: Machine,
  { request: { dateField, comparison }, filters, out }: ReportOptions,
  figures: SalesResult<ReportFigures>,
  readyAt?: number,
): Promise<string | undefined> {
  const { clock, system } = machine.context;
  const file = out ?? reportFileName(figures);
  const { renderReport } = await import("../page/document.js");
  return renderReport(figures, {
    ...{ isCompared: comparison !== undefined, dateField, filters, now: clock.now() },
    ...(readyAt === undefined
      ? { last: file === "-" ? undefined : lastReport(system, file), foot: await footOf(machine, figures) }
      : { readyAt }),
  });
}

/** Names the file by its days, so that November's report doesn't replace October's. */
export function reportFileName(result: SalesResult<ReportFigures>): string {
  const [first] = answeringStores(result);
  if (!first) return "report.html";
  const { unit, kind, from, to } = first.figures.summary.current.period;
  if (unit === "month" && kind === "days") return `report-${from.date.slice(0, 7)}.html`;
  return `report-${from.date === to.date ? from.date : `${from.date}-to-${to.date}`}.html`;
}

/** Says whether what is kept of the period agrees. Where nothing can be kept here, there is nothing to say of it. */
async function footOf(machine: Machine, result: SalesResult<ReportFigures>): Promise<readonly string[]> {
  const { tieStore } = await import("../ask/tie-store.js");
  const ties: StoreTie[] = [];
  for (const { store, figures } of answeringStores(result)) {
    try {
      ties.push(await tieStore(machine, store, figures.summary.current.period));
    } catch (error) {
      if (error instanceof ComandaError && error.code === "state_unusable") return [];
      throw error;
    }
  }
  const agreement = agreementText(ties);
  return [...(agreement === undefined ? differenceTexts(ties) : [agreement]), ...coverageTexts(ties)];
}

/** Writes an early page while the rest is waited for. A whole report that is there keeps its place until then. */
export function earlyPage(
  machine: Machine,
  options: ReportOptions,
): OnPartialResult<ReportFigures> | undefined {
  if (options.format !== "page" || options.out === "-") return undefined;
  const { context, output } = machine;
  let isAnnounced = false;
  return async (result, endsAt) => {
    const remainingMs = endsAt - context.clock.now();
    if (remainingMs < announcedFromMs) return;
    const file = options.out ?? reportFileName(result);
    if (!mayHoldPart(context.system, file)) return;
    const text = await pageOf(machine, options, withEmptyGroups(machine, options, result), endsAt);
    if (text === undefined) return;
    writeFigures(context, file, text);
    if (!isAnnounced)
      output.notice(
        t`The first figures are in ${file}; the others follow in ${duration(remainingMs)}, about.`,
      );
    isAnnounced = true;
  };
}
