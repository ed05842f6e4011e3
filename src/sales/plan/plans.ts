/** `summary` and `grouped` plan here what they ask of a store, and how the answers of several stores are added up. */
import type { Dimension } from "../../contract/enums.js";
import type { Summary } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { weekdayCounts } from "../compare/calendar.js";
import type { GroupList } from "../merge/groups.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics, totalsAgree } from "../merge/sums.js";
import { oldestAge, periodsOf, type Age, type Aged, type Compared, type PeriodFigures } from "../results.js";
import { canceledByFilters, canceledOf } from "./canceled.js";
import type { PeriodSpan, SalesRequest, Question } from "./request.js";
import { withSharedDays } from "./shared-days.js";
import type { StoreCalls } from "./store-calls.js";

export interface PlannedCalls extends StoreCalls {
  /** This asks the same store without the filters of the request. */
  readonly unfiltered: Pick<StoreCalls, "count" | "summary" | "grouped">;
  /** Tells whether so many calls for groups would go out without a wait, and leave room for others. */
  hasRoomForGroups(calls: number): Promise<boolean>;
  warn(message: string): void;
  /** Says how many calls these take, and how long, where it could not be known before. */
  announce(questions: readonly Question[]): Promise<void>;
}

export interface Plan<Figures> {
  /** Lists all that `fetch` will ask in any case, so that the time it takes is known before. */
  questions(
    spans: Compared<PeriodSpan>,
    calls: Pick<StoreCalls, "mayAsk" | "count">,
  ): Promise<readonly Question[]> | readonly Question[];
  /** Lists what it will ask beside that, as far as this can be told without a call. */
  outlook?(calls: PlannedCalls, spans: Compared<PeriodSpan>, signal: AbortSignal): Promise<Outlook>;
  /** @param onPartialFigures gets the figures that are there already, before a wait for the others */
  fetch(
    calls: PlannedCalls,
    spans: Compared<PeriodSpan>,
    signal: AbortSignal,
    onPartialFigures?: (figures: Figures) => Promise<void>,
  ): Promise<Figures>;
  age(figures: Figures): Age;
  add(stores: NonEmpty<Figures>): Figures;
}

export interface Outlook {
  readonly questions: readonly Question[];
  /** There are about so many further calls; only an answer tells what they ask. */
  readonly unknownCalls?: number;
  /** An answer that isn't there yet tells which of them are asked. */
  readonly estimated: boolean;
}

export type SummaryFigures = Compared<PeriodFigures<Summary>>;
export type GroupedFigures = Compared<PeriodFigures<GroupList>>;

/**
 * Says whether the service is asked for the canceled orders of a summary, which takes a call to the other endpoint:
 * in any case, where that costs no wait, or never, so that they are shown where the machine knows them already.
 */
export type CanceledChoice = "always" | "if cheap" | "never";

export function summaryPlan(
  { filters }: Pick<SalesRequest, "filters">,
  askCanceled: CanceledChoice,
): Plan<SummaryFigures> {
  const byFilters = canceledByFilters(filters);
  const asksAlways = byFilters === "unknown" && askCanceled === "always";
  return {
    questions: (spans) =>
      periodsOf(spans).flatMap((span): Question[] => (asksAlways ? [{ span }, statusOf(span)] : [{ span }])),
    async fetch(calls, spans, signal) {
      const periods = await eachPeriod(spans, async (span) => {
        const { summary, byStatus } =
          byFilters === "unknown"
            ? await summaryByStatus(calls, span, { askCanceled, signal })
            : { summary: await calls.summary(span, signal), byStatus: undefined };
        const { figures, age } = summary;
        const canceled = canceledOf(figures, filters, byStatus?.figures);
        if (byStatus && canceled === null && calls.mayAsk && askCanceled !== "never")
          calls.warn(t`How many orders are canceled is not known: orders changed while they were asked for.`);
        return { figures, age, canceled };
      });
      if (!periods.previous) return periods;
      const byDay = await daysBefore(calls, spans, { askCanceled, signal });
      return { ...periods, previous: { ...periods.previous, byDay } };
    },
    age: ageOfPeriods,
    add: (stores) => addCompared(stores, addMetrics),
  };
}

export function groupedPlan(
  dimension: Dimension,
  { filters }: Pick<SalesRequest, "filters">,
): Plan<GroupedFigures> {
  return {
    questions: (spans) => periodsOf(spans).map((span) => ({ span, dimension })),
    async fetch(calls, spans, signal) {
      const { current, previous } = await eachPeriod(spans, async (span) => {
        const { figures, age } = await calls.grouped(span, dimension, signal);
        const byStatus =
          dimension === "status"
            ? figures
            : (await statusGroups(calls, span, { askCanceled: "never", signal }))?.figures;
        const canceled = canceledOf(addMetrics(figures.grouped.groups), filters, byStatus);
        return { figures, age, canceled };
      });
      if (!previous || dimension !== "day") return { current, previous };
      const [days, daysBefore] = withSharedDays(current, previous);
      return { current: days, previous: daysBefore };
    },
    age: ageOfPeriods,
    add: (stores) => addCompared(stores, (lists) => addGroups(lists, dimension)),
  };
}

/** Finds the days of the period before, where the two differ by weekdays, and the days are known or cost no wait. */
async function daysBefore(
  calls: PlannedCalls,
  { current, previous }: Compared<PeriodSpan>,
  { askCanceled, signal }: { readonly askCanceled: CanceledChoice; readonly signal: AbortSignal },
): Promise<GroupList | undefined> {
  const weekdays = previous && weekdayCounts(current.period, previous.period);
  if (!weekdays || weekdays.length === 0 || weekdays.some((count) => count.previous === 0)) return undefined;
  const callsNeeded = await calls.count([{ span: previous, dimension: "day" }]);
  const isCheap = askCanceled !== "never" && calls.mayAsk && (await calls.hasRoomForGroups(callsNeeded));
  if (callsNeeded > 0 && !isCheap) return undefined;
  return (await calls.grouped(previous, "day", signal)).figures;
}

async function eachPeriod<Figures>(
  spans: Compared<PeriodSpan>,
  fetch: (span: PeriodSpan) => Promise<Omit<PeriodFigures<Figures>, "period">>,
): Promise<Compared<PeriodFigures<Figures>>> {
  const figures = async (span: PeriodSpan) => ({ period: span.period, ...(await fetch(span)) });
  const current = await figures(spans.current);
  return { current, ...(spans.previous && { previous: await figures(spans.previous) }) };
}

function ageOfPeriods(figures: Compared<PeriodFigures<unknown>>): Age {
  return oldestAge(periodsOf(figures).map(({ age }) => age));
}

function statusOf(span: PeriodSpan): Question {
  return { span, dimension: "status" };
}

async function summaryByStatus(
  calls: PlannedCalls,
  span: PeriodSpan,
  { askCanceled, signal }: { readonly askCanceled: CanceledChoice; readonly signal: AbortSignal },
) {
  const ask = () =>
    Promise.all([calls.summary(span, signal), statusGroups(calls, span, { askCanceled, signal })]);
  let [summary, byStatus] = await ask();
  // A kept answer that the other one contradicts is asked for again.
  if (byStatus && !totalsAgree([summary.figures], byStatus.figures.grouped.groups))
    [summary, byStatus] = await ask();
  return { summary, byStatus };
}

/**
 * Asks for the orders by status, where they may be asked for, or are known. The figures are worth more than this, and
 * don't fail for it.
 */
async function statusGroups(
  calls: PlannedCalls,
  span: PeriodSpan,
  { askCanceled, signal }: { readonly askCanceled: CanceledChoice; readonly signal: AbortSignal },
): Promise<Aged<GroupList> | undefined> {
  const callsNeeded = await calls.count([statusOf(span)]);
  const isAllowed =
    callsNeeded === 0 ||
    askCanceled === "always" ||
    (askCanceled === "if cheap" && calls.mayAsk && (await calls.hasRoomForGroups(callsNeeded)));
  if (!isAllowed) return undefined;
  try {
    return await calls.grouped(span, "status", signal);
  } catch (error) {
    if (askCanceled === "always" || signal.aborted || !(error instanceof ComandaError)) throw error;
    calls.warn(t`How many orders are canceled is not known: ${error.message}`);
    return undefined;
  }
}
