/** Makes the rows of a sync's export out of what is kept, and lists what neither the rows nor the run cover. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { groupBy } from "../../shared/group-by.js";
import { membersOf } from "../ledger/figures.js";
import { datesOf } from "../ledger/kept-days.js";
import { dayOfKey } from "../merge/group-identity.js";
import type { MemberSum } from "../merge/members.js";
import { emptySum } from "../merge/sums.js";
import { endOfDay, parseDate, zonedNow } from "../period/calendar.js";
import type { KeptDays } from "../../state/answers.js";
import { historiesOf, type Work } from "./sync-work.js";

export interface SyncRow {
  readonly store: string;
  readonly day: string;
  readonly dimension: Dimension;
  readonly key: Group["key"];
  readonly label: Group["label"];
  readonly orders: number;
  readonly cents: number;
  readonly currency: string | null;
  readonly asked_at: string;
  /** The answer was asked for before the day was over. */
  readonly partial: boolean;
}

/**
 * A run has not looked at these days of a dimension; `from` and `to` are the first and the last of them, YYYY-MM-DD.
 */
export interface NotLookedAt {
  readonly dimension: Dimension;
  readonly from: string;
  readonly to: string;
  /** Young or final answers aren't asked for again; what the options leave out isn't asked at all. */
  readonly reason: "kept" | "dimensions" | "days";
}

export async function rowsOf({ store, questions, since }: Work): Promise<readonly SyncRow[]> {
  const { zone, display } = store.preferences;
  const rows: SyncRow[] = [];
  const historyOf = await historiesOf(store, questions);
  for (const question of questions) {
    const { dimension, period } = question;
    for (const { askedAt, answer } of historyOf(question).slice(-1)) {
      const row = (day: string, { key, label, sum }: Omit<MemberSum, "identity">): SyncRow => ({
        ...{ store: store.name, day, dimension, key, label, orders: sum.orders, cents: sum.revenue },
        currency: display.currency ?? null,
        asked_at: new Date(askedAt).toISOString(),
        partial: askedAt <= endOfDay(parseDate(day), { zone }).epochMilliseconds,
      });
      const groups = membersOf(answer).map((group) => ({ group, day: dayOfKey(group.key) }));
      for (const { group, day } of groups)
        rows.push(row(dimension === "day" && day !== undefined ? day : period.from.date, group));
      if (dimension !== "day") continue;
      // A day without an order was looked at, too.
      const sold = new Set(groups.map(({ day }) => day));
      const until = zonedNow(askedAt, zone).toPlainDate().toString();
      const { from, to } = period;
      for (const day of datesOf({ first: from.date, last: to.date }).filter(
        (date) => !sold.has(date) && date <= until,
      ))
        rows.push(row(day, { key: day, label: null, sum: emptySum }));
    }
  }
  return rows.filter(({ day }) => day >= since);
}

/** Lists what the run has not looked at. */
export function notLookedAt(
  keptDays: readonly KeptDays[],
  { left, questions }: Work,
): readonly NotLookedAt[] {
  // The newest question stands first.
  const kept = [...groupBy(left, ({ dimension }) => dimension)].map(([dimension, alike]): NotLookedAt => ({
    dimension,
    from: alike.at(-1)?.period.from.date ?? "",
    to: alike[0]?.period.to.date ?? "",
    reason: "kept",
  }));
  const others = daysBefore(
    keptDays,
    (dimension) => questions.findLast((question) => question.dimension === dimension)?.period.from.date,
  );
  return [
    ...kept,
    ...others.map(({ dimension, first, last, isMeant }): NotLookedAt => ({
      ...{ dimension, from: first, to: last, reason: isMeant ? "days" : "dimensions" },
    })),
  ];
}

/** Lists what is kept beside the rows of an export. */
export function keptBeside(keptDays: readonly KeptDays[], { since, questions }: Work): readonly KeptDays[] {
  const dimensions = new Set(questions.map(({ dimension }) => dimension));
  return daysBefore(keptDays, (dimension) => (dimensions.has(dimension) ? since : undefined));
}

/**
 * Cuts kept days off at the first day that is meant.
 *
 * @param sinceOf gives the first day that is meant of a dimension; `undefined` where nothing of it is
 */
function daysBefore(all: readonly KeptDays[], sinceOf: (dimension: Dimension) => string | undefined) {
  return all.flatMap((days) => {
    const since = sinceOf(days.dimension);
    if (since === undefined) return [{ ...days, isMeant: false }];
    const last = parseDate(since).subtract({ days: 1 }).toString();
    return days.first < since ? [{ ...days, last, isMeant: true }] : [];
  });
}
