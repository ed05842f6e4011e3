/**
 * Collects answers of which the days are known too: they show how the service writes its weeks, months and weekdays.
 */
import { type DayCount } from "../period/calendar.js";
import type { Group, GroupedSummaryQuery } from "../../contract/models.js";
import { groupsOf } from "../ledger/figures.js";
import { dayHistories, daysOfWindow } from "../ledger/kept-days.js";
import type { CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { totalsAgree } from "../merge/sums.js";
import type { SalesSource } from "./source.js";

/** Answers are looked up here: those that are kept, and those that this run has heard. */
export type KnownAnswers = Pick<SalesSource, "history" | "overlapping" | "answersBy">;

/** This many answers show enough. */
const maxEvidence = 12;

/** Collects the newest answers first, as far as they are of one time with their days. */
export async function evidenceOf(
  known: KnownAnswers,
  dimension: CalendarDimension,
  days: DayCount,
): Promise<readonly Evidence[]> {
  const evidence: Evidence[] = [];
  for await (const { query, answer } of known.answersBy(dimension)) {
    if (answer.groups.length === 0) continue;
    for await (const sameDays of daysOf(known, query, days)) {
      // Orders that changed in between would be taken for another way of counting.
      if (!totalsAgree(sameDays, answer.groups)) continue;
      evidence.push({ days: sameDays, answer });
      break;
    }
    if (evidence.length >= maxEvidence) break;
  }
  return evidence;
}

/** Finds the days of the same orders, in each way in which they may be known. */
async function* daysOf(
  known: KnownAnswers,
  query: GroupedSummaryQuery,
  { zone, dayStarts }: DayCount,
): AsyncGenerator<readonly Group[]> {
  const byDay = { ...query, group_by: "day" } as const;
  yield* await answersTo(known, byDay);
  const place = { zone, dateField: query.date_field };
  const span = daysOfWindow({ start: query.start_date, end: query.end_date }, place);
  const kept = span ? await known.overlapping(byDay) : [];
  if (span && kept.length > 0) {
    const histories = [...dayHistories(kept, span, place)].map(({ history }) => history.at(-1));
    if (!histories.includes(undefined)) yield histories.flatMap((day) => (day ? groupsOf(day.answer) : []));
  }
  if (dayStarts === undefined) return;
  const part = async (operator: "gteq" | "lt") => {
    const filters = { ...query.filters, [`created_at_time_${operator}`]: dayStarts };
    return (await answersTo(known, { ...byDay, filters }))[0];
  };
  const [evening, morning] = [await part("gteq"), await part("lt")];
  if (evening && morning) yield [...evening, ...morning];
}

/** Lists the newest answer first. */
async function answersTo(
  known: KnownAnswers,
  query: GroupedSummaryQuery,
): Promise<readonly (readonly Group[])[]> {
  return (await known.history(query)).toReversed().map(({ answer }) => groupsOf(answer));
}
