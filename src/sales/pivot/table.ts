/**
 * Makes the cells of a pivot out of its lines: a line is one value of a dimension, with the groups of its orders by
 * the other.
 */
import type { Dimension } from "../../contract/enums.js";
import type { GroupList } from "../merge/groups.js";
import { memberOf, subtractMembers, type Member, type MemberSum } from "../merge/members.js";
import { addSums, emptySum, isNothing, type Sum } from "../merge/sums.js";

export interface Pair {
  readonly rows: Dimension;
  readonly cols: Dimension;
}

export interface PivotCell {
  readonly row: Member;
  readonly col: Member;
  /** The cell holds the rest of the total, which no filter selects. */
  readonly other: boolean;
  readonly sum: Sum;
}

export interface Table {
  /** The members are in the order of the table. The rest stands last. */
  readonly rowMembers: readonly Member[];
  readonly colMembers: readonly Member[];
  /** A cell without orders is left out. */
  readonly cells: readonly PivotCell[];
}

/** A line is one value of the dimension that was cut or filtered, with the groups of its orders by the other. */
export interface Line {
  readonly member: Member;
  readonly groups: readonly MemberSum[];
}

export function groupsOf({ placed }: Pick<GroupList, "placed">): readonly MemberSum[] {
  return placed.map(memberOf);
}

const restIdentity = "other";

/** Tells whether this is the rest, whose orders no filter selects. */
export function isRest({ identity }: Member): boolean {
  return identity === restIdentity;
}

/**
 * Makes a line of the whole without the lines.
 *
 * @param unfiltered are the values that it is made of, as far as they are known
 */
export function restOf(whole: Line["groups"], lines: readonly Line[], unfiltered: readonly Member[]): Line {
  const label = unfiltered.map(({ key, label: name }) => name ?? String(key)).join(", ");
  return {
    member: { identity: restIdentity, key: null, label: label === "" ? "Other" : label },
    groups: subtractMembers(
      whole,
      lines.flatMap(({ groups }) => groups),
    ),
  };
}

interface TableOptions {
  readonly linesAre: "rows" | "cols";
  /** The default is the order of the lines. */
  readonly lineOrder?: readonly Member[];
  readonly groupOrder: readonly Member[];
}

export function table(lines: readonly Line[], { linesAre, lineOrder = [], groupOrder }: TableOptions): Table {
  const sums = new Map<string, PivotCell>();
  for (const { member, groups } of lines) {
    for (const { sum: more, ...group } of groups) {
      const [row, col] = linesAre === "rows" ? [member, group] : [group, member];
      const identity = JSON.stringify([row.identity, col.identity]);
      const sum = addSums(sums.get(identity)?.sum ?? emptySum, more);
      sums.set(identity, { row, col, other: isRest(row) || isRest(col), sum });
    }
  }
  const cells = [...sums.values()].filter(({ sum: { orders } }) => orders > 0);
  const linesInOrder = [...lineOrder, ...lines.map(({ member }) => member)];
  const groupsInOrder = [...groupOrder, ...lines.flatMap(({ groups }) => groups)];
  const [rows, cols] = linesAre === "rows" ? [linesInOrder, groupsInOrder] : [groupsInOrder, linesInOrder];
  const inCells = (side: "row" | "col", members: readonly Member[]) => {
    const identities = new Set(cells.map((cell) => cell[side].identity));
    return eachOnce(members).filter(({ identity }) => identities.has(identity));
  };
  const [rowMembers, colMembers] = [inCells("row", rows), inCells("col", cols)];
  const [rowPlaces, colPlaces] = [placesOf(rowMembers), placesOf(colMembers)];
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces.get(row.identity) ?? 0) * colMembers.length + (colPlaces.get(col.identity) ?? 0);
  return { rowMembers, colMembers, cells: cells.toSorted((a, b) => place(a) - place(b)) };
}

function placesOf(members: readonly Member[]): ReadonlyMap<string, number> {
  return new Map(members.map(({ identity }, place) => [identity, place]));
}

export function eachOnce(members: readonly Member[]): readonly Member[] {
  const once = new Map(members.map(({ identity, key, label }) => [identity, { identity, key, label }]));
  return [...once.values()];
}

/** The sum is that of a row's or a column's cells, less its total. */
export interface PivotDifference {
  readonly dimension: Dimension;
  readonly member: Member;
  readonly sum: Sum;
}

export function differencesOf(
  dimension: Dimension,
  members: readonly MemberSum[],
): readonly PivotDifference[] {
  return members.flatMap(({ sum, ...member }) => (isNothing(sum) ? [] : { dimension, member, sum }));
}
