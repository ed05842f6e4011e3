/** The lines of a pivot that was asked value by value, held against answers about the whole period. */
import type { Dimension } from "../../contract/enums.js";
import { addSums, emptySum } from "../merge/sums.js";
import { sumOf, type Asker, type GroupsQuestion } from "./asker.js";
import { marginDifferences, type PivotDifference } from "./margins.js";
import type { Line, Member, Table } from "./table.js";

/** An answer about the whole period. */
export interface Total {
  readonly dimension: Dimension;
  readonly groups: Line["groups"];
}

export interface Lines {
  /** Is each value a row or a column? */
  readonly side: "row" | "col";
  /** The totals of the dimension that has a line for each value, and of the other one. */
  readonly split: Total;
  readonly whole: Total;
  readonly lines: readonly (Line & { readonly question: GroupsQuestion })[];
  /** What of the whole is in no line. */
  readonly rest: Line;
  /** The values that no filter selects. */
  readonly unfiltered: readonly Member[];
}

/** @returns what stands in the table less its totals; none where orders didn't change while they were asked for */
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
  const isOff = ([, sum]: Line["groups"][number]) =>
    unfiltered.length > 0 ? sum.orders < 0 || sum.revenue < 0 : sum.orders !== 0 || sum.revenue !== 0;
  const off = rest.groups.filter(isOff).map(([{ identity }]) => identity);
  const hasRest = rest.groups.some(([, sum]) => sum.orders !== 0 || sum.revenue !== 0);
  if (hasRest) subtract(wholeQuestion, [splitQuestion, ...lines.map(({ question }) => question)]);
  for (const { member, question, groups } of lines) {
    tie([question, sumOf(groups)], [splitQuestion, totalOf(member)]);
    // An order that went from one driver to another has left all totals as they were.
    for (const [{ identity }, sum] of groups)
      if (off.includes(identity)) tie([question, sum], [wholeQuestion, emptySum]);
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
