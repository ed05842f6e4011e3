/** Compares a pivot's rows and columns with answers about the whole period. They agree unless orders changed. */
import type { Dimension } from "../../contract/enums.js";
import { dayOf } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, addToSum, emptySum, isNothing, subtractSum, type Sum } from "../merge/sums.js";
import type { PlainDate } from "../period/calendar.js";
import type { GroupsQuestion } from "../plan/request.js";
import { sumOf, type Asker } from "./asker.js";
import { groupsOf, type Line, type Member, type Table } from "./table.js";
import type { Way } from "./way.js";

/** The sum is that of a row's or a column's cells, less its total. */
export interface PivotDifference {
  readonly dimension: Dimension;
  readonly member: Member;
  readonly sum: Sum;
}

export interface Total {
  readonly dimension: Dimension;
  readonly groups: Line["groups"];
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
  table: Pick<Table, "cells">,
  { side, split, whole, lines, rest, unfiltered }: Lines,
  { span, tie, subtract }: Pick<Asker, "span" | "tie" | "subtract">,
): readonly PivotDifference[] {
  const [splitQuestion, wholeQuestion] = [split, whole].map(({ dimension }) => ({ span, dimension }));
  if (!splitQuestion || !wholeQuestion) throw new RangeError("there are two totals");
  const totals = new Map(split.groups.map(([{ identity }, sum]) => [identity, sum]));
  const totalOf = ({ identity }: Member) => totals.get(identity) ?? emptySum;
  tie([wholeQuestion, sumOf(whole.groups)], [splitQuestion, sumOf(split.groups)]);
  const isWrong = ([, sum]: Line["groups"][number]) =>
    unfiltered.length > 0 ? sum.orders < 0 || sum.revenue < 0 : !isNothing(sum);
  const wrongGroups = rest.groups.filter(isWrong).map(([{ identity }]) => identity);
  const hasRest = rest.groups.some(([, sum]) => !isNothing(sum));
  if (hasRest) subtract(wholeQuestion, [splitQuestion, ...lines.map(({ question }) => question)]);
  for (const { member, question, groups } of lines) {
    tie([question, sumOf(groups)], [splitQuestion, totalOf(member)]);
    // An order that went from one driver to another has left all totals as they were.
    for (const [{ identity }, sum] of groups)
      if (wrongGroups.includes(identity)) tie([question, sum], [wholeQuestion, emptySum]);
  }
  return [
    ...marginDifferences(table, {
      side,
      dimension: split.dimension,
      totals: [
        ...lines.map(({ member }) => [member, totalOf(member)] as const),
        [rest.member, unfiltered.map(totalOf).reduce(addSums, emptySum)],
      ],
    }),
    ...marginDifferences(table, {
      side: side === "col" ? "row" : "col",
      dimension: whole.dimension,
      totals: whole.groups,
    }),
  ];
}

interface Margins {
  readonly side: "row" | "col";
  readonly dimension: Dimension;
  /** Each row, or column, has to be this; a row that isn't there has to be nothing. */
  readonly totals: readonly (readonly [Member, Sum])[];
}

/** Compares margins; they agree where orders didn't change while they were asked for. */
function marginDifferences(
  { cells }: Pick<Table, "cells">,
  { side, dimension, totals }: Margins,
): readonly PivotDifference[] {
  const expected = new Map(totals.map(([member, sum]) => [member.identity, { member, sum }]));
  const sumsInTable = new Map<string, { readonly member: Member; readonly sum: Sum }>();
  for (const cell of cells) {
    const member = cell[side];
    const sum = addSums(sumsInTable.get(member.identity)?.sum ?? emptySum, cell.sum);
    sumsInTable.set(member.identity, { member, sum });
  }
  return [...new Map([...expected, ...sumsInTable])].flatMap(([identity, { member }]) => {
    const sum = subtractSum(
      sumsInTable.get(identity)?.sum ?? emptySum,
      expected.get(identity)?.sum ?? emptySum,
    );
    return isNothing(sum) ? [] : { dimension, member, sum };
  });
}

interface Answers {
  readonly lists: readonly (GroupList & { readonly day: PlainDate })[];
  /** The total is the whole, by the dimension that it was cut into. */
  readonly total: GroupList;
}

/**
 * Compares the parts with the whole. Where they differ, the days tell which part has changed.
 *
 * @returns the parts that differ from their days; the whole where its days may not be asked for
 */
export async function tieParts(
  { cut, grouped, parts }: Omit<Extract<Way, { kind: "parts" }>, "kind">,
  { lists, total }: Answers,
  { span, ask, tie, calls }: Asker,
): Promise<readonly PivotDifference[]> {
  const sums = lists.map((list) => sumOf(groupsOf(list)));
  const wholeDifference = subtractSum(sums.reduce(addSums, emptySum), sumOf(groupsOf(total)));
  if (isNothing(wholeDifference)) return [];
  const byDay = { span, dimension: "day" } as const;
  if (!calls.mayAsk && (await calls.count([byDay])) > 0) {
    return [{ dimension: cut, member: { identity: "whole", key: null, label: null }, sum: wholeDifference }];
  }
  const days = await ask(byDay);
  tie([{ span, dimension: cut }, sumOf(groupsOf(total))], [byDay, sumOf(groupsOf(days))]);
  return parts.flatMap((part, index): readonly PivotDifference[] => {
    const [sum, daysSum] = [sums[index] ?? emptySum, sumOfDays(days, part.day, parts[index + 1]?.day)];
    tie([{ span: part.span, dimension: grouped }, sum], [byDay, daysSum]);
    const difference = subtractSum(sum, daysSum);
    if (isNothing(difference)) return [];
    const key = part.day.toString();
    return [{ dimension: cut, member: { identity: key, key, label: null }, sum: difference }];
  });
}

/** @param next is the first day after the part; absent for the last part */
function sumOfDays({ placed }: GroupList, first: PlainDate, next: PlainDate | undefined): Sum {
  return placed
    .filter(({ ordinal }) => {
      const day = ordinal === undefined ? "" : dayOf(ordinal).toString();
      return day >= first.toString() && (next === undefined || day < next.toString());
    })
    .reduce((sum, { group }) => addToSum(sum, group), emptySum);
}
