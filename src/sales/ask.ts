/** One question a window: its answer is kept, or the service is asked, by one process for all that ask the same. */
import type { CallOptions } from "../client/call.js";
import { hasDates, type DateField, type Dimension } from "../api/enums.js";
import type { Filters, GroupedSummary, GroupedSummaryQuery, Summary, SummaryQuery } from "../api/models.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { shownDate } from "../languages/local-time.js";
import { addWindows, completed, rowsOf, type Figures, type Row } from "./figures.js";
import type { Period } from "./period.js";
import { splitWindow, windowsOf, type Window } from "./windows.js";

/** These two calls of a client are enough. */
export interface SalesClient {
  summary(query: SummaryQuery, options?: CallOptions): Promise<{ readonly value: Summary }>;
  groupedSummary(
    query: GroupedSummaryQuery,
    options?: CallOptions,
  ): Promise<{ readonly value: GroupedSummary }>;
}

/** `usual`: what is kept for a moment will do. `offline`: nothing is asked, and what is kept will do, however old. */
export type Freshness = "usual" | "fresh" | "offline";

/** A question as it is kept: in words that the same question has each time. */
interface KeptQuestion {
  readonly by: Dimension | undefined;
  readonly text: string;
}

interface KeptAnswer {
  /** Before the question went out, in milliseconds since the epoch. */
  readonly askedAt: number;
  readonly answer: Summary | GroupedSummary;
}

/** What keeps answers: `src/state/answers.ts` at the command line, and nothing in the library, which this file is a part of. */
export interface KeptAnswers {
  find(question: KeptQuestion): Promise<KeptAnswer | undefined>;
  keep(question: KeptQuestion, kept: KeptAnswer): Promise<void>;
  /** Lets one at a time do its work among all processes that ask the same question. */
  share<Result>(
    question: KeptQuestion,
    work: () => Promise<Result>,
    options: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<Result>;
}

export interface Asking {
  readonly client: SalesClient;
  /** Absent where nothing is kept. */
  readonly answers: KeptAnswers | undefined;
  readonly dateField: DateField | undefined;
  /** By their names of section 4.8. */
  readonly filters: Filters | undefined;
  /** The code of ISO 4217, or null: an answer in one currency is none in another. */
  readonly currency: string | null;
  readonly freshness: Freshness;
  readonly now: () => number;
  /** When the command began, in milliseconds since the epoch: what was asked since is asked just now. */
  readonly begunAt: number;
  readonly signal: AbortSignal;
  /** Another process may wait so many milliseconds for its place within the limit, and for its answer. */
  readonly waitMs: number;
  readonly onCalled?: () => void;
  readonly onWarning: (message: string) => void;
}

/** A question is about the whole of a period, or its groups. */
export interface Question {
  readonly period: Period;
  readonly by: Dimension | undefined;
}

/** A kept answer is good for so long; one to a window that still runs for the second. */
const goodForMs = 10 * 60_000;
const runningGoodForMs = 60_000;

/** A request as it would go out. */
export interface PlannedRequest {
  /** Undefined for a summary. */
  readonly by: Dimension | undefined;
  readonly window: Window;
  readonly kept: boolean;
}

/** Days that start late aren't the service's: each is asked for by itself, as a whole. */
function requestsOf(
  { period, by }: Question,
  { dateField }: Asking,
): readonly Omit<PlannedRequest, "kept">[] {
  const isByOwnDays = by === "day" && period.dayStarts !== undefined;
  return windowsOf(period, { by, dateField }).map((window) => ({ window, by: isByOwnDays ? undefined : by }));
}

/** Lists the requests that these questions take, without asking. */
export async function planned(
  asking: Asking,
  questions: readonly Question[],
): Promise<readonly PlannedRequest[]> {
  const all: PlannedRequest[] = [];
  for (const { by, window } of questions.flatMap((question) => requestsOf(question, asking)))
    all.push({ by, window, kept: (await goodAnswer(asking, by, window)) !== undefined });
  return all;
}

/**
 * @param by what the figures are split by; `undefined` for the whole
 * @throws {ComandaError} `not_found` where nothing may be asked and something isn't kept; `unexpected_answer` as
 *   {@link rowsOf}; what the client throws
 */
export async function ask(asking: Asking, { period, by }: Question): Promise<Figures> {
  const { dateField } = asking;
  const parts: Row[][] = [];
  const found: Answered[] = [];
  const requests = [...requestsOf({ period, by }, asking)];
  for (let request = requests.shift(); request; request = requests.shift()) {
    const { window, by: grouping } = request;
    try {
      const answered = await answerTo(asking, grouping, window);
      const rows = rowsOf(answered.answer, grouping, asking.onWarning);
      parts.push(
        by === grouping ? [...rows] : rows.map((row) => ({ ...row, key: window.first, label: window.first })),
      );
      found.push(answered);
    } catch (error) {
      // The specification doesn't show how half a year is counted: a service that counts 180 days refuses 181.
      const isRefusal = error instanceof ComandaError && error.code === "invalid_request";
      const shorter = isRefusal ? splitWindow(window, period, { by, dateField }) : [];
      if (shorter.length < 2) throw error;
      requests.unshift(...shorter.map((part) => ({ window: part, by: grouping })));
    }
  }
  return {
    ...{ period, rows: addWindows(parts, by) },
    askedAt: Math.min(...found.map(({ askedAt }) => askedAt)),
    kept: found.some(({ kept }) => kept),
  };
}

/** Asks for both periods of a comparison. Their days are filled alike, and their weekdays counted. */
export async function askCompared(
  asking: Asking,
  by: Dimension | undefined,
  { current, previous }: { readonly current: Period; readonly previous: Period | undefined },
): Promise<{ readonly current: Figures; readonly previous?: Figures }> {
  const now = await ask(asking, { period: current, by });
  const before = previous && (await ask(asking, { period: previous, by }));
  const sides = [...now.rows, ...(before?.rows ?? [])];
  const complete = (figures: Figures): Figures => ({ ...figures, rows: completed(figures, by, sides) });
  return { current: complete(now), ...(before && { previous: complete(before) }) };
}

interface Answered extends KeptAnswer {
  /** It was asked before this command. */
  readonly kept: boolean;
}

async function answerTo(asking: Asking, by: Dimension | undefined, window: Window): Promise<Answered> {
  const { answers, begunAt, freshness, signal, waitMs } = asking;
  const known = await goodAnswer(asking, by, window);
  if (known) return { ...known, kept: true };
  if (freshness === "offline") {
    const days = t`${shownDate(window.first)} to ${shownDate(window.last)}`;
    throw new ComandaError("not_found", t`The figures of ${days} aren't kept on this machine.`, {
      hint: t`Ask for them without --offline.`,
    });
  }
  const question = questionOf(asking, by, window);
  const askAlone = async (): Promise<Answered> => {
    const meanwhile = await answers?.find(question);
    if (meanwhile && meanwhile.askedAt > begunAt && meanwhile.askedAt <= asking.now())
      return { ...meanwhile, kept: false };
    const answer = await call(asking, by, window);
    // What no answer may be isn't kept, either.
    rowsOf(answer.answer, by, () => undefined);
    await answers?.keep(question, answer);
    return { ...answer, kept: false };
  };
  return answers ? answers.share(question, askAlone, { waitMs, signal }) : askAlone();
}

async function goodAnswer(
  asking: Asking,
  by: Dimension | undefined,
  window: Window,
): Promise<KeptAnswer | undefined> {
  const { answers, dateField, freshness } = asking;
  if (freshness === "fresh") return undefined;
  const kept = await answers?.find(questionOf(asking, by, window));
  if (!kept || freshness === "offline") return kept;
  // A day of unknown zone ends at the latest where the date line is.
  const end = Date.parse(hasDates(dateField) ? `${window.last}T23:59:59-12:00` : window.end);
  const [now, age] = [asking.now(), asking.now() - kept.askedAt];
  const isOver = kept.askedAt > end;
  const goodFor = isOver && !window.endsNow ? goodForMs : now <= end || window.endsNow ? runningGoodForMs : 0;
  return age >= 0 && age <= goodFor ? kept : undefined;
}

/** Lists filters as a call has them, `status_in=closed`, one for each value. */
export function filterTexts(filters: Filters = {}): readonly string[] {
  return Object.entries(filters)
    .flatMap(([name, value]) => [value].flat().map((part) => `${name}=${part}`))
    .sort();
}

/** Two questions with the same words have the same answer. What ends now is the same question a moment later. */
function questionOf(
  { dateField, filters, currency }: Asking,
  by: Dimension | undefined,
  window: Window,
): KeptQuestion {
  const { start, end, endsNow } = window;
  const words = [
    by ?? null,
    dateField ?? "created_at",
    filterTexts(filters),
    currency,
    start,
    endsNow ? "now" : end,
  ];
  return { by, text: JSON.stringify(words) };
}

async function call(asking: Asking, by: Dimension | undefined, { start, end }: Window): Promise<KeptAnswer> {
  const { client, dateField, filters, signal } = asking;
  const query: SummaryQuery = {
    start_date: start,
    end_date: end,
    ...(dateField !== undefined && { date_field: dateField }),
    ...(filters !== undefined && { filters }),
  };
  const askedAt = Math.round(asking.now());
  const options: CallOptions = { signal };
  const answer =
    by === undefined
      ? (await client.summary(query, options)).value
      : (await client.groupedSummary(groupedBy(query, by), options)).value;
  asking.onCalled?.();
  return { askedAt, answer };
}

/** @throws {RangeError} for hours of a date */
function groupedBy(query: SummaryQuery, dimension: Dimension): GroupedSummaryQuery {
  if (dimension !== "hour") return { ...query, group_by: dimension };
  const { date_field, ...rest } = query;
  if (date_field === "scheduled_date") throw new RangeError("a date has no hour");
  return { ...rest, ...(date_field && { date_field }), group_by: dimension };
}
