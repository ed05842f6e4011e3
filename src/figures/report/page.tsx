/** The report is one HTML document without a script, and nothing is loaded from anywhere. */
import type { SalesResult } from "../figures.js";

export interface ReportData {
  /** The results of `reportQuestions`, in their order: the summary is the first. */
  readonly results: readonly SalesResult[];
  /** The filters stay as they were typed. */
  readonly filters: readonly string[];
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Writes the page in the language of the first store's locale. Every text that came from outside is escaped. */
export async function reportPage(_data: ReportData): Promise<string> {
  throw new Error("stub");
}
