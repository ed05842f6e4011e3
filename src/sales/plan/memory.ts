/** Remembers an endpoint's answers: those that are kept, and those that this run has heard. */
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery } from "../../contract/models.js";
import type { DatedAnswer } from "../ledger/freshness.js";
import type { KeptWindow } from "../ledger/kept-days.js";

export interface KeptHistory<Query, Answer> {
  /** Gives every answer to this question, in the order in which they were kept. */
  history(query: Query): Promise<readonly DatedAnswer<Answer>[]>;
  /**
   * Gives every answer to the same question about another window that has a part of this one. Without this method
   * there are none.
   */
  overlapping?(query: Query): Promise<readonly KeptWindow<Answer>[]>;
  /** Gives the newest answer to this question about a window that began then and ended when it was asked. */
  running?(query: Query): Promise<DatedAnswer<Answer> | undefined>;
}

export interface KeptGroups extends KeptHistory<GroupedSummaryQuery, GroupedSummary> {
  /**
   * Gives every answer by a dimension, whatever else was asked for, the newest windows first. Without this method
   * there are none.
   */
  answersBy?(dimension: Dimension): AsyncIterable<KeptAnswer<GroupedSummaryQuery, GroupedSummary>>;
}

export interface KeptAnswer<Query, Answer> extends DatedAnswer<Answer> {
  readonly query: Query;
}

/** A run asks nothing twice, even where nothing is kept. */
export interface Memory<Query, Answer> {
  heard(query: Query): DatedAnswer<Answer> | undefined;
  hear(query: Query, answer: DatedAnswer<Answer>): void;
  allHeard(): readonly KeptAnswer<Query, Answer>[];
  /** Uses the known answer no more, since another answer in the same output contradicts it. */
  doubt(query: Query, at: number): void;
  /** Gives the time of the doubt, in milliseconds since the epoch; minus infinity where there was none. */
  doubtedAt(query: Query): number;
}

export type Remembered<Query, Answer> = KeptHistory<Query, Answer> & Memory<Query, Answer>;

export function memoryOf<Query extends object, Answer>(): Memory<Query, Answer> {
  const answers = new Map<string, KeptAnswer<Query, Answer>>();
  const doubts = new Map<string, number>();
  const textOf = (query: Query) => JSON.stringify(Object.entries(query).toSorted());
  return {
    heard: (query) => answers.get(textOf(query)),
    hear(query, answer) {
      answers.set(textOf(query), { ...answer, query });
    },
    allHeard: () => [...answers.values()],
    doubt(query, at) {
      answers.delete(textOf(query));
      doubts.set(textOf(query), at);
    },
    doubtedAt: (query) => doubts.get(textOf(query)) ?? Number.NEGATIVE_INFINITY,
  };
}
