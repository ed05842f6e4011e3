/**
 * Makes the calls for one store's figures: each answer comes from what is kept on this machine, else from the
 * service.
 */
import type { Summary } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t, translated } from "../../shared/language.js";
import { isGrouped, isWhole, type SalesAnswer } from "../ledger/figures.js";
import { figuresToKeep } from "../ledger/kept-figures.js";
import { mayAsk, type Freshness } from "../ledger/freshness.js";
import { isCalendar } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { keyOutside } from "../merge/group-identity.js";
import { shownDate } from "../../shared/local-time.js";
import type { Period } from "../period/period.js";
import { splitPeriod, splitWindow, type Window } from "../period/windows.js";
import { oldestAge, type Age, type Aged } from "../results.js";
import { groupsByBusinessDays, questionsByBusinessDays } from "./business-days.js";
import { fetchGrouped, fetchSummary, type FetchOptions } from "./fetch.js";
import { createKeptAnswers, type KeptAnswersOptions } from "./kept-answers.js";
import { endOf, queryOf, type WindowQuestion } from "./queries.js";
import type { GroupsQuestion, Question, SummaryQuestion } from "./request.js";
import { textOf, type SalesQuery } from "./source.js";

/** A request as it would go out, with a mark where its answer is kept. */
export interface PlannedRequest extends WindowQuestion {
  readonly query: SalesQuery;
  readonly kept: boolean;
}

export interface StoreCalls {
  readonly mayAsk: boolean;
  count(questions: readonly Question[]): Promise<number>;
  /** @throws {ComandaError} `not_found` where something isn't kept and nothing may be asked; it says what */
  assertAnswerable(questions: readonly Question[]): Promise<void>;
  /** Lists the window of each request that these questions take, and whether its answer is known. */
  requests(questions: readonly Question[]): Promise<readonly PlannedRequest[]>;
  /** Uses the known answers no more, since younger ones contradict them. */
  doubt(questions: readonly Question[]): Promise<void>;
  summary(question: SummaryQuestion, signal: AbortSignal): Promise<Aged<Summary>>;
  grouped(question: GroupsQuestion, signal: AbortSignal): Promise<Aged<GroupList>>;
}

export interface StoreCallsOptions extends KeptAnswersOptions {
  readonly onWarning: (message: string) => void;
}

export function createStoreCalls(options: StoreCallsOptions): StoreCalls {
  const { source, request, freshness, onWarning } = options;
  const kept = createKeptAnswers(options);
  const { names } = kept;
  /** How the service counts 6 months is not shown (section 8): one that counts 180 days refuses 181. */
  let refusesHalfYears = false;
  let hasWarnedOfZone = false;

  const windowsIn = (period: Period) => splitPeriod(period, request.dateField);
  const inWindow = ({ period, ...question }: Question, window: Window): WindowQuestion => {
    const endsNow = period.kind === "running" && window.end === windowsIn(period).at(-1)?.end;
    return { ...question, window, zone: period.zone, endsNow };
  };

  /**
   * Lists the windows to ask for: a known one as it is, else those that it can be put together of, else those that
   * the service takes.
   */
  const windowsOf = async (question: Question): Promise<readonly PlannedRequest[]> => {
    const requests: PlannedRequest[] = [];
    for (const window of windowsIn(question.period)) {
      const whole = inWindow(question, window);
      const tiles = (await kept.known(whole)) ? [window] : await kept.tiles(whole);
      for (const part of tiles ?? (refusesHalfYears ? shorter(whole) : [window])) {
        const inPart = inWindow(question, part);
        // The window as a whole isn't known here, and needs no second look.
        const isKept = tiles !== undefined || (part !== window && (await kept.known(inPart)) !== undefined);
        requests.push({ ...inPart, query: queryOf(inPart, request), kept: isKept });
      }
    }
    return requests;
  };
  const shorter = ({ window, zone }: WindowQuestion) => splitWindow(window, zone, request.dateField);

  /**
   * Weeks, months and weekdays follow from days that are asked for with them. The first of each dimension doesn't,
   * since it shows how the service writes them.
   */
  const willFollow = async (question: Question, all: readonly Question[]): Promise<boolean> => {
    const { period, dimension } = question;
    if (options.exactOnly === true || !isCalendar(dimension) || dimension === "day") return false;
    const ordersOf = ({ filters = [], unfiltered = false }: Question) =>
      JSON.stringify([filters, unfiltered]);
    const hasDays = all.some(
      (other) =>
        other.period === period && other.dimension === "day" && ordersOf(other) === ordersOf(question),
    );
    const first = all.find((question) => question.dimension === dimension);
    return hasDays && (question !== first || (await names(dimension, period)).length > 0);
  };

  const requestsOf = async (questions: readonly Question[]): Promise<readonly PlannedRequest[]> => {
    const allQuestions: Question[] = [];
    for (const asking of questions)
      allQuestions.push(...((await questionsByBusinessDays(asking, names)) ?? [asking]));
    const requests: PlannedRequest[] = [];
    for (const question of allQuestions)
      if (!(await willFollow(question, allQuestions))) requests.push(...(await windowsOf(question)));
    return [...new Map(requests.map((request) => [textOf(request.query), request])).values()];
  };
  const missingRequests = async (questions: readonly Question[]) =>
    (await requestsOf(questions)).filter((request) => !request.kept);

  const answerTo = async (question: WindowQuestion, signal: AbortSignal): Promise<Aged<SalesAnswer>> => {
    const query = queryOf(question, request);
    const known = await kept.known(question);
    if (known) return known;
    if (!mayAsk(freshness)) throw notKeptError([questionText(question)], freshness);
    return source.share(
      // Another process that asks a moment later asks the same question.
      question.endsNow === true ? { ...query, end_date: query.start_date } : query,
      async () => {
        const shared = await kept.known(question);
        if (shared) return shared;
        const answer = await source.call(query, signal);
        const { window, zone, dimension, endsNow } = question;
        if (endsNow === true) await source.keepRunning(query, answer);
        else {
          const answered = { ...window, zone, dimension, dateField: request.dateField };
          const figures = figuresToKeep(answer.answer, { ...answered, endsAt: endOf(window, request) });
          await source.keep(query, answer, figures);
        }
        return kept.hear(question, answer);
      },
      signal,
    );
  };

  const sayOtherZone = (answer: SalesAnswer, question: WindowQuestion): void => {
    const { zone, dimension } = question;
    if (hasWarnedOfZone || dimension === undefined || !isGrouped(answer)) return;
    const key = keyOutside(answer.groups, dimension, { ...question, ...request });
    if (key === undefined) return;
    hasWarnedOfZone = true;
    onWarning(
      t`The service counts days in another time zone than ${zone}: it gave figures of ${key} for ${daysText(question)}. Totals are right; hours, days, weeks and months are those of its zone. Give the store's own zone: --tz, or comanda stores set <alias> --tz <zone>.`,
    );
  };

  /** Asks for the windows of a question and merges their answers into what one answer would be. */
  const ask = async <Answer extends SalesAnswer, Merged>(
    question: Question,
    signal: AbortSignal,
    isAnswer: (answer: SalesAnswer) => answer is Answer,
    merge: (options: FetchOptions<Answer>) => Promise<Merged>,
  ): Promise<Aged<Merged>> => {
    const ages: Age[] = [];
    const fetch = async (window: Window) => {
      const windowQuestion = inWindow(question, window);
      const { figures, age } = await answerTo(windowQuestion, signal);
      if (!isAnswer(figures)) throw new RangeError("an answer of the other endpoint is no answer");
      sayOtherZone(figures, windowQuestion);
      ages.push(age);
      return figures;
    };
    const split = (window: Window) => {
      const parts = shorter(inWindow(question, window));
      refusesHalfYears ||= parts.length > 1;
      return parts;
    };
    const windows = (await windowsOf(question)).map(({ window }) => window);
    return { figures: await merge({ windows, fetch, split, onWarning }), age: oldestAge(ages) };
  };

  return {
    mayAsk: mayAsk(freshness),
    requests: requestsOf,
    count: async (questions) => (await missingRequests(questions)).length,
    async assertAnswerable(questions) {
      if (mayAsk(freshness)) return;
      const missing = (await missingRequests(questions)).map(questionText);
      if (missing.length > 0) throw notKeptError(missing, freshness);
    },
    async doubt(questions) {
      for (const question of questions)
        for (const { query } of await requestsOf([question])) kept.doubt(query);
    },
    summary: (question, signal) => ask(question, signal, isWhole, fetchSummary),
    async grouped(question, signal) {
      const askGroups = (question: GroupsQuestion) =>
        ask(question, signal, isGrouped, (fetching) =>
          fetchGrouped({ ...fetching, dimension: question.dimension }),
        );
      return (await groupsByBusinessDays(question, names, askGroups)) ?? askGroups(question);
    },
  };
}

/** Describes a question in words: `2026-10-01 to 2026-10-31 by day`. */
function questionText(question: WindowQuestion): string {
  const { dimension } = question;
  const days = daysText(question);
  return dimension === undefined ? days : t`${days} by ${translated(dimension)}`;
}

function daysText({ window: { firstDay, lastDay } }: WindowQuestion): string {
  if (firstDay === lastDay) return shownDate(firstDay);
  return t`${shownDate(firstDay)} to ${shownDate(lastDay)}`;
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
