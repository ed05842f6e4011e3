/**
 * What this machine knows of a store's figures without a call: the answer to the very same question, or what follows from
 * other answers. The summary of whole days follows from the days, in whatever windows these were asked for; weeks, months
 * and weekdays follow from the days too, once answers have told how the service writes them; a window follows from shorter
 * ones that follow on one another.
 */
import type { Filter } from "../../contract/filters.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../../contract/models.js";
import { totalOf } from "../ledger/agreement.js";
import type { Figured } from "../ledger/figures.js";
import { mayAsk, rightlyDated, usable, type Freshness, type Known } from "../ledger/freshness.js";
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
import { knownTotals } from "./known-totals.js";
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
type AskedFor = { readonly [Name in keyof GroupsOf]?: GroupsOf[Name] | undefined };

export interface KeptAnswers {
  /** The answer to the very same question, if it may be used. */
  exact<Query, Answer extends Figured>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    asked: ZonedWindow & Pick<AskedFor, "filters">,
  ): Promise<Known<Answer> | undefined>;
  /** @param filters beside those of the request */
  summary(asked: ZonedWindow, filters?: readonly Filter[]): Promise<Aged<Summary> | undefined>;
  groups(asked: ZonedWindow, of: GroupsOf): Promise<Aged<GroupedSummary> | undefined>;
  /** Has a younger answer about the same orders another total than what is known? */
  isOutOfDate(asked: ZonedWindow, of: AskedFor): Promise<boolean>;
  /** Shorter windows that make up this one, each with an answer that may be used. */
  tiles(asked: ZonedWindow, of: AskedFor): Promise<readonly Window[] | undefined>;
  /** In which ways the service may write a dimension, as far as its answers have told; none where they haven't. */
  readonly names: (dimension: CalendarDimension, days: NamedDays) => Promise<readonly Names[]>;
  /** How the service has called the values of a dimension, by key; of none that it hasn't shown. */
  labels(dimension: Dimension): Promise<ReadonlyMap<string, string | null>>;
  /** With what has changed since the answer before it. */
  ageOf(
    history: readonly Known<Figured>[],
    answer: Known<Figured>,
    asked: ZonedWindow & { readonly dimension?: Dimension; readonly wasKept: boolean },
  ): Age;
}

export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { summary, grouped, request, freshness, doubtedAt, storeZone, exactOnly = false } = options;
  const ahead = options.ahead ?? (() => 0);
  const startedAt = options.now();
  const now = () => options.now() + ahead();
  const usableOf = <Answer extends Figured>(history: readonly Known<Answer>[], endsAt: number) =>
    usable(history, freshness, {
      now: now(),
      startedAt: startedAt + ahead(),
      endsAt,
      doubtedAt,
    });

  const isOutOfDate = knownTotals({ summary, grouped, request, now, exactOnly });
  /** Where nothing may be asked, what is kept is all there is. */
  const stands = async (known: Known<Figured>, asked: ZonedWindow & Pick<AskedFor, "filters">) =>
    !mayAsk(freshness) || !(await isOutOfDate(totalOf(known), asked));

  const exact: KeptAnswers["exact"] = async (endpoint, query, asked) => {
    const heard = endpoint.heard(query);
    if (heard) return heard;
    const known = usableOf(await endpoint.history(query), endOf(asked.window, request));
    const since = endpoint.doubtedAt(query) ?? Number.NEGATIVE_INFINITY;
    return known && known.askedAt > since && (await stands(known, asked)) ? known : undefined;
  };

  /** An answer that this run has heard told by itself what has changed. */
  const ageOfExact = async <Query, Answer extends Figured>(
    endpoint: Remembered<Query, Answer>,
    query: Query,
    known: Known<Answer>,
    asked: ZonedWindow & { readonly dimension?: Dimension },
  ): Promise<Age> =>
    known === endpoint.heard(query)
      ? { askedAt: known.askedAt, kept: false }
      : ageOf(await endpoint.history(query), known, { ...asked, wasKept: true });

  const ageOf: KeptAnswers["ageOf"] = (history, answer, { window, zone, dimension = null, wasKept }) => {
    const before = history.findLast((one) => one.askedAt < answer.askedAt);
    const { firstDay, lastDay } = window;
    const over = { dimension, firstDay, lastDay, endsAt: endOf(window, request), zone };
    const restated = before ? restatements(before, answer, over) : [];
    return { askedAt: answer.askedAt, kept: wasKept, ...(restated.length > 0 && { restated }) };
  };

  const exactGroups = async (asked: ZonedWindow, { dimension, filters }: GroupsOf) => {
    const query = groupedQuery(asked.window, dimension, request, filters);
    const known = await exact(grouped, query, { ...asked, filters });
    if (!known) return undefined;
    return { figures: known.answer, age: await ageOfExact(grouped, query, known, { ...asked, dimension }) };
  };

  /** The days of a window one by one, each as young as it is known. */
  const dayByDay = async (
    asked: ZonedWindow,
    filters?: readonly Filter[],
  ): Promise<Aged<GroupedSummary> | undefined> => {
    const { window, zone } = asked;
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
      const known = usableOf(history, endsAt);
      if (!known) return undefined;
      const day = { ...window, firstDay: date, lastDay: date };
      ages.push(ageOf(history, known, { window: day, zone, dimension: "day", wasKept: true }));
      groups.push(...known.answer.groups);
    }
    const [figures, age] = [{ group_by: "day", groups }, oldest(ages)];
    return (await stands({ askedAt: age.askedAt, answer: figures }, { ...asked, filters }))
      ? { figures, age }
      : undefined;
  };

  /** Where nothing may be asked the newest counts; else the first that may be used. */
  const best = async <Figures>(
    ways: readonly (() => Promise<Aged<Figures> | undefined>)[],
  ): Promise<Aged<Figures> | undefined> => {
    let found: Aged<Figures> | undefined;
    for (const way of ways) {
      if (found && mayAsk(freshness)) return found;
      const other = await way();
      if (!found || (other && other.age.askedAt > found.age.askedAt)) found = other ?? found;
    }
    return found;
  };

  /** @param doubtedAt until when it is doubted what is known of the question */
  const since = <Figures>(doubtedAt: number | undefined, found: Aged<Figures> | undefined) =>
    found && found.age.askedAt > (doubtedAt ?? Number.NEGATIVE_INFINITY) ? found : undefined;

  const groups: KeptAnswers["groups"] = async (asked, of) => {
    const doubted = grouped.doubtedAt(groupedQuery(asked.window, of.dimension, request, of.filters));
    return best([
      () => exactGroups(asked, of),
      async () =>
        since(doubted, await (of.dimension === "day" ? dayByDay(asked, of.filters) : ofDays(asked, of))),
    ]);
  };

  /** Weeks, months and weekdays of known days. */
  const ofDays = async (asked: ZonedWindow, { dimension, filters }: GroupsOf) => {
    if (exactOnly || !isCalendar(dimension)) return undefined;
    const days = await groups(asked, { dimension: "day", filters });
    const found = days && groupsOfDays(days.figures.groups, dimension, await names(dimension, asked));
    return found && { figures: found.grouped, age: days.age };
  };

  const told = new Map<string, { readonly heard: number; readonly names: readonly Names[] }>();
  const names: KeptAnswers["names"] = async (dimension, days) => {
    const text = JSON.stringify([dimension, days.zone, days.dayStarts]);
    const heard = grouped.allHeard().length;
    const before = told.get(text);
    if (before?.heard === heard) return before.names;
    const found = exactNames(await evidenceOf(grouped, dimension, days), dimension);
    told.set(text, { heard, names: found });
    return found;
  };

  return {
    exact,
    ageOf,
    async labels(dimension) {
      const labels = new Map<string, string | null>();
      const learn = ({ answer }: Known<GroupedSummary>) => {
        for (const { key, label } of answer.groups)
          if (!labels.has(String(key))) labels.set(String(key), label);
      };
      grouped
        .allHeard()
        .filter(({ query }) => query.group_by === dimension)
        .forEach(learn);
      for await (const kept of grouped.answersBy?.(dimension) ?? []) learn(kept);
      return labels;
    },
    async summary(asked, filters) {
      const doubted = summary.doubtedAt(summaryQuery(asked.window, request, filters));
      return best([
        async () => {
          const query = summaryQuery(asked.window, request, filters);
          const known = await exact(summary, query, { ...asked, filters });
          if (!known) return undefined;
          return { figures: known.answer, age: await ageOfExact(summary, query, known, asked) };
        },
        async () => since(doubted, wholeOf(await exactGroups(asked, { dimension: "day", filters }))),
        async () => since(doubted, wholeOf(await dayByDay(asked, filters))),
      ]);
    },
    groups,
    async isOutOfDate(asked, { dimension, filters }) {
      const found = await (dimension === undefined
        ? this.summary(asked, filters)
        : groups(asked, { dimension, filters }));
      if (!found) return false;
      const { figures: answer, age } = found;
      return isOutOfDate(totalOf({ askedAt: age.askedAt, answer }), { ...asked, filters });
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

      async function usableWindows<Query, Answer extends Figured>(
        endpoint: Remembered<Query, Answer>,
        queryOf: (of: Pick<Window, "start" | "end">) => Query,
      ): Promise<readonly KeptWindow<Answer>[]> {
        const doubted = endpoint.doubtedAt(queryOf(window)) ?? Number.NEGATIVE_INFINITY;
        const each = new Map(
          ((await endpoint.overlapping?.(queryOf(window))) ?? []).map((one) => [
            `${one.start} ${one.end}`,
            one,
          ]),
        );
        const windows: KeptWindow<Answer>[] = [];
        for (const one of each.values()) {
          const span = { ...one, firstDay: one.start, lastDay: one.end };
          const known = await exact(endpoint, queryOf(one), { window: span, zone, filters });
          if (known !== undefined && known.askedAt > doubted) windows.push({ ...one, ...known });
        }
        return windows;
      }
    },
  };
}

/** In the order of the windows. */
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
