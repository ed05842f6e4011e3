import type { CsvFlags, FiguresOptions } from "../figures/options.js";

export interface ReportOptions extends FiguresOptions, CsvFlags {
  readonly out?: string;
  readonly open?: boolean;
}

export const usualReportPeriod = "last-month";
