/** The pivots of several stores as one. */
import { temporalDimensions, type Dimension } from "../../contract/enums.js";
import type { NonEmpty } from "../merge/stores.js";
import { addSums, emptySum } from "../merge/sums.js";
import { oldest, type Age } from "../results.js";
import type { PivotDifference } from "./margins.js";
import type { Member, PivotCell, Table } from "./table.js";
import type { Pair } from "./way.js";

interface Added extends Pair, Table {
  readonly age: Age;
  readonly differences: readonly PivotDifference[];
}

/** The period is the first store's: the days of another may be of another zone. */
export function addPivots<Pivot extends Added>(pivots: NonEmpty<Pivot>): Pivot {
  const [first] = pivots;
  const { rows, cols } = first;
  const cells = new Map<string, PivotCell>();
  const differences = new Map<string, PivotDifference>();
  for (const pivot of pivots) {
    for (const cell of pivot.cells) {
      const [row, col] = [acrossStores(cell.row, rows), acrossStores(cell.col, cols)];
      const identity = JSON.stringify([row.identity, col.identity]);
      const sum = addSums(cells.get(identity)?.sum ?? emptySum, cell.sum);
      cells.set(identity, { row, col, other: cell.other, sum });
    }
    for (const { dimension, member: own, sum } of pivot.differences) {
      const member = acrossStores(own, dimension);
      const identity = JSON.stringify([dimension, member.identity]);
      const all = addSums(differences.get(identity)?.sum ?? emptySum, sum);
      differences.set(identity, { dimension, member, sum: all });
    }
  }
  const rowMembers = inOneOrder(pivots, rows, (pivot) => pivot.rowMembers);
  const colMembers = inOneOrder(pivots, cols, (pivot) => pivot.colMembers);
  const [rowPlaces, colPlaces] = [placesOf(rowMembers), placesOf(colMembers)];
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces.get(row.identity) ?? 0) * colMembers.length + (colPlaces.get(col.identity) ?? 0);
  return {
    ...first,
    ...{ rowMembers, colMembers },
    cells: [...cells.values()].toSorted((left, right) => place(left) - place(right)),
    differences: [...differences.values()].filter(({ sum }) => sum.orders !== 0 || sum.revenue !== 0),
    age: oldest(pivots.map(({ age }) => age)),
  };
}

/** Ids are a store's own: drivers and payment methods of two stores are one where their names are the same, too. */
function acrossStores(member: Member, dimension: Dimension): Member {
  if (dimension !== "driver_id" && dimension !== "payment_method_id") return member;
  if (member.identity === "other") return member;
  return { ...member, identity: `${member.identity} ${JSON.stringify(member.label)}` };
}

/** As the stores have them; in time, by time. What no filter selects stands last. */
function inOneOrder(
  pivots: readonly Table[],
  dimension: Dimension,
  of: (pivot: Table) => readonly Member[],
): readonly Member[] {
  const all = pivots.flatMap((pivot) => of(pivot).map((member) => acrossStores(member, dimension)));
  const members = [...new Map(all.map((member) => [member.identity, member])).values()];
  const isTime = temporalDimensions.some((temporal) => temporal === dimension);
  const ordered = isTime ? members.toSorted((left, right) => byKey(left.key, right.key)) : members;
  const isOther = ({ identity }: Member) => identity === "other";
  return [...ordered.filter((member) => !isOther(member)), ...ordered.filter(isOther)];
}

/** Weekdays and hours may be numbers, days, weeks and months are texts that sort as they follow on one another. */
function byKey(left: Member["key"], right: Member["key"]): number {
  const [a, b] = [Number(left), Number(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return String(left) < String(right) ? -1 : 1;
}

function placesOf(members: readonly Member[]): ReadonlyMap<string, number> {
  return new Map(members.map(({ identity }, place) => [identity, place]));
}
