/** Remembers what a pivot has asked, and which of the answers contradict each other. */
import { sameSum } from "../ledger/figures.js";
import type { GroupList } from "../merge/groups.js";
import { addSums, emptySum, type Sum } from "../merge/sums.js";
import type { Contradiction, Disputed } from "../plan/agreement.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion, PeriodSpan } from "../plan/request.js";
import { oldestAge, type Age } from "../results.js";
import type { Line } from "./table.js";
import type { Pair } from "./way.js";

export type AnsweredQuestion = readonly [question: GroupsQuestion, sum: Sum];

export interface Asker {
  readonly calls: PlannedCalls;
  readonly pair: Pair;
  readonly span: PeriodSpan;
  readonly ask: (question: GroupsQuestion) => Promise<GroupList>;
  /** Says that these two answers are about the same orders. */
  readonly tie: (left: AnsweredQuestion, other: AnsweredQuestion) => void;
  /**
   * Says that cells are the whole less the parts. An order that was changed twice between two of the answers would
   * stand where it never was, and no total would tell. So where one of them was kept by an earlier run, and another
   * one wasn't, the older is asked again.
   */
  readonly subtract: (whole: GroupsQuestion, parts: readonly GroupsQuestion[]) => void;
}

export interface OpenAsker extends Asker {
  readonly age: () => Age;
  /** Gives the ties that differ, and forgets them. */
  readonly takeContradictions: () => readonly Contradiction<GroupsQuestion>[];
}

export function openAsker(
  { calls, pair, span }: Pick<Asker, "calls" | "pair" | "span">,
  signal: AbortSignal,
): OpenAsker {
  const answers = new Map<string, { readonly question: GroupsQuestion; readonly age: Age }>();
  let contradictions: Contradiction<GroupsQuestion>[] = [];
  const disputed = (question: GroupsQuestion): Disputed<GroupsQuestion> => {
    const answer = answers.get(textOf(question));
    return { name: answer?.question ?? question, askedAt: answer?.age.askedAt ?? 0 };
  };
  return {
    ...{ calls, pair, span },
    async ask(question) {
      const { span: period, dimension, filters } = question;
      const { figures, age } = await calls.grouped(period, dimension, signal, filters);
      // The same question is the same object each time, so that it is recognized again.
      const first = answers.get(textOf(question))?.question ?? question;
      answers.set(textOf(question), { question: first, age });
      return figures;
    },
    tie([question, sum], [other, total]) {
      if (!sameSum(sum, total)) contradictions.push([disputed(question), disputed(other)]);
    },
    subtract(whole, parts) {
      const isKept = (question: GroupsQuestion) => answers.get(textOf(question))?.age.kept === true;
      for (const part of parts)
        if (isKept(part) !== isKept(whole)) contradictions.push([disputed(whole), disputed(part)]);
    },
    age: () => oldestAge([...answers.values()].map(({ age }) => age)),
    takeContradictions() {
      const current = contradictions;
      contradictions = [];
      return current;
    },
  };
}

function textOf({ span: { windows }, dimension, filters = [] }: GroupsQuestion): string {
  return JSON.stringify([windows, dimension, filters]);
}

export function sumOf(groups: Line["groups"]): Sum {
  return groups.map(([, sum]) => sum).reduce(addSums, emptySum);
}
