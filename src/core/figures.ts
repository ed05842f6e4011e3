/** Plans and fetches figures (sections 4.6 and 4.7) of one or several stores, each within its own limits. */
import type * as z from "zod";

import { dimensionRule } from "../api/input.js";
import type { Filters } from "../api/models.js";
import type { DateField, Dimension } from "../api/values.js";
import { ComandaError } from "../base/errors.js";
import { contradiction, fieldName } from "../base/fields.js";
import { t } from "../languages/language.js";
import { alertFailure, judgeAlert, type Alert, type AlertRule } from "../sales/alert.js";
import {
  fetchCompared,
  filterTexts,
  planOf,
  type FetchOptions,
  type Plan,
  type PlannedRequest,
} from "../sales/fetch.js";
import {
  addStores,
  compare,
  dimensionName,
  isPerDay,
  isTimeline,
  noOrders,
  totalOf,
  type Figures,
  type Pair,
} from "../sales/figures.js";
import {
  comparisonPeriod,
  edgesOf,
  resolvePeriod,
  tooEarly,
  type Comparison,
  type PeriodRequest,
} from "../sales/period.js";
import { byRevenue, rank, type Sort } from "../sales/sort.js";
import { openAnswerCache, type Answers } from "../state/answer-cache.js";
import { countsRequests, limitState } from "../state/limits.js";
import {
  chooseStore,
  chooseStores,
  openConnection,
  type Connection,
  type MissingStore,
  type Store,
  type StoreSelection,
} from "./connection.js";
import { preferencesFor, type Preferences } from "./preferences.js";
import type * as results from "./results.js";
import type { Workspace } from "./workspace.js";

/** What a front end requests, with the names of the options. */
export interface FiguresRequest extends PeriodRequest {
  /** The time zone of the days; by default, the store's. */
  readonly tz?: string | undefined;
  /** The filters as the user typed them, such as `status=closed`. */
  readonly filter?: readonly string[] | undefined;
  /** Excludes canceled orders. */
  readonly net?: boolean | undefined;
  /** Sent only if the user typed it; the service's default is `created_at`. */
  readonly dateField?: DateField | undefined;
  readonly compare?: Comparison | undefined;
  /** Ignores cached answers. */
  readonly fresh?: boolean | undefined;
  /** Uses only cached answers, however old. */
  readonly offline?: boolean | undefined;
  /** Rules about the summary of each store. */
  readonly alerts?: readonly AlertRule[] | undefined;
  /** Omits groups that can't be requested, and a comparison that starts too early, with a warning instead of an error. */
  readonly omitsImpossible?: boolean;
  /** Ignores the store's own start of the day. */
  readonly fromMidnight?: boolean;
}

/** One table of figures: the summary, or groups in an order. */
export interface Grouping {
  /** `undefined` for the summary. */
  readonly by?: Dimension | undefined;
  readonly sort?: Sort | undefined;
  /** The maximum number of groups. Without `sort`, those with the highest revenue are shown. */
  readonly top?: number | undefined;
  /** Whether a request with a comparison compares this grouping, too. */
  readonly isCompared?: boolean;
}

export interface PlannedStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly fetchOptions: FetchOptions;
  /** The cache that `fetchOptions` uses, and the stored days. */
  readonly answers: Answers | undefined;
  /** For each grouping, the current period and the one to compare it with. A grouping that is omitted has neither. */
  readonly plans: readonly (readonly Plan[])[];
}

/** What a dry run shows. */
export type PlannedRequests = z.output<typeof results.plannedFigures>;

/** What was counted. */
export interface FiguresQuery {
  /** The filters as they are sent, such as `status_not_in=canceled`. */
  readonly filters: readonly string[];
  readonly dateField: DateField;
  /** The filters as the user typed them, without the one of `net`. */
  readonly typed: readonly string[];
  readonly net: boolean;
}

export interface FiguresPlan {
  readonly workspace: Workspace;
  readonly request: FiguresRequest;
  readonly groupings: readonly Grouping[];
  readonly query: FiguresQuery;
  readonly several: boolean;
  readonly stores: readonly (PlannedStore | MissingStore)[];
  readonly begunAt: number;
  /** The number of requests and of the answers that have arrived, and when the rate limits will probably have allowed the last one. */
  readonly progress: { readonly calls: number; answered: number; readonly until: number };
}

/** The figures of one store, or of several stores together. */
export interface StoreFigures extends Pick<Preferences, "locale" | "currency"> {
  /** The alias; null for the total of several stores. */
  readonly store: string | null;
  readonly current: Figures;
  readonly previous?: Figures;
  /** The rows to show, each with the one that it is compared with. */
  readonly pairs: readonly Pair[];
  /** The groups that are left out, by `top` or because a result would be too long. */
  readonly omitted: readonly Pair[];
  /** The sums of all groups, also of those that are left out. */
  readonly totals: Pair;
}

/** The figures of a grouping. */
export interface FiguresResult {
  /** `undefined` for the summary. */
  readonly by: Dimension | undefined;
  /** Whether the output lists stores, even if there is only one. */
  readonly several: boolean;
  readonly query: FiguresQuery;
  readonly stores: readonly (StoreFigures | MissingStore)[];
  /** The sum of the stores with figures, if there are several and their currency is the same; never for drivers. */
  readonly total?: StoreFigures;
  /** Absent without rules. */
  readonly alerts?: readonly Alert[];
  /** Sets the exit code if an alert was triggered or stores are missing. */
  readonly failure?: ComandaError;
}

/**
 * Chooses the stores and plans the requests for each. Sends nothing.
 *
 * @param stores a selection, or a store that is already open
 * @throws {ComandaError} `usage` for `fresh` with `offline`; for a request that isn't possible at any store; for an error at the only
 *   store
 */
export async function planFigures(
  workspace: Workspace,
  stores: StoreSelection | Connection,
  request: FiguresRequest,
  groupings: readonly Grouping[],
): Promise<FiguresPlan> {
  const { dateField = "created_at", filter: typed = [], net = false, fresh, offline } = request;
  if (fresh && offline) throw contradiction(fieldName("fresh"), fieldName("offline"));
  for (const { by } of groupings)
    if (by !== undefined && !dimensionRule.holds({ group_by: by, date_field: dateField })) {
      const [one, other] = [`${fieldName("by")} ${by}`, `${fieldName("date_field")} ${dateField}`];
      throw contradiction(one, other, "invalid_input");
    }
  const texts = net ? [...typed, "status!=canceled"] : typed;
  let filters: Filters | undefined;
  if (texts.length > 0) {
    const { filterNotices, parseFilters } = await import("../sales/filters.js");
    filters = parseFilters(texts);
    for (const notice of filterNotices(filters)) workspace.notify({ type: "notice", ...notice });
  }
  const query = { filters: filterTexts(filters), dateField, typed, net };
  const several = "several" in stores && stores.several;
  let chosen: readonly (Connection | Store | MissingStore)[];
  if ("client" in stores) chosen = [stores];
  else if (several) chosen = await chooseStores(workspace, stores);
  else chosen = [await chooseStore(workspace, stores.stores[0])];
  const begunAt = workspace.clock.now();
  const progress = { calls: 0, answered: 0, until: begunAt };
  const plan = { workspace, request, groupings, query, several, begunAt, progress };
  const planned: (PlannedStore | MissingStore)[] = [];
  let impossible: ComandaError | undefined;
  for (const choice of chosen) {
    if ("error" in choice) {
      planned.push(choice);
      continue;
    }
    try {
      const connection = "client" in choice ? choice : await openConnection(workspace, choice);
      const store = await planStore(plan, connection, filters);
      if (!offline) {
        const { calls, waitMs } = await expectedWait(store);
        progress.calls += calls;
        // The stores' requests are sent at the same time.
        progress.until = Math.max(progress.until, begunAt + waitMs);
      }
      planned.push(store);
    } catch (error) {
      if (!several || workspace.signal.aborted || !(error instanceof ComandaError)) throw error;
      if (error.code === "invalid_input" || error.code === "usage") impossible ??= error;
      planned.push({ store: choice.label, error });
    }
  }
  // If no store accepts the request, it is wrong itself.
  if (impossible && planned.every((store) => "error" in store)) throw impossible;
  return { ...plan, stores: planned };
}

/** The time that three attempts at one call take. */
const answerMs = 2 * 60_000;

/** The service's groups by these dimensions start at midnight, in the middle of a day that starts late. */
const startAtMidnight: readonly (Dimension | undefined)[] = ["week", "month", "day_of_week"];

/** @throws {ComandaError} `invalid_input` for a period that can't be requested, in these groups or at all */
async function planStore(
  { request, groupings, begunAt: now, several, progress }: Omit<FiguresPlan, "stores">,
  connection: Connection,
  filters: Filters | undefined,
): Promise<PlannedStore> {
  const { client, label, baseUrl, workspace } = connection;
  const { clock, maxWaitMs, notify, signal } = workspace;
  const state = await workspace.state();
  const settings = await state.settings.read();
  const preferences = preferencesFor(workspace, settings, connection.store, request.tz);
  const { sign_in: signIn } = connection.fingerprint;
  // An unidentified sign-in could read another one's answers.
  const answers =
    signIn === null ? undefined : openAnswerCache(state, { store: label, environment: baseUrl, signIn });
  const fetchOptions: FetchOptions = {
    client,
    answers,
    dateField: request.dateField,
    filters,
    currency: preferences.currency,
    freshness: request.fresh ? "fresh" : request.offline ? "offline" : "usual",
    clock,
    callOptions: { signal },
    waitMs: maxWaitMs + answerMs,
    onCalled() {
      progress.answered += 1;
      reportProgress(workspace, progress);
    },
    warn: (warning) => notify({ type: "warning", ...warning, ...(several && { label }) }),
  };
  const { compare: comparison, dateField, omitsImpossible = false, fromMidnight = false } = request;
  const dayStarts = fromMidnight ? undefined : preferences.dayStarts;
  const zone = await preferences.zone();
  const current = resolvePeriod(request, { now, zone, dayStarts, dateField });
  const tooOld = tooEarly(current, now);
  if (tooOld) throw tooOld;
  const usual =
    request.tz === undefined ? preferences : preferencesFor(workspace, settings, connection.store);
  const inUsualZone =
    usual === preferences || usual.zoneIsGuessed || dateField === "scheduled_date"
      ? current
      : resolvePeriod(request, { now, zone: await usual.zone(), dayStarts, dateField });
  let previous = comparison && comparisonPeriod(current, comparison);
  const early = previous && tooEarly(previous, now);
  if (early) {
    if (!omitsImpossible) throw early;
    fetchOptions.warn({ about: "no_comparison", reason: early.message });
    previous = undefined;
  }
  const plans: Plan[][] = [];
  for (const { by, isCompared = true } of groupings) {
    const sides: Plan[] = [];
    plans.push(sides);
    if (by !== undefined && current.dayStarts !== undefined && startAtMidnight.includes(by)) {
      const reason = t`The service groups by ${dimensionName(by)} from midnight, but days at ${label} start at ${current.dayStarts}.`;
      if (!omitsImpossible)
        throw new ComandaError("invalid_input", reason, { hintFacts: { about: "late_days", store: label } });
      fetchOptions.warn({ about: "no_groups", reason });
      continue;
    }
    // The service groups by time in the store's own zone (section 4.7), so its days would have the header of others.
    const isByTime = (isTimeline(by) || isPerDay(by)) && !(by === "day" && dayStarts !== undefined);
    if (isByTime && Date.parse(inUsualZone.start) !== Date.parse(current.start))
      throw new ComandaError(
        "invalid_input",
        t`The service groups by ${dimensionName(by)} in the time zone of the store, ${inUsualZone.zone}, not in ${current.zone}.`,
        { hint: t`Omit ${fieldName("tz")}.` },
      );
    const plan = await planOf(fetchOptions, current, by);
    sides.push(plan);
    if (comparison && previous && isCompared)
      sides.push(await planOf(fetchOptions, comparisonPeriod(plan.period, comparison), by));
  }
  return { connection, preferences, fetchOptions, answers, plans };
}

function reportProgress(workspace: Workspace, progress: FiguresPlan["progress"], isOver = false) {
  const { clock, maxWaitMs, notify } = workspace;
  const { calls, answered, until } = progress;
  const waitMs = until - clock.now();
  // A call that would wait for longer fails at once.
  const leftMs = waitMs > maxWaitMs ? 0 : waitMs;
  notify({ type: "progress", about: "figures", calls, answered, leftMs, isOver });
}

/** Returns the requests for a store. Two groupings may need the same one, such as a day that starts late; its answer is reused. */
function requestsOf({
  plans,
  fetchOptions: { answers, freshness },
}: PlannedStore): readonly PlannedRequest[] {
  const isReused = answers !== undefined && freshness !== "fresh";
  const texts = new Set<string>();
  const requests: PlannedRequest[] = [];
  for (const plan of plans.flat())
    for (const request of plan.requests) {
      if (isReused && texts.has(request.text)) continue;
      texts.add(request.text);
      requests.push(request);
    }
  return requests;
}

/** Returns the number of requests for a store, and the milliseconds that they wait for its rate limits. */
async function expectedWait(store: PlannedStore) {
  const { quota, workspace } = store.connection;
  const counts = { summary: 0, summary_grouped: 0 };
  for (const { cached, by } of requestsOf(store))
    if (!cached) counts[by === undefined ? "summary" : "summary_grouped"] += 1;
  let waitMs = 0;
  // The two endpoints have separate limits.
  for (const bucket of ["summary", "summary_grouped"] as const) {
    if (counts[bucket] === 0 || !countsRequests(workspace)) continue;
    const limits = await limitState(await workspace.state(), quota, bucket);
    const { remaining, limit, windowMs } = limits;
    // If no request is left now, a new window of the limit begins after a wait.
    const windows = Math.max(0, Math.ceil((counts[bucket] - (remaining || limit)) / limit));
    waitMs = Math.max(waitMs, (remaining === 0 ? limits.waitMs : 0) + windows * windowMs);
  }
  return { calls: counts.summary + counts.summary_grouped, waitMs };
}

/** Returns the requests of a plan, and how long they take, for a dry run. */
export function plannedRequests({
  workspace,
  query,
  stores,
  begunAt,
  progress,
}: FiguresPlan): PlannedRequests {
  const { calls, until } = progress;
  const isCounted = calls === 0 || countsRequests(workspace);
  const requests: PlannedRequests["requests"] = [];
  for (const store of stores) {
    if ("error" in store) continue;
    for (const { by, window, cached } of requestsOf(store))
      requests.push({
        store: store.connection.label,
        endpoint: by === undefined ? "summary" : "grouped",
        group_by: by ?? null,
        ...edgesOf(window, query.dateField),
        date_field: query.dateField,
        filters: [...query.filters],
        cached: cached !== undefined,
      });
  }
  return { calls, seconds: isCounted ? Math.ceil((until - begunAt) / 1_000) : null, requests };
}

/**
 * Does the work for all stores at the same time, announces how long it takes, and reports its progress. One store's failure doesn't
 * stop the others.
 *
 * @returns each store's result, in the order of the stores
 * @throws {ComandaError} an error at the only store
 */
export async function forEachStore<Result>(
  { workspace, several, stores, progress }: FiguresPlan,
  work: (store: PlannedStore) => Promise<Result>,
): Promise<readonly (Result | MissingStore)[]> {
  const { notify, signal } = workspace;
  reportProgress(workspace, progress);
  try {
    const done = await Promise.all(
      stores.map(async (store) => {
        if ("error" in store) return store;
        try {
          return await work(store);
        } catch (error) {
          if (!several || signal.aborted || !(error instanceof ComandaError)) throw error;
          return { store: store.connection.label, error };
        }
      }),
    );
    for (const store of stores) {
      if ("error" in store || !store.preferences.zoneIsGuessed) continue;
      const { connection, preferences } = store;
      const { label, store: alias } = connection;
      // On another machine, the same command would count different days.
      const hintFacts = { about: "time_zone", store: alias } as const;
      notify({ type: "warning", about: "guessed_zone", label, zone: await preferences.zone(), hintFacts });
    }
    return done;
  } finally {
    reportProgress(workspace, progress, true);
  }
}

/**
 * Sends what isn't cached, and returns the figures of each grouping.
 *
 * @throws {ComandaError} as {@link forEachStore}
 */
export async function fetchPlanned(plan: FiguresPlan): Promise<readonly FiguresResult[]> {
  const { request, groupings, query, several } = plan;
  const answered = await forEachStore(plan, async ({ connection, preferences, fetchOptions, plans }) => {
    const { currency, locale } = preferences;
    const figures: (StoreFigures | undefined)[] = [];
    for (const [index, grouping] of groupings.entries()) {
      const [current, previous] = plans[index] ?? [];
      const sides = current && (await fetchCompared(fetchOptions, current, previous && request.compare));
      figures.push(sides && storeFigures({ store: connection.label, currency, locale, ...sides }, grouping));
    }
    return figures;
  });
  return groupings.map((grouping, index) => {
    const { by } = grouping;
    const stores: (StoreFigures | MissingStore)[] = [];
    for (const store of answered) {
      const figures = "error" in store ? store : store[index];
      if (figures) stores.push(figures);
    }
    // The same driver id belongs to different people at different stores.
    const hasTotal = several && by !== "driver_id" && stores.length === answered.length;
    const total = hasTotal ? totalOfStores(stores, grouping) : undefined;
    const alerts: Alert[] = [];
    for (const figures of stores) {
      if ("error" in figures) continue;
      const [{ current = noOrders, previous } = {}] = figures.pairs;
      for (const rule of request.alerts ?? [])
        alerts.push(judgeAlert(rule, figures.store ?? "", current, previous));
    }
    const failure = (request.alerts && alertFailure(alerts)) ?? missingStores(stores);
    const found = { ...(total && { total }), ...(request.alerts && { alerts }), ...(failure && { failure }) };
    return { by, several, query, stores, ...found };
  });
}

type Sides = Pick<StoreFigures, "store" | "currency" | "locale" | "current" | "previous">;

/** Pairs, sorts and adds up the rows of a store. */
export function storeFigures(sides: Sides, { by, sort, top }: Grouping): StoreFigures {
  const { current, previous, locale } = sides;
  let pairs = compare(current, previous, by);
  const order = sort ?? (top === undefined ? undefined : byRevenue);
  if (order) pairs = rank(pairs, order, locale);
  const totals = { current: totalOf(current.rows), previous: previous && totalOf(previous.rows) };
  return firstGroups({ ...sides, pairs, omitted: [], totals }, top ?? pairs.length);
}

/** Leaves out all groups after the first ones. */
export function firstGroups(figures: StoreFigures, most: number): StoreFigures {
  const { pairs, omitted } = figures;
  return { ...figures, pairs: pairs.slice(0, most), omitted: [...pairs.slice(most), ...omitted] };
}

/** Adds up the figures of the stores that have some, unless their currencies differ. */
function totalOfStores(
  stores: readonly (StoreFigures | MissingStore)[],
  grouping: Grouping,
): StoreFigures | undefined {
  const answered = stores.filter((store) => "current" in store);
  const [first] = answered;
  if (!first || answered.some(({ currency }) => currency !== first.currency)) return undefined;
  const { currency, locale } = first;
  const current = addStores(
    answered.map((store) => store.current),
    grouping.by,
  );
  const before = answered.flatMap(({ previous }) => previous ?? []);
  const previous = before.length === answered.length ? addStores(before, grouping.by) : undefined;
  const sides = { store: null, currency, locale, ...(previous && { previous }) };
  return current && storeFigures({ ...sides, current }, grouping);
}

/** Returns the error for stores without figures (exit code 10), whose hint has each store's reason. */
export function missingStores(stores: readonly (object | MissingStore)[]): ComandaError | undefined {
  const reasons = stores.filter((each) => "error" in each);
  if (reasons.length === 0) return undefined;
  const names = reasons.map(({ store }) => store).join(", ");
  const message = t`No figures for ${reasons.length} of ${stores.length} stores: ${names}.`;
  return new ComandaError("some_failed", message, { hintFacts: { about: "missing_stores", reasons } });
}
