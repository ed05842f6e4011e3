/** Orders and revenue of groups are added up, and compared, by what tells the groups apart. */
import type { Group } from "../../contract/models.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";
import { addSums, emptySum, isNothing, subtractSum, sumOf, type Sum } from "./sums.js";

export interface Member {
  /** Two with the same identity are one. */
  readonly identity: string;
  readonly key: Group["key"];
  readonly label: Group["label"];
}

export interface MemberSum extends Member {
  readonly sum: Sum;
}

/** Makes a member of a group of one answer, within which the key tells groups apart. */
export function memberByKey(group: Group): MemberSum {
  return memberOf({ group, identity: keyIdentity(group.key) });
}

export function memberOf({ group, identity }: Pick<PlacedGroup, "group" | "identity">): MemberSum {
  return { identity, key: group.key, label: group.label, sum: sumOf(group) };
}

/** Adds up the sums of each member, in the order in which members come first. The last name of a member counts. */
export function addMembers(all: readonly MemberSum[]): ReadonlyMap<string, MemberSum> {
  const sums = new Map<string, MemberSum>();
  for (const member of all) {
    const before = sums.get(member.identity)?.sum ?? emptySum;
    sums.set(member.identity, { ...member, sum: addSums(before, member.sum) });
  }
  return sums;
}

/** Subtracts members' sums from others; what only one side has stays. */
export function subtractMembers(
  from: readonly MemberSum[],
  members: readonly MemberSum[],
): readonly MemberSum[] {
  const less = members.map((member) => ({ ...member, sum: subtractSum(emptySum, member.sum) }));
  return [...addMembers([...less, ...from]).values()];
}

export function totalOf(all: readonly Pick<MemberSum, "sum">[]): Sum {
  return all.map(({ sum }) => sum).reduce(addSums, emptySum);
}

/** Tells whether both have the same orders of the same revenue; a member that one side lacks has none there. */
export function haveSameSums(left: readonly MemberSum[], others: readonly MemberSum[]): boolean {
  return subtractMembers(left, others).every(({ sum }) => isNothing(sum));
}
