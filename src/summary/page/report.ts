/** What the report's page shows, made of the figures: data that is ready to be written down. */
import type { DateField, Dimension, Group } from "../../contract/summary.js";
import { compareMetrics, type MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import { describePrevious, type Comparison } from "../period/comparison.js";
import { describePeriod } from "../period/period.js";
import { reportPlan, type ReportFigures } from "../plan/plans.js";
import { createNumberFormat, totalNumberFormat, type NumberFormat } from "../present/number-format.js";
import { flatten } from "../present/text.js";
import { answered, storesOf, type SalesResult, type StoreResult } from "../results.js";
import type { FiguresTableRow } from "./figures-table.js";

export interface ReportSection {
  readonly dimension: Dimension;
  readonly groups: readonly Group[];
}

export interface Report {
  /** The stores that the figures cover. */
  readonly covered: readonly string[];
  /** Every store that was asked; empty where it was one. */
  readonly stores: readonly FiguresTableRow[];
  /** The windows in words, with their zone. */
  readonly window: string;
  readonly previousWindow: string | undefined;
  /** Was a comparison asked for, and left out since the service has nothing that old? */
  readonly lacksComparison: boolean;
  /** First and last day, YYYY-MM-DD: days without orders are drawn too. */
  readonly days: readonly [first: string, last: string];
  /** As they were typed. */
  readonly filters: readonly string[];
  /** When the oldest of its figures was asked for, in words. */
  readonly askedAt: string;
  /** When it was made, in words. */
  readonly madeAt: string;
  readonly metrics: Metrics;
  /** Absent where two periods weren't compared. */
  readonly comparison: { readonly previous: Metrics; readonly change: MetricsChange } | undefined;
  readonly sections: readonly ReportSection[];
  readonly format: NumberFormat;
  /** BCP 47. */
  readonly locale: string;
}

export interface ReportOptions {
  /** As it was asked for. */
  readonly comparison: Comparison | undefined;
  readonly dateField: DateField | undefined;
  /** As they were typed. */
  readonly filters: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/** @returns `undefined` where no store gave figures */
export function makeReport(
  result: SalesResult<ReportFigures>,
  { comparison, dateField, filters, now, onWarning }: ReportOptions,
): Report | undefined {
  const stores = answered(storesOf(result));
  const [first] = stores;
  const figures =
    result.kind === "one store"
      ? // The page says that its averages are revenue divided by orders, whatever the service calls an average.
        reportPlan(dateField).add([result.store.figures])
      : result.total?.figures;
  const format =
    result.kind === "one store"
      ? createNumberFormat(result.store.display)
      : totalNumberFormat(
          stores.map(({ display }) => display),
          onWarning,
        );
  if (!first || !figures || !format) return undefined;
  const { zone } = first;
  const { locale } = first.display;
  const { summary, groups } = figures;
  const { period } = summary.current;
  const metrics = summary.current.figures;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(now);
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: zone });
  return {
    covered: stores.map(({ store }) => store),
    stores: result.kind === "several stores" ? result.stores.map(storeRow) : [],
    window: describePeriod(period),
    previousWindow:
      summary.kind === "comparison" ? describePrevious(summary.previous.period, period) : undefined,
    lacksComparison: comparison !== undefined && summary.kind === "plain",
    days: [
      period.from.date,
      dateField === "scheduled_date" || period.to.date < today ? period.to.date : today,
    ],
    filters,
    askedAt: moment.format(figures.age.askedAt),
    madeAt: moment.format(now),
    metrics,
    comparison:
      summary.kind === "comparison"
        ? { previous: summary.previous.figures, change: compareMetrics(metrics, summary.previous.figures) }
        : undefined,
    sections: [...groups].map(([dimension, { grouped }]) => ({ dimension, groups: grouped.groups })),
    format,
    locale,
  };
}

function storeRow(one: StoreResult<ReportFigures>): FiguresTableRow {
  return one.kind === "figures"
    ? { name: one.store, metrics: one.figures.summary.current.figures }
    : { name: one.store, problem: `Not covered: ${flatten(one.error.message)}` };
}

/** Named by its days, so that October's is not written over by November's. */
export function reportFileName(result: SalesResult<ReportFigures>): string {
  const [first] = answered(storesOf(result));
  if (!first) return "report.html";
  const { unit, kind, from, to } = first.figures.summary.current.period;
  if (unit === "month" && kind === "days") return `report-${from.date.slice(0, 7)}.html`;
  return `report-${from.date === to.date ? from.date : `${from.date}-to-${to.date}`}.html`;
}
