/** What a report asks of each store, in the order of the page. */
import type { DateField, Dimension } from "../../contract/enums.js";

/** Undefined is the summary; each is asked of the period, and where `isCompared` of the period before. */
export interface ReportQuestion {
  readonly by: Dimension | undefined;
  readonly isCompared: boolean;
}

export function reportQuestions(_dateField: DateField | undefined): readonly ReportQuestion[] {
  throw new Error("stub");
}
