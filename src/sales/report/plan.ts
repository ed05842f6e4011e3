/**
 * `report` plans here what it asks of a store: every dimension of the period, and of the period that it is compared
 * with.
 */
import { hasDimension } from "../../contract/summary.js";
import type { Dimension } from "../../contract/enums.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics, totalsAgree, type Metrics } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import { addPivots } from "../pivot/add-pivots.js";
import { pivotPlan, type Pivot } from "../pivot/pivot.js";
import { canceledByFilters, canceledOf } from "../plan/canceled.js";
import type { GroupedFigures, Plan, SummaryFigures } from "../plan/plans.js";
import type { GroupsQuestion, OrderChoice, SalesRequest } from "../plan/request.js";
import { oldestAge, type Age, type Compared, type PeriodFigures } from "../results.js";
import { askReport, withoutRestated, type AgedGroups, type Answers } from "./ask.js";
import { byDay, weekdaysOfDays } from "./weekdays.js";

export interface ReportFigures {
  readonly summary: SummaryFigures;
  /** The sections are in the order of the page. */
  readonly sections: ReadonlyMap<Dimension, GroupedFigures>;
  /** Weekdays by hours are there where they were asked for. */
  readonly heatmap: Pivot | undefined;
  readonly age: Age;
}

export interface ReportRequest extends OrderChoice {
  /** All sections are compared, whatever it costs. */
  readonly compareSections: boolean;
  readonly heatmap: boolean;
  /** The service's own keys are shown. */
  readonly keys: boolean;
  /** These dimensions are asked, days among them; absent for all. */
  readonly sections?: readonly Dimension[];
}

const dimensionsInOrder: readonly Dimension[] = [
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

/** With these a month's report takes no further minute. The headline of the period before follows from its days. */
const usuallyCompared: readonly Dimension[] = ["day", "day_of_week", "hour"];

export function reportPlan(request: ReportRequest): Plan<ReportFigures> {
  const { dateField } = request;
  const dimensions = (request.sections ?? dimensionsInOrder).filter((dimension) =>
    hasDimension(dateField, dimension),
  );
  const heatmapPlan = request.heatmap && pivotPlan({ rows: "day_of_week", cols: "hour", dateField });
  return {
    async questions(periods, calls) {
      const ofHeatmap = heatmapPlan ? await heatmapPlan.questions(periods, calls) : [];
      return [
        ...inTurn(dimensions, periods, request).filter(
          ({ dimension }) => request.keys || dimension !== "day_of_week",
        ),
        // Its totals are sections of the report.
        ...ofHeatmap.filter(({ period }) => period !== periods.current),
      ];
    },
    async outlook(calls, periods, signal) {
      const weekdays = weekdaysOfDays(calls, request.keys);
      const outlook = heatmapPlan && (await heatmapPlan.outlook?.(weekdays, periods, signal));
      if (!outlook) return { questions: [], estimated: false };
      return { ...outlook, questions: outlook.questions.map((question) => byDay(question, request.keys)) };
    },
    async fetch(storeCalls, periods, signal, onPartialFigures) {
      const calls = weekdaysOfDays(storeCalls, request.keys);
      const questions = inTurn(dimensions, periods, request);
      const answers: Answers = { current: new Map(), previous: new Map(), heatmap: undefined };
      const figures = () => figuresOf(answers, periods, dimensions, request.filters);
      const askHeatmap = heatmapPlan
        ? () => heatmapPlan.fetch(calls, { current: periods.current }, signal)
        : undefined;
      await askReport({ calls, periods, questions, askHeatmap, signal }, answers, async () =>
        onPartialFigures?.(figures()),
      );
      return figures();
    },
    age: ({ age }) => age,
    add: addReports,
  };
}

/** Adds up several stores, in the sections that each of them has. */
export function addReports(stores: NonEmpty<ReportFigures>): ReportFigures {
  const [first, ...others] = stores;
  const [map, ...maps] = stores.flatMap(({ heatmap }) => heatmap ?? []);
  return {
    summary: addCompared([first.summary, ...others.map(({ summary }) => summary)], addMetrics),
    sections: sectionsOf([...first.sections.keys()], (dimension) => {
      const [section, ...more] = stores.flatMap(({ sections }) => sections.get(dimension) ?? []);
      if (!section || more.length < others.length) return undefined;
      return addCompared([section, ...more], (lists) => addGroups(lists, dimension));
    }),
    heatmap: map && maps.length === others.length ? addPivots([map, ...maps]) : undefined,
    age: oldestAge(stores.map(({ age }) => age)),
  };
}

/** Orders the questions. The days of both periods come first: headline and weekdays follow from them. */
function inTurn(
  dimensions: readonly Dimension[],
  { current, previous }: Compared<Period>,
  { compareSections }: ReportRequest,
): readonly GroupsQuestion[] {
  const isByDays = ({ dimension }: GroupsQuestion) => dimension === "day" || dimension === "day_of_week";
  const compared = dimensions.filter((dimension) => compareSections || usuallyCompared.includes(dimension));
  const questions = [
    ...dimensions.map((dimension) => ({ period: current, dimension })),
    ...(previous ? compared.map((dimension) => ({ period: previous, dimension })) : []),
  ];
  return [...questions.filter(isByDays), ...questions.filter((question) => !isByDays(question))];
}

function figuresOf(
  { current, previous, heatmap }: Answers,
  periods: Compared<Period>,
  dimensions: readonly Dimension[],
  filters: SalesRequest["filters"],
): ReportFigures {
  const currentHeadline = headlineOf(current, periods.current, filters);
  const previousHeadline = periods.previous && headlineOf(previous, periods.previous, filters);
  if (currentHeadline === undefined) throw new RangeError("the days of a report are asked for first");
  const ages = [...current.values(), ...previous.values()].map(({ age }) => age);
  return {
    summary: { current: currentHeadline, previous: previousHeadline },
    sections: sectionsOf(dimensions, (dimension) => {
      const [list, before] = [current.get(dimension), previous.get(dimension)];
      return (
        list && {
          current: { ...currentHeadline, ...list },
          ...(previousHeadline && before && { previous: { ...previousHeadline, ...before } }),
        }
      );
    }),
    heatmap,
    age: oldestAge([...ages, ...(heatmap ? [withoutRestated(heatmap.age)] : [])]),
  };
}

function sectionsOf(
  dimensions: readonly Dimension[],
  sectionOf: (dimension: Dimension) => GroupedFigures | undefined,
): ReportFigures["sections"] {
  return new Map(
    dimensions.flatMap((dimension) => {
      const section = sectionOf(dimension);
      return section ? [[dimension, section] as const] : [];
    }),
  );
}

/**
 * Makes the headline: all days of a period are the period, and answers with the same total confirm it at their own
 * times.
 */
function headlineOf(
  answers: AgedGroups,
  period: Period,
  filters: SalesRequest["filters"],
): PeriodFigures<Metrics> | undefined {
  const days = answers.get("day");
  if (days === undefined) return undefined;
  const figures = addMetrics(days.figures.grouped.groups);
  const status = answers.get("status");
  const canceled = canceledOf(figures, filters, status?.figures);
  const agreeing = [...answers.values()].filter((answer) =>
    totalsAgree(answer.figures.grouped.groups, [figures]),
  );
  // The number of canceled orders is as old as the answer that tells it, whatever the total.
  const [youngest = days] =
    status && canceled && canceledByFilters(filters) === "unknown"
      ? [status]
      : agreeing.toSorted((a, b) => b.age.askedAt - a.age.askedAt);
  const { restated } = days.age;
  return {
    period,
    figures,
    age: { ...withoutRestated(youngest.age), ...(restated && { restated }) },
    canceled,
    byDay: days.figures,
  };
}
