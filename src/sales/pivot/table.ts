/** The cells of a pivot, out of its lines: each is one value of a dimension, and the groups of its orders by the other. */
import type { Group } from "../../contract/models.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { addCents, addToSum, emptySum, type Sum } from "../merge/sums.js";

/** A value of a dimension. */
export interface Member {
  /** The same for the same value. */
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
  /** What no filter selects: the rest of the total. */
  readonly other: boolean;
  readonly sum: Sum;
}

export interface Table {
  /** The members in the order of the table. The rest stands last. */
  readonly rowMembers: readonly Member[];
  readonly colMembers: readonly Member[];
  /** Those with orders. */
  readonly cells: readonly PivotCell[];
}

/** One value of the dimension that was cut or filtered, and the groups of its orders by the other. */
export interface Line {
  readonly member: Member;
  readonly other: boolean;
  readonly groups: readonly (readonly [Member, Sum])[];
}

export function groupsOf({ placed }: GroupList): Line["groups"] {
  return placed.map((placed) => [memberOf(placed), addToSum(emptySum, placed.group)]);
}

/** The whole without the lines. @param unfiltered the values that it is made of, as far as they are known */
export function restOf(whole: Line["groups"], lines: readonly Line[], unfiltered: readonly Member[]): Line {
  const rest = new Map(whole.map(([member, sum]) => [member.identity, { member, sum }]));
  for (const [member, { orders, revenue }] of lines.flatMap(({ groups }) => groups)) {
    const { sum } = rest.get(member.identity) ?? { sum: emptySum };
    const left = { orders: sum.orders - orders, revenue: addCents(sum.revenue, -revenue) };
    rest.set(member.identity, { member, sum: left });
  }
  const all = [...rest.values()];
  const label = unfiltered.map(({ key, label: name }) => name ?? String(key)).join(", ");
  return {
    member: { identity: "other", key: null, label: label === "" ? "Other" : label },
    other: true,
    groups: all.map(({ member, sum }) => [member, sum]),
  };
}

interface TableOptions {
  readonly linesAre: "rows" | "cols";
  readonly groupOrder: readonly Member[];
}

/** @param lines in the order of the table */
export function table(lines: readonly Line[], { linesAre, groupOrder }: TableOptions): Table {
  const cells = new Map<string, PivotCell>();
  for (const { member, other, groups } of lines) {
    for (const [group, { orders, revenue }] of groups) {
      const [row, col] = linesAre === "rows" ? [member, group] : [group, member];
      const identity = JSON.stringify([row.identity, col.identity]);
      const before = cells.get(identity)?.sum ?? emptySum;
      const sum = { orders: before.orders + orders, revenue: addCents(before.revenue, revenue) };
      cells.set(identity, { row, col, other, sum });
    }
  }
  const filled = [...cells.values()].filter(({ sum: { orders } }) => orders > 0);
  const [rows, cols] = [filled.map(({ row }) => row), filled.map(({ col }) => col)];
  const lineMembers = shown(
    lines.map(({ member }) => member),
    linesAre === "rows" ? rows : cols,
  );
  const groupMembers = shown(
    [...groupOrder, ...lines.flatMap(({ groups }) => groups.map(([member]) => member))],
    linesAre === "rows" ? cols : rows,
  );
  const [rowMembers, colMembers] =
    linesAre === "rows" ? [lineMembers, groupMembers] : [groupMembers, lineMembers];
  return { rowMembers, colMembers, cells: inTableOrder(filled, rowMembers, colMembers) };
}

/** Lists each member that has a cell once. */
function shown(members: readonly Member[], withCells: readonly Member[]): readonly Member[] {
  const present = new Set(withCells.map(({ identity }) => identity));
  return [...new Map(members.map((member) => [member.identity, member])).values()].filter(({ identity }) =>
    present.has(identity),
  );
}

function inTableOrder(
  cells: readonly PivotCell[],
  rows: readonly Member[],
  cols: readonly Member[],
): readonly PivotCell[] {
  const places = (members: readonly Member[]) =>
    new Map(members.map(({ identity }, place) => [identity, place]));
  const [rowPlaces, colPlaces] = [places(rows), places(cols)];
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces.get(row.identity) ?? 0) * cols.length + (colPlaces.get(col.identity) ?? 0);
  return cells.toSorted((a, b) => place(a) - place(b));
}
