/** The order of merged groups. */
import type { PlacedGroup } from "./placed-groups.js";

/**
 * The identities of all lists, each once. Where all have a place in time, that is their order. Where the keys
 * of every list ascend as numbers (hours, days of the week), so do they. Else they stand as in the lists: one
 * that a later list adds comes before the next that is known there, or at the end.
 */
export function mergeOrder(lists: readonly (readonly PlacedGroup[])[]): readonly string[] {
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
