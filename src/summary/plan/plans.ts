/** What each of the three commands asks of a store, and what the answers of several stores are together. */
import { hasDimension, type Dimension, type Summary } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { totalOfDays, weekdaysOfDays } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import { oldest, periodsOf, type Age, type Canceled, type Compared, type PeriodFigures } from "../results.js";
import { onBusinessDays } from "../period/business-day.js";
import { parseDate } from "../period/calendar.js";
import { daysPeriod, type Period } from "../period/period.js";
import { splitPeriod } from "../period/windows.js";
import { canceledByFilters, canceledByStatus } from "./canceled.js";
import type { AskedPeriod, SalesRequest } from "./request.js";
import type { Aged, Question, StoreCalls } from "./store-calls.js";

/** What a plan may use of a store. */
export interface PlannedCalls extends StoreCalls {
  /** Would so many calls for groups go out without a wait, and leave room for others? */
  hasRoomForGroups(calls: number): Promise<boolean>;
  warn(message: string): void;
  /** Says how many calls these take, and how long, where it could not be known before. */
  announce(questions: readonly Question[]): Promise<void>;
}

export interface Plan<Figures> {
  /** All that `fetch` will ask in any case, so that the time it takes is known before. */
  questions(asked: Compared<AskedPeriod>): readonly Question[];
  fetch(calls: PlannedCalls, asked: Compared<AskedPeriod>, signal: AbortSignal): Promise<Figures>;
  /** How old the oldest of the figures are. */
  age(figures: Figures): Age;
  /** The figures of several stores as one. */
  add(stores: NonEmpty<Figures>): Figures;
}

export type SummaryFigures = Compared<PeriodFigures<Summary>>;
export type GroupedFigures = Compared<PeriodFigures<GroupList>>;

export interface ReportFigures {
  readonly summary: SummaryFigures;
  /** Of the current period, in the order of the page. */
  readonly groups: ReadonlyMap<Dimension, GroupList>;
  /** Of all that is on the page. */
  readonly age: Age;
}

/**
 * Whether the service is asked for the canceled orders of a summary, which takes a call to the other endpoint: in any
 * case, where that costs no wait, or never, so that they are there where the machine knows them already.
 */
export type AskCanceled = "always" | "if cheap" | "never";

export function summaryPlan(
  { filters }: Pick<SalesRequest, "filters">,
  askCanceled: AskCanceled,
): Plan<SummaryFigures> {
  const byFilters = canceledByFilters(filters);
  const asksAlways = byFilters === "unknown" && askCanceled === "always";
  return {
    questions: (asked) =>
      periodsOf(asked).flatMap((one): Question[] =>
        asksAlways ? [{ asked: one }, statusOf(one)] : [{ asked: one }],
      ),
    fetch: (calls, asked, signal) =>
      eachPeriod(asked, async (one) => {
        const [{ figures, age }, byStatus] = await Promise.all([
          calls.summary(one, signal),
          byFilters === "unknown" ? statusGroups(calls, one, { askCanceled, signal }) : undefined,
        ]);
        return { figures, age, canceled: canceledOf(figures, byFilters, byStatus) };
      }),
    age: ageOfPeriods,
    add: (stores) => addCompared(stores, addMetrics),
  };
}

export function groupedPlan(
  dimension: Dimension,
  { filters }: Pick<SalesRequest, "filters">,
): Plan<GroupedFigures> {
  const byFilters = canceledByFilters(filters);
  return {
    questions: (asked) => periodsOf(asked).map((one) => ({ asked: one, dimension })),
    fetch: (calls, asked, signal) =>
      eachPeriod(asked, async (one) => {
        const { figures, age } = await calls.grouped(one, dimension, signal);
        const byStatus =
          dimension === "status" ? figures : await statusGroups(calls, one, { askCanceled: "never", signal });
        const canceled = canceledOf(addMetrics(figures.grouped.groups), byFilters, byStatus);
        return { figures, age, canceled };
      }),
    age: ageOfPeriods,
    add: (stores) => addCompared(stores, (lists) => addGroups(lists, dimension)),
  };
}

const reportDimensions: readonly Dimension[] = [
  "day",
  "hour",
  "day_of_week",
  "status",
  "sales_channel",
  "order_type",
  "payment_method_id",
  "driver_id",
  "customer_origin",
];

export function reportPlan({
  dateField,
  filters,
}: Pick<SalesRequest, "dateField" | "filters">): Plan<ReportFigures> {
  const dimensions = reportDimensions.filter((dimension) => hasDimension(dateField, dimension));
  const headline = summaryPlan({ filters }, "never");
  return {
    questions: (asked) => [
      ...(asked.kind === "comparison" ? headline.questions(plain(asked.previous)) : []),
      ...dimensions.filter(isAsked).map((dimension) => ({ asked: asked.current, dimension })),
    ],
    // The two endpoints have limits of their own: they are asked at the same time, each one call after another.
    async fetch(calls, asked, signal) {
      const [previous, groups] = await Promise.all([
        asked.kind === "comparison" ? headline.fetch(calls, plain(asked.previous), signal) : undefined,
        reportGroups(calls, dimensions, { asked: asked.current, signal }),
      ]);
      const { days, byDimension } = groups;
      const figures = totalOfDays(days.figures);
      const canceled = canceledOf(figures, canceledByFilters(filters), byDimension.get("status"));
      const current = { period: asked.current.period, figures, age: days.age, canceled };
      return {
        summary: previous
          ? { kind: "comparison", current, previous: previous.current }
          : { kind: "plain", current },
        groups: byDimension,
        age: oldest([groups.age, ...(previous ? [previous.current.age] : [])]),
      };
    },
    age: ({ age }) => age,
    add(stores) {
      const [first, ...others] = stores;
      return {
        summary: headline.add([first.summary, ...others.map(({ summary }) => summary)]),
        groups: new Map(
          dimensions.map((dimension) => [
            dimension,
            addGroups(
              stores.flatMap(({ groups }) => groups.get(dimension) ?? []),
              dimension,
            ),
          ]),
        ),
        age: oldest(stores.map(({ age }) => age)),
      };
    },
  };
}

/**
 * With the days of so many weeks before, by one more question.
 *
 * @throws {ComandaError} `invalid_input` when it is asked of a period that isn't made of whole days
 */
export function withBaseline<Figures>(
  plan: Plan<Compared<PeriodFigures<Figures>>>,
  weeks: number | undefined,
  { dateField, days }: Pick<SalesRequest, "dateField"> & { readonly days: "one" | "any" },
): Plan<Compared<PeriodFigures<Figures>>> {
  if (weeks === undefined) return plan;
  const daysBefore = ({ period }: AskedPeriod): AskedPeriod => {
    const before = weeksBefore(period, weeks, days);
    return { period: before, windows: splitPeriod(before, { dateField }) };
  };
  return {
    ...plan,
    questions: (asked) => [...plan.questions(asked), { asked: daysBefore(asked.current), dimension: "day" }],
    async fetch(calls, asked, signal) {
      const figures = await plan.fetch(calls, asked, signal);
      const { figures: baseline } = await calls.grouped(daysBefore(asked.current), "day", signal);
      return { ...figures, current: { ...figures.current, baseline } };
    },
  };
}

function weeksBefore(
  { kind, zone, dayStarts, from, to }: Period,
  weeks: number,
  days: "one" | "any",
): Period {
  if (kind !== "days" || (days === "one" && from.date !== to.date)) {
    throw new ComandaError(
      "invalid_input",
      days === "one" ? "A weekday's median is of one whole day." : "A weekday's median is of whole days.",
      {
        hint: "Give --period yesterday or 2026-11-05, say; grouped --by day takes more than one.",
      },
    );
  }
  const first = parseDate(from.date).subtract({ days: 7 * weeks });
  const last = parseDate(to.date).subtract({ days: 1 });
  const before = daysPeriod({ label: `${weeks} weeks before`, unit: "days", first, last, zone });
  return onBusinessDays(before, dayStarts);
}

function plain(asked: AskedPeriod): Compared<AskedPeriod> {
  return { kind: "plain", current: asked };
}

/** Weekdays follow from days, and so does the whole period. */
function isAsked(dimension: Dimension): boolean {
  return dimension !== "day_of_week";
}

async function reportGroups(
  calls: PlannedCalls,
  dimensions: readonly Dimension[],
  { asked, signal }: { readonly asked: AskedPeriod; readonly signal: AbortSignal },
) {
  const days = await calls.grouped(asked, "day", signal);
  const ask = async (dimension: Dimension): Promise<Aged<GroupList>> => {
    if (dimension === "day") return days;
    const derived = isAsked(dimension) ? undefined : weekdaysOfDays(days.figures);
    return derived ? { figures: derived, age: days.age } : calls.grouped(asked, dimension, signal);
  };
  const groups: (readonly [Dimension, Aged<GroupList>])[] = [];
  for (const dimension of dimensions) groups.push([dimension, await ask(dimension)]);
  return {
    days,
    byDimension: new Map(groups.map(([dimension, { figures }]) => [dimension, figures])),
    // What was restated is told once, of the days: weekdays share their answer.
    age: oldest(groups.filter(([dimension]) => isAsked(dimension)).map(([, { age }]) => age)),
  };
}

async function eachPeriod<Figures>(
  asked: Compared<AskedPeriod>,
  fetch: (asked: AskedPeriod) => Promise<Omit<PeriodFigures<Figures>, "period">>,
): Promise<Compared<PeriodFigures<Figures>>> {
  const figures = async (one: AskedPeriod) => ({ period: one.period, ...(await fetch(one)) });
  const current = await figures(asked.current);
  if (asked.kind === "plain") return { kind: "plain", current };
  return { kind: "comparison", current, previous: await figures(asked.previous) };
}

function ageOfPeriods(figures: Compared<PeriodFigures<unknown>>): Age {
  return oldest(periodsOf(figures).map(({ age }) => age));
}

function statusOf(asked: AskedPeriod): Question {
  return { asked, dimension: "status" };
}

/** The orders by status, where they may be asked for, or are known; figures are worth more than this, and don't fail for it. */
async function statusGroups(
  calls: PlannedCalls,
  asked: AskedPeriod,
  { askCanceled, signal }: { readonly askCanceled: AskCanceled; readonly signal: AbortSignal },
): Promise<GroupList | undefined> {
  const unknown = calls.count([statusOf(asked)]);
  const may =
    unknown === 0 ||
    askCanceled === "always" ||
    (askCanceled === "if cheap" && calls.mayAsk && (await calls.hasRoomForGroups(unknown)));
  if (!may) return undefined;
  try {
    return (await calls.grouped(asked, "status", signal)).figures;
  } catch (error) {
    if (askCanceled === "always" || signal.aborted || !(error instanceof ComandaError)) throw error;
    calls.warn(`How many orders are canceled is not known: ${error.message}`);
    return undefined;
  }
}

function canceledOf(
  figures: Metrics,
  byFilters: ReturnType<typeof canceledByFilters>,
  byStatus: GroupList | undefined,
): Canceled | null {
  const { total_order_count, total_revenue } = figures;
  if (byFilters === "none") return { total_order_count: 0, total_revenue: 0 };
  if (byFilters === "all") return { total_order_count, total_revenue };
  return byStatus ? canceledByStatus(byStatus.grouped.groups, figures) : null;
}
