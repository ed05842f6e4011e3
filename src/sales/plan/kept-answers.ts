/**
 * Finds a store's figures on this machine without a call: the answer to the very same question, or one that follows
 * from other answers. The summary of whole days follows from the days, in whatever windows these were asked for.
 * Weeks, months and weekdays follow from the days too, once answers have shown how the service writes them. A window
 * follows from shorter ones that follow on one another.
 */
import type { GroupedSummary, Summary } from "../../contract/models.js";
import { groupBy } from "../../shared/group-by.js";
import type { SalesAnswer } from "../ledger/figures.js";
import {
  mayAsk,
  rightlyDated,
  usable,
  usableRunning,
  type Freshness,
  type DatedAnswer,
} from "../ledger/freshness.js";
import { dayHistories, daysOfWindow, type KeptWindow } from "../ledger/kept-days.js";
import { restatements } from "../ledger/restatements.js";
import { tilesOf } from "../ledger/tiles.js";
import { isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import type { Names } from "../merge/calendar-names.js";
import { exactNames, groupsOfDays } from "../merge/derive.js";
import { placeGroups } from "../merge/group-identity.js";
import { mergesToTheLetter } from "../merge/groups.js";
import { addMetrics } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { Window } from "../period/windows.js";
import { oldestAge, type Age, type Aged } from "../results.js";
import { knownTotals, totalOf, type KnownAnswers } from "./known-totals.js";
import { evidenceOf } from "./evidence.js";
import type { Remembered } from "./memory.js";
import { endOf, groupedQuery, summaryQuery, type WindowByDimension, type WindowQuestion } from "./queries.js";

export interface KeptAnswersOptions extends KnownAnswers {
  readonly freshness: Freshness;
  /** This machine last changed an order of the store at this time, in milliseconds since the epoch. */
  readonly doubtedAt: number | undefined;
  /** The service counts days in this zone, an IANA name (section 4.7), where it is known. */
  readonly storeZone?: string | undefined;
  /** The service's clock is so many milliseconds ahead of this machine's; answers tell it. Absent where it isn't. */
  readonly ahead?: () => number;
}

type NamedDays = Pick<Period, "zone" | "dayStarts">;

export interface KeptAnswers {
  /** Gives the answer to the very same question, if it may be used. */
  exact<Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    question: WindowQuestion,
  ): Promise<DatedAnswer<Answer> | undefined>;
  /** Gives the answer of a moment ago, to this or to another process, about a window that ends now. */
  running<Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
  ): Promise<DatedAnswer<Answer> | undefined>;
  summary(question: WindowQuestion): Promise<Aged<Summary> | undefined>;
  groups(question: WindowByDimension): Promise<Aged<GroupedSummary> | undefined>;
  /** Tells whether a younger answer about the same orders has another total than the figures that are known. */
  isOutOfDate(question: WindowQuestion): Promise<boolean>;
  /** Finds shorter windows that make up this one, each with an answer that may be used. */
  tiles(question: WindowQuestion): Promise<readonly Window[] | undefined>;
  /**
   * Gives the forms in which the service may write a dimension, as its answers show. Empty where no answer shows one.
   */
  readonly names: (dimension: CalendarDimension, days: NamedDays) => Promise<readonly Names[]>;
  /** Gives the age of an answer, with what has changed since the answer before it. */
  ageOf(
    history: readonly DatedAnswer<SalesAnswer>[],
    answer: DatedAnswer<SalesAnswer>,
    question: WindowQuestion & { readonly wasKept: boolean },
  ): Age;
}

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { summary, grouped, request, freshness, doubtedAt, storeZone, exactOnly = false } = options;
  const ahead = options.ahead ?? (() => 0);
  const startedAt = options.now();
  const now = () => options.now() + ahead();
  const circumstances = () => ({ now: now(), startedAt: startedAt + ahead(), doubtedAt });
  const usableOf = <Answer extends SalesAnswer>(history: readonly DatedAnswer<Answer>[], endsAt: number) =>
    usable(history, freshness, { ...circumstances(), endsAt });

  const isOutOfDate = knownTotals({ summary, grouped, request, now, exactOnly });
  /** An answer may be used where no younger one contradicts it, or where nothing may be asked. */
  const isUpToDate = async (answer: DatedAnswer<SalesAnswer>, question: WindowQuestion) =>
    !mayAsk(freshness) || !(await isOutOfDate(totalOf(answer), question));

  const exact: KeptAnswers["exact"] = async (endpoint, query, question) => {
    const heard = endpoint.heard(query);
    if (heard) return heard;
    const answer = usableOf(await endpoint.history(query), endOf(question.window, request));
    const isTrusted = answer && answer.askedAt > endpoint.doubtedAt(query);
    return isTrusted && (await isUpToDate(answer, question)) ? answer : undefined;
  };

  /** Adds the age of an answer. One that this run has heard has told already what has changed. */
  const agedExact = async <Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    question: WindowQuestion,
  ): Promise<Aged<Answer> | undefined> => {
    const answer = await exact(endpoint, query, question);
    if (!answer) return undefined;
    const { askedAt, answer: figures } = answer;
    if (answer === endpoint.heard(query)) return { figures, age: { askedAt, kept: false } };
    return { figures, age: ageOf(await endpoint.history(query), answer, { ...question, wasKept: true }) };
  };

  const ageOf: KeptAnswers["ageOf"] = (history, answer, { window, zone, dimension = null, wasKept }) => {
    const before = history.findLast((earlier) => earlier.askedAt < answer.askedAt);
    const { firstDay, lastDay } = window;
    const over = { dimension, firstDay, lastDay, endsAt: endOf(window, request), zone };
    const restated = before ? restatements(before, answer, over) : [];
    return { askedAt: answer.askedAt, kept: wasKept, ...(restated.length > 0 && { restated }) };
  };

  const groupsQuery = ({ window, dimension, filters }: WindowByDimension) =>
    groupedQuery(window, dimension, request, filters);
  const exactGroups = (question: WindowByDimension) => agedExact(grouped, groupsQuery(question), question);

  /** Puts a window together of its days one by one, each from its youngest answer. */
  const dayByDay = async (question: WindowByDimension): Promise<Aged<GroupedSummary> | undefined> => {
    const { window, zone } = question;
    if (exactOnly || (storeZone !== undefined && storeZone !== zone)) return undefined;
    const kept = (await grouped.overlapping?.(groupsQuery(question))) ?? [];
    if (kept.length === 0) return undefined;
    const place = { zone, dateField: request.dateField };
    const days = daysOfWindow(window, place);
    if (days === undefined) return undefined;
    const ages: Age[] = [];
    const groups: GroupedSummary["groups"] = [];
    const datedAnswers = mayAsk(freshness)
      ? [...groupBy(kept, spanText).values()].flatMap((answersToSame) => rightlyDated(answersToSame, now()))
      : kept;
    for (const { date, endsAt, history } of dayHistories(datedAnswers, days, place)) {
      const answer = usableOf(history, endsAt);
      if (!answer) return undefined;
      const day = { ...window, firstDay: date, lastDay: date };
      ages.push(ageOf(history, answer, { window: day, zone, dimension: "day", wasKept: true }));
      groups.push(...answer.answer.groups);
    }
    const [figures, age] = [{ group_by: "day", groups }, oldestAge(ages)];
    return (await isUpToDate({ askedAt: age.askedAt, answer: figures }, question))
      ? { figures, age }
      : undefined;
  };

  /** Chooses the first answer that may be used; where nothing may be asked, the newest. */
  const best = async <Figures>(
    ways: readonly (() => Promise<Aged<Figures> | undefined>)[],
  ): Promise<Aged<Figures> | undefined> => {
    let figures: Aged<Figures> | undefined;
    for (const way of ways) {
      if (figures && mayAsk(freshness)) return figures;
      const other = await way();
      if (!figures || (other && other.age.askedAt > figures.age.askedAt)) figures = other ?? figures;
    }
    return figures;
  };

  /** Drops figures that are older than the doubt about them. */
  const unlessDoubted = <Figures>(doubtedAt: number, figures: Aged<Figures> | undefined) =>
    figures && figures.age.askedAt > doubtedAt ? figures : undefined;

  const groups: KeptAnswers["groups"] = async (question) => {
    const doubted = grouped.doubtedAt(groupsQuery(question));
    const derived = question.dimension === "day" ? dayByDay : followingFromDays;
    return best([() => exactGroups(question), async () => unlessDoubted(doubted, await derived(question))]);
  };

  /** Makes weeks, months and weekdays of known days. */
  const followingFromDays = async (question: WindowByDimension) => {
    const { dimension } = question;
    if (exactOnly || !isCalendar(dimension)) return undefined;
    const days = await groups({ ...question, dimension: "day" });
    const derived = days && groupsOfDays(days.figures.groups, dimension, await names(dimension, question));
    return derived && { figures: derived.grouped, age: days.age };
  };

  const namesByDays = new Map<string, { readonly heard: number; readonly names: readonly Names[] }>();
  const names: KeptAnswers["names"] = async (dimension, { zone, dayStarts }) => {
    const text = JSON.stringify([dimension, zone, dayStarts]);
    const heard = grouped.allHeard().length;
    const before = namesByDays.get(text);
    if (before?.heard === heard) return before.names;
    const names = exactNames(await evidenceOf(grouped, dimension, { zone, dayStarts }), dimension);
    namesByDays.set(text, { heard, names });
    return names;
  };

  const running: KeptAnswers["running"] = async (endpoint, query) => {
    const last = await endpoint.running?.(query);
    const answer = last && usableRunning(last, freshness, circumstances());
    return answer && answer.askedAt > endpoint.doubtedAt(query) ? answer : undefined;
  };

  const summaryOf: KeptAnswers["summary"] = async (question) => {
    const query = summaryQuery(question.window, request, question.filters);
    const doubted = summary.doubtedAt(query);
    const byDay = { ...question, dimension: "day" } as const;
    return best([
      () => agedExact(summary, query, question),
      async () => unlessDoubted(doubted, wholeOf(await exactGroups(byDay))),
      async () => unlessDoubted(doubted, wholeOf(await dayByDay(byDay))),
    ]);
  };

  /** Finds the windows that have a part of one, each with its answer, where this may be used. */
  const usableWindows = async <Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    { window, zone, filters }: WindowQuestion,
    queryOf: (part: Pick<Window, "start" | "end">) => Query,
  ): Promise<readonly KeptWindow<Answer>[]> => {
    const whole = queryOf(window);
    const windows: KeptWindow<Answer>[] = [];
    for (const [kept] of groupBy((await endpoint.overlapping?.(whole)) ?? [], spanText).values()) {
      if (!kept) continue;
      const span = { ...kept, firstDay: kept.start, lastDay: kept.end };
      const answer = await exact(endpoint, queryOf(kept), { window: span, zone, filters });
      if (answer && answer.askedAt > endpoint.doubtedAt(whole)) windows.push({ ...kept, ...answer });
    }
    return windows;
  };

  return {
    ...{ exact, running, ageOf, summary: summaryOf, groups, names },
    async isOutOfDate(question) {
      const { dimension } = question;
      const kept = await (dimension === undefined ? summaryOf(question) : groups({ ...question, dimension }));
      if (!kept) return false;
      return isOutOfDate(totalOf({ askedAt: kept.age.askedAt, answer: kept.figures }), question);
    },
    async tiles(question) {
      const { window, zone, dimension, filters } = question;
      // Days tell more, and the keys of weeks and months may mean nothing beyond their answer.
      if (exactOnly || isCalendar(dimension)) return undefined;
      const place = { zone, dateField: request.dateField };
      if (dimension === undefined) {
        const kept = await usableWindows(summary, question, (of) => summaryQuery(of, request, filters));
        const tiles = tilesOf(window, kept, place);
        const isPlain = answersOf(kept, tiles).every(
          (answer) => JSON.stringify(addMetrics([answer])) === JSON.stringify(answer),
        );
        return isPlain || !mayAsk(freshness) ? tiles : undefined;
      }
      const kept = await usableWindows(grouped, question, (of) =>
        groupedQuery(of, dimension, request, filters),
      );
      const tiles = tilesOf(window, kept, place);
      const lists = placeGroups(answersOf(kept, tiles), tiles ?? [], dimension);
      return mergesToTheLetter(dimension, lists) || !mayAsk(freshness) ? tiles : undefined;
    },
  };
}

function answersOf<Answer>(
  kept: readonly KeptWindow<Answer>[],
  windows: readonly Window[] = [],
): readonly Answer[] {
  const bySpan = new Map(kept.map((window) => [spanText(window), window.answer]));
  return windows.flatMap((window) => bySpan.get(spanText(window)) ?? []);
}

function spanText({ start, end }: Pick<Window, "start" | "end">): string {
  return `${start} ${end}`;
}

/** Adds up all days of a window. */
function wholeOf(days: Aged<GroupedSummary> | undefined): Aged<Summary> | undefined {
  return days && { figures: addMetrics(days.figures.groups), age: days.age };
}
