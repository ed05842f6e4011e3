/**
 * Two answers of one output may share days: more than a week and the same days a week before, or days and the weeks
 * that their medians are taken of. The figures of these days are the same, unless orders changed while they were
 * asked for.
 */
import { formatCents } from "../../contract/money.js";
import { shownDate } from "../../shared/local-time.js";
import { t } from "../../shared/language.js";
import { dayOf, dayOrdinal } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addToSum, emptySum, isNothing, subtractSum, type Sum } from "../merge/sums.js";
import { endOfPeriodDay, startOfPeriodDay } from "../period/business-day.js";
import { isBefore, parseDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import type { Aged } from "../results.js";
import { agree, type RepeatableCalls, type Contradiction } from "./agreement.js";
import type { Question } from "./request.js";

export interface DaysAnswer extends Aged<GroupList> {
  /** The question is by day. It is the same object each time. */
  readonly question: Question;
}

interface Calls extends RepeatableCalls<Question> {
  warn(message: string): void;
}

export type BothDays = readonly [one: DaysAnswer, other: DaysAnswer];

export function dayContradictions(both: BothDays | undefined): readonly Contradiction<Question>[] {
  if (!both || sharedDayDifferences(both).length === 0) return [];
  const [left, other] = both.map(({ question, age }) => ({ name: question, askedAt: age.askedAt }));
  return left && other ? [[left, other]] : [];
}

export function tellSharedDays(calls: Pick<Calls, "warn">, both: BothDays | undefined): void {
  for (const { date, sum } of sharedDayDifferences(both)) calls.warn(differenceText(date, sum));
}

/**
 * Asks for the older of two answers again where they contradict each other, and warns of a difference that remains.
 *
 * @param answers gives the two as they are by now, or nothing
 */
export async function agreeOnDays(
  calls: Calls,
  answers: () => BothDays | undefined,
  askAgain: () => Promise<void>,
): Promise<void> {
  await agree(calls, () => dayContradictions(answers()), askAgain);
  tellSharedDays(calls, answers());
}

function differenceText(date: string, { orders, revenue }: Sum): string {
  return t`The two answers that have ${shownDate(date)} differ by ${signed(String(orders))} in orders and ${signed(formatCents(revenue))} in revenue: orders changed while they were asked for.`;
}

export function signed(amount: string): string {
  return amount.startsWith("-") ? amount : `+${amount}`;
}

function sharedDayDifferences(both: BothDays | undefined) {
  const [left, other] = both?.map((answer) => daysOf(answer)) ?? [];
  if (!left || !other) return [];
  const [first, last] = [Math.max(left.first, other.first), Math.min(left.last, other.last)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).flatMap((day) => {
    const sum = subtractSum(left.sums.get(day) ?? emptySum, other.sums.get(day) ?? emptySum);
    return isNothing(sum) ? [] : [{ date: dayOf(day).toString(), sum }];
  });
}

/** @returns `undefined` where days can't be read, or are those of another zone: then those at an edge are cut */
function daysOf({ question, figures: { placed } }: DaysAnswer) {
  const edges = wholeDays(question.span.period);
  const sums = new Map<number, Sum>();
  for (const { ordinal, group } of placed) {
    if (!edges || ordinal === undefined || ordinal < edges.from || ordinal > edges.to) return undefined;
    sums.set(ordinal, addToSum(emptySum, group));
  }
  return edges && { ...edges, sums };
}

/** Gives the first and last day that lie wholly within a period, and the first and last that lie partly within it. */
function wholeDays(period: Period) {
  const { kind, from, to, start, end } = period;
  if (kind === "instants") return undefined;
  const [first, last] = [parseDate(from.date), parseDate(to.date)];
  const isCutBefore = isBefore(startOfPeriodDay(first, period), start);
  const isCutAfter = isBefore(end, endOfPeriodDay(last, period));
  return {
    ...{ from: dayOrdinal(first), to: dayOrdinal(last) },
    first: dayOrdinal(first) + (isCutBefore ? 1 : 0),
    last: dayOrdinal(last) - (isCutAfter ? 1 : 0),
  };
}
