/** The figures of an answer of either endpoint can be compared with those of another answer to the same question. */
import type { Group, GroupedSummary, Summary } from "../../contract/models.js";
import { addMembers, memberByKey, type MemberSum } from "../merge/members.js";
import { sumOf } from "../merge/sums.js";

export type SalesAnswer = Summary | GroupedSummary;

/**
 * Lists orders and cents by their keys; a whole summary is one member. Average and label are no figures: the average
 * follows from the others.
 */
export function membersOf(answer: SalesAnswer): readonly MemberSum[] {
  if (!isGrouped(answer)) return [{ identity: "", key: null, label: null, sum: sumOf(answer) }];
  return [...addMembers(answer.groups.map(memberByKey)).values()];
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
