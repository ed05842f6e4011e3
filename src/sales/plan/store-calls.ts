/**
 * Makes the calls for one store's figures: each answer comes from what is kept on this machine, else from the
 * service.
 */
import type { Filter } from "../../contract/filters.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import type { Figures } from "../../state/answers.js";
import { t, translated } from "../../shared/language.js";
import type { SalesAnswer } from "../ledger/figures.js";
import { figuresToKeep } from "../ledger/kept-figures.js";
import { mayAsk, type Freshness, type DatedAnswer } from "../ledger/freshness.js";
import { isCalendar } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { keyOutside } from "../merge/group-identity.js";
import { addMetrics } from "../merge/sums.js";
import { shownDate } from "../../shared/local-time.js";
import type { Period } from "../period/period.js";
import { splitWindow, type Window } from "../period/windows.js";
import { oldestAge, type Age, type Aged } from "../results.js";
import { groupsByBusinessDays, questionsByBusinessDays } from "./business-days.js";
import { fetchGrouped, fetchSummary, type FetchOptions } from "./fetch.js";
import { createKeptAnswers, type KeptAnswersOptions } from "./kept-answers.js";
import { memoryOf, type KeptGroups, type KeptHistory, type Memory } from "./memory.js";
import { endOf, groupedQuery, summaryQuery, type WindowByDimension, type WindowQuestion } from "./queries.js";
import type { GroupsQuestion, PeriodSpan, Question } from "./request.js";

/** A request as it would go out, with a mark where its answer is kept. */
export interface PlannedRequest {
  readonly query: SummaryQuery | GroupedSummaryQuery;
  readonly kept: boolean;
}

export interface StoreCalls {
  readonly mayAsk: boolean;
  count(questions: readonly Question[]): Promise<number>;
  /** @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked; it says what */
  assertAnswerable(questions: readonly Question[]): Promise<void>;
  /** Lists the window of each request that these questions take, and whether its answer is known. */
  requests(questions: readonly Question[]): Promise<readonly PlannedRequest[]>;
  /**
   * Uses the known answers no more, since younger ones contradict them: only of the windows that are contradicted,
   * where that can be told.
   */
  doubt(questions: readonly Question[]): Promise<void>;
  /** @param filters are added to those of the request */
  summary(span: PeriodSpan, signal: AbortSignal, filters?: readonly Filter[]): Promise<Aged<Summary>>;
  /** @param filters are added to those of the request */
  grouped(
    span: PeriodSpan,
    dimension: Dimension,
    signal: AbortSignal,
    filters?: readonly Filter[],
  ): Promise<Aged<GroupList>>;
}

/** One store's figures are asked for at this endpoint; it also has the answers that this machine has kept. */
export interface Endpoint<Query, Answer> extends KeptHistory<Query, Answer> {
  call(query: Query, signal: AbortSignal): Promise<Answer>;
  keep(query: Query, answer: DatedAnswer<Answer>, figures: Figures): Promise<void>;
  /** Keeps the answer about a window that ends now, in the place of the one before. */
  keepRunning?(query: Query, answer: DatedAnswer<Answer>): Promise<void>;
  /** Learns what stays true of an answer whose window ends now. */
  learn?(query: Query, answer: DatedAnswer<Answer>): Promise<void>;
  /** Lets one at a time do its work among all processes that ask the same question. */
  share<Result>(query: Query, work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export interface StoreCallsOptions extends Omit<KeptAnswersOptions, "summary" | "grouped"> {
  readonly summary: Endpoint<SummaryQuery, Summary>;
  readonly grouped: Endpoint<GroupedSummaryQuery, GroupedSummary> & KeptGroups;
  /** This says whether the service is known to count half a year as 180 days, and what to do when that turns out. */
  readonly halfYears?: HalfYears;
  readonly onCalled: () => void;
  readonly onWarning: (message: string) => void;
}

export interface HalfYears {
  readonly refused: boolean;
  onRefused(): Promise<void>;
}

interface WindowRequest extends PlannedRequest, WindowQuestion {}

/** The last window of a period that is running ends now, so that it is never asked for again. */
interface WindowOfPeriod extends WindowQuestion {
  readonly endsNow: boolean;
}

export function createStoreCalls(options: StoreCallsOptions): StoreCalls {
  const { request, freshness, halfYears, onWarning } = options;
  const summary = { ...options.summary, ...memoryOf<SummaryQuery, Summary>() };
  const grouped = { ...options.grouped, ...memoryOf<GroupedSummaryQuery, GroupedSummary>() };
  const kept = createKeptAnswers({ ...options, summary, grouped });
  let refusesHalfYears = halfYears?.refused ?? false;
  let hasWarnedOfZone = false;

  const isKept = async ({ dimension, ...question }: WindowQuestion): Promise<boolean> =>
    (await (dimension === undefined ? kept.summary(question) : kept.groups({ ...question, dimension }))) !==
    undefined;

  /**
   * Lists the windows to ask for: a known one as it is, else those that it can be put together of, else those that
   * the service takes.
   */
  const windowsOf = async ({ span, dimension, filters }: Question): Promise<readonly Window[]> => {
    const { windows, period } = span;
    const parts: Window[] = [];
    for (const window of windows) {
      const question = { window, zone: period.zone, dimension, filters };
      const tiles = (await isKept(question)) ? [window] : await kept.tiles(question);
      parts.push(...(tiles ?? (refusesHalfYears ? inShorterWindows(window, period) : [window])));
    }
    return parts;
  };
  const inShorterWindows = (window: Window, { zone }: Period) => splitWindow(window, zone, request.dateField);

  /**
   * Weeks, months and weekdays follow from days that are asked for with them. The first of each dimension doesn't,
   * since it shows how the service writes them.
   */
  const willFollow = async (question: Question, all: readonly Question[]): Promise<boolean> => {
    const { span, dimension, filters } = question;
    if (options.exactOnly === true || !isCalendar(dimension) || dimension === "day") return false;
    const hasDays = all.some(
      (question) =>
        question.span === span && question.dimension === "day" && isEqual(question.filters, filters),
    );
    const first = all.find((question) => question.dimension === dimension);
    return hasDays && (question !== first || (await kept.names(dimension, span.period)).length > 0);
  };

  const requestsOf = async (questions: readonly Question[]): Promise<readonly WindowRequest[]> => {
    const allQuestions: Question[] = [];
    for (const asking of questions)
      allQuestions.push(...((await questionsByBusinessDays(asking, kept.names)) ?? [asking]));
    const requests: WindowRequest[] = [];
    for (const question of allQuestions) {
      if (await willFollow(question, allQuestions)) continue;
      const { span, dimension, filters } = question;
      for (const window of await windowsOf(question)) {
        const query =
          dimension === undefined
            ? summaryQuery(window, request, filters)
            : groupedQuery(window, dimension, request, filters);
        const windowQuestion = { window, zone: span.period.zone, dimension, filters };
        requests.push({ ...windowQuestion, query, kept: await isKept(windowQuestion) });
      }
    }
    return [...new Map(requests.map((request) => [JSON.stringify(request.query), request])).values()];
  };
  const missingRequests = async (questions: readonly Question[]) =>
    (await requestsOf(questions)).filter((request) => !request.kept);

  const ask = async <Query extends SummaryQuery, Answer extends SalesAnswer>(
    endpoint: Endpoint<Query, Answer> & Memory<Query, Answer>,
    query: Query,
    question: WindowOfPeriod,
    signal: AbortSignal,
  ): Promise<Aged<Answer>> => {
    const { window, endsNow, dimension } = question;
    if (!mayAsk(freshness)) throw notKeptError([questionText(window, dimension)], freshness);
    const aged = async (answer: DatedAnswer<Answer>, wasKept: boolean): Promise<Aged<Answer>> => ({
      figures: answer.answer,
      age: kept.ageOf(await endpoint.history(query), answer, { ...question, wasKept }),
    });
    return endpoint.share(
      // Another process that asks a moment later asks the same question.
      endsNow ? { ...query, end_date: query.start_date } : query,
      async () => {
        const shared =
          (await kept.exact(endpoint, query, question)) ??
          (endsNow ? await kept.running(endpoint, query) : undefined);
        if (shared) return aged(shared, shared !== endpoint.heard(query));
        const askedAt = options.now();
        const figures = await endpoint.call(query, signal);
        const answer = { askedAt: askedAt + (options.ahead?.() ?? 0), answer: figures };
        options.onCalled();
        endpoint.hear(query, answer);
        if (endsNow) {
          await endpoint.keepRunning?.(query, answer);
          await endpoint.learn?.(query, answer);
        } else await endpoint.keep(query, answer, tableOf(figures, question));
        return aged(answer, false);
      },
      signal,
    );
  };

  const tableOf = (answer: SalesAnswer, { window, zone, dimension }: WindowQuestion): Figures => {
    const place = { zone, dateField: request.dateField };
    return figuresToKeep(answer, { ...window, ...place, dimension, endsAt: endOf(window, request) });
  };

  const sayOtherZone = (
    { groups: answeredGroups }: GroupedSummary,
    { window, zone, dimension }: WindowByDimension,
  ): void => {
    const key = hasWarnedOfZone
      ? undefined
      : keyOutside(answeredGroups, dimension, { window, zone, ...request });
    if (key === undefined) return;
    hasWarnedOfZone = true;
    onWarning(
      t`The service counts days in another time zone than ${zone}: it gave figures of ${key} for ${questionText(window, undefined)}. Totals are right; hours, days, weeks and months are those of its zone. Give the store's own zone: --tz, or comanda stores set <alias> --tz <zone>.`,
    );
  };

  const askAll = async <Answer, Merged>(
    question: Question,
    askWindow: (question: WindowOfPeriod) => Promise<Aged<Answer>>,
    merge: (options: FetchOptions<Answer>) => Promise<Merged>,
  ): Promise<Aged<Merged>> => {
    const ages: Age[] = [];
    const { span, ...rest } = question;
    const { period, windows } = span;
    const fetch = async (window: Window) => {
      const endsNow = period.kind === "running" && window.end === windows.at(-1)?.end;
      const answer = await askWindow({ ...rest, window, endsNow, zone: period.zone });
      ages.push(answer.age);
      return answer.figures;
    };
    const split = async (window: Window) => {
      const parts = inShorterWindows(window, period);
      // The other windows would be refused as well.
      if (parts.length > 1 && !refusesHalfYears) {
        refusesHalfYears = true;
        await halfYears?.onRefused();
      }
      return parts;
    };
    const figures = await merge({ windows: await windowsOf(question), fetch, split, onWarning });
    return { figures, age: oldestAge(ages) };
  };

  const groups = (question: GroupsQuestion, signal: AbortSignal): Promise<Aged<GroupList>> => {
    const { dimension, filters } = question;
    return askAll(
      question,
      async (windowQuestion) => {
        const byDimension = { ...windowQuestion, dimension };
        const query = groupedQuery(byDimension.window, dimension, request, filters);
        const answer = (await kept.groups(byDimension)) ?? (await ask(grouped, query, byDimension, signal));
        sayOtherZone(answer.figures, byDimension);
        return answer;
      },
      (fetching) => fetchGrouped({ ...fetching, dimension }),
    );
  };

  /** Adds up what a `live` on this machine heard a moment ago by status. */
  const runningTotal = async ({ window, endsNow, filters }: WindowOfPeriod) => {
    const query = groupedQuery(window, "status", request, filters);
    const answer = endsNow ? await kept.running(grouped, query) : undefined;
    return (
      answer && { figures: addMetrics(answer.answer.groups), age: { askedAt: answer.askedAt, kept: true } }
    );
  };

  return {
    mayAsk: mayAsk(freshness),
    requests: async (questions) =>
      (await requestsOf(questions)).map(({ query, kept: isThere }) => ({ query, kept: isThere })),
    count: async (questions) => (await missingRequests(questions)).length,
    async assertAnswerable(questions) {
      if (mayAsk(freshness)) return;
      const missing = (await missingRequests(questions)).map(({ window, dimension }) =>
        questionText(window, dimension),
      );
      if (missing.length > 0) throw notKeptError(missing, freshness);
    },
    async doubt(questions) {
      const at = options.now() + (options.ahead?.() ?? 0);
      for (const question of questions) {
        const requests = await requestsOf([question]);
        const outOfDate: WindowRequest[] = [];
        for (const request of requests) if (await kept.isOutOfDate(request)) outOfDate.push(request);
        for (const { query } of outOfDate.length > 0 ? outOfDate : requests) {
          if ("group_by" in query) grouped.doubt(query, at);
          else summary.doubt(query, at);
        }
      }
    },
    summary: (span, signal, filters) =>
      askAll(
        { span, filters },
        async (question) =>
          (await kept.summary(question)) ??
          (await runningTotal(question)) ??
          ask(summary, summaryQuery(question.window, request, filters), question, signal),
        fetchSummary,
      ),
    async grouped(span, dimension, signal, filters = []) {
      const ask = (question: GroupsQuestion) => groups(question, signal);
      const question = { span, dimension, filters };
      return (await groupsByBusinessDays(question, { ask, names: kept.names })) ?? ask(question);
    },
  };
}

function isEqual(filters: readonly Filter[] = [], others: readonly Filter[] = []): boolean {
  return JSON.stringify(filters) === JSON.stringify(others);
}

/** Describes a question in words: `2026-10-01 to 2026-10-31 by day`. */
function questionText({ firstDay, lastDay }: Window, dimension: Dimension | undefined): string {
  const days =
    firstDay === lastDay ? shownDate(firstDay) : t`${shownDate(firstDay)} to ${shownDate(lastDay)}`;
  return dimension === undefined ? days : t`${days} by ${translated(dimension)}`;
}

function notKeptError(missing: readonly string[], freshness: Freshness): ComandaError {
  const then = freshness.kind === "as of" ? t` was known by then` : t` is kept on this machine`;
  return new ComandaError("not_found", t`Not all of it${then}. What is lacking: ${missing.join(", ")}.`, {
    hint:
      freshness.kind === "as of"
        ? t`Figures are known from when they were first asked for.`
        : t`Leave out --offline to ask the service.`,
  });
}
