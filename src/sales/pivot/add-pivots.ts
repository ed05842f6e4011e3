/** Adds up the pivots of several stores. */
import type { Dimension } from "../../contract/enums.js";
import { isTemporal } from "../merge/calendar-forms.js";
import { addMembers, type Member } from "../merge/members.js";
import { identityAcrossStores, type NonEmpty } from "../merge/stores.js";
import { oldestAge, type Age } from "../results.js";
import {
  differencesOf,
  eachOnce,
  isRest,
  table,
  type Line,
  type Pair,
  type PivotDifference,
  type Table,
} from "./table.js";

interface StorePivot extends Pair, Table {
  readonly age: Age;
  readonly differences: readonly PivotDifference[];
}

/** The period is the first store's: the days of another may be of another zone. */
export function addPivots<Pivot extends StorePivot>(pivots: NonEmpty<Pivot>): Pivot {
  const [first] = pivots;
  const { rows, cols } = first;
  const all = <Item>(itemsOf: (pivot: Pivot) => readonly Item[]) => pivots.flatMap(itemsOf);
  const lines = all(({ cells }) => cells).map(({ row, col, sum }): Line => ({
    member: acrossStores(row, rows),
    groups: [{ ...acrossStores(col, cols), sum }],
  }));
  const [rowMembers, colMembers] = [all((pivot) => pivot.rowMembers), all((pivot) => pivot.colMembers)];
  const differences = all((pivot) => pivot.differences);
  return {
    ...first,
    ...table(lines, {
      linesAre: "rows",
      lineOrder: inOneOrder(rowMembers, rows),
      groupOrder: inOneOrder(colMembers, cols),
    }),
    differences: [rows, cols].flatMap((dimension) => {
      const members = differences
        .filter((difference) => difference.dimension === dimension)
        .map(({ member, sum }) => ({ ...acrossStores(member, dimension), sum }));
      return differencesOf(dimension, [...addMembers(members).values()]);
    }),
    age: oldestAge(pivots.map(({ age }) => age)),
  };
}

function acrossStores(member: Member, dimension: Dimension): Member {
  return isRest(member) ? member : { ...member, identity: identityAcrossStores(member, dimension) };
}

/** Sorts members: they stay as the stores have them, or by time. The rest that no filter selects stands last. */
function inOneOrder(all: readonly Member[], dimension: Dimension): readonly Member[] {
  const members = eachOnce(all.map((member) => acrossStores(member, dimension)));
  const ordered = isTemporal(dimension) ? members.toSorted(byKey) : members;
  return [...ordered.filter((member) => !isRest(member)), ...ordered.filter(isRest)];
}

/**
 * Compares keys: weekdays and hours may be numbers; days, weeks and months are texts that sort as they follow on one
 * another.
 */
function byKey({ key: left }: Member, { key: right }: Member): number {
  const [a, b] = [Number(left), Number(right)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return String(left) < String(right) ? -1 : 1;
}
