/** Asks each chosen store for its figures, within its own limits, and adds them up where they have one currency. */
import type { Dimension } from "../../api/enums.js";
import type { RateBucket } from "../../api/limits.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { openAnswers, type Answers } from "../../state/answers.js";
import { countsRequests, limitState, type LimitState } from "../../state/limits.js";
import type { Context } from "../../cli/context.js";
import { chooseStores, openConnection, openTransport, waitNotices } from "../store.js";
import { askCompared, planned, type Asking, type PlannedRequest, type Question } from "../../sales/ask.js";
import {
  addWindows,
  type Figures,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
} from "../../sales/figures.js";
import type { SalesRequest } from "./options.js";
import {
  comparisonPeriod,
  describePeriod,
  resolvePeriod,
  startsTooEarly,
  type Period,
} from "../../sales/period.js";
import { preferencesFor, type Preferences } from "./preferences.js";
import { startProgress, type SalesProgress } from "./progress.js";

/** What is asked of each store: a summary, or groups, with those of the period before where that is wanted. */
export interface SalesQuestion {
  readonly by: Dimension | undefined;
  readonly isCompared: boolean;
}

export interface OpenStore {
  /** The alias, or the host's name for a store that the environment variables name. */
  readonly store: string;
  readonly preferences: Preferences;
  readonly asking: Asking;
  /** What `asking` keeps its answers in; days too. */
  readonly answers: Answers | undefined;
  /** Gives what is left of a limit; `undefined` where comanda doesn't count. */
  readonly limit: (bucket: RateBucket) => Promise<LimitState | undefined>;
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;

/**
 * Opens the stores, and closes them after the work.
 *
 * @param label names the command in the progress
 * @param mustKeep makes it a failure that an answer can't be kept
 */
export async function withStores<Result>(
  context: Context,
  { label, mustKeep = false, ...request }: OpenOptions,
  work: (
    stores: readonly (OpenStore | MissingStore)[],
    several: boolean,
    progress: SalesProgress,
  ) => Promise<Result>,
): Promise<Result> {
  const { output, options } = context;
  const state = await context.state();
  const chosen = await chooseStores(context, request);
  const areSeveral = request.allStores || request.stores.length > 1;
  const stored = await state.settings.read();
  const progress = startProgress(context, label);
  const sayWait = waitNotices(context);
  const begunAt = context.clock.now();
  const transport = openTransport(context);
  try {
    const stores = await Promise.all(
      chosen.map(async (choice): Promise<OpenStore | MissingStore> => {
        if ("error" in choice) return choice;
        const preferences = preferencesFor(stored, choice.store, request.zone);
        const connection = await openConnection(context, choice, transport, {
          onWait: (notice) => {
            if (!progress.isAnnounced(notice)) sayWait(notice);
          },
        });
        const { client, label: store, baseUrl, figures } = connection;
        // Nothing is kept where the sign-in can't be told from others.
        const kept = figures && openAnswers(state, { ...figures, store, environment: baseUrl });
        const answers = kept && (mustKeep ? kept : orAsk(kept, state.warn));
        const asking: Asking = {
          client,
          answers,
          dateField: request.dateField,
          filters: request.filters,
          currency: preferences.currency,
          freshness: request.freshness,
          now: () => context.clock.now(),
          begunAt,
          signal: context.signal,
          waitMs: options.maxWaitMs + answerMs,
          onCalled: progress.called,
          onWarning: (message) => {
            output.warn(areSeveral ? `${store}: ${message}` : message);
          },
        };
        const limit = async (bucket: RateBucket) =>
          countsRequests(context) ? limitState(state, connection, bucket) : undefined;
        return { store, preferences, asking, answers, limit };
      }),
    );
    return await work(stores, areSeveral, progress);
  } finally {
    progress.end();
    await transport.close();
  }
}

export interface OpenOptions extends Pick<
  SalesRequest,
  "stores" | "allStores" | "zone" | "filters" | "dateField" | "freshness"
> {
  readonly label: string;
  readonly mustKeep?: boolean;
}

/** Where what is kept can't be used, the service is asked instead, and a warning says so once. */
function orAsk(answers: Answers, warn: (message: string) => void): Answers {
  let isUsable = true;
  const unlessUnusable = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    if (!isUsable) return undefined;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      isUsable = false;
      warn(t`${error.message} Figures are not kept for the next time.`);
      return undefined;
    }
  };
  return {
    ...answers,
    find: (question) => unlessUnusable(() => answers.find(question)),
    keep: async (question, kept) => {
      await unlessUnusable(() => answers.keep(question, kept));
    },
  };
}

/** @throws {ComandaError} `invalid_input` for a period that can't be asked for, by this dimension or at all */
export function periodsFor(
  { asking: { dateField, onWarning, begunAt: now }, preferences: { zone, dayStarts } }: OpenStore,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): { readonly current: Period; readonly previous: Period | undefined } {
  const current = resolvePeriod(request.period, { now, zone, dayStarts, dateField });
  const torn = questions.find(({ by }) => isTorn(by, current));
  if (torn && !request.leavesOut) {
    throw new ComandaError(
      "invalid_input",
      t`The service counts ${torn.by ?? ""} from midnight, and the store's days start at ${current.dayStarts ?? ""}.`,
      {
        hint: t`Ask for each by itself, as with comanda summary --period last-week, or take the service's own days: comanda stores set <alias> --day-starts 00:00`,
      },
    );
  }
  const previous = request.comparison && comparisonPeriod(current, request.comparison);
  if (!previous || !startsTooEarly(previous, now)) return { current, previous };
  const problem = t`The comparison with ${describePeriod(previous)} would begin more than 3 years back`;
  if (!request.leavesOut) {
    throw new ComandaError("invalid_input", `${problem}.`, {
      hint: t`Leave out --compare, or ask for a later period.`,
    });
  }
  onWarning(t`${problem}: it is left out.`);
  return { current, previous: undefined };
}

/** The service counts weeks, months and weekdays from midnight: days that start late would be torn. */
function isTorn(by: Dimension | undefined, { dayStarts }: Period): boolean {
  return dayStarts !== undefined && (by === "week" || by === "month" || by === "day_of_week");
}

/** Lists the requests of a store by the question, for `--dry-run` and for the progress. */
export async function plannedOf(
  store: OpenStore,
  periods: { readonly current: Period; readonly previous: Period | undefined },
  questions: readonly SalesQuestion[],
): Promise<readonly PlannedRequest[]> {
  const all = questions.flatMap(({ by, isCompared }): Question[] => {
    const { current, previous } = periods;
    if (isTorn(by, current)) return [];
    return [{ by, period: current }, ...(isCompared && previous ? [{ by, period: previous }] : [])];
  });
  return planned(store.asking, all);
}

/**
 * @returns the answer to each question, in their order
 * @throws {ComandaError} what is wrong with the request, before any call; and, where one store was asked for, what went
 *   wrong with it
 */
export async function askStores(
  context: Context,
  label: string,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): Promise<readonly SalesResult[]> {
  return withStores(context, { ...request, label }, async (stores, several, progress) => {
    const asked = stores.map((store) =>
      "error" in store ? store : { store, periods: periodsFor(store, request, questions) },
    );
    const expected = asked.map(async (store) =>
      "error" in store
        ? []
        : progress.expected(store.store.limit, await plannedOf(store.store, store.periods, questions)),
    );
    progress.begin((await Promise.all(expected)).flat());
    const answers = await Promise.all(
      asked.map(async (each): Promise<MissingStore | readonly (StoreFigures | undefined)[]> => {
        if ("error" in each) return each;
        const { store, periods } = each;
        const askAll = async () => {
          const all: (StoreFigures | undefined)[] = [];
          for (const { by, isCompared } of questions) {
            if (isTorn(by, periods.current)) {
              all.push(undefined);
              continue;
            }
            const sides = { current: periods.current, previous: isCompared ? periods.previous : undefined };
            const { currency, locale } = store.preferences;
            all.push({
              store: store.store,
              currency,
              locale,
              ...(await askCompared(store.asking, by, sides)),
            });
          }
          return all;
        };
        return several ? orMissing(store.store, context.signal, askAll) : askAll();
      }),
    );
    sayGuessedZones(context, stores);
    return questions.map(({ by }, place) => {
      const found = answers.flatMap((store) => ("error" in store ? store : (store[place] ?? [])));
      const total = several && by !== "driver_id" ? totalOfStores(found) : undefined;
      return { by, several, stores: found, ...(total && { total }) };
    });
  });
}

/** Gives the result of the work, or why it failed: the other stores' figures are shown all the same. */
export async function orMissing<Result>(
  store: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | MissingStore> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    return { store, error };
  }
}

/** Amounts of different currencies are never added up. */
function totalOfStores(stores: readonly (StoreFigures | MissingStore)[]): StoreFigures | undefined {
  const answering = stores.flatMap((store) => ("current" in store ? store : []));
  const [first] = answering;
  if (!first || answering.some(({ currency }) => currency !== first.currency)) return undefined;
  const previous = answering.flatMap((store) => store.previous ?? []);
  return {
    ...{ store: null, currency: first.currency, locale: first.locale },
    current: sumOf(
      first.current,
      answering.map(({ current }) => current),
    ),
    ...(first.previous &&
      previous.length === answering.length && { previous: sumOf(first.previous, previous) }),
  };
}

/** The first store's period stands for all: the others' days may begin at other times. */
function sumOf({ period }: Figures, all: readonly Figures[]): Figures {
  return {
    period,
    rows: addWindows(
      all.map(({ rows }) => rows),
      undefined,
    ),
    askedAt: Math.min(...all.map(({ askedAt }) => askedAt)),
    kept: all.some(({ kept }) => kept),
  };
}

/** Another machine would count other days, so each run warns until somebody says which zone it is. */
export function sayGuessedZones(
  { output }: Pick<Context, "output">,
  stores: readonly (OpenStore | MissingStore)[],
): void {
  const guessed = stores.flatMap((store) =>
    "error" in store || !store.preferences.zoneIsGuessed ? [] : store,
  );
  const [first] = guessed;
  if (!first) return;
  const names = namesOf(guessed);
  const alias = guessed.length > 1 ? "<alias>" : names;
  output.warn(
    t`The days of ${names} are counted in this machine's time zone, ${first.preferences.zone}, which may not be the store's. Say which is: comanda stores set ${alias} --tz <zone>`,
  );
}

/** More names would tell nobody more. */
const mostNames = 10;

function namesOf(stores: readonly { readonly store: string }[]): string {
  const names = stores.slice(0, mostNames).map(({ store }) => store);
  const first = names.join(", ");
  return stores.length > mostNames ? t`${first} and ${stores.length - mostNames} more` : first;
}

/** Ends a command of several stores with exit code 10, and says why each store failed. */
export function missingStores(
  stores: readonly ({ readonly store: string | null } | MissingStore)[],
): ComandaError | undefined {
  const missing = stores.flatMap((store) => ("error" in store ? store : []));
  if (missing.length === 0) return undefined;
  const reasons = new Map<string, MissingStore[]>();
  for (const store of missing) {
    const { error } = store;
    const text = [error.message, error.hint].filter(Boolean).join(" ").replaceAll(store.store, "\0");
    reasons.set(text, [...(reasons.get(text) ?? []), store]);
  }
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${namesOf(missing)}.`,
    {
      hint: [...reasons]
        .map(([text, alike]) => `${namesOf(alike)}: ${text.replaceAll("\0", alike[0]?.store ?? "")}`)
        .join("\n"),
    },
  );
}
