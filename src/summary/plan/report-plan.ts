/** What `report` asks of a store: every dimension of the period, and what it is compared with. */
import { hasDimension, type Dimension } from "../../contract/summary.js";
import { totalOfDays, weekdaysOfDays } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { addGroups } from "../merge/stores.js";
import { oldest, type Age, type Aged, type Compared } from "../results.js";
import { canceledByFilters } from "./canceled.js";
import { canceledOf, summaryPlan, type Plan, type PlannedCalls, type SummaryFigures } from "./plans.js";
import type { AskedPeriod, SalesRequest } from "./request.js";

export interface ReportFigures {
  readonly summary: SummaryFigures;
  /** Of the current period, in the order of the page. */
  readonly groups: ReadonlyMap<Dimension, GroupList>;
  /** Of all that is on the page. */
  readonly age: Age;
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
    questions: (asked, calls) => [
      ...(asked.kind === "comparison" ? headline.questions(plain(asked.previous), calls) : []),
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

function plain(asked: AskedPeriod): Compared<AskedPeriod> {
  return { kind: "plain", current: asked };
}
