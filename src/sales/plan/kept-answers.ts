/**
 * Finds a store's figures on this machine without a call: the answer to the very same question, or one that follows
 * from other answers. The summary of whole days follows from the days, in whatever windows these were asked for.
 * Weeks, months and weekdays follow from the days too, once answers have shown how the service writes them. A window
 * follows from shorter ones that follow on one another.
 */
import { type DayCount } from "../period/calendar.js";
import { dimensions } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { hasDimension } from "../../contract/summary.js";
import { groupBy } from "../../shared/group-by.js";
import { groupsOf, isGrouped, type SalesAnswer } from "../ledger/figures.js";
import {
  isContradicted,
  mayAsk,
  rightlyDated,
  usable,
  usableRunning,
  type DatedAnswer,
  type Freshness,
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
import type { Window } from "../period/windows.js";
import { oldestAge, type Age, type Aged } from "../results.js";
import { evidenceOf, type KnownAnswers } from "./evidence.js";
import { endOf, queryOf, type WindowQuestion } from "./queries.js";
import type { OrderChoice } from "./request.js";
import { textOf, type SalesQuery, type SalesSource } from "./source.js";

export interface KeptAnswersOptions {
  readonly source: SalesSource;
  readonly request: OrderChoice;
  readonly freshness: Freshness;
  /** Only the answer to the very same question is taken, since the next one is to be compared with it. */
  readonly exactOnly?: boolean;
}

export interface KeptAnswers {
  /** Gives what is known, if it may be used. */
  known(question: WindowQuestion): Promise<Aged<SalesAnswer> | undefined>;
  /** Takes a new answer, so that this run asks nothing twice, even where nothing is kept. */
  hear(question: WindowQuestion, answer: DatedAnswer): Promise<Aged<SalesAnswer>>;
  /** Uses what is known by now no more, since another answer in the same output contradicts it. */
  doubt(query: SalesQuery): void;
  /** Finds shorter windows that make up this one, each with an answer that may be used. */
  tiles(question: WindowQuestion): Promise<readonly Window[] | undefined>;
  /**
   * Gives the forms in which the service may write a dimension, as its answers show. Empty where no answer shows one.
   */
  readonly names: (dimension: CalendarDimension, days: DayCount) => Promise<readonly Names[]>;
}

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { source, request, freshness, exactOnly = false } = options;
  const heard = new Map<string, DatedAnswer & { readonly query: SalesQuery }>();
  const doubts = new Map<string, number>();
  const startedAt = source.now();
  const now = () => source.now() + source.ahead();
  let doubtedAt: Promise<number | undefined> | undefined;
  const circumstances = async () => ({
    now: now(),
    startedAt: startedAt + source.ahead(),
    doubtedAt: await (doubtedAt ??= source.doubtedAt()),
  });
  const heardOf = (query: SalesQuery) => heard.get(textOf(query));
  /** What this run has heard stands beside what is kept, even where nothing is kept. */
  const withHeard: KnownAnswers = {
    history: async (query) => [...(await source.history(query)), ...[heardOf(query) ?? []].flat()],
    overlapping: (query) => source.overlapping(query),
    async *answersBy(dimension) {
      for (const { query, answer, askedAt } of heard.values())
        if ("group_by" in query && query.group_by === dimension && isGrouped(answer))
          yield { query, answer, askedAt };
      yield* source.answersBy(dimension);
    },
  };
  const isDoubted = ({ askedAt }: Pick<Age, "askedAt">, query: SalesQuery) =>
    askedAt <= (doubts.get(textOf(query)) ?? Number.NEGATIVE_INFINITY);

  /** An answer may be used where no younger one contradicts it, or where nothing may be asked. */
  const isUpToDate = async (answer: DatedAnswer, question: WindowQuestion): Promise<boolean> => {
    if (!mayAsk(freshness)) return true;
    const splits = dimensions.filter((dimension) => hasDimension(request.dateField, dimension));
    const others = [undefined, ...splits].map(async (dimension) => {
      const query = queryOf({ ...question, dimension }, request);
      return rightlyDated(await withHeard.history(query), now()).at(-1) ?? [];
    });
    return !isContradicted(answer, (await Promise.all(others)).flat());
  };

  /** Finds the answer to the very same question. */
  const exact = async (question: WindowQuestion): Promise<Aged<SalesAnswer> | undefined> => {
    const query = queryOf(question, request);
    const at = { ...(await circumstances()), endsAt: endOf(question.window, request) };
    const answer = usable(await source.history(query), freshness, at);
    if (!answer || isDoubted(answer, query) || !(await isUpToDate(answer, question))) return undefined;
    return aged(question, answer, true);
  };

  /** Adds what has changed since the answer before. */
  const aged = async (question: WindowQuestion, answer: DatedAnswer, kept: boolean) => ({
    figures: answer.answer,
    age: ageOf(await source.history(queryOf(question, request)), answer, question, kept),
  });

  const ageOf = (
    history: readonly DatedAnswer[],
    answer: DatedAnswer,
    { window, zone, dimension }: WindowQuestion,
    kept: boolean,
  ): Age => {
    const before = history.findLast((earlier) => earlier.askedAt < answer.askedAt);
    const over = { ...window, dimension: dimension ?? null, endsAt: endOf(window, request), zone };
    const restated = before ? restatements(before, answer, over) : [];
    return { askedAt: answer.askedAt, kept, ...(restated.length > 0 && { restated }) };
  };

  /** Finds the answer of a moment ago, to this or to another process, about a window that ends now. */
  const running = async (question: WindowQuestion): Promise<Aged<SalesAnswer> | undefined> => {
    const query = queryOf(question, request);
    const last = question.endsNow === true ? await source.running(query) : undefined;
    const answer = last && usableRunning(last, freshness, await circumstances());
    if (answer) return isDoubted(answer, query) ? undefined : aged(question, answer, true);
    if (question.dimension !== undefined) return undefined;
    // What a `live` on this machine has heard by status adds up to the whole.
    return wholeOf(await running({ ...question, dimension: "status" }));
  };

  /** Puts a window together of its days one by one, each from its youngest answer. */
  const dayByDay = async (question: WindowQuestion): Promise<Aged<SalesAnswer> | undefined> => {
    const { window, zone } = question;
    if ((source.storeZone ?? zone) !== zone) return undefined;
    const kept = await source.overlapping(queryOf(question, request));
    const place = { zone, dateField: request.dateField };
    const days = kept.length > 0 ? daysOfWindow(window, place) : undefined;
    if (days === undefined) return undefined;
    const ages: Age[] = [];
    const groups: Group[] = [];
    const at = await circumstances();
    const datedAnswers = mayAsk(freshness)
      ? [...groupBy(kept, spanText).values()].flatMap((answersToSame) => rightlyDated(answersToSame, now()))
      : kept;
    for (const { date, endsAt, history } of dayHistories(datedAnswers, days, place)) {
      const answer = usable(history, freshness, { ...at, endsAt });
      if (!answer) return undefined;
      const day = { ...question, window: { ...window, firstDay: date, lastDay: date } };
      ages.push(ageOf(history, answer, day, true));
      groups.push(...groupsOf(answer.answer));
    }
    const [figures, age] = [{ group_by: "day", groups }, oldestAge(ages)];
    const isUsable = await isUpToDate({ askedAt: age.askedAt, answer: figures }, question);
    return isUsable ? { figures, age } : undefined;
  };

  /** Makes weeks, months, weekdays and the whole of known days. */
  const followingFromDays = async (question: WindowQuestion): Promise<Aged<SalesAnswer> | undefined> => {
    const { dimension } = question;
    if (exactOnly || (dimension !== undefined && !isCalendar(dimension))) return undefined;
    if (dimension === "day") return dayByDay(question);
    const days = await known({ ...question, dimension: "day" });
    if (!days || dimension === undefined) return wholeOf(days);
    const derived = groupsOfDays(groupsOf(days.figures), dimension, await names(dimension, question));
    return derived && { figures: derived.grouped, age: days.age };
  };

  const known: KeptAnswers["known"] = async (question) => {
    const query = queryOf(question, request);
    const answer = heardOf(query);
    // It has told already what has changed.
    if (answer) return { figures: answer.answer, age: { askedAt: answer.askedAt, kept: false } };
    let best: Aged<SalesAnswer> | undefined;
    // Where nothing may be asked the newest counts.
    for (const way of [exact, followingFromDays, running]) {
      if (best && mayAsk(freshness)) return best;
      const other = await way(question);
      const isBetter = other && (!best || other.age.askedAt > best.age.askedAt);
      if (isBetter && !isDoubted(other.age, query)) best = other;
    }
    return best;
  };

  const namesByDays = new Map<string, { readonly heard: number; readonly names: readonly Names[] }>();
  const names: KeptAnswers["names"] = async (dimension, { zone, dayStarts }) => {
    const text = JSON.stringify([dimension, zone, dayStarts]);
    const before = namesByDays.get(text);
    if (before?.heard === heard.size) return before.names;
    const names = exactNames(await evidenceOf(withHeard, dimension, { zone, dayStarts }), dimension);
    namesByDays.set(text, { heard: heard.size, names });
    return names;
  };

  return {
    ...{ known, names },
    async hear(question, answer) {
      const query = queryOf(question, request);
      heard.set(textOf(query), { ...answer, query });
      return aged(question, answer, false);
    },
    doubt(query) {
      heard.delete(textOf(query));
      doubts.set(textOf(query), now());
    },
    async tiles(question) {
      const { window, zone, dimension } = question;
      // Days tell more, and the keys of weeks and months may mean nothing beyond their answer.
      if (exactOnly || isCalendar(dimension)) return undefined;
      const whole = queryOf(question, request);
      const answers = new Map<string, SalesAnswer>();
      const kept: KeptWindow[] = [];
      for (const [span] of groupBy(await source.overlapping(whole), spanText).values()) {
        if (!span) continue;
        const part = { ...question, window: { ...span, firstDay: span.start, lastDay: span.end } };
        const answer = await known(part);
        if (!answer || isDoubted(answer.age, whole)) continue;
        kept.push(span);
        answers.set(spanText(span), answer.figures);
      }
      const tiles = tilesOf(window, kept, { zone, dateField: request.dateField });
      if (!tiles || dimension === undefined || !mayAsk(freshness)) return tiles;
      const lists = tiles.flatMap((tile) => answers.get(spanText(tile)) ?? []).filter(isGrouped);
      return mergesToTheLetter(dimension, placeGroups(lists, tiles, dimension)) ? tiles : undefined;
    },
  };
}

function spanText({ start, end }: Pick<Window, "start" | "end">): string {
  return `${start} ${end}`;
}

/** Adds up all groups of a window. */
function wholeOf(answer: Aged<SalesAnswer> | undefined): Aged<SalesAnswer> | undefined {
  return answer && { figures: addMetrics(groupsOf(answer.figures)), age: answer.age };
}
