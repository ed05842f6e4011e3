/**
 * Which sections of a report are compared. Each costs calls of the period before, and of these the service takes 5 a
 * minute: the report asks for as many as go out in the minutes that it takes anyway. None makes it longer.
 */
import type { Dimension } from "../../contract/enums.js";
import { costOf, movesOf, type AcrossOptions } from "../plan/across-endpoints.js";
import type { PeriodSpan, Question } from "../plan/request.js";
import type { Compared } from "../results.js";

/** The days first: the headline and the weekdays follow from them. */
const order: readonly Dimension[] = [
  "day",
  "hour",
  "sales_channel",
  "status",
  "payment_method_id",
  "driver_id",
  "customer_origin",
  "order_type",
];

export interface ComparedOptions extends AcrossOptions {
  /** Whatever it costs? */
  readonly all: boolean;
}

/** @param dimensions the sections of the period itself */
export function comparedSections(
  dimensions: readonly Dimension[],
  { current, previous }: Compared<PeriodSpan>,
  { all, ...options }: ComparedOptions,
): readonly Dimension[] {
  if (!previous) return [];
  const candidates = order.filter((dimension) => dimensions.includes(dimension));
  const compared = all ? candidates : affordable(candidates, { current, previous }, options);
  const hasWeekdays = compared.includes("day") && dimensions.includes("day_of_week");
  return hasWeekdays ? [...compared, "day_of_week"] : compared;
}

function affordable(
  candidates: readonly Dimension[],
  { current, previous }: { readonly current: PeriodSpan; readonly previous: PeriodSpan },
  options: AcrossOptions,
): readonly Dimension[] {
  const sections: readonly Question[] = candidates.map((dimension) => ({ span: current, dimension }));
  const headline: Question = { span: previous };
  // What the period itself moves to the other endpoint: more of that might turn out not to be all of the total.
  const moves = movesOf([...sections, headline], options);
  const minutesWith = (compared: readonly Dimension[]) => {
    const before = compared.map((dimension): Question => ({ span: previous, dimension }));
    const needsHeadline = !compared.includes("day");
    return costOf([...sections, ...before, ...(needsHeadline ? [headline] : [])], moves).minutes;
  };
  const minutes = minutesWith([]);
  return candidates.reduce<readonly Dimension[]>((chosen, dimension) => {
    const more = [...chosen, dimension];
    return minutesWith(more) > minutes ? chosen : more;
  }, []);
}
