/** Asks each chosen store for its figures, within its own limits, and adds them up where they have one currency. */
import { type Dimension, rateLimits } from "../../api/values.js";
import type { Context } from "../../cli/context.js";
import { startProgress, type Output } from "../../cli/output.js";
import type { Column } from "../../cli/records.js";
import { ComandaError } from "../../client/errors.js";
import { plural, t } from "../../languages/language.js";
import {
  askCompared,
  filterTexts,
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
import { comparisonPeriod, describePeriod, resolvePeriod, startsTooEarly } from "../../sales/period.js";
import { openAnswers, type Answers } from "../../state/answers.js";
import { countsRequests, limitState } from "../../state/limits.js";
import { chooseStores, openConnection, tellWait, type Connection } from "../store.js";

import type { SalesRequest } from "./options.js";
import { machineZone, preferencesFor, type Preferences } from "./preferences.js";

export interface OpenStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly asking: Asking;
  /** What `asking` keeps its answers in; days too. */
  readonly answers: Answers | undefined;
}

interface PlannedStore {
  readonly store: OpenStore;
  readonly plans: readonly (readonly Plan[])[];
  /** All that the plans take, those that are kept included. */
  readonly requests: readonly PlannedRequest[];
  readonly calls: number;
  /** In milliseconds; undefined where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
}

export interface StoresRequest extends Pick<
  SalesRequest,
  "stores" | "allStores" | "zone" | "filters" | "dateField" | "freshness" | "dryRun"
> {
  /** Names the command in the progress. */
  readonly label: string;
  /** Does the command have `--tz`? */
  readonly takesZone?: boolean;
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
  const begunAt = clock.now();
  let onCalled: (() => void) | undefined;
  let isAnnounced = false;
  try {
    const planned: (MissingStore | PlannedStore)[] = [];
    const guessed: Connection[] = [];
    let [calls, waitMs] = [0, 0];
    for (const choice of chosen) {
      if ("error" in choice) {
        planned.push(choice);
        continue;
      }
      const preferences = preferencesFor(settings, choice.store, request.zone);
      const connection = await openConnection(context, choice, {
        onWait: (notice) => {
          if (!isAnnounced || notice.reason !== "rate_limit") tellWait(context, notice);
        },
      });
      const { client, label, baseUrl } = connection;
      const { sign_in: signIn } = connection.fingerprint();
      // Nothing is kept where the sign-in can't be told from others.
      const source = { store: label, environment: baseUrl };
      const kept = signIn === null ? undefined : openAnswers(state, { ...source, signIn });
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
      const requests: PlannedRequest[] = [];
      for (const questions of questionsOf(store)) {
        const sides: Plan[] = [];
        for (const question of questions) {
          const plan = await planOf(asking, question);
          sides.push(plan);
          requests.push(...plan.requests);
        }
        plans.push(sides);
      }
      const expected = await expectedCalls(context, connection, requests);
      calls += expected.calls;
      waitMs = Math.max(waitMs, expected.waitMs ?? 0);
      if (preferences.zoneIsGuessed) guessed.push(connection);
      planned.push({ store, plans, requests, ...expected });
    }
    if (request.dryRun) {
      await showPlan(output, planned);
      return undefined;
    }
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
    if (guessed.length > 0) {
      // Another machine would count other days, so each run warns until somebody says which zone it is.
      const names = guessed.map(({ label }) => label).join(", ");
      const alias = guessed.length > 1 ? "<alias>" : names;
      // An address that variables hold has no settings.
      const host = request.takesZone ? "--tz <zone>" : "TZ=<zone>";
      const way = guessed[0]?.store === undefined ? host : `comanda stores set ${alias} --tz <zone>`;
      output.warn(
        t`The days of ${names} are counted in this machine's time zone, ${machineZone()}, which may not be the store's. Say which is: ${way}`,
      );
    }
    return { several, stores };
  } finally {
    output.status.show("bar", undefined);
  }
}

/** Where what is kept can't be used, the service is asked instead, and a warning says so once. */
function orAsk(answers: Answers, warn: (message: string) => void): Answers {
  let isUsable = true;
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
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
    find: (question) => guarded(() => answers.find(question)),
    keep: async (question, kept) => {
      await guarded(() => answers.keep(question, kept));
    },
  };
}

/** Counts the calls of a store, and the least time until all have gone out: a summary and groups have a limit each. */
async function expectedCalls(
  context: Context,
  connection: Connection,
  requests: readonly PlannedRequest[],
): Promise<{ readonly calls: number; readonly waitMs: number | undefined }> {
  const counts = { summary: 0, summary_grouped: 0 };
  for (const { by, known } of requests)
    if (!known) counts[by === undefined ? "summary" : "summary_grouped"] += 1;
  const total = counts.summary + counts.summary_grouped;
  if (total > 0 && !countsRequests(context)) return { calls: total, waitMs: undefined };
  let longest = 0;
  for (const bucket of ["summary", "summary_grouped"] as const) {
    const calls = counts[bucket];
    if (calls === 0) continue;
    const { remaining, waitMs, limit, windowMs } = await limitState(
      await context.state(),
      connection,
      bucket,
    );
    // Where the limit is full, the first place is free after `waitMs`, and then a usual window begins.
    const windows = Math.max(0, Math.ceil((calls - (remaining || limit)) / limit));
    longest = Math.max(longest, (remaining === 0 ? waitMs : 0) + windows * windowMs);
  }
  return { calls: total, waitMs: longest };
}

/**
 * Shows for `--dry-run` the calls that would go out, those that are kept, and how long it takes.
 *
 * @param stores those that gave none take no calls
 */
async function showPlan(output: Output, stores: readonly (PlannedStore | MissingStore)[]): Promise<void> {
  const plans = stores.flatMap((store) => ("error" in store ? [] : store));
  const requests = plans.flatMap(({ store, requests }) =>
    requests.map((request) => requestRow(store, request)),
  );
  const calls = plans.reduce((sum, plan) => sum + plan.calls, 0);
  const waits = plans.map(({ waitMs }) => waitMs);
  const waitMs = waits.includes(undefined) ? undefined : Math.max(0, ...waits.map((ms) => ms ?? 0));
  if (output.json) {
    output.value({ calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000), requests });
    return;
  }
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  if (output.format === "table")
    output.words(
      calls === 0
        ? t`0 calls: all of it is kept.`
        : waitMs === undefined
          ? t`${count}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`
          : waitMs === 0
            ? t`${count}: no wait.`
            : t`${count}: about ${duration(waitMs)}.`,
    );
  await output.records(columns, requests);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** Scripts rely on these fields. */
type RequestRow = ReturnType<typeof requestRow>;

function requestRow({ connection, asking }: OpenStore, { by, window, known }: PlannedRequest) {
  return {
    store: connection.label,
    endpoint: by === undefined ? "summary" : "grouped",
    group_by: by ?? null,
    from: window.start,
    to: window.end,
    date_field: asking.dateField ?? "created_at",
    filters: filterTexts(asking.filters),
    kept: known !== undefined,
  };
}

const columns: readonly Column<RequestRow>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  {
    heading: "Kept",
    name: "kept",
    cell: ({ kept }) => kept,
    tableText: ({ kept }) => (kept ? t`yes` : t`no`),
  },
];

/** Writes a duration, for example `45 s`, `1 min 5 s`, `12 min`. */
function duration(ms: number): string {
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
    { ...request, label, takesZone: true },
    (store) => sidesOf(store, request, questions),
    async ({ connection, preferences: { currency, locale }, asking }, plans) => {
      const all: (StoreFigures | undefined)[] = [];
      for (const [current, previous] of plans) {
        const sides = current && (await askCompared(asking, current, previous));
        all.push(sides && { store: connection.label, currency, locale, ...sides });
      }
      return all;
    },
  );
  if (!asked) return undefined;
  const { several } = asked;
  return questions.map(({ by }, place) => {
    const stores: (StoreFigures | MissingStore)[] = [];
    for (const store of asked.stores) {
      const figures = "error" in store ? store : store[place];
      if (figures) stores.push(figures);
    }
    const total = several && by !== "driver_id" ? totalOfStores(stores) : undefined;
    return { by, several, stores, ...(total && { total }) };
  });
}

/** The service counts these from midnight: days that start late would be torn. */
const torn: readonly (Dimension | undefined)[] = ["week", "month", "day_of_week"];

/**
 * @returns for each question its periods: none where it can't be asked and is left out
 * @throws {ComandaError} `invalid_input` for a period that can't be asked for, by this dimension or at all
 */
function sidesOf(
  { asking: { dateField, onWarning, begunAt: now }, preferences: { zone, dayStarts } }: OpenStore,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): readonly (readonly Question[])[] {
  const current = resolvePeriod(request.period, { now, zone, dayStarts, dateField });
  let previous = request.comparison && comparisonPeriod(current, request.comparison);
  if (previous && startsTooEarly(previous, now)) {
    const problem = t`The comparison with ${describePeriod(previous)} would begin more than 3 years back`;
    if (!request.leavesOut)
      throw new ComandaError("invalid_input", `${problem}.`, {
        hint: t`Leave out --compare, or ask for a later period.`,
      });
    onWarning(t`${problem}: it is left out.`);
    previous = undefined;
  }
  return questions.map(({ by, isCompared }) => {
    if (current.dayStarts === undefined || !torn.includes(by))
      return (isCompared && previous ? [current, previous] : [current]).map((period) => ({ by, period }));
    if (request.leavesOut) return [];
    throw new ComandaError(
      "invalid_input",
      t`The service counts ${by ?? ""} from midnight, and the store's days start at ${current.dayStarts}.`,
      {
        hint: t`Ask for each by itself, as with comanda summary --period last-week, or take the service's own days: comanda stores set <alias> --day-starts 00:00`,
      },
    );
  });
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
