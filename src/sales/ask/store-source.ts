/** Questions about a store's sales are answered by its connection, and by what is kept of it on this machine. */
import type { GroupedSummary } from "../../contract/models.js";
import { groupedBy } from "../../contract/summary.js";
import type { Answers, KeptAnswer } from "../../state/answers.js";
import { queryOf } from "../../state/question.js";
import type { Connection } from "../../toolkit/connection.js";
import { isGrouped } from "../ledger/figures.js";
import type { SalesQuery, SalesSource } from "../plan/source.js";

export interface SourceOptions extends Pick<SalesSource, "now" | "ahead" | "storeZone" | "doubtedAt"> {
  readonly client: Pick<Connection["client"], "summary" | "groupedSummary">;
  /** Absent where nothing is kept. */
  readonly answers: Answers | undefined;
  /** Gives what the work gives, or `undefined` where what is kept can't be used. */
  readonly unlessUnusable: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  /** Another process may wait this many milliseconds for its place within the limit, and for its answer. */
  readonly waitMs: number;
  /** Is told of the drivers' names. */
  readonly onDrivers: (answer: GroupedSummary, askedAt: number) => Promise<void>;
}

export function openSource({
  client,
  answers,
  unlessUnusable,
  waitMs,
  onDrivers,
  ...store
}: SourceOptions): SalesSource {
  const read = async (query: SalesQuery, find: (all: Answers) => Promise<readonly KeptAnswer[]>) => {
    const kept = answers && (await unlessUnusable(() => find(answers)));
    return (kept ?? [])
      .filter(({ answer }) => isGrouped(answer) === "group_by" in query)
      .map(({ from: start, to: end, askedAt, answer }) => ({ start, end, askedAt, answer }));
  };
  const learn: SalesSource["keepRunning"] = async (query, { askedAt, answer }) => {
    const isOfDrivers = "group_by" in query && query.group_by === "driver_id" && isGrouped(answer);
    if (isOfDrivers) await onDrivers(answer, askedAt);
  };
  return {
    ...store,
    async call(query, signal) {
      const askedAt = store.now();
      const answer =
        "group_by" in query
          ? (await client.groupedSummary(query, { signal })).groupedSummary
          : (await client.summary(query, { signal })).summary;
      return { askedAt: askedAt + store.ahead(), answer };
    },
    history: (query) => read(query, (all) => all.history(query)),
    overlapping: (query) => read(query, (all) => all.overlapping(query)),
    running: async (query) =>
      (await read(query, async (all) => [await all.running(query)].filter((kept) => kept !== undefined)))[0],
    async *answersBy(dimension) {
      const all = answers?.answersBy(dimension)[Symbol.asyncIterator]();
      for (;;) {
        const next = await unlessUnusable(async () => all?.next());
        if (next === undefined || next.done === true) return;
        const { answer, askedAt, ...question } = next.value;
        if (isGrouped(answer)) yield { askedAt, answer, query: groupedBy(queryOf(question), dimension) };
      }
    },
    async keep(query, answer, figures) {
      await unlessUnusable(async () => answers?.keep(query, answer.askedAt, answer.answer, figures));
      await learn(query, answer);
    },
    async keepRunning(query, answer) {
      await unlessUnusable(async () => answers?.keepRunning(query, answer.askedAt, answer.answer));
      await learn(query, answer);
    },
    share: (query, work, signal) => (answers ? answers.share(query, work, { waitMs, signal }) : work()),
  };
}
