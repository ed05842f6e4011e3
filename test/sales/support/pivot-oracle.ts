/** Every cell of a pivot, counted by going through the orders one by one. */
import type { Pivot } from "../../../src/sales/pivot/pivot.js";
import type { Group } from "../../../src/contract/models.js";
import type { Filter } from "../../../src/contract/filters.js";
import { passes } from "../../emulator/summary/brute-force.js";
import { counted, keyOf, ordersOfDays, type Counted, type StoreCase } from "./oracle.js";

/**
 * What no filter selects may be one sum.
 *
 * @returns each cell with what it should be, and how many orders are in none
 */
export function countedCells(
  pivot: Pivot,
  given: StoreCase,
  filters: readonly Filter[],
): { readonly cells: readonly CountedCell[]; readonly left: number } {
  let left = ordersOfDays(given.orders, given.from, given.to, given)
    .filter((order) => filters.every((filter) => passes(order, filter, given.zone)))
    .map((order) => ({
      order,
      row: keyOf(order, pivot.rows, given),
      col: keyOf(order, pivot.cols, given),
    }));
  const cells = pivot.cells.map(({ row, col, other, sum }): CountedCell => {
    const isRow = other && row.identity === "other" ? isUnfiltered : is(row.key);
    const isCol = other && col.identity === "other" ? isUnfiltered : is(col.key);
    const own = left.filter((one) => isRow(one.row) && isCol(one.col));
    left = left.filter((one) => !own.includes(one));
    return {
      ...{ row: row.key, col: col.key, shown: { count: sum.orders, cents: sum.revenue } },
      expected: counted(own.map(({ order }) => order)),
    };
  });
  return { cells, left: left.length };
}

export interface CountedCell {
  readonly row: Group["key"];
  readonly col: Group["key"];
  readonly shown: Counted;
  readonly expected: Counted;
}

function is(key: unknown): (other: unknown) => boolean {
  return (other) => other === key;
}

/** What no filter selects. */
function isUnfiltered(key: unknown): boolean {
  return key === null || key === "canceling" || key === "pending_online_payment";
}
