/** Merges the groups of several answers into one list, with exact figures. */
import type { Group, GroupedSummary } from "../../contract/models.js";
import { isTemporal } from "./calendar-forms.js";
import type { PlacedGroup } from "./group-identity.js";
import { addMembers, memberOf } from "./members.js";
import { metricsOfSum } from "./sums.js";

/**
 * A grouped answer comes with the identities of its groups, which merging stores and comparing periods need to know.
 */
export interface GroupList {
  readonly grouped: GroupedSummary;
  /** The groups stand here with their places, in the order of `grouped.groups`. */
  readonly placed: readonly PlacedGroup[];
}

/**
 * Makes one list of several. Figures are added exactly; the label is the newest; fields that the specification
 * doesn't have are left out, since nobody knows how to add them. Groups with a place in time are sorted by it. Others
 * keep the order that all answers follow, by orders or by key, if there is one; otherwise they stay as in their
 * answers.
 */
export function mergeGroups(groupBy: string, lists: readonly (readonly PlacedGroup[])[]): GroupList {
  const members = lists.flat().map((placed) => ({ ...memberOf(placed), ordinal: placed.ordinal }));
  const sums = [...addMembers(members).values()].map(({ identity, ordinal, key, label, sum }) => {
    return { group: { key, label, ...metricsOfSum(sum) }, identity, ordinal };
  });
  return groupList(
    groupBy,
    inTime(sums) ?? fittingOrders(groupBy, sums, lists)[0] ?? interleaved(sums, lists),
  );
}

export function groupList(groupBy: string, placed: readonly PlacedGroup[]): GroupList {
  return { grouped: { group_by: groupBy, groups: placed.map(({ group }) => group) }, placed };
}

/**
 * Tells whether the service's own answer about all of these orders would be the merged one, to the letter. It would
 * not where its answers have fields of their own, or don't tell in which order it lists groups.
 */
export function mergesToTheLetter(groupBy: string, lists: readonly (readonly PlacedGroup[])[]): boolean {
  const textOf = ({ grouped }: GroupList) => JSON.stringify(grouped);
  const isPlain = (list: readonly PlacedGroup[]) =>
    textOf(mergeGroups(groupBy, [list])) === textOf(groupList(groupBy, list));
  const { placed } = mergeGroups(groupBy, lists);
  return lists.every(isPlain) && fittingOrders(groupBy, placed, lists).length > 0;
}

type Comparer = (left: PlacedGroup, other: PlacedGroup) => number;

/**
 * Sorts the groups in each order that every list follows: by number (hours, weekdays), or those with the most orders
 * first.
 */
function fittingOrders(
  groupBy: string,
  all: readonly PlacedGroup[],
  lists: readonly (readonly PlacedGroup[])[],
): readonly (readonly PlacedGroup[])[] {
  const byKey: Comparer = (left, other) => (numberOf(left) ?? NaN) - (numberOf(other) ?? NaN);
  const byCount: Comparer = ({ group }, { group: other }) =>
    other.total_order_count - group.total_order_count || compareKeys(group.key, other.key);
  const isSorted = (list: readonly PlacedGroup[], compare: Comparer) =>
    list.every((placed, index) => compare(list[index - 1] ?? placed, placed) <= 0);
  return (isTemporal(groupBy) ? [byKey] : [byCount, byKey])
    .filter((compare) => [...lists, all.slice(0, 1)].every((list) => isSorted(list, compare)))
    .filter((compare) => all.every((placed) => compare(placed, placed) === 0))
    .map((compare) => all.toSorted(compare));
}

/** Sorts numbers by size and text by code unit; null stands last. */
function compareKeys(left: Group["key"], other: Group["key"]): number {
  if (left === other) return 0;
  if (left === null || other === null) return left === null ? 1 : -1;
  return left < other ? -1 : 1;
}

/** @returns `undefined` where one has no place in time */
function inTime(all: readonly PlacedGroup[]): readonly PlacedGroup[] | undefined {
  if (all.some(({ ordinal }) => ordinal === undefined)) return undefined;
  return all.toSorted(({ ordinal: a = 0 }, { ordinal: b = 0 }) => a - b);
}

/** Gives the number that a key begins with: 9 for `9`, `"09"` and `"09:00"`. */
function numberOf({ ordinal, group: { key } }: PlacedGroup): number | undefined {
  if (typeof key === "number") return key;
  if (ordinal !== undefined || typeof key !== "string") return undefined;
  return /^\d{1,15}(?::00)?$/.test(key) ? Number.parseInt(key, 10) : undefined;
}

/**
 * Keeps the order of the lists. A key that a later list adds comes before the next key that both have, or at the end.
 */
function interleaved(
  all: readonly PlacedGroup[],
  lists: readonly (readonly PlacedGroup[])[],
): readonly PlacedGroup[] {
  const order: string[] = [];
  for (const list of lists) {
    let next = order.length;
    for (const { identity } of list.toReversed()) {
      const place = order.indexOf(identity);
      if (place === -1) order.splice(next, 0, identity);
      else next = place;
    }
  }
  const groups = new Map(all.map((placed) => [placed.identity, placed]));
  return order.flatMap((identity) => groups.get(identity) ?? []);
}
