/** The figures of an answer of either endpoint can be compared with those of another answer to the same question. */
import type { Group, GroupedSummary, Summary } from "../../contract/models.js";
import { keyIdentity } from "../merge/group-identity.js";
import { addToSum, emptySum, type Sum } from "../merge/sums.js";

export type SalesAnswer = Summary | GroupedSummary;

export interface KeyedSum {
  /** The key is `null` for a whole summary, and for orders without a value. */
  readonly key: Group["key"];
  readonly label: string | null;
  readonly sum: Sum;
}

/**
 * Sums up orders and cents by their keys. Average and label are left out: the average follows from the others, and a
 * label is no figure.
 */
export function sumsOf(answer: SalesAnswer): ReadonlyMap<string, KeyedSum> {
  const sums = new Map<string, KeyedSum>();
  for (const { identity, key, label, metrics } of partsOf(answer)) {
    sums.set(identity, { key, label, sum: addToSum(sums.get(identity)?.sum ?? emptySum, metrics) });
  }
  return sums;
}

function partsOf(answer: SalesAnswer) {
  if (!isGrouped(answer)) return [{ identity: "", key: null, label: null, metrics: answer }];
  return answer.groups.map((group) => ({
    // Two drivers may have one name, and one id may stand for two drivers in two services; within one answer the key
    // tells them apart.
    identity: keyIdentity(group.key),
    key: group.key,
    label: group.label,
    metrics: group,
  }));
}

export function groupsOf(answer: SalesAnswer): readonly Group[] {
  return isGrouped(answer) ? answer.groups : [];
}

export function isGrouped(answer: SalesAnswer): answer is GroupedSummary {
  return "groups" in answer && Array.isArray(answer.groups);
}

export function isWhole(answer: SalesAnswer): answer is Summary {
  return !isGrouped(answer);
}

/** Compares two answers; a group that one answer lacks has no orders there. */
export function sameFigures(left: SalesAnswer, other: SalesAnswer): boolean {
  const [sums, others] = [sumsOf(left), sumsOf(other)];
  return [...new Set([...sums.keys(), ...others.keys()])].every((identity) =>
    sameSum(sums.get(identity)?.sum ?? emptySum, others.get(identity)?.sum ?? emptySum),
  );
}

export function sameSum(left: Sum, other: Sum): boolean {
  return left.orders === other.orders && left.revenue === other.revenue;
}
