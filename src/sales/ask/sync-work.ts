/**
 * Finds what a sync has to ask a store: days and months that are new or due, and windows that tell which other days
 * changed.
 */
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary } from "../../contract/models.js";
import { groupBy } from "../../shared/group-by.js";
import { sumsOf } from "../ledger/figures.js";
import { mayAsk, usable, type DatedAnswer, type Freshness } from "../ledger/freshness.js";
import { groupedQuery, endOf } from "../plan/queries.js";
import { createStoreCalls, type StoreCalls } from "../plan/store-calls.js";
import { sinceDays, syncQuestions, type SyncQuestion } from "../plan/sync.js";
import type { Machine } from "../../toolkit/machine.js";
import type { OpenStore } from "./stores.js";

export interface SyncRequest {
  readonly stores: readonly string[];
  readonly allStores: boolean;
  readonly days: number;
  readonly dimensions: readonly Dimension[];
  readonly timeZone: string | undefined;
  /**
   * The freshness says which answers aren't asked for again. Offline nothing is asked: only what is kept is written.
   */
  readonly freshness: Freshness;
  /** The form in which all that is kept is written as one table. */
  readonly export: "csv" | "jsonl" | undefined;
  /** A day's own answer is asked for again at this age in milliseconds, whatever longer windows say. */
  readonly fullEveryMs: number;
}

export interface Work {
  readonly calls: StoreCalls;
  /** The sync begins at this day, YYYY-MM-DD. */
  readonly since: string;
  readonly questions: readonly SyncQuestion[];
  /** These have to be asked; those that were never asked come first. */
  readonly due: readonly SyncQuestion[];
  /** These days of a month by one dimension, in time's order, are asked only where they have changed. */
  readonly checked: readonly (readonly SyncQuestion[])[];
  /** These are young or final, so nothing is asked about them. */
  readonly left: readonly SyncQuestion[];
  /**
   * The guard is called before each request, and before its answer is kept: it ends the work of a run that has lost
   * the store.
   */
  readonly guard: { hold(): Promise<void> };
  readonly answered: () => number;
}

export const syncedRequest = { dateField: undefined, filters: [] };

export async function workOf(machine: Machine, store: OpenStore, request: SyncRequest): Promise<Work> {
  const { zone } = store.preferences;
  const now = machine.context.clock.now();
  const guard: Work["guard"] = { hold: () => Promise.resolve() };
  let answered = 0;
  const { endpoints, doubtedAt, ahead } = store;
  const calls = createStoreCalls({
    summary: endpoints.summary,
    grouped: {
      ...endpoints.grouped,
      async call(query, signal) {
        await guard.hold();
        return endpoints.grouped.call(query, signal);
      },
      async keep(...answer) {
        await guard.hold();
        await endpoints.grouped.keep(...answer);
      },
    },
    ...{ request: syncedRequest, freshness: request.freshness, doubtedAt, ahead },
    // A question's answer is compared with answers to the same question only.
    exactOnly: true,
    now: () => machine.context.clock.now(),
    onCalled: () => {
      answered += 1;
    },
    onWarning: (message) => {
      machine.output.warnOnce(message);
    },
  });
  const since = sinceDays(request.days, { now, zone });
  const questions = syncQuestions({ ...request, since }, { now, zone });
  const [neverAsked, known, left]: [SyncQuestion[], SyncQuestion[], SyncQuestion[]] = [[], [], []];
  const checked = new Map<string, SyncQuestion[]>();
  const histories = await historiesOf(store, questions);
  for (const question of questions) {
    const [history = []] = histories(question);
    const last = history.at(-1);
    const { dimension, span } = question;
    if (!mayAsk(request.freshness)) left.push(question);
    else if (!last) neverAsked.push(question);
    else if (dimension === "day") ((await calls.count([question])) > 0 ? known : left).push(question);
    else if (isUsable(question, history)) left.push(question);
    else if (request.freshness.kind === "fresh" || now - last.askedAt >= request.fullEveryMs)
      known.push(question);
    else {
      const month = `${dimension} ${span.period.from.date.slice(0, "2026-10".length)}`;
      checked.set(month, [question, ...(checked.get(month) ?? [])]);
    }
  }
  const spans = [...checked.values()].map((days) => withoutGaps(days, questions));
  return {
    ...{ calls, since, questions, guard, left },
    // A window of one day is that day.
    due: [...neverAsked, ...known, ...spans.filter(({ length }) => length === 1).flat()],
    checked: spans.filter(({ length }) => length > 1),
    answered: () => answered,
  };

  function isUsable({ span }: SyncQuestion, history: readonly DatedAnswer<GroupedSummary>[]): boolean {
    const [window] = span.windows;
    const at = { now: now + ahead(), startedAt: now + ahead(), doubtedAt };
    return (
      window !== undefined &&
      usable(history, request.freshness, { ...at, endsAt: endOf(window, syncedRequest) }) !== undefined
    );
  }
}

/** Fills a window: it has all days between its first and its last. */
function withoutGaps(
  days: readonly SyncQuestion[],
  questions: readonly SyncQuestion[],
): readonly SyncQuestion[] {
  const [first, last] = [days[0], days.at(-1)].map((question) => question?.span.period.from.date ?? "");
  const isBetween = ({ dimension, span }: SyncQuestion) =>
    dimension === days[0]?.dimension &&
    span.period.from.date >= (first ?? "") &&
    span.period.from.date <= (last ?? "");
  return questions.filter(isBetween).toReversed();
}

/**
 * Reads every answer to each window of a question, in the order in which they came, with one look for each dimension.
 * The list is empty where one of the windows was never asked.
 */
async function historiesOf(store: OpenStore, questions: readonly SyncQuestion[]) {
  const byWindow = new Map<string, DatedAnswer<GroupedSummary>[]>();
  const textOf = (dimension: Dimension, { start, end }: { readonly start: string; readonly end: string }) =>
    `${dimension} ${start} ${end}`;
  for (const dimension of new Set(questions.map((question) => question.dimension))) {
    const windows = questions.flatMap((question) =>
      question.dimension === dimension ? question.span.windows : [],
    );
    const [newest, oldest] = [windows[0], windows.at(-1)];
    if (!newest || !oldest) continue;
    const whole = groupedQuery({ start: oldest.start, end: newest.end }, dimension, syncedRequest);
    const kept = (await store.endpoints.grouped.overlapping?.(whole)) ?? [];
    for (const [text, history] of groupBy(kept, (window) => textOf(dimension, window)))
      byWindow.set(text, history);
  }
  return ({ dimension, span }: SyncQuestion): readonly (readonly DatedAnswer<GroupedSummary>[])[] => {
    const histories = span.windows.map((window) => byWindow.get(textOf(dimension, window)) ?? []);
    return histories.some((history) => history.length === 0) ? [] : histories;
  };
}

/**
 * Reads the newest answer to each window of a question.
 *
 * @param questions begin with the newest
 */
export async function newestAnswers(store: OpenStore, questions: readonly SyncQuestion[]) {
  const historiesFor = await historiesOf(store, questions);
  return (question: SyncQuestion) => historiesFor(question).flatMap((history) => history.slice(-1));
}

/** Gives orders and cents of an answer by their keys. */
export function sumsByKey(answer: GroupedSummary) {
  return new Map([...sumsOf(answer)].map(([identity, { sum }]) => [identity, sum]));
}
