/** Several stores' figures, and their total. */
import type { Dimension, Summary } from "../../contract/summary.js";
import type { ComandaError } from "../../errors/index.js";
import type { FetchedGroups } from "../plan/fetch.js";
import { mergePlaced } from "./groups.js";
import type { PlacedGroup } from "./placed-groups.js";
import { addTotals, metricsOf, nothing, totalsOf } from "./sums.js";

/** What came of one store: its figures, or why there are none. */
export type StoreResult<Figures> =
  | { readonly store: string; readonly figures: Figures }
  | { readonly store: string; readonly error: ComandaError };

/** The figures of the stores that answered; `null` where none did, since 0 orders would be a lie. */
export interface StoresTotal<Figures> {
  readonly figures: Figures;
  /** The stores it covers. */
  readonly covered: readonly string[];
  readonly failed: readonly string[];
}

export function totalOfSummaries(results: readonly StoreResult<Summary>[]): StoresTotal<Summary> | null {
  return totalOf(results, (summaries) =>
    metricsOf(summaries.map((one) => totalsOf(one)).reduce(addTotals, nothing)),
  );
}

/**
 * The groups of all stores together. Ids are a store's own: drivers and payment methods of different stores
 * are one group only where both id and label agree. Other groups are one where their keys (and, in time,
 * their places) agree.
 */
export function totalOfGroups(
  results: readonly StoreResult<FetchedGroups>[],
  dimension: Dimension,
): StoresTotal<FetchedGroups> | null {
  return totalOf(results, (stores) => {
    const lists = stores.map(({ placed }) => placed.map((one) => acrossStores(one, dimension)));
    const placed = mergePlaced(lists);
    const groupBy = stores[0]?.grouped.group_by ?? dimension;
    return { grouped: { group_by: groupBy, groups: placed.map(({ group }) => group) }, placed };
  });
}

function totalOf<Figures, Total>(
  results: readonly StoreResult<Figures>[],
  total: (figures: readonly Figures[]) => Total,
): StoresTotal<Total> | null {
  const answered = results.flatMap((one) => ("figures" in one ? [one] : []));
  if (answered.length === 0) return null;
  return {
    figures: total(answered.map(({ figures }) => figures)),
    covered: answered.map(({ store }) => store),
    failed: results.flatMap((one) => ("error" in one ? [one.store] : [])),
  };
}

function acrossStores(one: PlacedGroup, dimension: Dimension): PlacedGroup {
  if (dimension !== "driver_id" && dimension !== "payment_method_id") return one;
  return { ...one, identity: `${one.identity} ${JSON.stringify(one.group.label)}` };
}
