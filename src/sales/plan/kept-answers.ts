/**
 * What this machine knows of a store's figures without a call: the answer to the very same question, or what follows from
 * other answers. The summary of whole days follows from the days, in whatever windows these were asked for; weeks, months
 * and weekdays follow from the days too, once answers have told how the service writes them; a window follows from shorter
 * ones that follow on one another.
 */
import type { Filter } from "../../contract/filters.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/models.js";
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
import type { Window, ZonedWindow } from "../period/windows.js";
import { oldest, type Age, type Aged } from "../results.js";
import { knownTotals, totalOf } from "./known-totals.js";
import { evidenceOf } from "./evidence.js";
import type { KeptGroups, Remembered } from "./memory.js";
import { endOf, groupedQuery, summaryQuery } from "./queries.js";
import type { SalesRequest } from "./request.js";

export interface KeptAnswersOptions {
  readonly summary: Remembered<SummaryQuery, Summary>;
  readonly grouped: Remembered<GroupedSummaryQuery, GroupedSummary> & KeptGroups;
  readonly request: Pick<SalesRequest, "dateField" | "filters">;
  readonly freshness: Freshness;
  /** When this machine last changed an order of the store (milliseconds since the epoch). */
  readonly doubtedAt: number | undefined;
  /** IANA name, where it is known: the zone in which the service counts days (section 4.7). */
  readonly storeZone?: string | undefined;
  /** Is only the answer to the very same question taken, since the next one is to be compared with it? */
  readonly exactOnly?: boolean;
  readonly now: () => number;
  /** How far the service's clock is ahead of that one, in milliseconds; what is asked tells it. Absent: not at all. */
  readonly ahead?: () => number;
}

type NamedDays = Pick<Period, "zone" | "dayStarts">;

interface GroupsOf {
  readonly dimension: Dimension;
  /** Beside those of the request. */
  readonly filters?: readonly Filter[] | undefined;
}

/** Beside those of the request; without a dimension it is the summary. */
type GroupsFilter = { readonly [Name in keyof GroupsOf]?: GroupsOf[Name] | undefined };

export interface KeptAnswers {
  /** The answer to the very same question, if it may be used. */
  exact<Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    zoned: ZonedWindow & Pick<GroupsFilter, "filters">,
  ): Promise<DatedAnswer<Answer> | undefined>;
  /** What was answered a moment ago, here or by another process, about a window that ends now. */
  running<Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
  ): Promise<DatedAnswer<Answer> | undefined>;
  /** @param filters beside those of the request */
  summary(zoned: ZonedWindow, filters?: readonly Filter[]): Promise<Aged<Summary> | undefined>;
  groups(zoned: ZonedWindow, of: GroupsOf): Promise<Aged<GroupedSummary> | undefined>;
  /** Has a younger answer about the same orders another total than what is known? */
  isOutOfDate(zoned: ZonedWindow, of: GroupsFilter): Promise<boolean>;
  /** Shorter windows that make up this one, each with an answer that may be used. */
  tiles(zoned: ZonedWindow, of: GroupsFilter): Promise<readonly Window[] | undefined>;
  /** The forms in which the service may write a dimension, as its answers show. Empty where no answer shows one. */
  readonly names: (dimension: CalendarDimension, days: NamedDays) => Promise<readonly Names[]>;
  /** Gives the age of an answer, with what has changed since the answer before it. */
  ageOf(
    history: readonly DatedAnswer<SalesAnswer>[],
    answer: DatedAnswer<SalesAnswer>,
    zoned: ZonedWindow & { readonly dimension?: Dimension; readonly wasKept: boolean },
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
  /** An answer may be used where it is young enough, or where nothing may be asked. */
  const stands = async (
    answer: DatedAnswer<SalesAnswer>,
    zoned: ZonedWindow & Pick<GroupsFilter, "filters">,
  ) => !mayAsk(freshness) || !(await isOutOfDate(totalOf(answer), zoned));

  const exact: KeptAnswers["exact"] = async (endpoint, query, zoned) => {
    const heard = endpoint.heard(query);
    if (heard) return heard;
    const answer = usableOf(await endpoint.history(query), endOf(zoned.window, request));
    const since = endpoint.doubtedAt(query) ?? Number.NEGATIVE_INFINITY;
    return answer && answer.askedAt > since && (await stands(answer, zoned)) ? answer : undefined;
  };

  /** An answer that this run has heard told by itself what has changed. */
  const ageOfExact = async <Query, Answer extends SalesAnswer>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    answer: DatedAnswer<Answer>,
    zoned: ZonedWindow & { readonly dimension?: Dimension },
  ): Promise<Age> =>
    answer === endpoint.heard(query)
      ? { askedAt: answer.askedAt, kept: false }
      : ageOf(await endpoint.history(query), answer, { ...zoned, wasKept: true });

  const ageOf: KeptAnswers["ageOf"] = (history, answer, { window, zone, dimension = null, wasKept }) => {
    const before = history.findLast((earlier) => earlier.askedAt < answer.askedAt);
    const { firstDay, lastDay } = window;
    const over = { dimension, firstDay, lastDay, endsAt: endOf(window, request), zone };
    const restated = before ? restatements(before, answer, over) : [];
    return { askedAt: answer.askedAt, kept: wasKept, ...(restated.length > 0 && { restated }) };
  };

  const exactGroups = async (zoned: ZonedWindow, { dimension, filters }: GroupsOf) => {
    const query = groupedQuery(zoned.window, dimension, request, filters);
    const answer = await exact(grouped, query, { ...zoned, filters });
    if (!answer) return undefined;
    return { figures: answer.answer, age: await ageOfExact(grouped, query, answer, { ...zoned, dimension }) };
  };

  /** The days of a window one by one, each as young as it is known. */
  const dayByDay = async (
    zoned: ZonedWindow,
    filters?: readonly Filter[],
  ): Promise<Aged<GroupedSummary> | undefined> => {
    const { window, zone } = zoned;
    if (exactOnly || (storeZone !== undefined && storeZone !== zone)) return undefined;
    const kept = (await grouped.overlapping?.(groupedQuery(window, "day", request, filters))) ?? [];
    if (kept.length === 0) return undefined;
    const place = { zone, dateField: request.dateField };
    const days = daysOfWindow(window, place);
    if (days === undefined) return undefined;
    const ages: Age[] = [];
    const groups: GroupedSummary["groups"] = [];
    const dated = mayAsk(freshness) ? byWindow(kept).flatMap((same) => rightlyDated(same, now())) : kept;
    for (const { date, endsAt, history } of dayHistories(dated, days, place)) {
      const answer = usableOf(history, endsAt);
      if (!answer) return undefined;
      const day = { ...window, firstDay: date, lastDay: date };
      ages.push(ageOf(history, answer, { window: day, zone, dimension: "day", wasKept: true }));
      groups.push(...answer.answer.groups);
    }
    const [figures, age] = [{ group_by: "day", groups }, oldest(ages)];
    return (await stands({ askedAt: age.askedAt, answer: figures }, { ...zoned, filters }))
      ? { figures, age }
      : undefined;
  };

  /** Chooses the first answer that may be used. Where nothing may be asked, the newest. */
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

  /** @param doubtedAt until when it is doubted what is known of the question */
  const since = <Figures>(doubtedAt: number | undefined, figures: Aged<Figures> | undefined) =>
    figures && figures.age.askedAt > (doubtedAt ?? Number.NEGATIVE_INFINITY) ? figures : undefined;

  const groups: KeptAnswers["groups"] = async (zoned, of) => {
    const doubted = grouped.doubtedAt(groupedQuery(zoned.window, of.dimension, request, of.filters));
    return best([
      () => exactGroups(zoned, of),
      async () =>
        since(doubted, await (of.dimension === "day" ? dayByDay(zoned, of.filters) : ofDays(zoned, of))),
    ]);
  };

  /** Weeks, months and weekdays of known days. */
  const ofDays = async (zoned: ZonedWindow, { dimension, filters }: GroupsOf) => {
    if (exactOnly || !isCalendar(dimension)) return undefined;
    const days = await groups(zoned, { dimension: "day", filters });
    const derived = days && groupsOfDays(days.figures.groups, dimension, await names(dimension, zoned));
    return derived && { figures: derived.grouped, age: days.age };
  };

  const told = new Map<string, { readonly heard: number; readonly names: readonly Names[] }>();
  const names: KeptAnswers["names"] = async (dimension, days) => {
    const text = JSON.stringify([dimension, days.zone, days.dayStarts]);
    const heard = grouped.allHeard().length;
    const before = told.get(text);
    if (before?.heard === heard) return before.names;
    const names = exactNames(await evidenceOf(grouped, dimension, days), dimension);
    told.set(text, { heard, names });
    return names;
  };

  const running: KeptAnswers["running"] = async (endpoint, query) => {
    const last = await endpoint.running?.(query);
    const answer = last && usableRunning(last, freshness, circumstances());
    const since = endpoint.doubtedAt(query) ?? Number.NEGATIVE_INFINITY;
    return answer && answer.askedAt > since ? answer : undefined;
  };

  return {
    exact,
    running,
    ageOf,
    async summary(zoned, filters) {
      const doubted = summary.doubtedAt(summaryQuery(zoned.window, request, filters));
      return best([
        async () => {
          const query = summaryQuery(zoned.window, request, filters);
          const answer = await exact(summary, query, { ...zoned, filters });
          if (!answer) return undefined;
          return { figures: answer.answer, age: await ageOfExact(summary, query, answer, zoned) };
        },
        async () => since(doubted, wholeOf(await exactGroups(zoned, { dimension: "day", filters }))),
        async () => since(doubted, wholeOf(await dayByDay(zoned, filters))),
      ]);
    },
    groups,
    async isOutOfDate(zoned, { dimension, filters }) {
      const keptAnswer = await (dimension === undefined
        ? this.summary(zoned, filters)
        : groups(zoned, { dimension, filters }));
      if (!keptAnswer) return false;
      const { figures: answer, age } = keptAnswer;
      return isOutOfDate(totalOf({ askedAt: age.askedAt, answer }), { ...zoned, filters });
    },
    names,
    async tiles({ window, zone }, { dimension, filters }) {
      // Days tell more, and the keys of weeks and months may mean nothing beyond their answer.
      if (exactOnly || (dimension !== undefined && isCalendar(dimension))) return undefined;
      const place = { zone, dateField: request.dateField };
      if (dimension === undefined) {
        const kept = await usableWindows(summary, (each) => summaryQuery(each, request, filters));
        const tiles = tilesOf(window, kept, place);
        const isPlain = answersOf(kept, tiles).every(
          (answer) => JSON.stringify(addMetrics([answer])) === JSON.stringify(answer),
        );
        return isPlain || !mayAsk(freshness) ? tiles : undefined;
      }
      const kept = await usableWindows(grouped, (each) => groupedQuery(each, dimension, request, filters));
      const tiles = tilesOf(window, kept, place);
      const lists = placeGroups(answersOf(kept, tiles), tiles ?? [], dimension);
      return mergesToTheLetter(dimension, lists) || !mayAsk(freshness) ? tiles : undefined;

      async function usableWindows<Query, Answer extends SalesAnswer>(
        endpoint: Remembered<Query, Answer>,
        queryOf: (of: Pick<Window, "start" | "end">) => Query,
      ): Promise<readonly KeptWindow<Answer>[]> {
        const doubted = endpoint.doubtedAt(queryOf(window)) ?? Number.NEGATIVE_INFINITY;
        const each = new Map(
          ((await endpoint.overlapping?.(queryOf(window))) ?? []).map((window) => [
            `${window.start} ${window.end}`,
            window,
          ]),
        );
        const windows: KeptWindow<Answer>[] = [];
        for (const keptWindow of each.values()) {
          const span = { ...keptWindow, firstDay: keptWindow.start, lastDay: keptWindow.end };
          const answer = await exact(endpoint, queryOf(keptWindow), { window: span, zone, filters });
          if (answer !== undefined && answer.askedAt > doubted) windows.push({ ...keptWindow, ...answer });
        }
        return windows;
      }
    },
  };
}

/** Gives the answers in the order of the windows. */
function answersOf<Answer>(
  kept: readonly KeptWindow<Answer>[],
  windows: readonly Window[] = [],
): readonly Answer[] {
  const byWindow = new Map(kept.map(({ start, end, answer }) => [`${start} ${end}`, answer]));
  return windows.flatMap(({ start, end }) => byWindow.get(`${start} ${end}`) ?? []);
}

/** The answers to each question, in the order in which they came. */
function byWindow<Answer>(kept: readonly KeptWindow<Answer>[]): readonly (readonly KeptWindow<Answer>[])[] {
  const windows = new Map<string, KeptWindow<Answer>[]>();
  for (const answer of kept) {
    const name = `${answer.start} ${answer.end}`;
    const same = windows.get(name);
    if (same) same.push(answer);
    else windows.set(name, [answer]);
  }
  return [...windows.values()];
}

/** All days of a window are the window. */
function wholeOf(days: Aged<GroupedSummary> | undefined): Aged<Summary> | undefined {
  return days && { figures: addMetrics(days.figures.groups), age: days.age };
}
