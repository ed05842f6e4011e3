/**
 * Chooses the sections of a report that are compared. Each costs calls of the period before, and of these the service
 * takes 5 a minute: the report asks for as many as go out in the minutes that it takes anyway, so that none makes it
 * longer.
 */
import type { Dimension } from "../../contract/enums.js";
import { rateLimits } from "../../contract/limits.js";
import { isCalendar } from "../merge/calendar-forms.js";
import type { PeriodSpan } from "../plan/request.js";
import type { Compared } from "../results.js";

/**
 * @param dimensions are the sections of the period itself, the days first: the headline follows from them
 * @param all compares them all, whatever it costs
 */
export function comparedSections(
  dimensions: readonly Dimension[],
  { current, previous }: Compared<PeriodSpan>,
  all: boolean,
): readonly Dimension[] {
  if (!previous) return [];
  // Weekdays follow from the days.
  const candidates = dimensions.filter((dimension) => dimension !== "day_of_week");
  const calls = callsFor(candidates, current);
  // Between two calls of one place within the limit lies a minute.
  const room = Math.ceil(calls / limit) * limit;
  const affordable = (compared: readonly Dimension[]) => calls + callsFor(compared, previous) <= room;
  const compared = all
    ? candidates
    : candidates.reduce<readonly Dimension[]>(
        (affordableSections, dimension) =>
          affordable([...affordableSections, dimension])
            ? [...affordableSections, dimension]
            : affordableSections,
        [],
      );
  const hasWeekdays = compared.includes("day") && dimensions.includes("day_of_week");
  return hasWeekdays ? [...compared, "day_of_week"] : compared;
}

const { limit } = rateLimits.summary_grouped;

/** Days that start later than midnight are asked for in two parts. */
function callsFor(dimensions: readonly Dimension[], { windows, period }: PeriodSpan): number {
  const parts = (dimension: Dimension) => (isCalendar(dimension) && period.dayStarts !== undefined ? 2 : 1);
  return dimensions.reduce((sum, dimension) => sum + windows.length * parts(dimension), 0);
}
