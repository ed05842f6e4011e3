/** Fetches the figures of the selected stores at the same time, each within its own limits. One store's failure doesn't stop the others. */
import type { Filters } from "../api/models.js";
import { rateLimits, type DateField, type Dimension } from "../api/values.js";
import { chooseSession } from "../auth/session.js";
import type { Context } from "../cli/context.js";
import { startProgress, type Output, type Progress } from "../cli/output.js";
import type { Column } from "../cli/records.js";
import { firstProblems } from "../cli/input.js";
import { chooseStore, openConnection, storeOf, type Connection, type Store } from "../core/connection.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { shownDays, t } from "../languages/language.js";
import { openAnswerCache, storedDays, type Answers } from "../state/answer-cache.js";
import { countsRequests, limitState } from "../state/limits.js";
import { storeKey } from "../state/sessions.js";
import type { State } from "../state/state.js";
import {
  fetchCompared,
  filterTexts,
  planOf,
  type FetchOptions,
  type Freshness,
  type Plan,
  type PlannedRequest,
} from "./fetch.js";
import { filterNotices } from "./filters.js";
import {
  addWindows,
  dimensionName,
  inTimeOrder,
  isDate,
  isPerDay,
  isTimeline,
  type Figures,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
} from "./figures.js";
import {
  comparisonPeriod,
  describeMoment,
  edgesOf,
  resolvePeriod,
  tooEarly,
  type Comparison,
  type PeriodRequest,
} from "./period.js";
import { howToSetZone, preferencesFor, type Preferences } from "./preferences.js";

export interface SalesRequest {
  readonly period: PeriodRequest;
  /** The value of `--tz`. */
  readonly zone: string | undefined;
  readonly filters: Filters | undefined;
  /** Sent only if the user typed it; the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly comparison: Comparison | undefined;
  readonly freshness: Freshness;
  /**
   * A report omits what can't be requested, such as a comparison too far back, instead of rejecting it. It compares only what it
   * draws, to save requests.
   */
  readonly isReport?: boolean;
  /** Ignores the store's own start of the day. */
  readonly fromMidnight?: boolean;
}

/**
 * Returns several stores, each once even if its alias is typed twice. The command goes on without a store whose session can't be
 * used, but an unknown alias ends it.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(context: Context): Promise<readonly (Store | MissingStore)[]> {
  const { allStores, stores } = context.options;
  const { sessions } = await context.state();
  const listed = await sessions.list();
  // This throws if no store is set up.
  if (listed.length === 0) await chooseSession(context, stores[0]);
  const known = new Map(listed.map((session) => [storeKey(session.store), session]));
  const aliases = allStores ? listed.map(({ store }) => store) : stores;
  const chosen: (Store | MissingStore)[] = [];
  for (const [key, alias] of new Map(aliases.map((each) => [storeKey(each), each]))) {
    const session = known.get(key) ?? (await chooseSession(context, alias));
    chosen.push("error" in session ? session : storeOf(session));
  }
  return chosen;
}

export interface OpenStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly fetchOptions: FetchOptions;
  /** The cache that `fetchOptions` uses, and the stored days. */
  readonly answers: Answers | undefined;
  /** For each dimension, the current period and the one to compare it with. A dimension that the report omits has neither. */
  readonly plans: readonly (readonly Plan[])[];
}

/**
 * @param label the command's name, for the progress bar
 * @param dimensions `undefined` for the summary
 * @returns a result for each dimension; `undefined` for a dry run
 * @throws {ComandaError} as {@link forEachStore}
 */
export async function fetchSales(
  context: Context,
  label: string,
  request: SalesRequest,
  dimensions: readonly (Dimension | undefined)[],
): Promise<readonly SalesResult[] | undefined> {
  const answered = await forEachStore(context, label, request, dimensions, async (store) => {
    const { currency, locale } = store.preferences;
    const all: (StoreFigures | undefined)[] = [];
    for (const [current, previous] of store.plans) {
      const sides =
        current && (await fetchCompared(store.fetchOptions, current, previous && request.comparison));
      all.push(sides && { store: store.connection.label, currency, locale, ...sides });
    }
    return all;
  });
  if (!answered) return undefined;
  const { several } = context.options;
  const results: SalesResult[] = [];
  for (const [index, by] of dimensions.entries()) {
    const stores: (StoreFigures | MissingStore)[] = [];
    for (const store of answered) {
      const figures = "error" in store ? store : store[index];
      if (figures) stores.push(figures);
    }
    // The same driver id belongs to different people at different stores.
    const hasTotal = several && by !== "driver_id" && stores.length === answered.length;
    const total = hasTotal ? totalOfStores(stores, by) : undefined;
    results.push({ by, several, stores, ...(total && { total }) });
  }
  return results;
}

/** The time that three attempts at one call take. */
const answerMs = 2 * 60_000;
/** Shorter waits are not announced. */
const announcedFromMs = 2_000;

/**
 * Plans the requests for each store, announces how long they take, and does the work for all stores at the same time.
 *
 * @returns each store's result, in the order of the stores; `undefined` for a dry run, which prints the requests
 * @throws {ComandaError} for a request that isn't possible, before any call; for an error at the only store
 */
export async function forEachStore<Result>(
  context: Context,
  label: string,
  request: SalesRequest,
  dimensions: readonly (Dimension | undefined)[],
  work: (store: OpenStore) => Promise<Result>,
): Promise<readonly (Result | MissingStore)[] | undefined> {
  const { clock, output, options, signal } = context;
  const { status } = output;
  const { dateField, filters, freshness } = request;
  const state = await context.state();
  const { several } = options;
  const chosen = several
    ? await chooseStores(context)
    : [await chooseStore(context.workspace, options.stores[0])];
  const settings = await state.settings.read();
  const begunAt = clock.now();
  const stores: (MissingStore | OpenStore)[] = [];
  let [calls, waitMs, called] = [0, 0, 0];
  let progress: Progress | undefined;
  for (const choice of chosen) {
    if ("error" in choice) {
      stores.push(choice);
      continue;
    }
    const preferences = preferencesFor(context, settings, choice.store, request.zone);
    const connection = await openConnection(context.workspace, choice);
    const { client, label: name, baseUrl } = connection;
    const { sign_in: signIn } = connection.fingerprint();
    // An unidentified sign-in could read another one's answers.
    const answers =
      signIn === null ? undefined : openAnswerCache(state, { store: name, environment: baseUrl, signIn });
    const fetchOptions: FetchOptions = {
      client,
      answers,
      dateField,
      filters,
      currency: preferences.currency,
      freshness,
      clock,
      signal,
      waitMs: options.maxWaitMs + answerMs,
      ...(status.isShown && {
        onCalled() {
          called += 1;
          const left = begunAt + waitMs - clock.now();
          progress?.update(Math.min(calls, called), left > 0 ? t`about ${duration(left)} left` : "");
        },
      }),
      onWarning(message) {
        output.warn(several ? `${name}: ${message}` : message);
      },
    };
    const plans = await plansFor({ name, preferences, fetchOptions }, request, dimensions, begunAt);
    const counts = { summary: 0, summary_grouped: 0 };
    for (const sides of plans)
      for (const { requests } of sides)
        for (const { cached, by } of requests)
          if (!cached) counts[by === undefined ? "summary" : "summary_grouped"] += 1;
    calls += counts.summary + counts.summary_grouped;
    // The two endpoints have separate limits.
    for (const bucket of ["summary", "summary_grouped"] as const) {
      if (counts[bucket] === 0 || !countsRequests(context)) continue;
      const limits = await limitState(state, connection.quota, bucket);
      const { remaining, limit, windowMs } = limits;
      // If no request is left now, a new window of the limit begins after a wait.
      const windows = Math.max(0, Math.ceil((counts[bucket] - (remaining || limit)) / limit));
      waitMs = Math.max(waitMs, (remaining === 0 ? limits.waitMs : 0) + windows * windowMs);
    }
    stores.push({ connection, preferences, fetchOptions, answers, plans });
  }
  for (const notice of filterNotices(filters)) output.notice(notice);
  if (options.dryRun) {
    const isUncounted = calls > 0 && !countsRequests(context);
    await showPlan(output, stores, calls, isUncounted ? undefined : waitMs);
    return undefined;
  }
  if (status.isShown && calls > 1)
    progress = startProgress(status, { total: calls, label, now: () => clock.now() });
  else if (!status.isShown && waitMs >= announcedFromMs) {
    context.notifier.planned();
    output.notice(durationOf(calls, waitMs));
  }
  const missing = async (store: string, error: ComandaError): Promise<MissingStore> => ({
    store,
    error: (await import("../cli/hints.js")).completeCommandHint(error),
  });
  try {
    const results = await Promise.all(
      stores.map(async (store) => {
        if ("error" in store) return missing(store.store, store.error);
        try {
          return await work(store);
        } catch (thrown) {
          let error: unknown = thrown;
          if (freshness === "offline" && isComandaError(error, "not_found")) {
            // If the database can't be read, comanda has already warned about it.
            const stored = await listStored(state, store).catch(() => []);
            error = error.reworded(error.message, { hint: [error.hint, ...stored].join("\n") });
          }
          if (!several || signal.aborted || !(error instanceof ComandaError)) throw error;
          return missing(store.connection.label, error);
        }
      }),
    );
    for (const store of stores) {
      if ("error" in store || !store.preferences.zoneIsGuessed) continue;
      const { connection, preferences } = store;
      // On another machine, the same command would count different days.
      const problem = t`Sales days for ${connection.label} are counted in this machine's time zone, ${preferences.zone}.`;
      output.warn(`${problem} ${howToSetZone(connection.store)}`);
    }
    return results;
  } finally {
    progress?.end();
  }
}

/** Lists a store's cached answers, and the days that `comanda sync` has stored; after a logout, those of every sign-in. */
async function listStored(
  state: State,
  { connection, answers, preferences }: OpenStore,
): Promise<readonly string[]> {
  const { label: store, baseUrl: environment } = connection;
  const cache = answers ?? openAnswerCache(state, { store, environment, signIn: "" });
  const cached = (await cache.list()).map(({ answer, askedAt, filters, ...days }) => {
    const command = "groups" in answer ? `grouped --by ${answer.group_by}` : "summary";
    const asOf = t`as of ${describeMoment(askedAt, preferences.zone)}`;
    return `  ${[shownDays(days), command, ...filters, asOf].join(", ")}`;
  });
  const heading = t`Cached for ${store} (--offline uses only answers since the last sign-in):`;
  const lines = cached.length === 0 ? [] : [heading, ...firstProblems(cached)];
  const days = await storedDays(state, store);
  if (days)
    lines.push(
      t`Days of ${store} stored by comanda sync: ${shownDays(days)}. To read them: comanda help sales-db`,
    );
  return lines;
}

/** The service's groups by these dimensions start at midnight, in the middle of a day that starts late. */
const startAtMidnight: readonly (Dimension | undefined)[] = ["week", "month", "day_of_week"];

/** @throws {ComandaError} `invalid_input` for a period that can't be requested, in these groups or at all */
async function plansFor(
  { name, preferences, fetchOptions }: Pick<OpenStore, "preferences" | "fetchOptions"> & { name: string },
  { period, comparison, isReport = false, fromMidnight = false }: SalesRequest,
  dimensions: readonly (Dimension | undefined)[],
  now: number,
): Promise<OpenStore["plans"]> {
  const { dateField } = fetchOptions;
  const dayStarts = fromMidnight ? undefined : preferences.dayStarts;
  const current = resolvePeriod(period, { now, zone: preferences.zone, dayStarts, dateField });
  let previous = comparison && comparisonPeriod(current, comparison);
  const early = previous && tooEarly(previous, now);
  if (early) {
    if (!isReport) throw early;
    fetchOptions.onWarning(t`${early.message} The report omits the comparison.`);
    previous = undefined;
  }
  const plans: Plan[][] = [];
  for (const by of dimensions) {
    const sides: Plan[] = [];
    plans.push(sides);
    if (current.dayStarts !== undefined && startAtMidnight.includes(by)) {
      if (isReport) continue;
      throw new ComandaError(
        "invalid_input",
        t`The service groups by ${by === undefined ? "" : dimensionName(by)} from midnight, but days at ${name} start at ${current.dayStarts}.`,
        {
          hint: t`Request each period separately, such as comanda summary --period last-week, or start days at midnight: comanda stores set ${name} --day-starts 00:00`,
        },
      );
    }
    const plan = await planOf(fetchOptions, current, by);
    sides.push(plan);
    const isCompared = !isReport || by === undefined || isTimeline(by) || isPerDay(by);
    if (comparison && previous && isCompared)
      sides.push(await planOf(fetchOptions, comparisonPeriod(plan.period, comparison), by));
  }
  return plans;
}

/** Prints the requests for `--dry-run`, and how long they would take: `undefined` if comanda doesn't count requests. */
async function showPlan(
  output: Output,
  stores: readonly (OpenStore | MissingStore)[],
  calls: number,
  waitMs: number | undefined,
): Promise<void> {
  const requests = stores
    .filter((store) => "plans" in store)
    .flatMap((store) =>
      store.plans.flat().flatMap((plan) => plan.requests.map((request) => requestRow(store, request))),
    );
  if (output.json) {
    output.value({ calls, seconds: waitMs === undefined ? null : Math.ceil(waitMs / 1_000), requests });
    return;
  }
  if (output.format === "table") output.words(durationOf(calls, waitMs));
  await output.records(columns, requests);
  output.notice(t`Nothing was sent (--dry-run).`);
}

function durationOf(calls: number, waitMs: number | undefined): string {
  if (waitMs === undefined) return t`Calls: ${calls} (COMANDA_RATE_LIMITS=off).`;
  return t`Calls: ${calls} (limit: ${rateLimits.summary.limit} per minute). Expected wait: ${duration(waitMs)}.`;
}

function requestRow({ connection, fetchOptions }: OpenStore, { by, window, cached }: PlannedRequest) {
  return {
    store: connection.label,
    endpoint: by === undefined ? "summary" : "grouped",
    group_by: by ?? null,
    ...edgesOf(window, fetchOptions.dateField),
    date_field: fetchOptions.dateField ?? "created_at",
    filters: filterTexts(fetchOptions.filters),
    kept: cached !== undefined,
  };
}

const columns: readonly Column<ReturnType<typeof requestRow>>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Endpoint", name: "endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "By", name: "group_by", cell: (row) => row.group_by },
  { heading: "From", name: "from", cell: ({ from }) => from },
  { heading: "To", name: "to", cell: ({ to }) => to },
  { heading: "Filters", name: "filters", cell: ({ filters }) => filters.join(" ") },
  {
    heading: "cached",
    name: "kept",
    cell: ({ kept }) => kept,
    tableText: ({ kept }) => (kept ? t`yes` : ""),
  },
];

/** Formats a duration: `45 s`, `1 min 5 s`, `12 min`. */
function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return rest === 0 || minutes >= 10 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Adds up the stores' figures, unless their currencies differ. */
function totalOfStores(
  stores: readonly (StoreFigures | MissingStore)[],
  by: Dimension | undefined,
): StoreFigures | undefined {
  const answered = stores.filter((store) => "current" in store);
  const [first] = answered;
  if (!first || answered.some(({ currency }) => currency !== first.currency)) return undefined;
  const { currency, locale } = first;
  // The total has the first store's period, although other stores' days may start at other times.
  const sumOf = (side: "current" | "previous"): Figures | undefined => {
    const parts = answered.flatMap((store) => store[side] ?? []);
    // If a store's days aren't dates, the days that comanda added to a store without orders match none of them.
    const hasOthers = by === "day" && parts.some(({ rows }) => rows.some(({ key }) => !isDate(key)));
    const all = parts.map(({ rows }) =>
      hasOthers ? rows.filter(({ key, orders }) => orders > 0 || !isDate(key)) : rows,
    );
    // If a store has two Januaries with the same key, neither can be matched with another store's.
    const isRepeated = all.some((rows) => new Set(rows.map(({ key }) => key)).size < rows.length);
    if (isRepeated || parts.length < answered.length) return undefined;
    const { period } = first[side] ?? first.current;
    return {
      period,
      rows: inTimeOrder(addWindows(all, undefined), by, period.first),
      askedAt: Math.min(...parts.map(({ askedAt }) => askedAt)),
      cached: parts.some(({ cached }) => cached),
    };
  };
  const [current, previous] = [sumOf("current"), sumOf("previous")];
  return current && { store: null, currency, locale, current, ...(previous && { previous }) };
}

/** Returns the error for stores without figures (exit code 10), whose hint has each store's reason. */
export function missingStores(stores: readonly (object | MissingStore)[]): ComandaError | undefined {
  const names: string[] = [];
  const reasons: string[] = [];
  for (const store of stores) {
    if (!("error" in store)) continue;
    const { message, hint = "" } = store.error;
    names.push(store.store);
    reasons.push(`${store.store}: ${message} ${hint}`.trim());
  }
  if (names.length === 0) return undefined;
  return new ComandaError(
    "some_failed",
    t`No figures from ${names.length} of ${stores.length} stores: ${names.join(", ")}.`,
    { hint: reasons.join("\n") },
  );
}
