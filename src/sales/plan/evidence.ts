/**
 * Collects answers of which the days are known too: they show how the service writes its weeks, months and weekdays.
 */
import type { Group, GroupedSummary, GroupedSummaryQuery } from "../../contract/models.js";
import { dayHistories, daysOfWindow } from "../ledger/kept-days.js";
import type { CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { totalsAgree } from "../merge/sums.js";
import type { KeptGroups, Remembered } from "./memory.js";

type Grouped = Remembered<GroupedSummaryQuery, GroupedSummary> & KeptGroups;

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
  grouped: Grouped,
  dimension: CalendarDimension,
  days: Days,
): Promise<readonly Evidence[]> {
  const evidence: Evidence[] = [];
  for await (const { query, answer } of answersBy(grouped, dimension)) {
    if (answer.groups.length === 0) continue;
    for await (const sameDays of daysOf(grouped, query, days)) {
      // Orders that changed in between would be taken for another way of counting.
      if (!totalsAgree(sameDays, answer.groups)) continue;
      evidence.push({ days: sameDays, answer });
      break;
    }
    if (evidence.length >= maxEvidence) break;
  }
  return evidence;
}

async function* answersBy(grouped: Grouped, dimension: CalendarDimension) {
  yield* grouped.allHeard().filter(({ query }) => query.group_by === dimension);
  yield* grouped.answersBy?.(dimension) ?? [];
}

/** Finds the days of the same orders, in each way in which they may be known. */
async function* daysOf(
  grouped: Grouped,
  query: GroupedSummaryQuery,
  { zone, dayStarts }: Days,
): AsyncGenerator<readonly Group[]> {
  const byDay = { ...query, group_by: "day" } as const;
  for (const { answer } of await answersTo(grouped, byDay)) yield answer.groups;
  const place = { zone, dateField: query.date_field };
  const span = daysOfWindow({ start: query.start_date, end: query.end_date }, place);
  const kept = span ? ((await grouped.overlapping?.(byDay)) ?? []) : [];
  if (span && kept.length > 0) {
    const histories = [...dayHistories(kept, span, place)].map(({ history }) => history.at(-1));
    if (!histories.includes(undefined)) yield histories.flatMap((day) => day?.answer.groups ?? []);
  }
  if (dayStarts === undefined) return;
  const part = async (operator: "gteq" | "lt") => {
    const filters = { ...query.filters, [`created_at_time_${operator}`]: dayStarts };
    return (await answersTo(grouped, { ...byDay, filters }))[0];
  };
  const [evening, morning] = [await part("gteq"), await part("lt")];
  if (evening && morning) yield [...evening.answer.groups, ...morning.answer.groups];
}

/** Lists the newest answer first. */
async function answersTo(grouped: Grouped, query: GroupedSummaryQuery) {
  const heard = grouped.heard(query);
  return [...(heard ? [heard] : []), ...(await grouped.history(query)).toReversed()];
}
