/**
 * The way from the stores that were chosen to their figures. Each store is asked within its own limits; where one gives none, the
 * others' figures are shown all the same.
 */
import type { Filters } from "../api/models.js";
import { rateLimits, type DateField, type Dimension } from "../api/values.js";
import { chooseSession } from "../auth/session.js";
import type { Context } from "../cli/context.js";
import { startProgress, type Output, type Progress } from "../cli/output.js";
import type { Column } from "../cli/records.js";
import { firstProblems } from "../cli/input.js";
import { chooseStore, openConnection, storeOf, type Connection, type Store } from "../cli/connection.js";
import { ComandaError, isComandaError } from "../base/errors.js";
import { plural, shownDate, t, translated } from "../languages/language.js";
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
import {
  addWindows,
  inTimeOrder,
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
  describePeriod,
  edgesOf,
  resolvePeriod,
  startsTooEarly,
  type Comparison,
  type PeriodRequest,
} from "./period.js";
import { preferencesFor, type Preferences } from "./preferences.js";

export interface SalesRequest {
  readonly period: PeriodRequest;
  /** The zone that was typed. */
  readonly zone: string | undefined;
  readonly filters: Filters | undefined;
  /** It goes out only where it was typed: the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly comparison: Comparison | undefined;
  readonly freshness: Freshness;
  /**
   * A report leaves out what can't be asked for, rather than refuse it: a comparison that reaches back too far, weekdays of late
   * days. It compares only what it draws, at five questions a minute.
   */
  readonly isReport?: boolean;
  /** The days are the service's own, wherever the store's start. */
  readonly fromMidnight?: boolean;
}

/**
 * Chooses several stores of a report, each once: two spellings of an alias are one store. One whose session can't be used concerns
 * itself alone, and the report goes on without it; an unknown alias is a slip and ends the command.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(context: Context): Promise<readonly (Store | MissingStore)[]> {
  const { allStores, stores } = context.options;
  const { sessions } = await context.state();
  const listed = await sessions.list();
  // It throws where no store is known.
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

/** Were several stores asked for? Then they are listed, even where this machine knows but one. */
function hasSeveralStores({ options: { allStores, stores } }: Context): boolean {
  return allStores === true || stores.length > 1;
}

/** A store, and what it is asked. */
export interface OpenStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly fetchOptions: FetchOptions;
  /** What `fetchOptions` keeps its answers in; days too. */
  readonly answers: Answers | undefined;
  /** For each dimension the current period, and the one that it is compared with; neither where it is left out. */
  readonly plans: readonly (readonly Plan[])[];
}

/**
 * @param label names the command in the progress
 * @param dimensions `undefined` stands for the summary
 * @returns the figures of each, in their order; undefined for a dry run
 * @throws {ComandaError} as {@link forEachStore}
 */
export async function fetchSales(
  context: Context,
  label: string,
  request: SalesRequest,
  dimensions: readonly (Dimension | undefined)[],
): Promise<readonly SalesResult[] | undefined> {
  const asked = await forEachStore(context, label, request, dimensions, async (store) => {
    const { currency, locale } = store.preferences;
    const all: (StoreFigures | undefined)[] = [];
    for (const [current, previous] of store.plans) {
      const sides =
        current && (await fetchCompared(store.fetchOptions, current, previous && request.comparison));
      all.push(sides && { store: store.connection.label, currency, locale, ...sides });
    }
    return all;
  });
  if (!asked) return undefined;
  const several = hasSeveralStores(context);
  const results: SalesResult[] = [];
  for (const [place, by] of dimensions.entries()) {
    const stores: (StoreFigures | MissingStore)[] = [];
    // The same id is another driver at another store.
    let hasTotal = several && by !== "driver_id";
    for (const store of asked) {
      const figures = "error" in store ? store : store[place];
      if (figures) stores.push(figures);
      else hasTotal = false;
    }
    const total = hasTotal ? totalOfStores(stores, by) : undefined;
    results.push({ by, several, stores, ...(total && { total }) });
  }
  return results;
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;
/** A wait of fewer milliseconds needs no announcement. */
const announcedFromMs = 2_000;

/**
 * Plans what each store is asked, says how long it takes, and does the work at all of them at once.
 *
 * @returns what each store came to, in the order in which they were asked for; undefined for a dry run, which shows the calls
 * @throws {ComandaError} what can't be asked, before any call; what goes wrong where one store was asked for: of several, the
 *   others go on
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
  const state = await context.state();
  const several = hasSeveralStores(context);
  const chosen = several ? await chooseStores(context) : [await chooseStore(context, options.stores[0])];
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
    const connection = await openConnection(context, choice);
    const { client, label: name, baseUrl } = connection;
    const { sign_in: signIn } = connection.fingerprint();
    // Nothing is kept where the sign-in can't be told from others.
    const answers =
      signIn === null ? undefined : openAnswerCache(state, { store: name, environment: baseUrl, signIn });
    const fetchOptions: FetchOptions = {
      client,
      answers,
      dateField: request.dateField,
      filters: request.filters,
      currency: preferences.currency,
      freshness: request.freshness,
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
    const plans = await plansFor(fetchOptions, preferences, request, dimensions, begunAt);
    const counts = { summary: 0, summary_grouped: 0 };
    for (const sides of plans)
      for (const { requests } of sides)
        for (const { known, by } of requests)
          if (!known) counts[by === undefined ? "summary" : "summary_grouped"] += 1;
    calls += counts.summary + counts.summary_grouped;
    // A summary and groups have a limit each.
    for (const bucket of ["summary", "summary_grouped"] as const) {
      if (counts[bucket] === 0 || !countsRequests(context)) continue;
      const limits = await limitState(state, connection.quota, bucket);
      const { remaining, limit, windowMs } = limits;
      // Where the limit is full, the first place is free after a wait, and then a usual window begins.
      const windows = Math.max(0, Math.ceil((counts[bucket] - (remaining || limit)) / limit));
      waitMs = Math.max(waitMs, (remaining === 0 ? limits.waitMs : 0) + windows * windowMs);
    }
    stores.push({ connection, preferences, fetchOptions, answers, plans });
  }
  if (options.dryRun) {
    const isUncounted = calls > 0 && !countsRequests(context);
    await showPlan(output, stores, calls, isUncounted ? undefined : waitMs);
    return undefined;
  }
  if (status.isShown && calls > 1)
    progress = startProgress(status, { total: calls, label, now: () => clock.now() });
  else if (!status.isShown && waitMs >= announcedFromMs) {
    context.opened.isAnnounced = true;
    const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
    const { limit } = rateLimits.summary;
    output.notice(t`${count}, of which the service takes ${limit} a minute: about ${duration(waitMs)}.`);
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
          if (request.freshness === "offline" && isComandaError(error, "not_found")) {
            // A database that can't be read has caused a warning already.
            const stored = await listStored(state, store).catch(() => []);
            error = error.reworded(error.message, { hint: [error.hint, ...stored].join("\n") });
          }
          if (!several || signal.aborted || !(error instanceof ComandaError)) throw error;
          return missing(store.connection.label, error);
        }
      }),
    );
    for (const store of stores)
      if ("fetchOptions" in store && store.preferences.zoneIsGuessed)
        warnOfZone(output, store.connection, store.preferences.zone);
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
  const rangeOf = ({ first, last }: { readonly first: string; readonly last: string }) =>
    first === last ? shownDate(first) : t`${shownDate(first)} to ${shownDate(last)}`;
  const cached = (await cache.list()).map(({ answer, askedAt, filters, ...days }) => {
    const command = "groups" in answer ? `grouped --by ${answer.group_by}` : "summary";
    const asOf = t`as of ${describeMoment(askedAt, preferences.zone)}`;
    return `  ${[rangeOf(days), command, ...filters, asOf].join(", ")}`;
  });
  const heading = answers
    ? t`Cached for ${store}:`
    : t`Cached for ${store} before the logout (--offline shows only answers of the current sign-in):`;
  const lines = cached.length === 0 ? [] : [heading, ...firstProblems(cached)];
  const days = await storedDays(state, store);
  if (days)
    lines.push(
      t`Days of ${store} that comanda sync has stored: ${rangeOf(days)}. To read them: comanda help sales-db`,
    );
  return lines;
}

/** The service counts these from midnight: days that start late would be torn. */
const torn: readonly (Dimension | undefined)[] = ["week", "month", "day_of_week"];

/** @throws {ComandaError} `invalid_input` for a period that can't be asked for, by this dimension or at all */
async function plansFor(
  fetchOptions: FetchOptions,
  { zone, dayStarts: ownStart }: Preferences,
  { period, comparison, isReport = false, fromMidnight = false }: SalesRequest,
  dimensions: readonly (Dimension | undefined)[],
  now: number,
): Promise<OpenStore["plans"]> {
  const { dateField } = fetchOptions;
  const dayStarts = fromMidnight ? undefined : ownStart;
  const current = resolvePeriod(period, { now, zone, dayStarts, dateField });
  let previous = comparison && comparisonPeriod(current, comparison);
  if (previous && startsTooEarly(previous, now)) {
    const problem = t`The comparison with ${describePeriod(previous)} would begin more than 3 years back`;
    if (!isReport)
      throw new ComandaError("invalid_input", `${problem}.`, {
        hint: t`Leave out --compare, or ask for a later period.`,
      });
    fetchOptions.onWarning(t`${problem}: it is left out.`);
    previous = undefined;
  }
  const plans: Plan[][] = [];
  for (const by of dimensions) {
    const sides: Plan[] = [];
    plans.push(sides);
    if (current.dayStarts !== undefined && torn.includes(by)) {
      if (isReport) continue;
      throw new ComandaError(
        "invalid_input",
        t`The store's days start at ${current.dayStarts}, and the service groups by ${translated(by?.replaceAll("_", " ") ?? "")} from midnight.`,
        {
          hint: t`Ask for each by itself, as with comanda summary --period last-week, or take the service's own days: comanda stores set <alias> --day-starts 00:00`,
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

/** Another machine would count other days, so each run warns until somebody says which zone it is. */
function warnOfZone(output: Output, { label, store }: Connection, zone: string): void {
  // An address that variables hold has no settings.
  const way = store === undefined ? "TZ=<zone>" : `comanda stores set ${label} --tz <zone>`;
  output.warn(
    t`The days of ${label} are counted in this machine's time zone, ${zone}, which may not be the store's. Say which is: ${way}`,
  );
}

/**
 * Shows for `--dry-run` the calls that would go out, those that are kept, and how long it takes.
 *
 * @param stores those that gave none take no calls
 * @param waitMs undefined where comanda doesn't count calls, so that nobody knows
 */
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
  const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
  let words = t`${count}: no wait.`;
  if (waitMs === undefined)
    words = t`${count}, as fast as the service takes them: comanda doesn't count (COMANDA_RATE_LIMITS=off).`;
  else if (waitMs > 0) words = t`${count}: about ${duration(waitMs)}.`;
  if (output.format === "table") output.words(calls === 0 ? t`0 calls: all of it is kept.` : words);
  await output.records(columns, requests);
  output.notice(t`Nothing was asked (--dry-run).`);
}

/** Scripts rely on these fields. */
type RequestRow = ReturnType<typeof requestRow>;

function requestRow({ connection, fetchOptions }: OpenStore, { by, window, known }: PlannedRequest) {
  return {
    store: connection.label,
    endpoint: by === undefined ? "summary" : "grouped",
    group_by: by ?? null,
    ...edgesOf(window, fetchOptions.dateField),
    date_field: fetchOptions.dateField ?? "created_at",
    filters: filterTexts(fetchOptions.filters),
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

/** Amounts of different currencies are never added up. */
function totalOfStores(
  stores: readonly (StoreFigures | MissingStore)[],
  by: Dimension | undefined,
): StoreFigures | undefined {
  const answering = stores.filter((store) => "current" in store);
  const [first] = answering;
  if (!first || answering.some(({ currency }) => currency !== first.currency)) return undefined;
  const { currency, locale } = first;
  // The first store's period stands for all: the others' days may begin at other times.
  const sumOf = (side: "current" | "previous"): Figures | undefined => {
    const parts = answering.map((store) => store[side]).filter((figures) => figures !== undefined);
    // Two Januaries of a store may have one key, and nothing tells which of them is another store's.
    const isRepeated = parts.some(({ rows }) => new Set(rows.map(({ key }) => key)).size < rows.length);
    if (isRepeated || parts.length < answering.length) return undefined;
    const { period } = first[side] ?? first.current;
    const rows = addWindows(
      parts.map((figures) => figures.rows),
      undefined,
    );
    return {
      period,
      rows: inTimeOrder(rows, by, period.first),
      askedAt: Math.min(...parts.map(({ askedAt }) => askedAt)),
      kept: parts.some(({ kept }) => kept),
    };
  };
  const [current, previous] = [sumOf("current"), sumOf("previous")];
  return current && { store: null, currency, locale, current, ...(previous && { previous }) };
}

/** Ends a command of several stores with exit code 10, and says why each store failed. */
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
    t`${names.length} of ${stores.length} stores gave no figures: ${names.join(", ")}.`,
    { hint: reasons.join("\n") },
  );
}
