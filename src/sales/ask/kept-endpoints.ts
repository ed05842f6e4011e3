/** Questions about sales figures read the kept answers of each endpoint here. */
import type { Dimension } from "../../contract/enums.js";
import type { Summary, SummaryQuery } from "../../contract/models.js";
import { groupedBy } from "../../contract/summary.js";
import type { Answers, KeptAnswer } from "../../state/answers.js";
import { queryOf } from "../../state/question.js";
import { isGrouped, type SalesAnswer } from "../ledger/figures.js";
import type { Endpoint } from "../plan/store-calls.js";

/** Gives what the work gives, or `undefined` where what is kept can't be used. */
export type UnlessUnusable = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

/**
 * @param answers is absent where nothing is kept
 * @param options.waitMs is how long another process may wait for its place within the limit, and for its answer
 */
export function keptEndpoints(
  answers: Answers | undefined,
  unlessUnusable: UnlessUnusable,
  { waitMs }: { readonly waitMs: number },
) {
  const readAnswers = async <Answer extends SalesAnswer>(
    isAnswer: (answer: SalesAnswer) => answer is Answer,
    read: (answers: Answers) => Promise<readonly KeptAnswer[]>,
  ) => {
    const keptAnswers = answers && (await unlessUnusable(() => read(answers)));
    return (keptAnswers ?? []).flatMap(({ from: start, to: end, askedAt, answer }) =>
      isAnswer(answer) ? [{ start, end, askedAt, answer }] : [],
    );
  };
  const endpointFor = <Answer extends SalesAnswer>(
    isAnswer: (answer: SalesAnswer) => answer is Answer,
  ): Required<Omit<Endpoint<SummaryQuery, Answer>, "call" | "learn">> => ({
    history: (query) => readAnswers(isAnswer, (all) => all.history(query)),
    overlapping: (query) => readAnswers(isAnswer, (all) => all.overlapping(query)),
    running: async (query) => {
      const readAnswer = async (all: Answers) =>
        [await all.running(query)].filter((kept) => kept !== undefined);
      return (await readAnswers(isAnswer, readAnswer))[0];
    },
    keepRunning: async (query, { askedAt, answer }) => {
      await unlessUnusable(async () => answers?.keepRunning(query, askedAt, answer));
    },
    keep: async (query, { askedAt, answer }, figures) => {
      await unlessUnusable(async () => answers?.keep(query, askedAt, answer, figures));
    },
    share: (query, work, signal) => (answers ? answers.share(query, work, { waitMs, signal }) : work()),
  });
  return {
    keptDays: async () => (await unlessUnusable(async () => answers?.keptDays())) ?? [],
    summary: endpointFor((answer): answer is Summary => !isGrouped(answer)),
    grouped: {
      ...endpointFor(isGrouped),
      async *answersBy(dimension: Dimension) {
        const all = answers?.answersBy(dimension)[Symbol.asyncIterator]();
        for (;;) {
          const next = await unlessUnusable(async () => all?.next());
          if (next === undefined || next.done === true) return;
          const { answer, askedAt, ...question } = next.value;
          if (isGrouped(answer)) yield { askedAt, answer, query: groupedBy(queryOf(question), dimension) };
        }
      },
    },
  };
}
