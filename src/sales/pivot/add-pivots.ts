/** Adds up the pivots of several stores. */
import type { Dimension } from "../../contract/enums.js";
import { isTemporal } from "../merge/calendar-forms.js";
import type { NonEmpty } from "../merge/stores.js";
import { addSums, emptySum, isNothing } from "../merge/sums.js";
import { oldestAge, type Age } from "../results.js";
import type { PivotDifference } from "./ties.js";
import { table, type Line, type Member, type Table } from "./table.js";
import type { Pair } from "./way.js";

interface StorePivot extends Pair, Table {
  readonly age: Age;
  readonly differences: readonly PivotDifference[];
}

/** The period is the first store's: the days of another may be of another zone. */
export function addPivots<Pivot extends StorePivot>(pivots: NonEmpty<Pivot>): Pivot {
  const [first] = pivots;
  const { rows, cols } = first;
  const lines = pivots.flatMap(({ cells }) =>
    cells.map(({ row, col, other, sum }): Line => ({
      ...{ member: acrossStores(row, rows), other },
      groups: [[acrossStores(col, cols), sum]],
    })),
  );
  const rowOrder = inOneOrder(pivots, rows, (pivot) => pivot.rowMembers);
  const placeOf = ({ member: { identity } }: Line) =>
    rowOrder.findIndex((member) => member.identity === identity);
  const differences = new Map<string, PivotDifference>();
  for (const { dimension, member: storeMember, sum } of pivots.flatMap((pivot) => pivot.differences)) {
    const member = acrossStores(storeMember, dimension);
    const identity = JSON.stringify([dimension, member.identity]);
    const total = addSums(differences.get(identity)?.sum ?? emptySum, sum);
    differences.set(identity, { dimension, member, sum: total });
  }
  return {
    ...first,
    ...table(
      lines.toSorted((left, other) => placeOf(left) - placeOf(other)),
      { linesAre: "rows", groupOrder: inOneOrder(pivots, cols, (pivot) => pivot.colMembers) },
    ),
    differences: [...differences.values()].filter(({ sum }) => !isNothing(sum)),
    age: oldestAge(pivots.map(({ age }) => age)),
  };
}

/** Ids are a store's own: drivers and payment methods of two stores are one where their names are the same, too. */
function acrossStores(member: Member, dimension: Dimension): Member {
  if (dimension !== "driver_id" && dimension !== "payment_method_id") return member;
  if (member.identity === "other") return member;
  return { ...member, identity: `${member.identity} ${JSON.stringify(member.label)}` };
}

/** Sorts members: they stay as the stores have them, or by time. The rest that no filter selects stands last. */
function inOneOrder(
  pivots: readonly Table[],
  dimension: Dimension,
  membersOf: (pivot: Table) => readonly Member[],
): readonly Member[] {
  const storeMembers = pivots.flatMap((pivot) =>
    membersOf(pivot).map((member) => acrossStores(member, dimension)),
  );
  const members = [...new Map(storeMembers.map((member) => [member.identity, member])).values()];
  const ordered = isTemporal(dimension)
    ? members.toSorted((left, right) => byKey(left.key, right.key))
    : members;
  const isOther = ({ identity }: Member) => identity === "other";
  return [...ordered.filter((member) => !isOther(member)), ...ordered.filter(isOther)];
}

/**
 * Compares keys: weekdays and hours may be numbers; days, weeks and months are texts that sort as they follow on one
 * another.
 */
function byKey(left: Member["key"], right: Member["key"]): number {
  const [a, b] = [Number(left), Number(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return String(left) < String(right) ? -1 : 1;
}
