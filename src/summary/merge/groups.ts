/** Groups of several answers as one list, with exact figures. */
import { mergeOrder } from "./merge-order.js";
import type { PlacedGroup } from "./placed-groups.js";
import { addTotals, metricsOf, nothing, type OnRounded, type Totals, totalsOf } from "./sums.js";

/**
 * One list out of several. Figures are added exactly; the label is the newest; fields that the specification
 * doesn't have are left out, since nothing is known about how to add them. Groups with a place in time stand
 * in time's order, others as in the answers they came from.
 */
export function mergePlaced(
  lists: readonly (readonly PlacedGroup[])[],
  onRounded?: OnRounded,
): readonly PlacedGroup[] {
  const merged = new Map<string, { last: PlacedGroup; totals: Totals }>();
  for (const one of lists.flat()) {
    const before = merged.get(one.identity);
    const totals = addTotals(before?.totals ?? nothing, totalsOf(one.group, onRounded));
    const label = one.group.label ?? before?.last.group.label ?? null;
    merged.set(one.identity, { last: { ...one, group: { ...one.group, label } }, totals });
  }
  return mergeOrder(lists).flatMap((identity) => {
    const found = merged.get(identity);
    if (!found) return [];
    const { key, label } = found.last.group;
    return { ...found.last, group: { key, label, ...metricsOf(found.totals) } };
  });
}
