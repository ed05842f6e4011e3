/**
 * One question a window: its answer is kept, or the service is asked, by one process for all that ask the same.
 *
 * **The seam.** Whether the service takes `end_date` as included is not shown. A window therefore ends at an instant at
 * which no order can have been created, one microsecond before the next begins: `23:59:59.999999` and `00:00:00`. With
 * timestamps in whole seconds or milliseconds, "at or before the end" and "before the end" then select the same orders:
 * none twice, none lost. It has six digits, since some date parsers take three or six and no other number. A service
 * that cuts the fraction off and also leaves the end out misses the orders of a window's last second, which no way of
 * writing the end could mend for both readings. Dates (`scheduled_date`) go out as they are, both included.
 */
import type { Filters, GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { type DateField, type Dimension, summaryPeriodMonths } from "../api/values.js";
import type { Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import type { CallOptions } from "../client/options.js";
import { shownDate, t } from "../languages/language.js";
import { addWindows, completed, inTimeOrder, isPerDay, rowsOf, type Figures, type Row } from "./figures.js";
import {
  comparisonPeriod,
  edgesOf,
  endedAt,
  parseDate,
  parseDateTime,
  startOfDay,
  wireDateTime,
  type Comparison,
  type Period,
  type Unit,
} from "./period.js";

/** These two calls of a client are enough. */
export interface SalesClient {
  summary(query: SummaryQuery, options?: CallOptions): Promise<{ readonly value: Summary }>;
  groupedSummary(
    query: GroupedSummaryQuery,
    options?: CallOptions,
  ): Promise<{ readonly value: GroupedSummary }>;
}

interface CachedAnswer {
  readonly askedAt: number;
  /** Of the window that was requested, as in {@link Period}. */
  readonly first: string;
  readonly last: string;
  readonly end: string;
  readonly filters: readonly string[];
  readonly answer: Summary | GroupedSummary;
}

type Question = Pick<PlannedRequest, "by" | "text">;

/** What is kept, as src/state/answer-cache.ts does it: a program's figures need no state. */
interface AnswerCache {
  find(request: Question): Promise<CachedAnswer | undefined>;
  keep(request: Question, answer: CachedAnswer): Promise<void>;
  share<Result>(
    request: Question,
    work: () => Promise<Result>,
    options: { readonly waitMs: number },
  ): Promise<Result>;
}

/** `usual`: what is kept for a moment will do. `offline`: nothing is asked, and what is kept will do, however old. */
export type Freshness = "usual" | "fresh" | "offline";

export interface FetchOptions {
  readonly client: SalesClient;
  /** `undefined` where nothing is kept, or can be kept any longer. */
  answers: AnswerCache | undefined;
  readonly dateField: DateField | undefined;
  /** By their names of section 4.8. */
  readonly filters: Filters | undefined;
  /** The code of ISO 4217, or null: an answer in one currency is none in another. */
  readonly currency: string | null;
  readonly freshness: Freshness;
  readonly clock: Pick<Clock, "now">;
  readonly signal: AbortSignal;
  /** Another process may wait so many milliseconds for its place within the limit, and for its answer. */
  readonly waitMs: number;
  /** Is told of each answer that came from the service. */
  onCalled?: () => void;
  readonly onWarning: (message: string) => void;
}

/** A kept answer is good for so long; one to a window that still runs for the second. */
const goodForMs = 10 * 60_000;
const runningGoodForMs = 60_000;

/** A question is about the whole of a period, or its groups; these requests answer it. */
export interface Plan {
  /** A period that ends now ends where its cached answer does. */
  readonly period: Period;
  readonly by: Dimension | undefined;
  readonly requests: readonly PlannedRequest[];
}

/** A request as it would go out. */
export interface PlannedRequest {
  /** Undefined for a summary. */
  readonly by: Dimension | undefined;
  /** The part of the period that is requested, or that the cached answer covers. */
  readonly window: Period;
  /** Two requests with the same words have the same answer. */
  readonly text: string;
  /** The answer that is kept and will do. */
  readonly known: CachedAnswer | undefined;
}

/**
 * A service that counts half a year as 180 days refuses one of 181: then this is the longest window, an hour of summer
 * time included.
 */
export const cautious = { days: 179 } as const;

/**
 * Cuts a period into windows that follow on one another. No week or month is torn, and of a store whose days start late,
 * each day is one by itself.
 *
 * @param longest no window is longer; by default the 6 months of section 8
 */
export function windowsOf(
  period: Period,
  by: Dimension | undefined,
  longest: Unit = { months: summaryPeriodMonths },
): readonly Period[] {
  const { zone, dayStarts } = period;
  const over = parseDateTime(period.end, zone);
  const windows: Period[] = [];
  let [from, start] = [parseDate(period.first), period.start];
  for (;;) {
    // The last day that begins a week or a month, where these are asked for.
    let next = by === "day" && dayStarts !== undefined ? from.add({ days: 1 }) : from.add(longest);
    if (by === "month" && next.day > 1 && from.until(next).days > next.day) next = next.with({ day: 1 });
    if (by === "week") next = next.subtract({ days: next.dayOfWeek - 1 });
    const edge = startOfDay(next, period);
    const isLast = edge.epochMilliseconds >= over.epochMilliseconds;
    const [first, last] = [from.toString(), isLast ? period.last : next.subtract({ days: 1 }).toString()];
    const end = isLast ? period.end : wireDateTime(edge.subtract({ microseconds: 1 }));
    const endsNow = isLast && period.endsNow;
    // A zone may have left a day out.
    if (Date.parse(end) >= Date.parse(start)) windows.push({ ...period, first, last, start, end, endsNow });
    if (isLast) return windows;
    [from, start] = [next, wireDateTime(edge)];
  }
}

/** Lists the requests that a question takes, with the answers that are kept, without fetchOptions. */
export async function planOf(
  fetchOptions: FetchOptions,
  period: Period,
  by: Dimension | undefined,
): Promise<Plan> {
  // Days that start late aren't the service's: each is asked for by itself, as a whole.
  const grouping = by === "day" && period.dayStarts !== undefined ? undefined : by;
  const requests: PlannedRequest[] = [];
  for (const window of windowsOf(period, by)) requests.push(await requestOf(fetchOptions, grouping, window));
  return { period: endedAt(period, requests.at(-1)?.window.end ?? period.end), by, requests };
}

/**
 * @throws {ComandaError} `not_found` where nothing may be asked and something isn't kept; `unexpected_answer` as
 *   {@link rowsOf}; what the client throws
 */
export async function fetchFigures(
  fetchOptions: FetchOptions,
  { period, by, requests }: Plan,
): Promise<Figures> {
  const parts: (readonly Row[])[] = [];
  let [askedAt, kept, end] = [Infinity, false, period.end];
  const queue = [...requests];
  for (let request = queue.shift(); request; request = queue.shift()) {
    const { window, by: grouping } = request;
    try {
      const answered = await fetchAnswer(fetchOptions, request);
      const own = { key: window.first, label: window.first };
      parts.push(
        by === grouping
          ? inTimeOrder(answered.rows, by, window.first)
          : answered.rows.map((row) => ({ ...row, ...own })),
      );
      askedAt = Math.min(askedAt, answered.askedAt);
      kept ||= answered.kept;
      end = answered.end;
    } catch (error) {
      // The specification doesn't show how half a year is counted: a service that counts 180 days refuses 181.
      const isRefusal = error instanceof ComandaError && error.code === "invalid_request";
      const shorter = isRefusal ? windowsOf(window, by, cautious) : [];
      if (shorter.length < 2) throw error;
      for (const part of shorter.toReversed()) queue.unshift(await requestOf(fetchOptions, grouping, part));
    }
  }
  const added = addWindows(parts, by);
  // Windows follow on one another, but each may have hours and weekdays that others lack.
  const rows = isPerDay(by) ? inTimeOrder(added, by, period.first) : added;
  return { period: endedAt(period, end), rows, askedAt, kept };
}

/**
 * Requests a period, and the one that it is compared with, which ends at the same time of day as the answer to the first. Their
 * days are filled alike, and their weekdays counted.
 */
export async function fetchCompared(
  fetchOptions: FetchOptions,
  current: Plan,
  comparison: Comparison | undefined,
): Promise<{ readonly current: Figures; readonly previous?: Figures }> {
  const { by } = current;
  const now = await fetchFigures(fetchOptions, current);
  const before =
    comparison &&
    (await fetchFigures(
      fetchOptions,
      await planOf(fetchOptions, comparisonPeriod(now.period, comparison), by),
    ));
  const sides = [...now.rows, ...(before?.rows ?? [])];
  return {
    current: { ...now, rows: completed(now, by, sides) },
    ...(before && { previous: { ...before, rows: completed(before, by, sides) } }),
  };
}

async function fetchAnswer(
  fetchOptions: FetchOptions,
  request: PlannedRequest,
): Promise<Pick<Figures, "rows" | "askedAt" | "kept"> & Pick<Period, "end">> {
  const { answers, client, clock, dateField, filters, freshness, signal, waitMs } = fetchOptions;
  const { by, window, known } = request;
  const answered = ({ askedAt, end, answer }: CachedAnswer, kept: boolean) => ({
    rows: rowsOf(answer, by, fetchOptions.onWarning),
    askedAt,
    end,
    kept,
  });
  if (known) return answered(known, true);
  if (freshness === "offline") {
    const days = t`${shownDate(window.first)} to ${shownDate(window.last)}`;
    throw new ComandaError("not_found", t`No cached figures for ${days}.`, {
      hint: t`Run the command without --offline.`,
    });
  }
  const askAlone = async () => {
    // Another process may have fetched the answer while this one waited.
    const meanwhile = await withCachedAnswer(fetchOptions, request);
    if (meanwhile.known) return answered(meanwhile.known, true);
    const { from, to } = edgesOf(window, dateField);
    const query: SummaryQuery = {
      start_date: from,
      end_date: to,
      ...(dateField !== undefined && { date_field: dateField }),
      ...(filters !== undefined && { filters }),
    };
    const askedAt = Math.round(clock.now());
    const { value: answer } =
      by === undefined
        ? await client.summary(query, { signal })
        : await client.groupedSummary(groupedBy(query, by), { signal });
    fetchOptions.onCalled?.();
    // What no answer may be is refused here, and not kept.
    const { first, last, end } = window;
    const fresh = { askedAt, first, last, end, filters: filterTexts(filters), answer };
    const rows = answered(fresh, false);
    await useCache(fetchOptions, fetchOptions.answers?.keep(request, fresh));
    return rows;
  };
  return answers && freshness !== "fresh" ? answers.share(request, askAlone, { waitMs }) : askAlone();
}

/** Where what is kept can't be used, the service is asked instead, and a warning says so once. */
async function useCache<Result>(
  fetchOptions: FetchOptions,
  work: Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    fetchOptions.answers = undefined;
    fetchOptions.onWarning(t`${error.message} Figures are not kept for the next time.`);
    return undefined;
  }
}

/** What ends now is the same question a moment later. */
async function requestOf(
  fetchOptions: FetchOptions,
  by: Dimension | undefined,
  window: Period,
): Promise<PlannedRequest> {
  const { dateField, filters, currency } = fetchOptions;
  const { from, to } = edgesOf(window, dateField);
  const words = [by ?? null, dateField ?? "created_at", filterTexts(filters), currency];
  const text = JSON.stringify([...words, from, window.endsNow ? "now" : to]);
  return withCachedAnswer(fetchOptions, { by, window, text, known: undefined });
}

/** Adds the cached answer if it may be reused, with its own window, which may end a moment earlier. */
async function withCachedAnswer(
  fetchOptions: FetchOptions,
  request: PlannedRequest,
): Promise<PlannedRequest> {
  const { clock, dateField, freshness } = fetchOptions;
  if (freshness === "fresh") return request;
  const kept = await useCache(fetchOptions, fetchOptions.answers?.find(request));
  if (!kept) return request;
  const { window } = request;
  const known = { ...request, window: endedAt(window, kept.end), known: kept };
  if (freshness === "offline") return known;
  const { to } = edgesOf(window, dateField);
  // A day of unknown zone ends at the latest where the date line is.
  const over = Date.parse(dateField === "scheduled_date" ? `${to}T23:59:59-12:00` : to);
  const [now, age] = [clock.now(), clock.now() - kept.askedAt];
  const isRunning = window.endsNow || now <= over;
  // What was asked while its window ran says nothing of the rest.
  const goodFor = isRunning ? runningGoodForMs : kept.askedAt > over ? goodForMs : 0;
  return age >= 0 && age <= goodFor ? known : request;
}

/** Lists filters as a call has them, `status_in=closed`, one for each value. */
export function filterTexts(filters: Filters = {}): readonly string[] {
  return Object.entries(filters)
    .flatMap(([name, value]) => [value].flat().map((part) => `${name}=${part}`))
    .sort();
}

/** @throws {RangeError} for hours of a date */
function groupedBy(query: SummaryQuery, dimension: Dimension): GroupedSummaryQuery {
  if (dimension !== "hour") return { ...query, group_by: dimension };
  const { date_field, ...rest } = query;
  if (date_field === "scheduled_date") throw new RangeError("a date has no hour");
  return { ...rest, ...(date_field && { date_field }), group_by: dimension };
}
