/** What commands get for each store. */
import type { Summary } from "../../contract/summary.js";
import type { FetchedGroups } from "../../summary/plan/fetch.js";
import type { StoreResult } from "../../summary/merge/stores.js";

/** One period's figures, and those beside it. */
export interface BothPeriods<Figures> {
  readonly current: Figures;
  readonly previous: Figures | undefined;
}
export type SummaryFigures = BothPeriods<Summary>;
export type GroupFigures = BothPeriods<FetchedGroups>;

/** The same stores with their figures as something else. */
export function mapFigures<From, To>(
  results: readonly StoreResult<From>[],
  change: (figures: From) => To,
): readonly StoreResult<To>[] {
  return results.map((one) => ("error" in one ? one : { store: one.store, figures: change(one.figures) }));
}
