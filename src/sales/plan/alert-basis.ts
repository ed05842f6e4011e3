/** A store is asked for more than the figures that alerts are about, so that these can be judged. */
import type { Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { AlertRule } from "../compare/alert-rules.js";
import { isCalendar } from "../merge/calendar-forms.js";
import { fillAlike } from "../merge/fill.js";
import type { GroupList } from "../merge/groups.js";
import type { Metrics } from "../merge/sums.js";
import { parseDate, type PlainDate } from "../period/calendar.js";
import { startsTooEarly } from "../period/limits.js";
import { daysPeriod, type Period } from "../period/period.js";
import type { Compared, PeriodFigures } from "../results.js";
import type { Plan, PlannedCalls } from "./plans.js";
import type { GroupsQuestion, OrderChoice } from "./request.js";
import type { StoreCalls } from "./store-calls.js";

export interface AlertRequest extends OrderChoice {
  readonly rules: readonly AlertRule[];
  /** The median of a weekday is taken over this many weeks; absent where none is. */
  readonly weeks: number | undefined;
  readonly dimension?: Dimension | undefined;
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
}

/** A group that had no orders for longer than this isn't missed. */
const daysOfMemory = 28;

/** @throws {ComandaError} `invalid_input` when the median of a weekday is asked of a period that it isn't of */
export function withAlertBasis<Figures extends Metrics | GroupList>(
  plan: Plan<Compared<PeriodFigures<Figures>>>,
  request: AlertRequest,
): Plan<Compared<PeriodFigures<Figures>>> {
  if (request.rules.length === 0) return plan;
  const hasFilters = request.filters.length > 0;
  return {
    ...plan,
    questions: async (periods, calls) => [
      ...(await plan.questions(periods, calls)),
      ...weeksBefore(periods.current, request),
      ...(await groupsBefore(periods, request, calls)),
    ],
    outlook: () =>
      // Only the answer tells whether the filters leave any order.
      Promise.resolve({ questions: [], unknownCalls: hasFilters ? 1 : 0, estimated: hasFilters }),
    async fetch(calls, periods, signal) {
      const groupsOf = async (questions: readonly GroupsQuestion[]) => {
        const lists: GroupList[] = [];
        for (const question of questions) lists.push((await calls.grouped(question, signal)).figures);
        return lists;
      };
      const isOfDays = request.dimension === undefined || request.dimension === "day";
      const figures = await plan.fetch(calls, periods, signal);
      const { current } = figures;
      const lists = await groupsOf(weeksBefore(current.period, request));
      const [recentGroups] = await groupsOf(await groupsBefore(periods, request, calls));
      const basis = {
        days: isOfDays ? lists[0] : undefined,
        weekdays: isOfDays || lists.length === 0 ? undefined : lists,
        before: recentGroups,
        unfiltered:
          hasFilters && lacksOrders(current, request)
            ? await withoutFilters(calls, current.period, request, signal)
            : undefined,
      };
      return { ...figures, current: { ...current, basis } };
    },
  };
}

/**
 * Asks for what medians are taken of: the days of the weeks before, or the same weekday of each week, split as the
 * figures are.
 */
function weeksBefore(period: Period, { weeks, dimension }: AlertRequest): readonly GroupsQuestion[] {
  if (weeks === undefined) return [];
  const { kind, from, to } = period;
  const isByDay = dimension === "day";
  if (kind !== "days" || (!isByDay && from.date !== to.date)) {
    throw new ComandaError(
      "invalid_input",
      isByDay ? t`A weekday's median is of whole days.` : t`A weekday's median is of one whole day.`,
      { hint: t`Give --period yesterday or 2026-11-05, say; grouped --by day takes more than one.` },
    );
  }
  const before = (date: string, days: number) => parseDate(date).subtract({ days });
  if (dimension === undefined || isByDay) {
    return [
      { period: wholeDays(period, before(from.date, 7 * weeks), before(to.date, 1)), dimension: "day" },
    ];
  }
  return Array.from({ length: weeks }, (_, index) => {
    const day = before(from.date, 7 * (index + 1));
    return { period: wholeDays(period, day, day), dimension };
  });
}

/**
 * Asks for the groups that there were lately, since no answer has a group that has no orders now. A comparison tells
 * them, and so does a median. Where nothing may be asked, kept answers are used.
 */
async function groupsBefore(
  { current, previous }: Compared<Period>,
  { rules, weeks, dimension, now }: AlertRequest,
  calls: Pick<StoreCalls, "mayAsk" | "count">,
): Promise<readonly GroupsQuestion[]> {
  const areKnown = previous !== undefined || weeks !== undefined;
  if (dimension === undefined || isCalendar(dimension) || areKnown || !rules.some(mayHoldOfNone)) return [];
  const last = parseDate(current.from.date).subtract({ days: 1 });
  const first = last.subtract({ days: daysOfMemory - 1 });
  const question = { period: wholeDays(current, first, last), dimension };
  const isAnswerable = calls.mayAsk || (await calls.count([question])) === 0;
  return isAnswerable && !startsTooEarly(question.period, now) ? [question] : [];
}

function mayHoldOfNone({ operator }: AlertRule): boolean {
  return operator === "<" || operator === "<=";
}

/**
 * Makes days that are counted as those of the period are.
 *
 * @param last is included
 */
function wholeDays({ zone, dayStarts }: Period, first: PlainDate, last: PlainDate): Period {
  const label = `${first.toString()} ${last.toString()}`;
  return daysPeriod({ label, unit: "days", first, last, zone, dayStarts });
}

/** Tells whether the store as a whole, or one of the days that the figures are split into, has no orders. */
function lacksOrders(
  { figures, period }: PeriodFigures<Metrics | GroupList>,
  { dimension, now, dateField }: AlertRequest,
): boolean {
  if (!("placed" in figures)) return figures.total_order_count === 0;
  if (!isCalendar(dimension)) return figures.placed.length === 0;
  const [{ placed } = figures] = fillAlike([{ figures, period }], dimension, { now, dateField });
  return placed.some(({ group }) => group.total_order_count === 0) || placed.length === 0;
}

/** Asks for all orders of the period, which tell whether the store was open. */
async function withoutFilters(
  calls: PlannedCalls,
  period: Period,
  { dimension }: AlertRequest,
  signal: AbortSignal,
): Promise<Metrics | GroupList | "not kept"> {
  const whole = { period, unfiltered: true };
  const slices = isCalendar(dimension) ? { ...whole, dimension } : undefined;
  if (!calls.mayAsk && (await calls.count([slices ?? whole])) > 0) return "not kept";
  const { figures } = slices ? await calls.grouped(slices, signal) : await calls.summary(whole, signal);
  return figures;
}
