/** What a report consists of, and how it is fetched. */
import type { Dimension, Summary } from "../../contract/summary.js";
import type { FetchedGroups } from "../../summary/plan/fetch.js";
import {
  totalOfGroups,
  totalOfSummaries,
  type StoreResult,
  type StoresTotal,
} from "../../summary/merge/stores.js";
import type { Question, StoreFetcher } from "../figures/fetcher.js";
import type { AskedPeriods, FiguresRequest } from "../figures/request.js";
import { mapFigures, type SummaryFigures } from "../figures/results.js";

export interface ReportFigures extends SummaryFigures {
  /** In the order of the page. */
  readonly groups: ReadonlyMap<Dimension, FetchedGroups>;
}

const dimensions: readonly Dimension[] = [
  "day",
  "hour",
  "day_of_week",
  "sales_channel",
  "order_type",
  "payment_method_id",
  "driver_id",
  "customer_origin",
];

/** Section 4.7, rule 1: scheduled dates have no hour. */
export function reportDimensions({ dateField }: FiguresRequest): readonly Dimension[] {
  return dimensions.filter((one) => one !== "hour" || dateField !== "scheduled_date");
}

export function reportQuestions(
  { current, previous }: AskedPeriods,
  request: FiguresRequest,
): readonly Question[] {
  return [
    { asked: current },
    ...(previous ? [{ asked: previous }] : []),
    ...reportDimensions(request).map((dimension) => ({ asked: current, dimension })),
  ];
}

/** The two endpoints have limits of their own: they are asked at the same time, each one call after another. */
export async function fetchReport(
  fetcher: StoreFetcher,
  { current, previous }: AskedPeriods,
  request: FiguresRequest,
  signal: AbortSignal,
): Promise<ReportFigures> {
  const summaries = async () => ({
    current: await fetcher.summary(current, signal),
    previous: previous && (await fetcher.summary(previous, signal)),
  });
  const groups = async () => {
    const found = new Map<Dimension, FetchedGroups>();
    for (const dimension of reportDimensions(request)) {
      found.set(dimension, await fetcher.grouped(current, dimension, signal));
    }
    return found;
  };
  const [both, found] = await Promise.all([summaries(), groups()]);
  return { ...both, groups: found };
}

export function totalOfReports(
  results: readonly StoreResult<ReportFigures>[],
): StoresTotal<ReportFigures> | null {
  const current = totalOfSummaries(mapFigures(results, (figures) => figures.current));
  if (!current) return null;
  const answered = results.flatMap((one) => ("figures" in one ? [one] : []));
  const previous: StoreResult<Summary>[] = answered.flatMap(({ store, figures }) =>
    figures.previous ? [{ store, figures: figures.previous }] : [],
  );
  const groups = new Map<Dimension, FetchedGroups>();
  for (const dimension of answered[0]?.figures.groups.keys() ?? []) {
    const stores = answered.flatMap(({ store, figures }) => {
      const found = figures.groups.get(dimension);
      return found ? [{ store, figures: found }] : [];
    });
    const total = totalOfGroups(stores, dimension);
    if (total) groups.set(dimension, total.figures);
  }
  return {
    ...current,
    figures: { current: current.figures, previous: totalOfSummaries(previous)?.figures, groups },
  };
}
