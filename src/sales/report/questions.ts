/** What a report asks of each store, in the order of the page. */
import type { Dimension } from "../../api/values.js";

export interface ReportQuestion {
  /** Undefined for the summary. */
  readonly by: Dimension | undefined;
  /** Is it asked of the period before as well? The others would take minutes, at five questions a minute. */
  readonly isCompared: boolean;
}

const compared: readonly Dimension[] = ["day", "hour", "day_of_week"];
const alone: readonly Dimension[] = [
  ...(["status", "sales_channel", "order_type"] as const),
  ...(["payment_method_id", "driver_id", "customer_origin"] as const),
];

export function reportQuestions(): readonly ReportQuestion[] {
  return [undefined, ...compared, ...alone].map((by) => ({
    by,
    isCompared: by === undefined || compared.includes(by),
  }));
}
