/** What each of the three commands asks of a store, and what the answers of several stores are together. */
import type { DateField, Dimension, Summary } from "../../contract/summary.js";
import type { GroupList } from "../merge/groups.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics } from "../merge/sums.js";
import { oldest, periodsOf, type Age, type Compared, type PeriodFigures } from "../results.js";
import { hasDimension, type AskedPeriod } from "./request.js";
import type { Aged, Question, StoreCalls } from "./store-calls.js";

export interface Plan<Figures> {
  /** All that `fetch` will ask, so that the time it takes is known before. */
  questions(asked: Compared<AskedPeriod>): readonly Question[];
  fetch(calls: StoreCalls, asked: Compared<AskedPeriod>, signal: AbortSignal): Promise<Figures>;
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

export const summaryPlan: Plan<SummaryFigures> = {
  questions: (asked) => periodsOf(asked).map((one) => ({ asked: one })),
  fetch: (calls, asked, signal) => eachPeriod(asked, (one) => calls.summary(one, signal)),
  age: ageOfPeriods,
  add: (stores) => addCompared(stores, addMetrics),
};

export function groupedPlan(dimension: Dimension): Plan<GroupedFigures> {
  return {
    questions: (asked) => periodsOf(asked).map((one) => ({ asked: one, dimension })),
    fetch: (calls, asked, signal) => eachPeriod(asked, (one) => calls.grouped(one, dimension, signal)),
    age: ageOfPeriods,
    add: (stores) => addCompared(stores, (lists) => addGroups(lists, dimension)),
  };
}

const reportDimensions: readonly Dimension[] = [
  "day",
  "hour",
  "day_of_week",
  "sales_channel",
  "order_type",
  "payment_method_id",
  "driver_id",
  "customer_origin",
];

export function reportPlan(dateField: DateField | undefined): Plan<ReportFigures> {
  const dimensions = reportDimensions.filter((dimension) => hasDimension(dateField, dimension));
  return {
    questions: (asked) => [
      ...summaryPlan.questions(asked),
      ...dimensions.map((dimension) => ({ asked: asked.current, dimension })),
    ],
    // The two endpoints have limits of their own: they are asked at the same time, each one call after another.
    async fetch(calls, asked, signal) {
      const allGroups = async () => {
        const groups: (readonly [Dimension, Aged<GroupList>])[] = [];
        for (const dimension of dimensions) {
          groups.push([dimension, await calls.grouped(asked.current, dimension, signal)]);
        }
        return groups;
      };
      const [summary, groups] = await Promise.all([summaryPlan.fetch(calls, asked, signal), allGroups()]);
      return {
        summary,
        groups: new Map(groups.map(([dimension, { figures }]) => [dimension, figures])),
        age: oldest([ageOfPeriods(summary), ...groups.map(([, { age }]) => age)]),
      };
    },
    age: ({ age }) => age,
    add(stores) {
      const [first, ...others] = stores;
      return {
        summary: summaryPlan.add([first.summary, ...others.map(({ summary }) => summary)]),
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

async function eachPeriod<Figures>(
  asked: Compared<AskedPeriod>,
  fetch: (asked: AskedPeriod) => Promise<Aged<Figures>>,
): Promise<Compared<PeriodFigures<Figures>>> {
  const figures = async (one: AskedPeriod) => ({ period: one.period, ...(await fetch(one)) });
  const current = await figures(asked.current);
  if (asked.kind === "plain") return { kind: "plain", current };
  return { kind: "comparison", current, previous: await figures(asked.previous) };
}

function ageOfPeriods(figures: Compared<PeriodFigures<unknown>>): Age {
  return oldest(periodsOf(figures).map(({ age }) => age));
}
