/** `comanda summary`. */
import { compareMetrics } from "../../summary/compare/metrics.js";
import {
  comparisonShape,
  periodShape,
  storesShape,
  type SummaryComparisonShape,
  type SummaryShape,
} from "../../summary/present/json.js";
import { totalOfSummaries, type StoreResult, type StoresTotal } from "../../summary/merge/stores.js";
import type { Invocation } from "../leaf.js";

import { checkCsvFlags } from "./csv.js";
import { failForMissing, gather, type Gathered } from "./gather.js";
import { sayWindows } from "./heading.js";
import { usualPeriod, type SummaryOptions } from "./options.js";
import { parseRequest, type AskedPeriods, type FiguresRequest } from "./request.js";
import { mapFigures, type SummaryFigures } from "./results.js";

export async function runSummary(invocation: Invocation, options: SummaryOptions): Promise<void> {
  const { output } = invocation;
  checkCsvFlags(options, output.format);
  const request = parseRequest(options, usualPeriod);
  const { several, results } = await gather<SummaryFigures>(invocation, {
    ...{ label: "summary", options, request },
    questions: ({ current, previous }) =>
      [current, ...(previous ? [previous] : [])].map((asked) => ({ asked })),
    fetch: async (fetcher, { current, previous }, signal) => ({
      current: await fetcher.summary(current, signal),
      previous: previous && (await fetcher.summary(previous, signal)),
    }),
  });
  sayWindows(output, results);
  const total = several ? totalOf(results) : null;
  if (output.json) output.value(shapeOf(results, total, request, several));
  else {
    const { showSummaries } = await import("./show-summary.js");
    await showSummaries(output, { results, total, options });
  }
  failForMissing(results);
}

/** Of both periods, over the stores that answered. */
function totalOf(
  results: readonly StoreResult<Gathered<SummaryFigures>>[],
): StoresTotal<SummaryFigures> | null {
  const current = totalOfSummaries(mapFigures(results, ({ figures }) => figures.current));
  if (!current) return null;
  const previous = results.flatMap((one) =>
    "figures" in one && one.figures.figures.previous
      ? [{ store: one.store, figures: one.figures.figures.previous }]
      : [],
  );
  return { ...current, figures: { current: current.figures, previous: totalOfSummaries(previous)?.figures } };
}

function shapeOf(
  results: readonly StoreResult<Gathered<SummaryFigures>>[],
  total: StoresTotal<SummaryFigures> | null,
  request: FiguresRequest,
  several: boolean,
): object {
  const shapes = mapFigures(results, ({ figures, asked }) => summaryShape(figures, asked, request));
  const [only] = shapes;
  if (!several && only && "figures" in only) return only.figures;
  const [any] = results.flatMap((one) => ("figures" in one ? [one.figures.asked] : []));
  return storesShape(
    shapes,
    total && any ? { ...total, figures: summaryShape(total.figures, any, request) } : null,
  );
}

function summaryShape(
  { current, previous }: SummaryFigures,
  asked: AskedPeriods,
  { dateField }: FiguresRequest,
): SummaryShape | SummaryComparisonShape {
  if (!previous || !asked.previous) return current;
  return comparisonShape(
    { period: periodShape(asked.current.period, dateField), figures: current },
    { period: periodShape(asked.previous.period, dateField), figures: previous },
    compareMetrics(current, previous),
  );
}
