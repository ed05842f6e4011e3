/** Compares a pivot's rows and columns with answers about the whole period. They agree unless orders changed. */
import type { Dimension } from "../../contract/enums.js";
import { dayOf } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, addToSum, emptySum, isNothing, subtractSum } from "../merge/sums.js";
import type { GroupsQuestion, PeriodSpan } from "../plan/request.js";
import type { Asker } from "./asker.js";
import {
  differencesOf,
  groupsOf,
  lessGroups,
  sumOf,
  sumsByMember,
  type Line,
  type Member,
  type MemberSum,
  type PivotDifference,
  type Table,
} from "./table.js";
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
  span: PeriodSpan,
  asker: Asker,
): readonly PivotDifference[] {
  const splitQuestion = { span, dimension: split.dimension };
  const wholeQuestion = { span, dimension: whole.dimension };
  const totals = sumsByMember(split.groups);
  const totalOf = ({ identity }: Member) => totals.get(identity)?.[1] ?? emptySum;
  asker.tie([wholeQuestion, sumOf(whole.groups)], [splitQuestion, sumOf(split.groups)]);
  const isWrong = ([, sum]: MemberSum) =>
    unfiltered.length > 0 ? sum.orders < 0 || sum.revenue < 0 : !isNothing(sum);
  const wrongGroups = rest.groups.filter(isWrong).map(([{ identity }]) => identity);
  const hasRest = rest.groups.some(([, sum]) => !isNothing(sum));
  if (hasRest) asker.subtract(wholeQuestion, [splitQuestion, ...lines.map(({ question }) => question)]);
  for (const { member, question, groups } of lines) {
    asker.tie([question, sumOf(groups)], [splitQuestion, totalOf(member)]);
    // An order that went from one driver to another has left all totals as they were.
    for (const [{ identity }, sum] of groups)
      if (wrongGroups.includes(identity)) asker.tie([question, sum], [wholeQuestion, emptySum]);
  }
  const inTable = (of: "row" | "col") => cells.map((cell): MemberSum => [cell[of], cell.sum]);
  const splitTotals = [
    ...lines.map(({ member }): MemberSum => [member, totalOf(member)]),
    [rest.member, unfiltered.map(totalOf).reduce(addSums, emptySum)] as const,
  ];
  return [
    ...differencesOf(split.dimension, lessGroups(inTable(side), splitTotals)),
    ...differencesOf(whole.dimension, lessGroups(inTable(side === "row" ? "col" : "row"), whole.groups)),
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
  span: PeriodSpan,
  asker: Asker,
): Promise<readonly PivotDifference[]> {
  const sums = lists.map((list) => sumOf(groupsOf(list)));
  const wholeSum = sumOf(groupsOf(total));
  const difference = subtractSum(sums.reduce(addSums, emptySum), wholeSum);
  if (isNothing(difference)) return [];
  const byDay = { span, dimension: "day" } as const;
  if (!asker.calls.mayAsk && (await asker.calls.count([byDay])) > 0)
    return differencesOf(cut, [[{ identity: "whole", key: null, label: null }, difference]]);
  const days = await asker.ask(byDay);
  asker.tie([{ span, dimension: cut }, wholeSum], [byDay, sumOf(groupsOf(days))]);
  const differences = parts.map((part, index): MemberSum => {
    const [sum, next] = [sums[index] ?? emptySum, parts[index + 1]?.day ?? Infinity];
    const daysSum = days.placed
      .filter(({ ordinal = NaN }) => part.day <= ordinal && ordinal < next)
      .reduce((sum, { group }) => addToSum(sum, group), emptySum);
    asker.tie([{ span: part.span, dimension: grouped }, sum], [byDay, daysSum]);
    const key = dayOf(part.day).toString();
    return [{ identity: key, key, label: null }, subtractSum(sum, daysSum)];
  });
  return differencesOf(cut, differences);
}
