/** The figures of several stores as one. */
import type { Dimension } from "../../contract/summary.js";
import {
  answered,
  oldest,
  type Compared,
  type PeriodFigures,
  type StoreResult,
  type StoresTotal,
} from "../results.js";
import type { PlacedGroup } from "./group-identity.js";
import { mergeGroups, type GroupList } from "./groups.js";

export type NonEmpty<One> = readonly [One, ...One[]];

/** The total over the stores that answered; `null` where none did. */
export function totalOf<Figures>(
  stores: readonly StoreResult<Figures>[],
  add: (figures: NonEmpty<Figures>) => Figures,
): StoresTotal<Figures> | null {
  const [first, ...others] = answered(stores);
  if (!first) return null;
  return {
    figures: add([first.figures, ...others.map(({ figures }) => figures)]),
    covered: [first, ...others].map(({ store }) => store),
  };
}

/** Each period's figures added up. The periods are the first store's: another one's days may be of another zone. */
export function addCompared<Figures>(
  stores: NonEmpty<Compared<PeriodFigures<Figures>>>,
  add: (figures: readonly Figures[]) => Figures,
): Compared<PeriodFigures<Figures>> {
  const [first] = stores;
  const added = (all: readonly PeriodFigures<Figures>[]) => ({
    figures: add(all.map(({ figures }) => figures)),
    age: oldest(all.map(({ age }) => age)),
  });
  const current = {
    period: first.current.period,
    ...added(stores.map((one) => one.current)),
  };
  const compared = stores.flatMap((one) => (one.kind === "comparison" ? [one.previous] : []));
  const [firstBefore] = compared;
  // A sum over some of the stores would be set against one over all of them.
  if (firstBefore === undefined || compared.length < stores.length) return { kind: "plain", current };
  const previous = { period: firstBefore.period, ...added(compared) };
  return { kind: "comparison", current, previous };
}

/**
 * The groups of all stores together. Ids are a store's own: drivers and payment methods of different stores
 * are one group only where both id and label agree. Other groups are one where their keys (and, in time,
 * their places) agree.
 */
export function addGroups(stores: readonly GroupList[], dimension: Dimension): GroupList {
  const groupBy = stores[0]?.grouped.group_by ?? dimension;
  return mergeGroups(
    groupBy,
    stores.map(({ placed }) => placed.map((one) => acrossStores(one, dimension))),
  );
}

function acrossStores(one: PlacedGroup, dimension: Dimension): PlacedGroup {
  if (dimension !== "driver_id" && dimension !== "payment_method_id") return one;
  return { ...one, identity: `${one.identity} ${JSON.stringify(one.group.label)}` };
}
