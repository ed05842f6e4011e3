/** `comanda report`. */
import { ComandaError } from "../../errors/index.js";
import { checkCsvFlags } from "../figures/csv.js";
import { failForMissing, gather } from "../figures/gather.js";
import { sayWindows } from "../figures/heading.js";
import { parseRequest } from "../figures/request.js";
import { mapFigures } from "../figures/results.js";
import type { Invocation } from "../leaf.js";

import { checkDestination, writeWhole } from "./destination.js";
import { fetchReport, reportQuestions, totalOfReports, type ReportFigures } from "./figures.js";
import type { FinishedReport } from "./finished.js";
import { usualReportPeriod, type ReportOptions } from "./options.js";

export async function runReport(invocation: Invocation, options: ReportOptions): Promise<void> {
  const { context, output } = invocation;
  const { format } = output;
  checkCsvFlags(options, format);
  if (format === "markdown") {
    throw new ComandaError("usage", "A report is HTML, JSON or CSV.", {
      hint: "Leave out --format markdown; comanda grouped knows it.",
    });
  }
  if (options.open && (format !== "table" || options.out === "-")) {
    throw new ComandaError("usage", "--open needs an HTML file to open.", { hint: "Leave it out." });
  }
  const request = parseRequest({ compare: "previous", ...options }, usualReportPeriod);
  if (options.out !== undefined) await checkDestination(options.out);
  const { several, results } = await gather<ReportFigures>(invocation, {
    ...{ label: "report", options, request },
    questions: (asked) => reportQuestions(asked, request),
    fetch: (fetcher, asked, signal) => fetchReport(fetcher, asked, request, signal),
  });
  sayWindows(output, results);
  const total = totalOfReports(mapFigures(results, ({ figures }) => figures));
  const finished: FinishedReport = { several, results, total, request, options };
  if (format === "table") await writePage(invocation, finished);
  else {
    const { renderFigures } = await import("./machine-formats.js");
    const text = await renderFigures(finished, format);
    if (options.out === undefined || options.out === "-") output.text(text);
    else {
      await writeWhole(options.out, text);
      output.sentence(`The figures are in ${options.out}.`);
    }
  }
  context.signal.throwIfAborted();
  failForMissing(results);
}

async function writePage(invocation: Invocation, report: FinishedReport): Promise<void> {
  const { context, output } = invocation;
  const { renderPage, usualName } = await import("./page.js");
  const html = renderPage(invocation, report);
  if (html === undefined) return;
  const { out = usualName(report), open = false } = report.options;
  if (out === "-") {
    output.text(html);
    return;
  }
  const file = await writeWhole(out, html);
  output.sentence(`The report is in ${out}.`);
  if (!open) return;
  if (context.stdout.isTTY !== true) {
    output.notice("Without a terminal no browser is opened.");
    return;
  }
  const { pathToFileURL } = await import("node:url");
  await context.openBrowser(pathToFileURL(file).href);
}
