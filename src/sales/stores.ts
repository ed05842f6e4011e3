/**
 * The way from the stores that were chosen to their figures. Each store is asked within its own limits; where one gives none, the
 * others' figures are shown all the same.
 */
import type { Filters } from "../api/models.js";
import { rateLimits, type DateField, type Dimension } from "../api/values.js";
import type { Context } from "../cli/context.js";
import { startProgress, type Output, type Progress } from "../cli/output.js";
import type { Column } from "../cli/records.js";
import {
  chooseSession,
  chooseStore,
  openConnection,
  storeOf,
  type Connection,
  type Store,
} from "../cli/store.js";
import { ComandaError } from "../client/errors.js";
import { plural, t } from "../languages/language.js";
import { openAnswers, type Answers } from "../state/answers.js";
import { countsRequests, limitState } from "../state/limits.js";
import { storeKey } from "../state/sessions.js";
import {
  askCompared,
  filterTexts,
  planOf,
  type Asking,
  type Freshness,
  type Plan,
  type PlannedRequest,
} from "./ask.js";
import {
  addWindows,
  type Figures,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
} from "./figures.js";
import {
  comparisonPeriod,
  describePeriod,
  resolvePeriod,
  startsTooEarly,
  type Comparison,
  type Period,
  type PeriodRequest,
} from "./period.js";
import { machineZone, preferencesFor, type Preferences } from "./preferences.js";

export interface SalesRequest {
  readonly stores: readonly string[];
  readonly allStores: boolean;
  readonly period: PeriodRequest;
  /** The zone that was typed. */
  readonly zone: string | undefined;
  readonly filters: Filters | undefined;
  /** It goes out only where it was typed: the service's default is `created_at`. */
  readonly dateField: DateField | undefined;
  readonly comparison: Comparison | undefined;
  /** What can't be asked for is left out, rather than refused: a comparison that reaches back too far, weekdays of late days. */
  readonly leavesOut: boolean;
  /** The days are the service's own, wherever the store's start. */
  readonly fromMidnight: boolean;
  readonly freshness: Freshness;
  readonly dryRun: boolean;
}
/**
 * Chooses several stores of a report, each once: two spellings of an alias are one store. One whose session can't be used concerns
 * itself alone, and the report goes on without it; an unknown alias is a slip and ends the command.
 *
 * @throws {ComandaError} as {@link chooseStore}
 */
export async function chooseStores(
  context: Context,
  { stores, allStores }: { readonly stores: readonly string[]; readonly allStores: boolean },
): Promise<readonly (Store | MissingStore)[]> {
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

/** What is asked of each store: a summary, or groups, with those of the period before where that is wanted. */
export interface SalesQuestion {
  readonly by: Dimension | undefined;
  readonly isCompared: boolean;
}

export interface OpenStore {
  readonly connection: Connection;
  readonly preferences: Preferences;
  readonly asking: Asking;
  /** What `asking` keeps its answers in; days too. */
  readonly answers: Answers | undefined;
}

/** The current period of a question, and the one that it is compared with; neither where the question is left out. */
type Sides = readonly Plan[];

interface PlannedStore extends OpenStore {
  /** For each question. */
  readonly plans: readonly Sides[];
  readonly calls: number;
  /** In milliseconds; undefined where comanda doesn't count calls, so that nobody knows. */
  readonly waitMs: number | undefined;
}

/** What each store came to, in the order in which they were asked for. */
export interface OfStores<Result> {
  /** Were several stores asked for, even if this machine knows but one? */
  readonly several: boolean;
  readonly stores: readonly (Result | MissingStore)[];
}

/**
 * @param label names the command in the progress
 * @returns the answer to each question, in their order; undefined for a dry run
 * @throws {ComandaError} as {@link atStores}
 */
export async function askStores(
  context: Context,
  label: string,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
): Promise<readonly SalesResult[] | undefined> {
  const asked = await atStores(context, label, request, questions, askAll);
  if (!asked) return undefined;
  const { several } = asked;
  const results: SalesResult[] = [];
  for (const [place, { by }] of questions.entries()) {
    const stores: (StoreFigures | MissingStore)[] = [];
    for (const store of asked.stores) {
      const figures = "error" in store ? store : store[place];
      if (figures) stores.push(figures);
    }
    // The same id is another driver at another store.
    const total = several && by !== "driver_id" ? totalOfStores(stores) : undefined;
    results.push({ by, several, stores, ...(total && { total }) });
  }
  return results;
}

async function askAll({ connection, preferences, asking }: OpenStore, plans: readonly Sides[]) {
  const { currency, locale } = preferences;
  const all: (StoreFigures | undefined)[] = [];
  for (const [current, previous] of plans) {
    const sides = current && (await askCompared(asking, current, previous));
    all.push(sides && { store: connection.label, currency, locale, ...sides });
  }
  return all;
}

/** Three attempts at one call take about this many milliseconds. */
const answerMs = 2 * 60_000;
/** A wait of fewer milliseconds needs no announcement. */
const announcedFromMs = 2_000;

/**
 * Plans what each store is asked, says how long it takes, and does the work at all of them at once.
 *
 * @returns undefined for a dry run, which shows the calls
 * @throws {ComandaError} what can't be asked, before any call; what goes wrong where one store was asked for: of several, the
 *   others go on
 */
export async function atStores<Result>(
  context: Context,
  label: string,
  request: SalesRequest,
  questions: readonly SalesQuestion[],
  work: (store: OpenStore, plans: readonly Sides[]) => Promise<Result>,
): Promise<OfStores<Result> | undefined> {
  const { clock, output, options, signal } = context;
  const { status } = output;
  const state = await context.state();
  const several = request.allStores || request.stores.length > 1;
  const chosen = several
    ? await chooseStores(context, request)
    : [await chooseStore(context, request.stores[0])];
  const settings = await state.settings.read();
  const begunAt = clock.now();
  let progress: Progress | undefined;
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
      const connection = await openConnection(context, choice);
      const { client, label: name, baseUrl } = connection;
      const { sign_in: signIn } = connection.fingerprint();
      // Nothing is kept where the sign-in can't be told from others.
      const answers =
        signIn === null ? undefined : openAnswers(state, { store: name, environment: baseUrl, signIn });
      const asking: Asking = {
        client,
        answers,
        dateField: request.dateField,
        filters: request.filters,
        currency: preferences.currency,
        freshness: request.freshness,
        clock,
        begunAt,
        signal,
        waitMs: options.maxWaitMs + answerMs,
        onWarning: (message) => {
          output.warn(several ? `${name}: ${message}` : message);
        },
      };
      const store = { connection, preferences, asking, answers };
      const plans = await plansFor(store, request, questions);
      const expected = await expectedCalls(context, connection, plans);
      calls += expected.calls;
      waitMs = Math.max(waitMs, expected.waitMs ?? 0);
      if (preferences.zoneIsGuessed) guessed.push(connection);
      planned.push({ ...store, plans, ...expected });
    }
    if (request.dryRun) {
      await showPlan(output, planned);
      return undefined;
    }
    if (status.isShown && calls > 1) {
      const bar = startProgress(status, { total: calls, label, now: () => clock.now() });
      progress = bar;
      const endsAt = clock.now() + waitMs;
      let done = 0;
      const onCalled = () => {
        done += 1;
        const left = endsAt - clock.now();
        bar.update(Math.min(calls, done), left > 0 ? t`about ${duration(left)} left` : "");
      };
      for (const store of planned) if ("asking" in store) store.asking.onCalled = onCalled;
    } else if (!status.isShown && waitMs >= announcedFromMs) {
      context.opened.isAnnounced = true;
      const count = plural(calls, { one: t`1 call`, other: t`${calls} calls` });
      const { limit } = rateLimits.summary;
      output.notice(t`${count}, of which the service takes ${limit} a minute: about ${duration(waitMs)}.`);
    }
    const stores = await Promise.all(
      planned.map(async (store) => {
        if ("error" in store) return store;
        try {
          return await work(store, store.plans);
        } catch (error) {
          if (!several || signal.aborted || !(error instanceof ComandaError)) throw error;
          return { store: store.connection.label, error };
        }
      }),
    );
    if (guessed.length > 0) warnOfZone(output, guessed);
    return { several, stores };
  } finally {
    progress?.end();
  }
}

/** The service counts these from midnight: days that start late would be torn. */
const torn: readonly (Dimension | undefined)[] = ["week", "month", "day_of_week"];

/** @throws {ComandaError} `invalid_input` for a period that can't be asked for, by this dimension or at all */
async function plansFor(
  { asking, preferences }: OpenStore,
  { period, comparison, leavesOut, fromMidnight }: SalesRequest,
  questions: readonly SalesQuestion[],
): Promise<readonly Sides[]> {
  const { dateField, onWarning, begunAt: now } = asking;
  const dayStarts = fromMidnight ? undefined : preferences.dayStarts;
  const current = resolvePeriod(period, { now, zone: preferences.zone, dayStarts, dateField });
  let previous = comparison && comparisonPeriod(current, comparison);
  if (previous && startsTooEarly(previous, now)) {
    const problem = t`The comparison with ${describePeriod(previous)} would begin more than 3 years back`;
    if (!leavesOut)
      throw new ComandaError("invalid_input", `${problem}.`, {
        hint: t`Leave out --compare, or ask for a later period.`,
      });
    onWarning(t`${problem}: it is left out.`);
    previous = undefined;
  }
  const plans: Sides[] = [];
  for (const { by, isCompared } of questions) {
    const isTorn = current.dayStarts !== undefined && torn.includes(by);
    if (isTorn && !leavesOut)
      throw new ComandaError(
        "invalid_input",
        t`The service counts ${by ?? ""} from midnight, and the store's days start at ${current.dayStarts ?? ""}.`,
        {
          hint: t`Ask for each by itself, as with comanda summary --period last-week, or take the service's own days: comanda stores set <alias> --day-starts 00:00`,
        },
      );
    const periods: Period[] = isTorn ? [] : [current];
    if (!isTorn && isCompared && previous) periods.push(previous);
    const sides: Plan[] = [];
    for (const side of periods) sides.push(await planOf(asking, { by, period: side }));
    plans.push(sides);
  }
  return plans;
}

/** Counts the calls of a store, and the least time until all have gone out: a summary and groups have a limit each. */
async function expectedCalls(
  context: Context,
  connection: Connection,
  plans: readonly Sides[],
): Promise<{ readonly calls: number; readonly waitMs: number | undefined }> {
  const counts = { summary: 0, summary_grouped: 0 };
  for (const sides of plans)
    for (const { requests } of sides)
      for (const { known, by } of requests)
        if (!known) counts[by === undefined ? "summary" : "summary_grouped"] += 1;
  const total = counts.summary + counts.summary_grouped;
  if (total > 0 && !countsRequests(context)) return { calls: total, waitMs: undefined };
  let longest = 0;
  for (const bucket of ["summary", "summary_grouped"] as const) {
    const calls = counts[bucket];
    if (calls === 0) continue;
    const state = await limitState(await context.state(), connection, bucket);
    const { remaining, waitMs, limit, windowMs } = state;
    // Where the limit is full, the first place is free after `waitMs`, and then a usual window begins.
    const windows = Math.max(0, Math.ceil((calls - (remaining || limit)) / limit));
    longest = Math.max(longest, (remaining === 0 ? waitMs : 0) + windows * windowMs);
  }
  return { calls: total, waitMs: longest };
}

/** Another machine would count other days, so each run warns until somebody says which zone it is. */
function warnOfZone(output: Output, guessed: readonly Connection[]): void {
  const names = guessed.map(({ label }) => label).join(", ");
  // An address that variables hold has no settings.
  const way =
    guessed[0]?.store === undefined
      ? "TZ=<zone>"
      : `comanda stores set ${guessed.length > 1 ? "<alias>" : names} --tz <zone>`;
  output.warn(
    t`The days of ${names} are counted in this machine's time zone, ${machineZone()}, which may not be the store's. Say which is: ${way}`,
  );
}

/**
 * Shows for `--dry-run` the calls that would go out, those that are kept, and how long it takes.
 *
 * @param stores those that gave none take no calls
 */
async function showPlan(output: Output, stores: readonly (PlannedStore | MissingStore)[]): Promise<void> {
  const requests: RequestRow[] = [];
  let calls = 0;
  let waitMs: number | undefined = 0;
  for (const store of stores) {
    if ("error" in store) continue;
    for (const plan of store.plans.flat())
      for (const request of plan.requests) requests.push(requestRow(store, request));
    calls += store.calls;
    waitMs = waitMs === undefined || store.waitMs === undefined ? undefined : Math.max(waitMs, store.waitMs);
  }
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

/** Amounts of different currencies are never added up. */
function totalOfStores(stores: readonly (StoreFigures | MissingStore)[]): StoreFigures | undefined {
  const answering = stores.filter((store) => "current" in store);
  const [first] = answering;
  if (!first || answering.some(({ currency }) => currency !== first.currency)) return undefined;
  const current = sumOf(answering.map((store) => store.current));
  const previous = sumOf(answering.map((store) => store.previous));
  const { currency, locale } = first;
  return current && { store: null, currency, locale, current, ...(previous && { previous }) };
}

/**
 * The first store's period stands for all: the others' days may begin at other times.
 *
 * @returns undefined where one of them is missing
 */
function sumOf(all: readonly (Figures | undefined)[]): Figures | undefined {
  const parts = all.filter((figures) => figures !== undefined);
  const [first] = parts;
  if (!first || parts.length < all.length) return undefined;
  return {
    period: first.period,
    rows: addWindows(
      parts.map(({ rows }) => rows),
      undefined,
    ),
    askedAt: Math.min(...parts.map(({ askedAt }) => askedAt)),
    kept: parts.some(({ kept }) => kept),
  };
}

/** Ends a command of several stores with exit code 10, and says why each store failed. */
export function missingStores(
  stores: readonly ({ readonly store: string | null } | MissingStore)[],
): ComandaError | undefined {
  const missing: string[] = [];
  const reasons: string[] = [];
  for (const store of stores) {
    if (!("error" in store)) continue;
    const { message, hint } = store.error;
    missing.push(store.store);
    reasons.push(`${store.store}: ${[message, hint].filter(Boolean).join(" ")}`);
  }
  if (missing.length === 0) return undefined;
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${missing.join(", ")}.`,
    { hint: reasons.join("\n") },
  );
}
