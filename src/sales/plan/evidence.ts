/**
 * Collects answers of which the days are known too: they show how the service writes its weeks, months and weekdays.
 */
import type { Group, GroupedSummaryQuery } from "../../contract/models.js";
import { groupsOf } from "../ledger/figures.js";
import { dayHistories, daysOfWindow } from "../ledger/kept-days.js";
import type { CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { totalsAgree } from "../merge/sums.js";
import { textOf, type GroupedAnswer, type SalesSource } from "./source.js";

interface KnownAnswers {
  readonly source: SalesSource;
  /** This run has heard these. */
  readonly heard: readonly GroupedAnswer[];
}

interface Days {
  /** The zone is an IANA name. */
  readonly zone: string;
  /** Days start at this time, HH:MM; absent for midnight. */
  readonly dayStarts?: string | undefined;
}

/** This many answers show enough. */
const maxEvidence = 12;

/** Collects the newest answers first, as far as they are of one time with their days. */
export async function evidenceOf(
  known: KnownAnswers,
  dimension: CalendarDimension,
  days: Days,
): Promise<readonly Evidence[]> {
  const evidence: Evidence[] = [];
  for await (const { query, answer } of answersBy(known, dimension)) {
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

async function* answersBy({ source, heard }: KnownAnswers, dimension: CalendarDimension) {
  yield* heard.filter(({ query }) => query.group_by === dimension);
  yield* source.answersBy(dimension);
}

/** Finds the days of the same orders, in each way in which they may be known. */
async function* daysOf(
  known: KnownAnswers,
  query: GroupedSummaryQuery,
  { zone, dayStarts }: Days,
): AsyncGenerator<readonly Group[]> {
  const byDay = { ...query, group_by: "day" } as const;
  yield* await answersTo(known, byDay);
  const place = { zone, dateField: query.date_field };
  const span = daysOfWindow({ start: query.start_date, end: query.end_date }, place);
  const kept = span ? await known.source.overlapping(byDay) : [];
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
  { source, heard }: KnownAnswers,
  query: GroupedSummaryQuery,
): Promise<readonly (readonly Group[])[]> {
  const heardNow = heard.filter((answer) => textOf(answer.query) === textOf(query));
  return [...heardNow, ...(await source.history(query)).toReversed()].map(({ answer }) => groupsOf(answer));
}
