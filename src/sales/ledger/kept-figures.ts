/** Other programs read the figures of an answer as a table beside the answer itself. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { keyIdentity } from "../merge/group-identity.js";
import { noOrders, centsOf, type Metrics } from "../merge/sums.js";
import { endOfDay, parseDate } from "../period/calendar.js";
import type { FigureRow, Figures } from "../../state/answers.js";
import { isGrouped, type SalesAnswer } from "./figures.js";
import { datesOf, daysOfWindow, groupsByDate, type DayBasis } from "./kept-days.js";

interface AnsweredWindow extends DayBasis {
  readonly start: string;
  readonly end: string;
  /** Without a dimension it is the whole summary. */
  readonly dimension?: Dimension | undefined;
  /** The window ends then, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** @throws {ComandaError} `unexpected_answer` for amounts too large to be exact */
export function figuresToKeep(answer: SalesAnswer, window: AnsweredWindow): Figures {
  const days = daysOfWindow(window, window);
  const { zone: timeZone, endsAt } = window;
  const row = (metrics: Metrics, name: Pick<FigureRow, "key" | "label" | "day">): FigureRow => ({
    ...name,
    endsAt:
      name.day === undefined
        ? endsAt
        : Math.min(endsAt, endOfDay(parseDate(name.day), { zone: timeZone }).epochMilliseconds),
    orders: metrics.total_order_count,
    revenueCents: centsOf(metrics.total_revenue),
    averageCents: centsOf(metrics.average_order_value),
  });
  if (!isGrouped(answer)) {
    const day = days && days.first === days.last ? days.first : undefined;
    return { timeZone, days, rows: [row(answer, { key: null, label: null, day })] };
  }
  const byDate = window.dimension === "day" && days ? groupsByDate(answer.groups, days) : undefined;
  const dateOf = new Map([...(byDate ?? [])].map(([date, group]) => [group, date]));
  const groups = answer.groups.map((group) => row(group, { ...nameOf(group), day: dateOf.get(group) }));
  const emptyDays = byDate && days ? datesOf(days).filter((date) => !byDate.has(date)) : [];
  const rows = [...groups, ...emptyDays.map((day) => row(noOrders, { key: day, label: null, day }))];
  return { timeZone, days, rows };
}

/** Writes a key that is a text as it is; the number 1 and the text "1" are one in a table. */
function nameOf({ key, label }: Group): Pick<FigureRow, "key" | "label"> {
  if (key === null) return { key, label };
  return { key: typeof key === "string" ? key : keyIdentity(key), label };
}
