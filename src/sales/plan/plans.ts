/** `summary` and `grouped` plan here what they ask of a store, and how the answers of several stores are added up. */
import type { Dimension } from "../../contract/enums.js";
import type { Summary } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { weekdayCounts } from "../compare/calendar.js";
import type { GroupList } from "../merge/groups.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics, totalsAgree } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import { oldestAge, periodsOf, type Age, type Aged, type Compared, type PeriodFigures } from "../results.js";
import { canceledByFilters, canceledOf } from "./canceled.js";
import type { GroupsQuestion, SalesRequest, Question } from "./request.js";
import { withSharedDays } from "./shared-days.js";
import type { StoreCalls } from "./store-calls.js";

export interface PlannedCalls extends StoreCalls {
  /** Tells whether so many calls for groups would go out without a wait, and leave room for others. */
  hasRoomForGroups(calls: number): Promise<boolean>;
  warn(message: string): void;
  /** Says how many calls these take, and how long, where it could not be known before. */
  announce(questions: readonly Question[]): Promise<void>;
}

export interface Plan<Figures> {
  /** Lists all that `fetch` will ask in any case, so that the time it takes is known before. */
  questions(
    periods: Compared<Period>,
    calls: Pick<StoreCalls, "mayAsk" | "count">,
  ): Promise<readonly Question[]> | readonly Question[];
  /** Lists what it will ask beside that, as far as this can be told without a call. */
  outlook?(calls: PlannedCalls, periods: Compared<Period>, signal: AbortSignal): Promise<Outlook>;
  /** @param onPartialFigures gets the figures that are there already, before a wait for the others */
  fetch(
    calls: PlannedCalls,
    periods: Compared<Period>,
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
 * @param mayAskCanceled lets the service be asked for the canceled orders, which takes a call to the other endpoint,
 * where that costs no wait. Elsewhere they are shown where this machine knows them already.
 */
export function summaryPlan(
  { filters }: Pick<SalesRequest, "filters">,
  mayAskCanceled: boolean,
): Plan<SummaryFigures> {
  const byFilters = canceledByFilters(filters);
  return {
    questions: (periods) => periodsOf(periods).map((period) => ({ period })),
    outlook(calls, periods) {
      // The plan counts the calls, which go out where there is room for them.
      const isAsked = byFilters === "unknown" && mayAskCanceled && calls.mayAsk;
      return Promise.resolve({
        questions: isAsked ? periodsOf(periods).map(statusOf) : [],
        estimated: false,
      });
    },
    async fetch(calls, periods, signal) {
      const compared = await eachPeriod(periods, async (period) => {
        const { summary, byStatus } =
          byFilters === "unknown"
            ? await summaryByStatus(calls, period, mayAskCanceled, signal)
            : { summary: await calls.summary({ period }, signal), byStatus: undefined };
        const { figures, age } = summary;
        const canceled = canceledOf(figures, filters, byStatus?.figures);
        if (byStatus && canceled === null && calls.mayAsk && mayAskCanceled)
          calls.warn(t`How many orders are canceled is not known: orders changed while they were asked for.`);
        return { figures, age, canceled };
      });
      if (!compared.previous) return compared;
      const byDay = await daysBefore(calls, periods, mayAskCanceled, signal);
      return { ...compared, previous: { ...compared.previous, byDay } };
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
    questions: (periods) => periodsOf(periods).map((period) => ({ period, dimension })),
    async fetch(calls, periods, signal) {
      const { current, previous } = await eachPeriod(periods, async (period) => {
        const { figures, age } = await calls.grouped({ period, dimension }, signal);
        const byStatus =
          dimension === "status" ? figures : (await statusGroups(calls, period, false, signal))?.figures;
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
  { current, previous }: Compared<Period>,
  mayAsk: boolean,
  signal: AbortSignal,
): Promise<GroupList | undefined> {
  const weekdays = previous && weekdayCounts(current, previous);
  if (!weekdays || weekdays.length === 0 || weekdays.some((count) => count.previous === 0)) return undefined;
  const days = { period: previous, dimension: "day" } as const;
  return (await isCheap(calls, days, mayAsk)) ? (await calls.grouped(days, signal)).figures : undefined;
}

/** Tells whether an answer is known, or may be asked for and costs no wait. */
async function isCheap(calls: PlannedCalls, question: GroupsQuestion, mayAsk: boolean): Promise<boolean> {
  const callsNeeded = await calls.count([question]);
  return callsNeeded === 0 || (mayAsk && calls.mayAsk && (await calls.hasRoomForGroups(callsNeeded)));
}

async function eachPeriod<Figures>(
  { current, previous }: Compared<Period>,
  fetch: (period: Period) => Promise<Omit<PeriodFigures<Figures>, "period">>,
): Promise<Compared<PeriodFigures<Figures>>> {
  const figures = async (period: Period) => ({ period, ...(await fetch(period)) });
  return { current: await figures(current), ...(previous && { previous: await figures(previous) }) };
}

function ageOfPeriods(figures: Compared<PeriodFigures<unknown>>): Age {
  return oldestAge(periodsOf(figures).map(({ age }) => age));
}

function statusOf(period: Period): GroupsQuestion {
  return { period, dimension: "status" };
}

async function summaryByStatus(calls: PlannedCalls, period: Period, mayAsk: boolean, signal: AbortSignal) {
  const ask = () =>
    Promise.all([calls.summary({ period }, signal), statusGroups(calls, period, mayAsk, signal)]);
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
  period: Period,
  mayAsk: boolean,
  signal: AbortSignal,
): Promise<Aged<GroupList> | undefined> {
  const question = statusOf(period);
  if (!(await isCheap(calls, question, mayAsk))) return undefined;
  try {
    return await calls.grouped(question, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ComandaError)) throw error;
    calls.warn(t`How many orders are canceled is not known: ${error.message}`);
    return undefined;
  }
}
