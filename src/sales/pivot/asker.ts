/** Remembers what a pivot has asked, and which of the answers contradict each other. */
import type { GroupList } from "../merge/groups.js";
import { isSameSum, type Sum } from "../merge/sums.js";
import type { Contradiction } from "../plan/agreement.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion } from "../plan/request.js";
import { oldestAge, type Age } from "../results.js";

type AnsweredQuestion = readonly [question: GroupsQuestion, sum: Sum];

export type Asker = ReturnType<typeof openAsker>;

export function openAsker(calls: PlannedCalls, signal: AbortSignal) {
  const answers = new Map<string, { readonly name: GroupsQuestion; readonly age: Age }>();
  let contradictions: Contradiction<GroupsQuestion>[] = [];
  const disputed = (question: GroupsQuestion) => {
    const answer = answers.get(textOf(question));
    return { name: answer?.name ?? question, askedAt: answer?.age.askedAt ?? 0 };
  };
  const isKept = (question: GroupsQuestion) => answers.get(textOf(question))?.age.kept === true;
  return {
    calls,
    async ask(question: GroupsQuestion): Promise<GroupList> {
      const { figures, age } = await calls.grouped(question, signal);
      // The same question is the same object each time, so that it is recognized again.
      answers.set(textOf(question), { name: disputed(question).name, age });
      return figures;
    },
    /** Says that these two answers are about the same orders. */
    tie([question, sum]: AnsweredQuestion, [other, total]: AnsweredQuestion): void {
      if (!isSameSum(sum, total)) contradictions.push([disputed(question), disputed(other)]);
    },
    /**
     * Says that cells are the whole less the parts. An order that was changed twice between two of the answers would
     * stand where it never was, and no total would tell. So where one of them was kept by an earlier run, and another
     * one wasn't, the older is asked again.
     */
    subtract(whole: GroupsQuestion, parts: readonly GroupsQuestion[]): void {
      for (const part of parts)
        if (isKept(part) !== isKept(whole)) contradictions.push([disputed(whole), disputed(part)]);
    },
    age: () => oldestAge([...answers.values()].map(({ age }) => age)),
    /** Gives the answers that contradict each other, and forgets them. */
    takeContradictions() {
      const current = contradictions;
      contradictions = [];
      return current;
    },
  };
}

function textOf({ period: { from, to }, dimension, filters = [] }: GroupsQuestion): string {
  return JSON.stringify([from.sent, to.sent, dimension, filters]);
}
