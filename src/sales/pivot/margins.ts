/** The sums of a pivot's rows and columns, held against what answers about the whole period say of them. */
import type { Dimension } from "../../contract/enums.js";
import { addSums, emptySum, subtractSum, type Sum } from "../merge/sums.js";
import type { Member, Table } from "./table.js";

/** The cells of a row or a column, less its total. */
export interface PivotDifference {
  readonly dimension: Dimension;
  readonly member: Member;
  readonly sum: Sum;
}

export interface Margins {
  readonly side: "row" | "col";
  readonly dimension: Dimension;
  /** What each row, or column, has to be; nothing for those that aren't there. */
  readonly totals: readonly (readonly [Member, Sum])[];
}

/** None where orders didn't change while they were asked for. */
export function marginDifferences(
  { cells }: Pick<Table, "cells">,
  { side, dimension, totals }: Margins,
): readonly PivotDifference[] {
  const expected = new Map(totals.map(([member, sum]) => [member.identity, { member, sum }]));
  const shown = new Map<string, { readonly member: Member; readonly sum: Sum }>();
  for (const cell of cells) {
    const member = cell[side];
    const sum = addSums(shown.get(member.identity)?.sum ?? emptySum, cell.sum);
    shown.set(member.identity, { member, sum });
  }
  return [...new Map([...expected, ...shown])].flatMap(([identity, { member }]) => {
    const sum = subtractSum(shown.get(identity)?.sum ?? emptySum, expected.get(identity)?.sum ?? emptySum);
    return sum.orders === 0 && sum.revenue === 0 ? [] : { dimension, member, sum };
  });
}
