/**
 * Fetches figures with one request for each window, unless its answer is cached. Processes that need the same answer at once share
 * one call.
 *
 * **The end of a window.** The specification doesn't show whether `end_date` is included. A window therefore ends one
 * microsecond before the next one begins, when no order can have been created: `23:59:59.999999` and `00:00:00`. If timestamps
 * have whole seconds or milliseconds, both interpretations then select the same orders: none twice, and none is missing. The
 * fraction has six digits, because some date parsers accept only three or six. A service that drops the fraction and also
 * excludes the end misses the orders of a window's last second; no form of the end could be right for both interpretations.
 * Dates (`scheduled_date`) are sent unchanged, both included.
 */
import type { Filters, GroupedSummary, Summary, SummaryQuery } from "../api/models.js";
import { type DateField, type Dimension, summaryPeriodMonths } from "../api/values.js";
import type { Clock } from "../base/clock.js";
import { ComandaError } from "../base/errors.js";
import type { CallOptions } from "../client/options.js";
import { shownDays, t } from "../languages/language.js";
import { addWindows, completed, inTimeOrder, isPerDay, rowsOf } from "./figures.js";
import type { Figures, FiguresWarning, Row } from "./figures.js";
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

/** The part of a client that figures use. A client itself rejects hours of dates (section 4.7). */
export interface SalesClient {
  summary(query: SummaryQuery, options?: CallOptions): Promise<{ readonly value: Summary }>;
  groupedSummary(
    query: SummaryQuery & { readonly group_by: Dimension },
    options?: CallOptions,
  ): Promise<{ readonly value: GroupedSummary }>;
}

/** The answer to the request for a window, with the last day and the end of that window. */
interface CachedAnswer extends Pick<Period, "last" | "end"> {
  readonly askedAt: number;
  readonly answer: Summary | GroupedSummary;
}

type CachedQuery = Pick<PlannedRequest, "by" | "text">;

/** The part of `src/state/answer-cache.ts` that figures use. The library has no state and no cache. */
interface AnswerCache {
  find(query: CachedQuery): Promise<CachedAnswer | undefined>;
  keep(query: CachedQuery, answer: CachedAnswer): Promise<void>;
  share<Result>(
    query: CachedQuery,
    work: () => Promise<Result>,
    options: { readonly waitMs: number },
  ): Promise<Result>;
}

export interface FetchOptions {
  readonly client: SalesClient;
  /** `undefined` without a cache, and after an error in it. */
  answers: AnswerCache | undefined;
  readonly dateField: DateField | undefined;
  /** Filters by their names in section 4.8. */
  readonly filters: Filters | undefined;
  /** An ISO 4217 code. An answer cached for one currency isn't used for another. */
  readonly currency: string | null;
  /** `usual` reuses recent answers, `fresh` none, and `offline` all of them, however old, without sending a request. */
  readonly freshness: "usual" | "fresh" | "offline";
  readonly clock: Pick<Clock, "now">;
  readonly callOptions: CallOptions;
  /** The longest wait, in milliseconds, for another process that fetches the same answer. */
  readonly waitMs: number;
  /** Called after each answer from the service. */
  onCalled?: () => void;
  readonly warn: (warning: FiguresWarning) => void;
}

/** Time for which cached answers are reused: the first for a window that is over, the second for one that is still running. */
const goodForMs = 10 * 60_000;
const runningGoodForMs = 60_000;

/** The requests for a period's summary or groups. */
export interface Plan {
  /** A period that ends now has the end of its cached answer, if there is one. */
  readonly period: Period;
  readonly by: Dimension | undefined;
  readonly requests: readonly PlannedRequest[];
}

export interface PlannedRequest {
  /** `undefined` for a summary. */
  readonly by: Dimension | undefined;
  /** The part of the period that is requested, or that the cached answer covers. */
  readonly window: Period;
  /** The cache's key: requests with the same text have the same answer. */
  readonly text: string;
  readonly cached: CachedAnswer | undefined;
}

/** The longest window for a service that counts half a year as 180 days, less a day for a change of the clocks. */
export const cautious = { days: 179 } as const;

/**
 * Splits a period into consecutive windows, without splitting a week or month. If the store's days start late, each day has its
 * own window.
 *
 * @param longest the maximum length of a window, by default the 6 months of section 8
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
    // For weeks and months, the next window begins with one.
    let next = by === "day" && dayStarts !== undefined ? from.add({ days: 1 }) : from.add(longest);
    if (by === "month" && next.day > 1 && from.until(next).days > next.day) next = next.with({ day: 1 });
    if (by === "week") next = next.subtract({ days: next.dayOfWeek - 1 });
    const edge = startOfDay(next, period);
    const isLast = edge.epochMilliseconds >= over.epochMilliseconds;
    const [first, last] = [from.toString(), isLast ? period.last : next.subtract({ days: 1 }).toString()];
    const end = isLast ? period.end : wireDateTime(edge.subtract({ microseconds: 1 }));
    const endsNow = isLast && period.endsNow;
    // A change of its zone can skip a whole day.
    if (Date.parse(end) >= Date.parse(start)) windows.push({ ...period, first, last, start, end, endsNow });
    if (isLast) return windows;
    [from, start] = [next, wireDateTime(edge)];
  }
}

/** Returns the necessary requests, with the answers of those that are cached, and sends nothing. */
export async function planOf(
  options: FetchOptions,
  period: Period,
  by: Dimension | undefined,
): Promise<Plan> {
  // The service's days start at midnight, so each day that starts later is requested as a summary.
  const grouping = by === "day" && period.dayStarts !== undefined ? undefined : by;
  const requests: PlannedRequest[] = [];
  for (const window of windowsOf(period, by)) requests.push(await requestOf(options, grouping, window));
  return { period: endedAt(period, requests.at(-1)?.window.end ?? period.end), by, requests };
}

/**
 * @throws {ComandaError} `not_found` for an answer that isn't cached with `--offline`; `unexpected_answer` as
 *   {@link rowsOf}; what the client throws
 */
export async function fetchFigures(options: FetchOptions, { period, by, requests }: Plan): Promise<Figures> {
  const missing = options.freshness === "offline" ? gapsIn(requests) : [];
  if (missing.length > 0)
    throw new ComandaError("not_found", t`No cached figures for ${missing.map(shownDays).join(", ")}.`, {
      hintFacts: { about: "offline" },
    });
  const parts: (readonly Row[])[] = [];
  let [askedAt, cached, end] = [Infinity, false, period.end];
  const queue = [...requests];
  for (let request = queue.shift(); request; request = queue.shift()) {
    const { window, by: grouping } = request;
    try {
      const answered = await fetchAnswer(options, request);
      const own = { key: window.first, label: window.first };
      parts.push(
        by === grouping
          ? inTimeOrder(answered.rows, by, window.first)
          : answered.rows.map((row) => ({ ...row, ...own })),
      );
      askedAt = Math.min(askedAt, answered.askedAt);
      cached ||= answered.cached;
      end = answered.end;
    } catch (error) {
      // The specification doesn't show how half a year is counted: a service that counts 180 days rejects 181.
      const isRefusal = error instanceof ComandaError && error.code === "invalid_request";
      const shorter = isRefusal ? windowsOf(window, by, cautious) : [];
      if (shorter.length < 2) throw error;
      for (const part of shorter.toReversed()) queue.unshift(await requestOf(options, grouping, part));
    }
  }
  const added = addWindows(parts, by);
  // One window may have hours and weekdays that others lack.
  const rows = isPerDay(by) ? inTimeOrder(added, by, period.first) : added;
  return { period: endedAt(period, end), rows, askedAt, cached };
}

/** Returns the days without a cached answer, those of adjacent windows together. */
function gapsIn(requests: readonly PlannedRequest[]): readonly Pick<Period, "first" | "last">[] {
  const gaps: { readonly first: string; last: string }[] = [];
  let isAfterGap = false;
  for (const { cached, window } of requests) {
    const { first, last } = window;
    const gap = isAfterGap ? gaps.at(-1) : undefined;
    isAfterGap = !cached;
    if (cached) continue;
    if (gap) gap.last = last;
    else gaps.push({ first, last });
  }
  return gaps;
}

/**
 * Fetches a period and the one to compare it with. If the period ends now, both end at the time of day of the first answer. Both
 * get their missing days, and the number of each weekday or hour.
 */
export async function fetchCompared(
  options: FetchOptions,
  current: Plan,
  comparison: Comparison | undefined,
): Promise<{ readonly current: Figures; readonly previous?: Figures }> {
  const { by } = current;
  const now = await fetchFigures(options, current);
  const before =
    comparison &&
    (await fetchFigures(options, await planOf(options, comparisonPeriod(now.period, comparison), by)));
  const sides = [...now.rows, ...(before?.rows ?? [])];
  return {
    current: { ...now, rows: completed(now, by, sides) },
    ...(before && { previous: { ...before, rows: completed(before, by, sides) } }),
  };
}

async function fetchAnswer(
  options: FetchOptions,
  request: PlannedRequest,
): Promise<Pick<Figures, "rows" | "askedAt" | "cached"> & Pick<Period, "end">> {
  const { answers, client, clock, dateField, filters, freshness, waitMs, callOptions } = options;
  const { by, window } = request;
  if (request.cached) {
    const { askedAt, end, answer } = request.cached;
    return { rows: rowsOf(answer, by, options.warn), askedAt, end, cached: true };
  }
  const send = async () => {
    // Another process may have fetched the answer while this one waited.
    const again = await requestOf(options, by, window);
    if (again.cached) return fetchAnswer(options, again);
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
        ? await client.summary(query, callOptions)
        : await client.groupedSummary({ ...query, group_by: by }, callOptions);
    options.onCalled?.();
    // This throws for an invalid answer, which isn't cached.
    const rows = rowsOf(answer, by, options.warn);
    const { last, end } = window;
    await useCache(options, options.answers?.keep(request, { askedAt, last, end, answer }));
    return { rows, askedAt, end, cached: false };
  };
  return answers && freshness !== "fresh" ? answers.share(request, send, { waitMs }) : send();
}

/** Waits for an operation of the cache. If it fails, warns and stops using the cache. */
async function useCache<Result>(
  options: FetchOptions,
  work: Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    options.answers = undefined;
    options.warn({ about: "not_cached", reason: error.message });
    return undefined;
  }
}

/** Returns the request for a window, with the cached answer if it may be reused. That answer may end a moment earlier. */
async function requestOf(
  options: FetchOptions,
  by: Dimension | undefined,
  window: Period,
): Promise<PlannedRequest> {
  const { clock, currency, dateField, filters, freshness } = options;
  const { from, to } = edgesOf(window, dateField);
  const parts = [by ?? null, dateField ?? "created_at", filterTexts(filters), currency];
  // A period that ends now has the same text a moment later.
  const text = JSON.stringify([...parts, from, window.endsNow ? "now" : to]);
  const request = { by, window, text, cached: undefined };
  if (freshness === "fresh") return request;
  const cached = await useCache(options, options.answers?.find(request));
  if (!cached) return request;
  const answered = { ...request, window: endedAt(window, cached.end), cached };
  if (freshness === "offline") return answered;
  // Without a time zone, a day may end as late as in the last zone of the world.
  const over = Date.parse(dateField === "scheduled_date" ? `${to}T23:59:59-12:00` : to);
  const now = clock.now();
  const age = now - cached.askedAt;
  const isRunning = window.endsNow || now <= over;
  // An answer from before the window's end lacks the later orders.
  const goodFor = isRunning ? runningGoodForMs : cached.askedAt > over ? goodForMs : 0;
  return age >= 0 && age <= goodFor ? answered : request;
}

/** Lists filters as the request contains them, `status_in=closed`, one for each value. */
export function filterTexts(filters: Filters = {}): readonly string[] {
  return Object.entries(filters)
    .flatMap(([name, value]) => [value].flat().map((part) => `${name}=${part}`))
    .sort();
}
