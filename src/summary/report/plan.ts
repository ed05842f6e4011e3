/** What `report` asks of a store: every dimension of the period, and what it is compared with. */
import { rateLimits } from "../../contract/limits.js";
import { hasDimension, type Dimension } from "../../contract/summary.js";
import { totalOfDays } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { addGroups, type NonEmpty } from "../merge/stores.js";
import type { Metrics } from "../merge/sums.js";
import type { Pivot } from "../pivot/pivot.js";
import { canceledByFilters } from "../plan/canceled.js";
import { canceledOf, summaryPlan, type Plan, type PlannedCalls, type SummaryFigures } from "../plan/plans.js";
import type { AskedPeriod, SalesRequest, Question } from "../plan/request.js";
import { oldest, type Age, type Aged, type Compared, type PeriodFigures } from "../results.js";
import { comparedSections } from "./compared-sections.js";
import { addHeatmaps, daysByHour, heatmapPlan, hoursByDay } from "./heatmap.js";
import { byDay, weekdaysOfDays } from "./weekdays.js";

type Groups = ReadonlyMap<Dimension, GroupList>;

export interface ReportFigures {
  readonly summary: SummaryFigures;
  /** Of the current period, in the order of the page. */
  readonly groups: Groups;
  /** Of the period that it is compared with, as far as that was asked for. */
  readonly previous: Groups;
  /** Weekdays by hours, where it was asked for. */
  readonly heatmap: Pivot | undefined;
  /** What is still being asked; empty where this is all. */
  readonly pending: readonly ReportSectionName[];
  /** Of all that is on the page. */
  readonly age: Age;
}

export type ReportSectionName = Dimension | "heatmap";

export interface ReportRequest extends Pick<SalesRequest, "dateField" | "filters"> {
  /** Are all sections compared, whatever it costs? */
  readonly compareSections: boolean;
  readonly heatmap: boolean;
  /** Are the service's own keys shown? */
  readonly keys: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
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
  const dimensions = dimensionsInOrder.filter((dimension) => hasDimension(dateField, dimension));
  const headline = summaryPlan({ filters }, "never");
  const turnOf = (asked: Compared<AskedPeriod>) => inTurn(dimensions, asked, request);
  return {
    questions: (asked, calls) => [
      ...headlineBefore(asked, turnOf(asked)).flatMap((one) => headline.questions(plain(one), calls)),
      ...turnOf(asked).filter(({ dimension }) => request.keys || dimension !== "day_of_week"),
      ...(request.heatmap ? daysByHour(asked.current, request) : []),
    ],
    async outlook(calls, { current }, signal) {
      if (!request.heatmap) return { questions: [], estimated: false };
      const isKnown = calls.count([{ asked: current, dimension: "hour" }]) === 0;
      const hours = isKnown ? (await calls.grouped(current, "hour", signal)).figures : undefined;
      const questions = hoursByDay(current, request, hours).map((one) => byDay(one, request));
      return { questions, estimated: !isKnown && questions.length > 0 };
    },
    // The two endpoints have limits of their own: they are asked at the same time, each one call after another.
    async fetch(storeCalls, asked, signal, soFar) {
      const calls = weekdaysOfDays(storeCalls, request);
      const questions = turnOf(asked);
      const [before] = headlineBefore(asked, questions).map((one) =>
        headline.fetch(calls, plain(one), signal),
      );
      const answers: Answers = { current: new Map(), previous: new Map(), heatmap: undefined };
      const figures = async () =>
        figuresOf(answers, { asked, request, dimensions, before: (await before)?.current });
      const asking = { calls, asked, request, questions, signal };
      await Promise.all([askInTurn(asking, answers, async () => soFar?.(await figures())), before]);
      return figures();
    },
    age: ({ age }) => age,
    add(stores) {
      const [first, ...others] = stores;
      const [map, ...maps] = stores.flatMap(({ heatmap }) => heatmap ?? []);
      return {
        summary: headline.add([first.summary, ...others.map(({ summary }) => summary)]),
        groups: addedGroups(stores, dimensions, ({ groups }) => groups),
        previous: addedGroups(stores, dimensions, ({ previous }) => previous),
        heatmap: map && maps.length === others.length ? addHeatmaps([map, ...maps]) : undefined,
        pending: [...new Set(stores.flatMap(({ pending }) => pending))],
        age: oldest(stores.map(({ age }) => age)),
      };
    },
  };
}

type SectionQuestion = Question & { readonly dimension: Dimension };

/** The days of both periods first: headline and weekdays follow from them. */
function inTurn(
  dimensions: readonly Dimension[],
  asked: Compared<AskedPeriod>,
  { compareSections: all, ...options }: ReportRequest,
): readonly SectionQuestion[] {
  const isByDays = ({ dimension }: SectionQuestion) => dimension === "day" || dimension === "day_of_week";
  const compared = comparedSections(dimensions, asked, { all, ...options });
  const questions = [
    ...dimensions.map((dimension) => ({ asked: asked.current, dimension })),
    ...(asked.kind === "plain" ? [] : compared.map((dimension) => ({ asked: asked.previous, dimension }))),
  ];
  return [...questions.filter(isByDays), ...questions.filter((one) => !isByDays(one))];
}

/** The period before, where its headline doesn't follow from its days. */
function headlineBefore(
  asked: Compared<AskedPeriod>,
  questions: readonly SectionQuestion[],
): readonly AskedPeriod[] {
  if (asked.kind === "plain") return [];
  const hasDays = questions.some((one) => one.asked === asked.previous && one.dimension === "day");
  return hasDays ? [] : [asked.previous];
}

function plain(asked: AskedPeriod): Compared<AskedPeriod> {
  return { kind: "plain", current: asked };
}

type AgedGroups = Map<Dimension, Aged<GroupList>>;

/** What has been answered so far. */
interface Answers {
  readonly current: AgedGroups;
  readonly previous: AgedGroups;
  heatmap: Pivot | undefined;
}

interface Asking {
  readonly calls: PlannedCalls;
  readonly asked: Compared<AskedPeriod>;
  readonly request: ReportRequest;
  readonly questions: readonly SectionQuestion[];
  readonly signal: AbortSignal;
}

/** @param beforeWait called whenever the limit is used up, so that the next answer takes a wait */
async function askInTurn(
  { calls, asked, request, questions, signal }: Asking,
  answers: Answers,
  beforeWait: () => Promise<void>,
): Promise<void> {
  const { limit } = rateLimits.summary_grouped;
  let spent = 0;
  const spend = async (cost: number) => {
    const waits = spent > 0 && spent + cost > limit;
    if (waits) await beforeWait();
    spent = waits ? cost : spent + cost;
  };
  let asksWeekdays = false;
  for (const question of questions) {
    const cost = calls.count([question]);
    if (question.dimension === "day_of_week" && cost > 0) {
      // The first ones were promised: they tell how the service writes the others, as a rule.
      if (asksWeekdays) await calls.announce([question]);
      asksWeekdays = true;
    }
    await spend(cost);
    const side = question.asked === asked.current ? answers.current : answers.previous;
    const { figures, age } = await calls.grouped(question.asked, question.dimension, signal);
    // What was restated is told once, of the days.
    side.set(question.dimension, {
      figures,
      age: question.dimension === "day_of_week" ? withoutRestated(age) : age,
    });
  }
  if (!request.heatmap) return;
  const hours = hoursByDay(asked.current, request, answers.current.get("hour")?.figures);
  await calls.announce(hours);
  await spend(calls.count([...daysByHour(asked.current, request), ...hours]));
  const announced = { ...calls, announce: () => Promise.resolve() };
  answers.heatmap = await heatmapPlan(request).fetch(announced, plain(asked.current), signal);
}

interface Asked {
  readonly asked: Compared<AskedPeriod>;
  readonly request: ReportRequest;
  readonly dimensions: readonly Dimension[];
  /** The period before, where its days weren't asked for. */
  readonly before: PeriodFigures<Metrics> | undefined;
}

function figuresOf(
  { current, previous, heatmap }: Answers,
  { asked, request: { filters, heatmap: hasHeatmap }, dimensions, before }: Asked,
): ReportFigures {
  const now = headlineOf(current, asked.current, filters);
  const then =
    asked.kind === "comparison" ? (before ?? headlineOf(previous, asked.previous, filters)) : undefined;
  if (now === undefined) throw new RangeError("the days of a report are asked for first");
  const groupsOf = (side: AgedGroups): Groups =>
    new Map(
      dimensions.flatMap((dimension) => {
        const found = side.get(dimension);
        return found ? [[dimension, found.figures] as const] : [];
      }),
    );
  const ages = [...current.values(), ...previous.values()].map(({ age }) => age);
  return {
    summary: then ? { kind: "comparison", current: now, previous: then } : { kind: "plain", current: now },
    groups: groupsOf(current),
    previous: groupsOf(previous),
    heatmap,
    pending: [
      ...dimensions.filter((dimension) => !current.has(dimension)),
      ...(hasHeatmap && !heatmap ? ["heatmap" as const] : []),
    ],
    age: oldest([
      ...ages,
      ...(before ? [before.age] : []),
      ...(heatmap ? [withoutRestated(heatmap.age)] : []),
    ]),
  };
}

/** All days of a period are the period. */
function headlineOf(
  answers: AgedGroups,
  { period }: AskedPeriod,
  filters: SalesRequest["filters"],
): PeriodFigures<Metrics> | undefined {
  const days = answers.get("day");
  if (days === undefined) return undefined;
  const figures = totalOfDays(days.figures);
  const canceled = canceledOf(figures, canceledByFilters(filters), answers.get("status")?.figures);
  return { period, figures, age: days.age, canceled };
}

/** The sections have told it. */
function withoutRestated({ askedAt, kept }: Age): Age {
  return { askedAt, kept };
}

/** What all of the stores have. */
function addedGroups(
  stores: NonEmpty<ReportFigures>,
  dimensions: readonly Dimension[],
  of: (figures: ReportFigures) => Groups,
): Groups {
  return new Map(
    dimensions.flatMap((dimension) => {
      const lists = stores.flatMap((figures) => of(figures).get(dimension) ?? []);
      return lists.length === stores.length ? [[dimension, addGroups(lists, dimension)] as const] : [];
    }),
  );
}
