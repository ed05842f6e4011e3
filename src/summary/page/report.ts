/** What the report's page shows: data that is ready to be written down, in the reader's language of numbers. */
import type { Dimension, Group } from "../../contract/summary.js";
import type { MetricsChange } from "../compare/metrics.js";
import type { NumberFormat } from "../present/number-format.js";
import type { Metrics } from "../merge/sums.js";

export interface ReportSection {
  readonly dimension: Dimension;
  readonly groups: readonly Group[];
}

/** One store of several: its figures, or why there are none. */
export interface ReportStore {
  readonly store: string;
  readonly metrics: Metrics | undefined;
  readonly problem: string | undefined;
}

export interface Report {
  /** The stores that the figures cover. */
  readonly covered: readonly string[];
  /** Every store that was asked; empty where it was one. */
  readonly stores: readonly ReportStore[];
  /** The windows in words, with their zone. */
  readonly window: string;
  readonly previousWindow: string | undefined;
  /** First and last day, YYYY-MM-DD: days without orders are drawn too. */
  readonly days: readonly [first: string, last: string];
  /** As they were typed. */
  readonly filters: readonly string[];
  /** When it was made, in words. */
  readonly madeAt: string;
  readonly metrics: Metrics;
  readonly previous: Metrics | undefined;
  readonly change: MetricsChange | undefined;
  readonly sections: readonly ReportSection[];
  readonly format: NumberFormat;
  /** BCP 47. */
  readonly locale: string;
}
