/**
 * Makes the cells of a pivot out of its lines: a line is one value of a dimension, with the groups of its orders by
 * the other.
 */
import type { Group } from "../../contract/models.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, addToSum, emptySum, subtractSum, type Sum } from "../merge/sums.js";

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

/** A line is one value of the dimension that was cut or filtered, with the groups of its orders by the other. */
export interface Line {
  readonly member: Member;
  readonly other: boolean;
  readonly groups: readonly (readonly [Member, Sum])[];
}

export function groupsOf({ placed }: GroupList): Line["groups"] {
  return placed.map((placed) => [memberOf(placed), addToSum(emptySum, placed.group)]);
}

/**
 * Makes a line of the whole without the lines.
 *
 * @param unfiltered are the values that it is made of, as far as they are known
 */
export function restOf(whole: Line["groups"], lines: readonly Line[], unfiltered: readonly Member[]): Line {
  const rest = new Map(whole.map(([member, sum]) => [member.identity, [member, sum] as const]));
  for (const [member, sum] of lines.flatMap(({ groups }) => groups))
    rest.set(member.identity, [member, subtractSum(rest.get(member.identity)?.[1] ?? emptySum, sum)]);
  const label = unfiltered.map(({ key, label: name }) => name ?? String(key)).join(", ");
  return {
    member: { identity: "other", key: null, label: label === "" ? "Other" : label },
    other: true,
    groups: [...rest.values()],
  };
}

interface TableOptions {
  readonly linesAre: "rows" | "cols";
  readonly groupOrder: readonly Member[];
}

/** @param lines are in the order of the table */
export function table(lines: readonly Line[], { linesAre, groupOrder }: TableOptions): Table {
  const cells = new Map<string, PivotCell>();
  for (const { member, other, groups } of lines) {
    for (const [group, sum] of groups) {
      const [row, col] = linesAre === "rows" ? [member, group] : [group, member];
      const identity = JSON.stringify([row.identity, col.identity]);
      cells.set(identity, { row, col, other, sum: addSums(cells.get(identity)?.sum ?? emptySum, sum) });
    }
  }
  const cellsWithOrders = [...cells.values()].filter(({ sum: { orders } }) => orders > 0);
  const lineOrder = lines.map(({ member }) => member);
  const groupsInOrder = [...groupOrder, ...lines.flatMap(({ groups }) => groups.map(([member]) => member))];
  const [rows, cols] = linesAre === "rows" ? [lineOrder, groupsInOrder] : [groupsInOrder, lineOrder];
  const rowPlaces = placesOf(
    rows,
    cellsWithOrders.map(({ row }) => row),
  );
  const colPlaces = placesOf(
    cols,
    cellsWithOrders.map(({ col }) => col),
  );
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces.get(row.identity)?.place ?? 0) * colPlaces.size + (colPlaces.get(col.identity)?.place ?? 0);
  return {
    rowMembers: [...rowPlaces.values()].map(({ member }) => member),
    colMembers: [...colPlaces.values()].map(({ member }) => member),
    cells: cellsWithOrders.toSorted((a, b) => place(a) - place(b)),
  };
}

/** Gives each member that has a cell its place. */
function placesOf(members: readonly Member[], withCells: readonly Member[]) {
  const present = new Set(withCells.map(({ identity }) => identity));
  const places = new Map<string, { readonly member: Member; readonly place: number }>();
  for (const member of members) {
    const place = places.get(member.identity)?.place ?? places.size;
    if (present.has(member.identity)) places.set(member.identity, { member, place });
  }
  return places;
}
