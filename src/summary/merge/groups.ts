/** Groups of several answers as one list, with exact figures. */
import type { GroupedSummary } from "../../contract/summary.js";
import type { PlacedGroup } from "./group-identity.js";
import { addToSum, emptySum, metricsOfSum, type OnRounded, type Sum } from "./sums.js";

/** A grouped answer, and what its groups are, which merging stores and comparing periods need to know. */
export interface GroupList {
  readonly grouped: GroupedSummary;
  /** In the order of `grouped.groups`. */
  readonly placed: readonly PlacedGroup[];
}

/**
 * One list out of several. Figures are added exactly; the label is the newest; fields that the specification
 * doesn't have are left out, since nothing is known about how to add them. Groups with a place in time stand
 * in time's order, others as in the answers they came from.
 */
export function mergeGroups(
  groupBy: string,
  lists: readonly (readonly PlacedGroup[])[],
  onRounded?: OnRounded,
): GroupList {
  const merged = new Map<string, { last: PlacedGroup; sum: Sum }>();
  for (const one of lists.flat()) {
    const before = merged.get(one.identity);
    const sum = addToSum(before?.sum ?? emptySum, one.group, onRounded);
    const label = one.group.label ?? before?.last.group.label ?? null;
    merged.set(one.identity, { last: { ...one, group: { ...one.group, label } }, sum });
  }
  const placed = mergeOrder(lists).flatMap((identity) => {
    const found = merged.get(identity);
    if (!found) return [];
    const { key, label } = found.last.group;
    return { ...found.last, group: { key, label, ...metricsOfSum(found.sum) } };
  });
  return { grouped: { group_by: groupBy, groups: placed.map(({ group }) => group) }, placed };
}

/**
 * The identities of all lists, each once. Where all have a place in time, that is their order. Where the keys
 * of every list ascend as numbers (hours, days of the week), so do they. Else they stand as in the lists: one
 * that a later list adds comes before the next that is known there, or at the end.
 */
function mergeOrder(lists: readonly (readonly PlacedGroup[])[]): readonly string[] {
  const all = [...new Map(lists.flat().map((one) => [one.identity, one])).values()];
  const byTime = ranked(all, (one) => one.ordinal);
  if (byTime) return byTime;
  const byNumber = lists.every(ascends) ? ranked(all, numberOf) : undefined;
  return byNumber ?? interleaved(lists.map((list) => list.map(({ identity }) => identity)));
}

function ranked(
  all: readonly PlacedGroup[],
  rank: (one: PlacedGroup) => number | undefined,
): readonly string[] | undefined {
  const pairs: { identity: string; place: number }[] = [];
  for (const one of all) {
    const place = rank(one);
    if (place === undefined) return undefined;
    pairs.push({ identity: one.identity, place });
  }
  return pairs.toSorted((a, b) => a.place - b.place).map(({ identity }) => identity);
}

function ascends(list: readonly PlacedGroup[]): boolean {
  let highest = Number.NEGATIVE_INFINITY;
  return list.every((one) => {
    const number = numberOf(one);
    if (number === undefined || number < highest) return false;
    highest = number;
    return true;
  });
}

/** The number that a key begins with: 9 for `9`, `"09"` and `"09:00"`. */
function numberOf({ ordinal, group: { key } }: PlacedGroup): number | undefined {
  if (typeof key === "number") return key;
  if (ordinal !== undefined || typeof key !== "string") return undefined;
  return /^\d{1,15}(?::00)?$/.test(key) ? Number.parseInt(key, 10) : undefined;
}

function interleaved(lists: readonly (readonly string[])[]): readonly string[] {
  let order: string[] = [];
  for (const list of lists) {
    const known = new Set(order);
    const before = new Map<string, string[]>();
    let added: string[] = [];
    for (const identity of list) {
      if (!known.has(identity)) {
        added.push(identity);
        continue;
      }
      before.set(identity, added);
      added = [];
    }
    order = [...order.flatMap((identity) => [...(before.get(identity) ?? []), identity]), ...added];
  }
  return [...new Set(order)];
}
