/** The parts that a pivot cuts a period into, held against answers about the whole of it. */
import type { PlainDate } from "../period/calendar.js";
import { dayOf } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, addToSum, emptySum, subtractSum, type Sum } from "../merge/sums.js";
import { sumOf, type Asker } from "./asker.js";
import type { PivotDifference } from "./margins.js";
import { groupsOf } from "./table.js";
import type { Way } from "./way.js";

interface Answers {
  /** The groups of each part, with its first day. */
  readonly lists: readonly (GroupList & { readonly day: PlainDate })[];
  /** The whole, by what it was cut into. */
  readonly total: GroupList;
}

/**
 * Where the parts aren't the whole, its days tell which of them has changed.
 *
 * @returns the parts that aren't their days; the whole where its days may not be asked for
 */
export async function tieParts(
  { cut, grouped, parts }: Omit<Extract<Way, { kind: "parts" }>, "kind">,
  { lists, total }: Answers,
  { span, ask, tie, calls }: Asker,
): Promise<readonly PivotDifference[]> {
  const sums = lists.map((list) => sumOf(groupsOf(list)));
  const off = subtractSum(sums.reduce(addSums, emptySum), sumOf(groupsOf(total)));
  if (off.orders === 0 && off.revenue === 0) return [];
  const byDay = { span, dimension: "day" } as const;
  if (!calls.mayAsk && (await calls.count([byDay])) > 0) {
    return [{ dimension: cut, member: { identity: "whole", key: null, label: null }, sum: off }];
  }
  const days = await ask(byDay);
  tie([{ span, dimension: cut }, sumOf(groupsOf(total))], [byDay, sumOf(groupsOf(days))]);
  return parts.flatMap((part, index): readonly PivotDifference[] => {
    const [sum, ofDays] = [sums[index] ?? emptySum, sumOfDays(days, part.day, parts[index + 1]?.day)];
    tie([{ span: part.span, dimension: grouped }, sum], [byDay, ofDays]);
    const difference = subtractSum(sum, ofDays);
    if (difference.orders === 0 && difference.revenue === 0) return [];
    const key = part.day.toString();
    return [{ dimension: cut, member: { identity: key, key, label: null }, sum: difference }];
  });
}

/** @param next the first day that is no more of it; absent for the last part */
function sumOfDays({ placed }: GroupList, first: PlainDate, next: PlainDate | undefined): Sum {
  return placed
    .filter(({ ordinal }) => {
      const day = ordinal === undefined ? "" : dayOf(ordinal).toString();
      return day >= first.toString() && (next === undefined || day < next.toString());
    })
    .reduce((sum, { group }) => addToSum(sum, group), emptySum);
}
