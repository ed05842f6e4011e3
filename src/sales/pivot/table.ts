/**
 * Makes the cells of a pivot out of its lines: a line is one value of a dimension, with the groups of its orders by
 * the other.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, addToSum, emptySum, isNothing, subtractSum, type Sum } from "../merge/sums.js";

export interface Pair {
  readonly rows: Dimension;
  readonly cols: Dimension;
}

export interface Member {
  readonly identity: string;
  readonly key: Group["key"];
  readonly label: string | null;
}

export function memberOf({ group: { key, label }, identity }: PlacedGroup): Member {
  return { identity, key, label };
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

export type MemberSum = readonly [member: Member, sum: Sum];

/** A line is one value of the dimension that was cut or filtered, with the groups of its orders by the other. */
export interface Line {
  readonly member: Member;
  readonly other: boolean;
  readonly groups: readonly MemberSum[];
}

export function groupsOf({ placed }: Pick<GroupList, "placed">): readonly MemberSum[] {
  return placed.map((placed) => [memberOf(placed), addToSum(emptySum, placed.group)]);
}

export function sumOf(groups: readonly MemberSum[]): Sum {
  return groups.map(([, sum]) => sum).reduce(addSums, emptySum);
}

/** Adds up the sums of each member, in the order in which members come first. The last name of a member counts. */
export function sumsByMember(groups: readonly MemberSum[]): ReadonlyMap<string, MemberSum> {
  const sums = new Map<string, MemberSum>();
  for (const [member, sum] of groups)
    sums.set(member.identity, [member, addSums(sums.get(member.identity)?.[1] ?? emptySum, sum)]);
  return sums;
}

/** Subtracts groups from others. Members that only one side has stay. */
export function lessGroups(from: readonly MemberSum[], groups: readonly MemberSum[]): readonly MemberSum[] {
  const less = groups.map(([member, sum]): MemberSum => [member, subtractSum(emptySum, sum)]);
  return [...sumsByMember([...less, ...from]).values()];
}

/** No filter selects these orders. */
export const restIdentity = "other";

/**
 * Makes a line of the whole without the lines.
 *
 * @param unfiltered are the values that it is made of, as far as they are known
 */
export function restOf(whole: Line["groups"], lines: readonly Line[], unfiltered: readonly Member[]): Line {
  const label = unfiltered.map(({ key, label: name }) => name ?? String(key)).join(", ");
  return {
    member: { identity: restIdentity, key: null, label: label === "" ? "Other" : label },
    other: true,
    groups: lessGroups(
      whole,
      lines.flatMap(({ groups }) => groups),
    ),
  };
}

interface TableOptions {
  readonly linesAre: "rows" | "cols";
  readonly groupOrder: readonly Member[];
}

/** @param lines are in the order of the table */
export function table(lines: readonly Line[], { linesAre, groupOrder }: TableOptions): Table {
  const sums = new Map<string, PivotCell>();
  for (const { member, other, groups } of lines) {
    for (const [group, sum] of groups) {
      const [row, col] = linesAre === "rows" ? [member, group] : [group, member];
      const identity = JSON.stringify([row.identity, col.identity]);
      sums.set(identity, { row, col, other, sum: addSums(sums.get(identity)?.sum ?? emptySum, sum) });
    }
  }
  const cells = [...sums.values()].filter(({ sum: { orders } }) => orders > 0);
  const lineOrder = lines.map(({ member }) => member);
  const groupsInOrder = [...groupOrder, ...lines.flatMap(({ groups }) => groups.map(([member]) => member))];
  const [rows, cols] = linesAre === "rows" ? [lineOrder, groupsInOrder] : [groupsInOrder, lineOrder];
  const present = new Set(cells.flatMap(({ row, col }) => [`row ${row.identity}`, `col ${col.identity}`]));
  const rowMembers = eachOnce(rows).filter(({ identity }) => present.has(`row ${identity}`));
  const colMembers = eachOnce(cols).filter(({ identity }) => present.has(`col ${identity}`));
  const [rowPlaces, colPlaces] = [rowMembers, colMembers].map(
    (members) => new Map(members.map(({ identity }, place) => [identity, place])),
  );
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces?.get(row.identity) ?? 0) * colMembers.length + (colPlaces?.get(col.identity) ?? 0);
  return { rowMembers, colMembers, cells: cells.toSorted((a, b) => place(a) - place(b)) };
}

export function eachOnce(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.identity, member])).values()];
}

/** The sum is that of a row's or a column's cells, less its total. */
export interface PivotDifference {
  readonly dimension: Dimension;
  readonly member: Member;
  readonly sum: Sum;
}

export function differencesOf(dimension: Dimension, sums: readonly MemberSum[]): readonly PivotDifference[] {
  return sums.flatMap(([member, sum]) => (isNothing(sum) ? [] : { dimension, member, sum }));
}
