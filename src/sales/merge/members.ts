/** Orders and revenue of groups are added up, and compared, by what tells the groups apart. */
import type { Group } from "../../contract/models.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";
import { addSums, emptySum, isSameSum, subtractSum, sumOf, type Sum } from "./sums.js";

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
export function addMembers<Item extends MemberSum>(all: readonly Item[]): ReadonlyMap<string, Item> {
  const sums = new Map<string, Item>();
  for (const member of all) {
    const before = sums.get(member.identity);
    const label = member.label ?? before?.label ?? null;
    sums.set(member.identity, { ...member, label, sum: addSums(before?.sum ?? emptySum, member.sum) });
  }
  return sums;
}

/** Pairs the members of both sides, in the order of the left ones. A member that one side lacks has no orders there. */
export function pairMembers(
  left: readonly MemberSum[],
  others: readonly MemberSum[],
): readonly (readonly [left: MemberSum, other: MemberSum])[] {
  const [sums, otherSums] = [addMembers(left), addMembers(others)];
  return [...new Map([...sums, ...otherSums])].map(([identity, member]) => {
    const none = { ...member, sum: emptySum };
    return [sums.get(identity) ?? none, otherSums.get(identity) ?? none];
  });
}

/** Subtracts members' sums from others. */
export function subtractMembers(
  from: readonly MemberSum[],
  members: readonly MemberSum[],
): readonly MemberSum[] {
  return pairMembers(members, from).map(([less, member]) => ({
    ...member,
    sum: subtractSum(member.sum, less.sum),
  }));
}

export function totalOf(all: readonly Pick<MemberSum, "sum">[]): Sum {
  return all.map(({ sum }) => sum).reduce(addSums, emptySum);
}

/** Tells whether both have the same orders of the same revenue; a member that one side lacks has none there. */
export function haveSameSums(left: readonly MemberSum[], others: readonly MemberSum[]): boolean {
  return pairMembers(left, others).every(([member, other]) => isSameSum(member.sum, other.sum));
}
