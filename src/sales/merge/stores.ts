/** Adds up the figures of several stores. */
import type { Dimension } from "../../contract/enums.js";
import { groupBy } from "../../shared/group-by.js";
import {
  answeringStores,
  oldestAge,
  type Canceled,
  type Compared,
  type PeriodFigures,
  type SalesResult,
  type StoresTotal,
} from "../results.js";
import { mergeGroups, type GroupList } from "./groups.js";
import type { Member } from "./members.js";
import { addMetrics } from "./sums.js";

export type NonEmpty<Item> = readonly [Item, ...Item[]];

/** Makes the totals over the stores that answered, one for each currency, in the order of the stores. */
export function totalsOf<Figures>(
  result: Pick<SalesResult<Figures>, "stores">,
  add: (figures: NonEmpty<Figures>) => Figures,
): readonly StoresTotal<Figures>[] {
  const byCurrency = groupBy(answeringStores(result), ({ display }) => display.currency);
  return [...byCurrency.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    return {
      figures: add([first.figures, ...others.map(({ figures }) => figures)]),
      covered: [first, ...others].map(({ store }) => store),
      zones: [...new Set([first, ...others].map(({ zone }) => zone))],
      display: first.display,
    };
  });
}

/**
 * Adds up each period's figures over stores. The periods are the first store's: the days of another may be of another
 * zone.
 */
export function addCompared<Figures>(
  stores: NonEmpty<Compared<PeriodFigures<Figures>>>,
  add: (figures: readonly Figures[]) => Figures,
): Compared<PeriodFigures<Figures>> {
  const [first, ...others] = stores;
  const sum = (sides: NonEmpty<PeriodFigures<Figures>>): PeriodFigures<Figures> => {
    const days = sides.flatMap(({ byDay }) => byDay ?? []);
    return {
      period: sides[0].period,
      figures: add(sides.map(({ figures }) => figures)),
      age: oldestAge(sides.map(({ age }) => age)),
      canceled: addCanceled(sides.map(({ canceled }) => canceled)),
      ...(days.length === sides.length && { byDay: addGroups(days, "day") }),
    };
  };
  const current = sum([first.current, ...others.map((comparison) => comparison.current)]);
  const previousFigures = stores.flatMap(({ previous }) => previous ?? []);
  const [firstBefore, ...othersBefore] = previousFigures;
  // A sum over some of the stores must not be compared with one over all of them.
  if (firstBefore === undefined || previousFigures.length < stores.length) return { current };
  return { current, previous: sum([firstBefore, ...othersBefore]) };
}

/** Adds up canceled orders; `null` where one store's aren't known. */
function addCanceled(all: readonly (Canceled | null)[]): Canceled | null {
  const canceled = all.flatMap((part) => (part === null ? [] : { ...part, average_order_value: 0 }));
  if (canceled.length < all.length) return null;
  const { total_order_count, total_revenue } = addMetrics(canceled);
  return { total_order_count, total_revenue };
}

/**
 * Merges the groups of all stores. Ids are a store's own: drivers and payment methods of different stores are one
 * group only where both id and label agree. Other groups are one where their keys (and, in time, their places) agree.
 */
export function addGroups(stores: readonly GroupList[], dimension: Dimension): GroupList {
  const groupBy = stores[0]?.grouped.group_by ?? dimension;
  return mergeGroups(
    groupBy,
    stores.map(({ placed }) =>
      placed.map(({ identity, ordinal, group }) => ({
        identity: identityAcrossStores({ identity, label: group.label }, dimension),
        ...{ ordinal, group },
      })),
    ),
  );
}

/** Gives the identity of a group among those of several stores. */
export function identityAcrossStores(
  { identity, label }: Pick<Member, "identity" | "label">,
  dimension: Dimension,
): string {
  const isOfStore = dimension === "driver_id" || dimension === "payment_method_id";
  return isOfStore ? `${identity} ${JSON.stringify(label)}` : identity;
}
