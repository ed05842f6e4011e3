/** Compares a pivot's rows and columns with answers about the whole period. They agree unless orders changed. */
import type { Dimension } from "../../contract/enums.js";
import { dayOf } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addMembers, subtractMembers, totalOf, type Member, type MemberSum } from "../merge/members.js";
import { addSums, emptySum, isNothing, subtractSum, sumOf } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { GroupsQuestion } from "../plan/request.js";
import type { Asker } from "./asker.js";
import { differencesOf, groupsOf, type Line, type PivotDifference, type Table } from "./table.js";
import type { Parts } from "./way.js";

/** The whole period is answered by one dimension. */
interface Total {
  readonly dimension: Dimension;
  readonly groups: readonly MemberSum[];
}

export interface Lines {
  /** The side says whether each value is a row or a column. */
  readonly side: "row" | "col";
  /** These are the totals of the dimension that has a line for each value, and of the other one. */
  readonly split: Total;
  readonly whole: Total;
  readonly lines: readonly (Line & { readonly question: GroupsQuestion })[];
  /** The rest of the whole is in no line. */
  readonly rest: Line;
  /** No filter selects these values. */
  readonly unfiltered: readonly Member[];
}

/**
 * @returns what stands in the table less its totals; an empty list where orders didn't change while they were asked
 * for
 */
export function tieLines(
  { cells }: Pick<Table, "cells">,
  { side, split, whole, lines, rest, unfiltered }: Lines,
  period: Period,
  asker: Asker,
): readonly PivotDifference[] {
  const splitQuestion = { period, dimension: split.dimension };
  const wholeQuestion = { period, dimension: whole.dimension };
  const splitSums = addMembers(split.groups);
  const splitSumOf = ({ identity }: Member) => splitSums.get(identity)?.sum ?? emptySum;
  asker.tie([wholeQuestion, totalOf(whole.groups)], [splitQuestion, totalOf(split.groups)]);
  const isWrong = ({ sum }: MemberSum) =>
    unfiltered.length > 0 ? sum.orders < 0 || sum.revenue < 0 : !isNothing(sum);
  const wrongGroups = rest.groups.filter(isWrong).map(({ identity }) => identity);
  const hasRest = rest.groups.some(({ sum }) => !isNothing(sum));
  if (hasRest) asker.subtract(wholeQuestion, [splitQuestion, ...lines.map(({ question }) => question)]);
  for (const { member, question, groups } of lines) {
    asker.tie([question, totalOf(groups)], [splitQuestion, splitSumOf(member)]);
    // An order that went from one driver to another has left all totals as they were.
    for (const { identity, sum } of groups)
      if (wrongGroups.includes(identity)) asker.tie([question, sum], [wholeQuestion, emptySum]);
  }
  const inTable = (of: "row" | "col") => cells.map((cell): MemberSum => ({ ...cell[of], sum: cell.sum }));
  const splitTotals = [
    ...lines.map(({ member }): MemberSum => ({ ...member, sum: splitSumOf(member) })),
    { ...rest.member, sum: unfiltered.map(splitSumOf).reduce(addSums, emptySum) },
  ];
  return [
    ...differencesOf(split.dimension, subtractMembers(inTable(side), splitTotals)),
    ...differencesOf(whole.dimension, subtractMembers(inTable(side === "row" ? "col" : "row"), whole.groups)),
  ];
}

interface Answers {
  readonly lists: readonly GroupList[];
  /** The total is the whole, by the dimension that it was cut into. */
  readonly total: GroupList;
}

/**
 * Compares the parts with the whole. Where they differ, the days tell which part has changed.
 *
 * @returns the parts that differ from their days; the whole where its days may not be asked for
 */
export async function tieParts(
  { cut, grouped, parts }: Parts,
  { lists, total }: Answers,
  period: Period,
  asker: Asker,
): Promise<readonly PivotDifference[]> {
  const sums = lists.map((list) => totalOf(groupsOf(list)));
  const wholeSum = totalOf(groupsOf(total));
  const difference = subtractSum(sums.reduce(addSums, emptySum), wholeSum);
  if (isNothing(difference)) return [];
  const byDay = { period, dimension: "day" } as const;
  if (!asker.calls.mayAsk && (await asker.calls.count([byDay])) > 0)
    return differencesOf(cut, [{ identity: "whole", key: null, label: null, sum: difference }]);
  const days = await asker.ask(byDay);
  asker.tie([{ period, dimension: cut }, wholeSum], [byDay, totalOf(groupsOf(days))]);
  const differences = parts.map((part, index): MemberSum => {
    const [sum, next] = [sums[index] ?? emptySum, parts[index + 1]?.day ?? Infinity];
    const daysSum = days.placed
      .filter(({ ordinal = NaN }) => part.day <= ordinal && ordinal < next)
      .map(({ group }) => sumOf(group))
      .reduce(addSums, emptySum);
    asker.tie([{ period: part.period, dimension: grouped }, sum], [byDay, daysSum]);
    const key = dayOf(part.day).toString();
    return { identity: key, key, label: null, sum: subtractSum(sum, daysSum) };
  });
  return differencesOf(cut, differences);
}
