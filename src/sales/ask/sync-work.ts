/**
 * Finds what a sync has to ask a store: days and months that are new or due, and windows that tell which other days
 * changed.
 */
import type { Dimension } from "../../contract/enums.js";
import { rateLimits } from "../../contract/limits.js";
import { groupedBy } from "../../contract/summary.js";
import { groupBy } from "../../shared/group-by.js";
import { mayAsk, usable, type DatedAnswer, type Freshness } from "../ledger/freshness.js";
import { summaryQuery } from "../plan/queries.js";
import type { GroupsQuestion } from "../plan/request.js";
import { createStoreCalls, type StoreCalls } from "../plan/store-calls.js";
import { questionOfDays, sinceDays, syncQuestions } from "../plan/sync.js";
import { openOf } from "../results.js";
import type { Machine } from "../../toolkit/machine.js";
import { requestRow, type CallPlan } from "./call-plan.js";
import { waitForCalls } from "./progress.js";
import type { OpenStore, OpenStores } from "./stores.js";

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

/** One store is asked this. */
export interface Work {
  readonly kind: "work";
  readonly store: OpenStore;
  readonly calls: StoreCalls;
  /** The sync begins at this day, YYYY-MM-DD. */
  readonly since: string;
  readonly questions: readonly GroupsQuestion[];
  /** These have to be asked; those that were never asked come first. */
  readonly due: readonly GroupsQuestion[];
  /** These days of a month by one dimension, in time's order, are asked only where they have changed. */
  readonly checked: readonly (readonly GroupsQuestion[])[];
  /** These are young or final, so nothing is asked about them. */
  readonly left: readonly GroupsQuestion[];
  /** Is called in each wait; it ends the work of a run that has lost the store. */
  readonly hold: () => Promise<void>;
  readonly answered: () => number;
}

/** One call a minute is left to other commands. */
export const pace = { ...rateLimits.summary_grouped, limit: rateLimits.summary_grouped.limit - 1 };

const syncedRequest = { dateField: undefined, filters: [] };

/** @param hold is called before each request, and before its answer is kept; see {@link Work.hold} */
export async function workOf(
  machine: Machine,
  store: OpenStore,
  request: SyncRequest,
  hold: () => Promise<void> = () => Promise.resolve(),
): Promise<Work> {
  const { source } = store;
  const { freshness } = request;
  const { zone } = store.preferences;
  const now = machine.context.clock.now();
  let answered = 0;
  const calls = createStoreCalls({
    source: {
      ...source,
      async call(query, signal) {
        await hold();
        const answer = await source.call(query, signal);
        answered += 1;
        return answer;
      },
      async keep(...answer) {
        await hold();
        await source.keep(...answer);
      },
    },
    ...{ request: syncedRequest, freshness },
    // A question's answer is compared with answers to the same question only.
    exactOnly: true,
    onWarning: (message) => {
      machine.output.warnOnce(message);
    },
  });
  const since = sinceDays(request.days, { now, zone });
  const questions = syncQuestions({ ...request, since }, { now, zone });
  const [neverAsked, known, left]: [GroupsQuestion[], GroupsQuestion[], GroupsQuestion[]] = [[], [], []];
  const checked = new Map<string, GroupsQuestion[]>();
  const serviceNow = now + source.ahead();
  const at = { now: serviceNow, startedAt: serviceNow, doubtedAt: await source.doubtedAt() };
  const historyOf = await historiesOf(store, questions);
  for (const question of questions) {
    const history = historyOf(question);
    const last = history.at(-1);
    const { dimension, period } = question;
    const endsAt = period.end.epochMilliseconds;
    const isUsable = usable(history, freshness, { ...at, endsAt });
    if (!mayAsk(freshness) || isUsable) left.push(question);
    else if (!last) neverAsked.push(question);
    else if (dimension === "day" || freshness.kind === "fresh" || now - last.askedAt >= request.fullEveryMs)
      known.push(question);
    else {
      const month = `${dimension} ${period.from.date.slice(0, "2026-10".length)}`;
      checked.set(month, [question, ...(checked.get(month) ?? [])]);
    }
  }
  const spans = [...checked.values()].map((days) => withoutGaps(days, questions));
  return {
    ...{ kind: "work", store, calls, since, questions, left, hold },
    // A window of one day is that day.
    due: [...neverAsked, ...known, ...spans.filter(({ length }) => length === 1).flat()],
    checked: spans.filter(({ length }) => length > 1),
    answered: () => answered,
  };
}

/**
 * Fills a window: it has all days between its first and its last.
 *
 * @param questions begin with the newest
 */
function withoutGaps(
  days: readonly GroupsQuestion[],
  questions: readonly GroupsQuestion[],
): readonly GroupsQuestion[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const alike = questions.filter(({ dimension }) => dimension === first.dimension);
  return alike.slice(alike.indexOf(last), alike.indexOf(first) + 1).toReversed();
}

/**
 * Reads every answer to each question, in the order in which they came, with one look for each dimension.
 *
 * @param questions begin with the newest; each has one window
 */
export async function historiesOf(
  { source }: OpenStore,
  questions: readonly GroupsQuestion[],
): Promise<(question: GroupsQuestion) => readonly DatedAnswer[]> {
  const histories = new Map<string, readonly DatedAnswer[]>();
  const textOf = (...words: readonly [dimension: Dimension, start: string, end: string]) => words.join(" ");
  for (const [dimension, alike] of groupBy(questions, (question) => question.dimension)) {
    const [newest, oldest] = [alike[0]?.period, alike.at(-1)?.period];
    if (!newest || !oldest) continue;
    const window = { start: oldest.from.sent, end: newest.to.sent };
    const kept = await source.overlapping(groupedBy(summaryQuery(window, syncedRequest), dimension));
    for (const [text, history] of groupBy(kept, ({ start, end }) => textOf(dimension, start, end)))
      histories.set(text, history);
  }
  return ({ dimension, period: { from, to } }) => histories.get(textOf(dimension, from.sent, to.sent)) ?? [];
}

/** The calls are those that it takes unless days have changed: each such day takes up to 6 calls more. */
export interface SyncPlan extends CallPlan {
  readonly stores: number;
  readonly dimensions: number;
}

export function callsOf({ due, checked }: Work): number {
  return due.length + checked.length;
}

/**
 * Plans what a sync would ask tonight; nothing is asked. What is kept is read once for each store and dimension, so
 * that thousands of stores are told within seconds.
 *
 * @param isListed says whether each request is listed
 */
export async function planSync(
  machine: Machine,
  opened: OpenStores,
  request: SyncRequest,
  isListed: boolean,
): Promise<SyncPlan> {
  const open = openOf(opened);
  const requests: CallPlan["requests"][number][] = [];
  const counts: number[] = [];
  for (const store of open) {
    const work = await workOf(machine, store, request);
    counts.push(callsOf(work));
    const questions = isListed ? [...work.due, ...work.checked.map(questionOfDays), ...work.left] : [];
    for (const question of questions)
      for (const planned of await work.calls.requests([question]))
        requests.push(requestRow(store.name, planned));
  }
  return {
    ...{ kind: "plan", requests, estimated: false },
    ...{ stores: open.length, dimensions: request.dimensions.length },
    calls: counts.reduce((sum, calls) => sum + calls, 0),
    waitMs: await longestWaitOf(open, counts),
  };
}

/**
 * Gives the time in milliseconds that so many calls take at these stores, each of which has a limit of its own;
 * `undefined` where calls aren't counted, so that nobody knows.
 */
export async function longestWaitOf(
  [store]: readonly OpenStore[],
  calls: readonly number[],
): Promise<number | undefined> {
  const isCounted = (await store?.quota("summary_grouped")) !== undefined;
  return isCounted ? waitForCalls(Math.max(0, ...calls), pace) : undefined;
}
