/** What the report's page shows, made of the figures: data that is ready to be written down. */
import type { DateField, Dimension, Group } from "../../contract/summary.js";
import { compareMetrics, type MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious, type Comparison } from "../period/comparison.js";
import { describePeriod } from "../period/period.js";
import { reportPlan, type ReportFigures } from "../plan/report-plan.js";
import { createNumberFormat, type NumberFormat } from "../present/number-format.js";
import { flatten } from "../present/text.js";
import {
  answered,
  oldest,
  storesOf,
  type Canceled,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
} from "../results.js";
import type { FiguresTableRow } from "./figures-table.js";

export interface Report {
  /** The stores that the figures cover. */
  readonly covered: readonly string[];
  /** Every store that was asked; empty where it was one. */
  readonly stores: readonly FiguresTableRow[];
  /** In words: one for each zone in which days were counted. */
  readonly windows: readonly ReportWindow[];
  /** Was a comparison asked for, and left out since the service has nothing that old? */
  readonly lacksComparison: boolean;
  /** As they were typed. */
  readonly filters: readonly string[];
  /** When the oldest of its figures was asked for, in words. */
  readonly askedAt: string;
  /** When it was made, in words. */
  readonly madeAt: string;
  /** One for each currency: amounts of different ones can't be added up. */
  readonly parts: readonly ReportPart[];
}

export interface ReportWindow {
  /** With its zone. */
  readonly window: string;
  readonly previousWindow: string | undefined;
  /** Whose it is; empty where it is everyone's. */
  readonly stores: readonly string[];
}

/** The figures of all stores that count in one currency. */
export interface ReportPart {
  /** ISO 4217; named on the page where there are several. */
  readonly currency: string | undefined;
  /** First and last day, YYYY-MM-DD: days without orders are drawn too. */
  readonly days: readonly [first: string, last: string];
  readonly metrics: Metrics;
  readonly canceled: Canceled | null;
  /** Absent where two periods weren't compared. */
  readonly comparison: { readonly previous: Metrics; readonly change: MetricsChange } | undefined;
  readonly sections: readonly ReportSection[];
  readonly format: NumberFormat;
  /** BCP 47. */
  readonly locale: string;
}

export interface ReportSection {
  readonly dimension: Dimension;
  readonly groups: readonly Group[];
}

export interface ReportOptions {
  /** As it was asked for. */
  readonly comparison: Comparison | undefined;
  readonly dateField: DateField | undefined;
  /** As they were typed. */
  readonly filters: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** @returns `undefined` where no store gave figures */
export function makeReport(
  result: SalesResult<ReportFigures>,
  { comparison, dateField, filters, now }: ReportOptions,
): Report | undefined {
  const stores = answered(storesOf(result));
  const [first] = stores;
  if (!first) return undefined;
  const { zone, display } = first;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(now);
  // The page says that its averages are revenue divided by orders, whatever the service calls an average.
  const plan = reportPlan({ dateField, filters: [] });
  const totals =
    result.kind === "one store" ? totalsOf([result.store], (one) => plan.add(one)) : result.totals;
  const moment = new Intl.DateTimeFormat(display.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: zone,
  });
  return {
    covered: stores.map(({ store }) => store),
    stores: result.kind === "several stores" ? result.stores.map(storeRow) : [],
    windows: windowsOf(stores),
    lacksComparison:
      comparison !== undefined && stores.some(({ figures }) => figures.summary.kind === "plain"),
    filters,
    askedAt: moment.format(oldest(stores.map(({ age }) => age)).askedAt),
    madeAt: moment.format(now),
    parts: totals.map(({ figures: { summary, groups }, display: { locale, currency } }): ReportPart => {
      const { period, canceled, figures: metrics } = summary.current;
      const ended = dateField === "scheduled_date" || period.to.date < today;
      return {
        currency,
        days: [period.from.date, ended ? period.to.date : today],
        metrics,
        canceled,
        comparison:
          summary.kind === "comparison"
            ? {
                previous: summary.previous.figures,
                change: compareMetrics(metrics, summary.previous.figures),
              }
            : undefined,
        sections: [...groups].map(([dimension, { grouped }]) => ({ dimension, groups: grouped.groups })),
        format: createNumberFormat({ locale, currency }),
        locale,
      };
    }),
  };
}

function windowsOf(stores: readonly StoreFigures<ReportFigures>[]): readonly ReportWindow[] {
  const zones = [...new Set(stores.map(({ zone }) => zone))];
  return zones.flatMap((zone) => {
    const inZone = stores.filter((one) => one.zone === zone);
    const [first] = inZone;
    if (!first) return [];
    const { current, ...rest } = first.figures.summary;
    return {
      window: describePeriod(current.period),
      previousWindow: "previous" in rest ? describePrevious(rest.previous.period, current.period) : undefined,
      stores: zones.length > 1 ? inZone.map(({ store }) => store) : [],
    };
  });
}

function storeRow(one: StoreResult<ReportFigures>): FiguresTableRow {
  return one.kind === "figures"
    ? {
        name: one.store,
        metrics: one.figures.summary.current.figures,
        format: createNumberFormat(one.display),
      }
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
