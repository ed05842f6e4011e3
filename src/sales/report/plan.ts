/**
 * `report` plans here what it asks of a store: every dimension of the period, and of the period that it is compared
 * with.
 */
import { hasDimension } from "../../contract/summary.js";
import type { Dimension } from "../../contract/enums.js";
import { totalOfDays } from "../merge/derive.js";
import { addCompared, addGroups, type NonEmpty } from "../merge/stores.js";
import { addMetrics, totalsAgree, type Metrics } from "../merge/sums.js";
import { addPivots } from "../pivot/add-pivots.js";
import type { Pivot } from "../pivot/pivot.js";
import { canceledByFilters, canceledOf } from "../plan/canceled.js";
import { summaryPlan, type GroupedFigures, type Plan, type SummaryFigures } from "../plan/plans.js";
import type { GroupsQuestion, OrderChoice, PeriodSpan, SalesRequest } from "../plan/request.js";
import { oldestAge, type Age, type Compared, type PeriodFigures } from "../results.js";
import { askReport, withoutRestated, type AgedGroups, type Answers } from "./ask.js";
import { comparedSections } from "./compared-sections.js";
import { daysByHour, hoursByDay } from "./heatmap.js";
import { byDay, weekdaysOfDays } from "./weekdays.js";

export interface ReportFigures {
  readonly summary: SummaryFigures;
  /** The sections are in the order of the page. */
  readonly sections: ReadonlyMap<Dimension, GroupedFigures>;
  /** Weekdays by hours are there where they were asked for. */
  readonly heatmap: Pivot | undefined;
  /** These are still being asked; the list is empty where this is all. */
  readonly pending: readonly ReportSectionName[];
  readonly age: Age;
}

export type ReportSectionName = Dimension | "heatmap";

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

export function reportPlan(request: ReportRequest): Plan<ReportFigures> {
  const { dateField, filters } = request;
  const dimensions = (request.sections ?? dimensionsInOrder).filter((dimension) =>
    hasDimension(dateField, dimension),
  );
  const headline = summaryPlan({ filters }, "never");
  const turnOf = (spans: Compared<PeriodSpan>) => inTurn(dimensions, spans, request);
  return {
    questions: (spans) => [
      ...headlineBefore(spans, turnOf(spans)).map((span) => ({ span })),
      ...turnOf(spans).filter(({ dimension }) => request.keys || dimension !== "day_of_week"),
      ...(request.heatmap ? daysByHour(spans.current, request) : []),
    ],
    async outlook(calls, { current }, signal) {
      if (!request.heatmap) return { questions: [], estimated: false };
      const isKnown = (await calls.count([{ span: current, dimension: "hour" }])) === 0;
      const hours = isKnown ? (await calls.grouped(current, "hour", signal)).figures : undefined;
      const questions = hoursByDay(current, request, hours).map((question) => byDay(question, request));
      return { questions, estimated: !isKnown && questions.length > 0 };
    },
    async fetch(storeCalls, spans, signal, onPartialFigures) {
      const calls = weekdaysOfDays(storeCalls, request);
      const questions = turnOf(spans);
      const [before] = headlineBefore(spans, questions).map((span) => ({
        question: { span },
        ask: async () => (await headline.fetch(calls, { current: span }, signal)).current,
      }));
      const answers: Answers = {
        ...{ current: new Map(), previous: new Map() },
        ...{ before: undefined, heatmap: undefined },
      };
      const figures = () => figuresOf(answers, { spans, request, dimensions });
      await askReport({ calls, spans, request, questions, before, signal }, answers, async () =>
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
    pending: [...new Set(stores.flatMap(({ pending }) => pending))],
    age: oldestAge(stores.map(({ age }) => age)),
  };
}

/** Orders the questions. The days of both periods come first: headline and weekdays follow from them. */
function inTurn(
  dimensions: readonly Dimension[],
  spans: Compared<PeriodSpan>,
  { compareSections }: ReportRequest,
): readonly GroupsQuestion[] {
  const isByDays = ({ dimension }: GroupsQuestion) => dimension === "day" || dimension === "day_of_week";
  const compared = comparedSections(dimensions, spans, compareSections);
  const { current, previous } = spans;
  const questions = [
    ...dimensions.map((dimension) => ({ span: current, dimension })),
    ...compared.flatMap((dimension) => (previous ? [{ span: previous, dimension }] : [])),
  ];
  return [...questions.filter(isByDays), ...questions.filter((question) => !isByDays(question))];
}

/** Gives the period before, where its headline doesn't follow from its days. */
function headlineBefore(
  { previous }: Compared<PeriodSpan>,
  questions: readonly GroupsQuestion[],
): readonly PeriodSpan[] {
  const hasDays = questions.some(({ span, dimension }) => span === previous && dimension === "day");
  return hasDays || !previous ? [] : [previous];
}

interface ReportQuestion {
  readonly spans: Compared<PeriodSpan>;
  readonly request: ReportRequest;
  readonly dimensions: readonly Dimension[];
}

function figuresOf(
  { current, previous, before, heatmap }: Answers,
  { spans, request: { filters, heatmap: hasHeatmap }, dimensions }: ReportQuestion,
): ReportFigures {
  const currentHeadline = headlineOf(current, spans.current, filters);
  const previousHeadline = spans.previous && (before ?? headlineOf(previous, spans.previous, filters));
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
    pending: [
      ...dimensions.filter((dimension) => !current.has(dimension)),
      ...(hasHeatmap && !heatmap ? ["heatmap" as const] : []),
    ],
    age: oldestAge([
      ...ages,
      ...(before ? [before.age] : []),
      ...(heatmap ? [withoutRestated(heatmap.age)] : []),
    ]),
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
  { period }: PeriodSpan,
  filters: SalesRequest["filters"],
): PeriodFigures<Metrics> | undefined {
  const days = answers.get("day");
  if (days === undefined) return undefined;
  const figures = totalOfDays(days.figures);
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
