/** Asks each chosen store for its figures, within its own limits, and adds them up where they have one currency. */
import type { Dimension } from "../../api/enums.js";
import { rateLimits } from "../../api/limits.js";
import type { Context } from "../../cli/context.js";
import { startProgress } from "../../cli/output.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import {
  askCompared,
  planOf,
  type Asking,
  type Plan,
  type PlannedRequest,
  type Question,
} from "../../sales/ask.js";
import {
  addWindows,
  type Figures,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
} from "../../sales/figures.js";
import {
  comparisonPeriod,
  describePeriod,
  resolvePeriod,
  startsTooEarly,
  type Period,
} from "../../sales/period.js";
import { openAnswers, type Answers } from "../../state/answers.js";
import { countsRequests, limitState } from "../../state/limits.js";
import { chooseStores, openConnection, openTransport, waitNotices, type Connection } from "../store.js";

import type { SalesRequest } from "./options.js";
import { preferencesFor, type Preferences } from "./preferences.js";

export interface OpenStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly asking: Asking;
  /** What `asking` keeps its answers in; days too. */
  readonly answers: Answers | undefined;
}

export interface StoresRequest extends Pick<
  SalesRequest,
  "stores" | "allStores" | "zone" | "filters" | "dateField" | "freshness" | "dryRun"
> {
  /** Names the command in the progress. */
  readonly label: string;
  /** Is it a failure that an answer can't be kept? */
  readonly mustKeep?: boolean;
}

/** What each store came to, in the order in which they were asked for. */
export interface OfStores<Result> {
  /** Were several stores asked for, even if this machine knows but one? */
  readonly several: boolean;
  readonly stores: readonly (Result | MissingStore)[];
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;
/** A wait of fewer milliseconds needs no announcement. */
const announcedFromMs = 2_000;

/**
 * Plans what each store is asked, says how long it takes, and does the work at all of them at once.
 *
 * @param questionsOf throws for what can't be asked, before any call
 * @returns undefined for a dry run, which shows the calls
 * @throws {ComandaError} what goes wrong where one store was asked for; of several, the others go on
 */
export async function atStores<Result>(
  context: Context,
  request: StoresRequest,
  questionsOf: (store: OpenStore) => readonly (readonly Question[])[],
  work: (store: OpenStore, plans: readonly (readonly Plan[])[]) => Promise<Result>,
): Promise<OfStores<Result> | undefined> {
  const { clock, output, options, signal } = context;
  const state = await context.state();
  const several = request.allStores || request.stores.length > 1;
  const chosen = await chooseStores(context, request);
  const settings = await state.settings.read();
  const sayWait = waitNotices(context);
  const begunAt = clock.now();
  const transport = openTransport(context);
  let onCalled: (() => void) | undefined;
  let isAnnounced = false;
  try {
    const planned: (MissingStore | { store: OpenStore; plans: (readonly Plan[])[] })[] = [];
    for (const choice of chosen) {
      if ("error" in choice) {
        planned.push(choice);
        continue;
      }
      const preferences = preferencesFor(settings, choice.store, request.zone);
      const connection = await openConnection(context, choice, transport, {
        onWait: (notice) => {
          if (!isAnnounced || notice.reason !== "rate_limit") sayWait(notice);
        },
      });
      const { client, label, baseUrl, signIn } = connection;
      // Nothing is kept where the sign-in can't be told from others.
      const source = { store: label, environment: baseUrl };
      const kept = signIn === undefined ? undefined : openAnswers(state, { ...source, signIn });
      const answers = kept && (request.mustKeep ? kept : orAsk(kept, state.warn));
      const asking: Asking = {
        client,
        answers,
        dateField: request.dateField,
        filters: request.filters,
        currency: preferences.currency,
        freshness: request.freshness,
        now: () => clock.now(),
        begunAt,
        signal,
        waitMs: options.maxWaitMs + answerMs,
        onCalled: () => onCalled?.(),
        onWarning: (message) => {
          output.warn(several ? `${label}: ${message}` : message);
        },
      };
      const store = { connection, preferences, asking, answers };
      const plans: Plan[][] = [];
      for (const questions of questionsOf(store)) {
        const sides: Plan[] = [];
        for (const question of questions) sides.push(await planOf(asking, question));
        plans.push(sides);
      }
      planned.push({ store, plans });
    }
    const open = planned.flatMap((each) => ("error" in each ? [] : each));
    const expected = await Promise.all(
      open.map(async ({ store, plans }) => {
        const requests = plans.flat().flatMap((plan) => plan.requests);
        return { store, requests, waitMs: await waitOf(context, store, requests) };
      }),
    );
    if (request.dryRun) {
      const { showPlan } = await import("./dry-run.js");
      await showPlan(output, expected);
      return undefined;
    }
    const calls = expected.flatMap(({ requests }) => requests.filter(({ known }) => !known)).length;
    const waitMs = Math.max(0, ...expected.map((store) => store.waitMs ?? 0));
    if (output.status.isShown && calls > 1) {
      const progress = startProgress(output.status, {
        total: calls,
        label: request.label,
        now: () => clock.now(),
      });
      const endsAt = clock.now() + waitMs;
      let done = 0;
      onCalled = () => {
        done += 1;
        const left = endsAt - clock.now();
        progress.update(Math.min(calls, done), left > 0 ? t`about ${duration(left)} left` : "");
      };
    } else if (!output.status.isShown && waitMs >= announcedFromMs) {
      isAnnounced = true;
      const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
      const { limit } = rateLimits.summary;
      output.notice(t`${count}, of which the service takes ${limit} a minute: about ${duration(waitMs)}.`);
    }
    const stores = await Promise.all(
      planned.map(async (each) => {
        if ("error" in each) return each;
        try {
          return await work(each.store, each.plans);
        } catch (error) {
          // The other stores' figures are shown all the same.
          if (!several || signal.aborted || !(error instanceof ComandaError)) throw error;
          return { store: each.store.connection.label, error };
        }
      }),
    );
    const [guessed, ...others] = open.flatMap(({ store }) => (store.preferences.zoneIsGuessed ? store : []));
    if (guessed) {
      // Another machine would count other days, so each run warns until somebody says which zone it is.
      const names = [guessed, ...others].map(({ connection }) => connection.label).join(", ");
      const alias = others.length > 0 ? "<alias>" : names;
      output.warn(
        t`The days of ${names} are counted in this machine's time zone, ${guessed.preferences.zone}, which may not be the store's. Say which is: comanda stores set ${alias} --tz <zone>`,
      );
    }
    return { several, stores };
  } finally {
    output.status.show("bar", undefined);
    await transport.close();
  }
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
      warn(t`${error.message} Figures are not kept for the next time.`);
      isUsable = false;
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

/**
 * Gives the least time, in milliseconds, until all these requests of a store have gone out: a summary and groups have a limit
 * each.
 *
 * @returns undefined where nobody knows, as with `COMANDA_RATE_LIMITS=off`
 */
async function waitOf(
  context: Context,
  { connection }: OpenStore,
  requests: readonly PlannedRequest[],
): Promise<number | undefined> {
  const missing = requests.filter(({ known }) => !known);
  const groups = missing.filter(({ by }) => by !== undefined).length;
  let longest = 0;
  for (const [bucket, calls] of [
    ["summary", missing.length - groups],
    ["summary_grouped", groups],
  ] as const) {
    if (calls === 0) continue;
    if (!countsRequests(context)) return undefined;
    const { remaining, waitMs, limit, windowMs } = await limitState(
      await context.state(),
      connection,
      bucket,
    );
    // Where the limit is full, the first place is free after `waitMs`, and then a usual window begins.
    const windows = Math.max(0, Math.ceil((calls - (remaining || limit)) / limit));
    longest = Math.max(longest, (remaining === 0 ? waitMs : 0) + windows * windowMs);
  }
  return longest;
}

/** Writes a duration, for example `45 s`, `1 min 5 s`, `12 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return rest === 0 || minutes >= 10 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** What is asked of each store: a summary, or groups, with those of the period before where that is wanted. */
export interface SalesQuestion {
  readonly by: Dimension | undefined;
  readonly isCompared: boolean;
}

/**
 * @returns the answer to each question, in their order; undefined for a dry run
 * @throws {ComandaError} as {@link atStores}
 */
export async function askStores(
  context: Context,
  label: string,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): Promise<readonly SalesResult[] | undefined> {
  const asked = await atStores(
    context,
    { ...request, label },
    (store) => {
      const { current, previous } = periodsFor(store, request, questions);
      return questions.map(({ by, isCompared }) =>
        [current, isCompared ? previous : undefined].flatMap((period) =>
          period && !isTorn(by, current) ? { by, period } : [],
        ),
      );
    },
    async ({ connection, preferences: { currency, locale }, asking }, plans) => {
      const all: (StoreFigures | undefined)[] = [];
      for (const [current, previous] of plans)
        all.push(
          current && {
            store: connection.label,
            currency,
            locale,
            ...(await askCompared(asking, current, previous)),
          },
        );
      return all;
    },
  );
  return (
    asked &&
    questions.map(({ by }, place) => {
      const stores = asked.stores.flatMap((store) => ("error" in store ? store : (store[place] ?? [])));
      const total = asked.several && by !== "driver_id" ? totalOfStores(stores) : undefined;
      return { by, several: asked.several, stores, ...(total && { total }) };
    })
  );
}

/** @throws {ComandaError} `invalid_input` for a period that can't be asked for, by this dimension or at all */
function periodsFor(
  { asking: { dateField, onWarning, begunAt: now }, preferences: { zone, dayStarts } }: OpenStore,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): { readonly current: Period; readonly previous: Period | undefined } {
  const current = resolvePeriod(request.period, { now, zone, dayStarts, dateField });
  const torn = questions.find(({ by }) => isTorn(by, current));
  if (torn && !request.leavesOut)
    throw new ComandaError(
      "invalid_input",
      t`The service counts ${torn.by ?? ""} from midnight, and the store's days start at ${current.dayStarts ?? ""}.`,
      {
        hint: t`Ask for each by itself, as with comanda summary --period last-week, or take the service's own days: comanda stores set <alias> --day-starts 00:00`,
      },
    );
  const previous = request.comparison && comparisonPeriod(current, request.comparison);
  if (!previous || !startsTooEarly(previous, now)) return { current, previous };
  const problem = t`The comparison with ${describePeriod(previous)} would begin more than 3 years back`;
  if (!request.leavesOut)
    throw new ComandaError("invalid_input", `${problem}.`, {
      hint: t`Leave out --compare, or ask for a later period.`,
    });
  onWarning(t`${problem}: it is left out.`);
  return { current, previous: undefined };
}

/** The service counts weeks, months and weekdays from midnight: days that start late would be torn. */
function isTorn(by: Dimension | undefined, { dayStarts }: Period): boolean {
  return dayStarts !== undefined && (by === "week" || by === "month" || by === "day_of_week");
}

/** Amounts of different currencies are never added up. */
function totalOfStores(stores: readonly (StoreFigures | MissingStore)[]): StoreFigures | undefined {
  const answering = stores.flatMap((store) => ("current" in store ? store : []));
  const [first] = answering;
  if (!first || answering.some(({ currency }) => currency !== first.currency)) return undefined;
  const previous = answering.flatMap((store) => store.previous ?? []);
  const { currency, locale } = first;
  const current = sumOf(
    first.current,
    answering.map((store) => store.current),
  );
  const isWhole = first.previous && previous.length === answering.length;
  return {
    store: null,
    currency,
    locale,
    current,
    ...(isWhole && { previous: sumOf(first.previous, previous) }),
  };
}

/** The first store's period stands for all: the others' days may begin at other times. */
function sumOf({ period }: Figures, all: readonly Figures[]): Figures {
  const rows = all.map((figures) => figures.rows);
  return {
    period,
    rows: addWindows(rows, undefined),
    askedAt: Math.min(...all.map(({ askedAt }) => askedAt)),
    kept: all.some(({ kept }) => kept),
  };
}

/** Ends a command of several stores with exit code 10, and says why each store failed. */
export function missingStores(
  stores: readonly ({ readonly store: string | null } | MissingStore)[],
): ComandaError | undefined {
  const missing = stores.flatMap((store) => ("error" in store ? store : []));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ store }) => store).join(", ");
  const reasons = missing.map(
    ({ store, error }) => `${store}: ${[error.message, error.hint].filter(Boolean).join(" ")}`,
  );
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${names}.`,
    { hint: reasons.join("\n") },
  );
}
