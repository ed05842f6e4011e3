/** What the report's page shows, made of the figures: data that is ready to be written down. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { groupBy } from "../../shared/group-by.js";
import { isRepeated } from "../compare/group-days.js";
import { areMonths } from "../compare/pairs.js";
import { compareGroups, type ComparedGroup } from "../compare/groups.js";
import { compareMetrics, type Change, type MetricsChange } from "../compare/metrics.js";
import { isTimeline } from "../merge/group-identity.js";
import { noOrders, type Metrics } from "../merge/sums.js";
import { totalsOf } from "../merge/stores.js";
import { describePrevious, type Comparison } from "../period/comparison.js";
import { describePeriod } from "../period/period.js";
import type { Pivot } from "../pivot/pivot.js";
import { differencesOf, type Difference } from "../report/differences.js";
import type { ReportData } from "../report/data.js";
import { changesSince } from "../report/said.js";
import type { GroupedFigures } from "../plan/plans.js";
import { addReports, type ReportFigures, type ReportSectionName } from "../report/plan.js";
import { calendarText } from "../present/calendar-text.js";
import { createNumberFormat, type NumberFormat } from "../present/number-format.js";
import { flatten } from "../present/text.js";
import {
  answeringStores,
  oldestAge,
  type Canceled,
  type SalesResult,
  type StoreFigures,
  type StoreResult,
  type StoresTotal,
} from "../results.js";
import type { FiguresTableRow } from "./figures-table.js";
import { figuresOf, sinceLast, type SinceLast } from "./since.js";
import { t } from "../../shared/language.js";

/** Stands in a page that isn't whole yet. */
export const incompleteMark = 'data-state="incomplete"';

export interface Report {
  readonly covered: readonly string[];
  /** Every store that was asked, and the sums of several in one currency; empty where it was one. */
  readonly stores: readonly FiguresTableRow[];
  /** The window in words, once for each zone in which days were counted. */
  readonly windows: readonly ReportWindow[];
  /** Was a comparison asked for, and left out since the service has nothing that old? */
  readonly lacksComparison: boolean;
  /** The filters as they were typed. */
  readonly filters: readonly string[];
  /** When the oldest of its figures was asked for, in words. */
  readonly askedAt: string;
  /** When it was made, in words. */
  readonly madeAt: string;
  /** When the rest will be there, in words; absent where this is all. */
  readonly readyAt: string | undefined;
  /** One for each currency: amounts of different ones can't be added up. */
  readonly parts: readonly ReportPart[];
  /** What came of holding the figures against each other, a line each. */
  readonly foot: readonly string[];
  /** What has changed since the last report of the same question; absent where there was none. */
  readonly since: SinceLast | undefined;
  /** All figures as JSON; absent where this isn't all. */
  readonly data: object | undefined;
}

export interface ReportWindow {
  readonly window: string;
  readonly previousWindow: string | undefined;
  /** The stores that have this window. Empty where all have it. */
  readonly stores: readonly string[];
}

/** The figures of all stores that count in one currency. */
export interface ReportPart {
  /** ISO 4217; named on the page where there are several. */
  readonly currency: string | undefined;
  /** First and last day, YYYY-MM-DD: days without orders are drawn too. */
  readonly days: readonly [first: string, last: string];
  /** The day that isn't over, YYYY-MM-DD; absent where all are. */
  readonly runningDay: string | undefined;
  readonly metrics: Metrics;
  readonly canceled: Canceled | null;
  readonly comparison:
    | {
        readonly previous: Metrics;
        readonly change: MetricsChange;
        /** What of it is the calendar's, in words. */
        readonly calendar: string | undefined;
      }
    | undefined;
  readonly sections: readonly ReportSection[];
  /** Weekdays by hours, where it was asked for. */
  readonly heatmap: Pivot | undefined;
  /** The sections that don't equal their headline. */
  readonly differences: readonly Difference[];
  readonly pending: readonly ReportSectionName[];
  readonly format: NumberFormat;
  /** BCP 47. */
  readonly locale: string;
}

export interface ReportSection {
  readonly dimension: Dimension;
  /** Are these the averages of a day? Of weekdays and hours that are compared, since a month has more of some than another. */
  readonly perDay?: boolean;
  /** Are days set against the same weekdays of other months? */
  readonly byWeekday?: boolean;
  /** A comparison has the groups of both periods. */
  readonly groups: readonly ReportGroup[];
}

export interface AgainstBefore {
  /** The figures of the period that it is compared with. Absent where they aren't known. */
  readonly previous?: Metrics;
  /** The change of the revenue, where it isn't the difference of the two amounts. */
  readonly change?: Change;
  readonly days?: { readonly current: number; readonly previous: number };
}

export interface ReportGroup extends Group, AgainstBefore {}

export interface ShownGroup extends Metrics, AgainstBefore {
  readonly name: string;
  /** The name at the axis of a picture. */
  readonly short: string;
}

export interface ReportOptions {
  readonly comparison: Comparison | undefined;
  readonly dateField: DateField | undefined;
  /** The filters as they were typed. */
  readonly filters: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the rest will be there, milliseconds since the epoch; absent where this is all. */
  readonly readyAt?: number;
  /** What came of holding the figures against each other, a line each. */
  readonly foot?: readonly string[];
  readonly last?: ReportData | undefined;
}

/** @returns `undefined` where no store gave figures */
export function makeReport(
  result: SalesResult<ReportFigures>,
  { comparison, dateField, filters, now, readyAt, last, foot = [] }: ReportOptions,
): Report | undefined {
  const stores = answeringStores(result);
  const [first] = stores;
  if (!first) return undefined;
  const { zone, display } = first;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(now);
  // The page says that its averages are revenue divided by orders, whatever the service calls an average.
  const totals = result.areSeveral ? result.totals : totalsOf(result, addReports);
  const moment = new Intl.DateTimeFormat(display.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: zone,
  });
  return {
    covered: stores.map(({ store }) => store),
    stores: result.areSeveral ? [...result.stores.map(storeRow), ...totalRows(totals)] : [],
    windows: windowsOf(stores),
    lacksComparison: comparison !== undefined && stores.some(({ figures }) => !figures.summary.previous),
    filters,
    askedAt: moment.format(oldestAge(stores.map(({ age }) => age)).askedAt),
    madeAt: moment.format(now),
    readyAt: readyAt === undefined ? undefined : moment.format(readyAt),
    foot,
    since:
      last &&
      sinceLast(changesSince(last, result, { dateField, filters }), (epochMs) => moment.format(epochMs)),
    data: readyAt === undefined ? figuresOf(result, { dateField, filters }) : undefined,
    parts: totals.map(({ figures, display: { locale, currency } }): ReportPart => {
      const { summary } = figures;
      const { period, canceled, figures: metrics } = summary.current;
      const ended = dateField === "scheduled_date" || period.to.date < today;
      return {
        currency,
        days: [period.from.date, ended ? period.to.date : today],
        runningDay: period.runningDay,
        metrics,
        canceled,
        comparison: summary.previous && {
          previous: summary.previous.figures,
          change: compareMetrics(metrics, summary.previous.figures),
          // Several stores differ, and have no room for it.
          calendar: result.areSeveral ? undefined : calendarText(summary, { locale, currency }),
        },
        sections: [...figures.sections].map(([dimension, section]) =>
          sectionOf(section, dimension, dateField),
        ),
        heatmap: figures.heatmap,
        differences: differencesOf(figures),
        pending: figures.pending,
        format: createNumberFormat({ locale, currency }),
        locale,
      };
    }),
  };
}

function sectionOf(
  { current, previous }: GroupedFigures,
  dimension: Dimension,
  dateField: DateField | undefined,
): ReportSection {
  const { groups } = current.figures.grouped;
  if (!previous) return { dimension, groups };
  const compared = compareGroups(current, previous, dimension, { dateField, byWeekday: true });
  if (isRepeated(dimension)) {
    const daily = compared.flatMap((group) => dailyGroup(group) ?? []);
    // Sums of five Tuesdays are not set against those of four.
    if (daily.length < compared.length) return { dimension, groups };
    return { dimension, perDay: true, groups: daily };
  }
  const byWeekday = dimension === "day" && areMonths(current, previous);
  return {
    ...{ dimension, byWeekday },
    groups: compared.flatMap(({ current: now, previous: then }): readonly ReportGroup[] => {
      // The 31st of a month has no day in one of 30: the heading says that the two are not as long.
      const group = now ?? (then && !isTimeline(dimension) ? { ...then, ...noOrders } : undefined);
      const before = then ?? (isTimeline(dimension) ? undefined : noOrders);
      return group ? [{ ...group, ...(before && { previous: before }) }] : [];
    }),
  };
}

/** @returns `undefined` where it isn't known how many days the periods have of it */
function dailyGroup({ current, previous, daily }: ComparedGroup): ReportGroup | undefined {
  const [shown, perDay] = [current ?? previous, daily?.perDay];
  if (!shown || !daily || !perDay) return undefined;
  const [now, then] = daily.sides.map((side) => side.days?.days ?? 0);
  const average = (group: Group | undefined) => group?.average_order_value ?? 0;
  return {
    ...{ key: shown.key, label: shown.label, ...perDay.current, average_order_value: average(current) },
    previous: { ...perDay.previous, average_order_value: average(previous) },
    change: perDay.change.total_revenue,
    days: { current: now ?? 0, previous: then ?? 0 },
  };
}

function windowsOf(stores: readonly StoreFigures<ReportFigures>[]): readonly ReportWindow[] {
  const byZone = groupBy(stores, ({ zone }) => zone);
  return [...byZone.values()].flatMap((inZone) => {
    const [first] = inZone;
    if (!first) return [];
    const { current, previous } = first.figures.summary;
    return {
      window: describePeriod(current.period),
      previousWindow: previous && describePrevious(previous.period, current.period),
      stores: byZone.size > 1 ? inZone.map(({ store }) => store) : [],
    };
  });
}

function storeRow(store: StoreResult<ReportFigures>): FiguresTableRow {
  return store.kind === "figures"
    ? { name: store.store, ...figuresRow(store) }
    : { name: store.store, problem: t`Not covered: ${flatten(store.error.message)}` };
}

function totalRows(totals: readonly StoresTotal<ReportFigures>[]): readonly FiguresTableRow[] {
  return totals
    .filter(({ covered }) => covered.length > 1)
    .map((total) => {
      const { currency } = total.display;
      const name = totals.length > 1 ? t`Total ${currency ?? t`no currency`}` : t`Total`;
      return { name, ...figuresRow(total) };
    });
}

function figuresRow({
  figures: { summary, sections },
  display,
}: Pick<StoreFigures<ReportFigures>, "figures" | "display">) {
  const days = sections.get("day")?.current.figures.grouped.groups ?? [];
  return {
    metrics: summary.current.figures,
    ...(summary.previous && { previous: summary.previous.figures }),
    line: days.map(({ total_revenue }) => total_revenue),
    format: createNumberFormat(display),
  };
}

/** Named by its days, so that October's is not written over by November's. */
export function reportFileName(result: SalesResult<ReportFigures>): string {
  const [first] = answeringStores(result);
  if (!first) return "report.html";
  const { unit, kind, from, to } = first.figures.summary.current.period;
  if (unit === "month" && kind === "days") return `report-${from.date.slice(0, 7)}.html`;
  return `report-${from.date === to.date ? from.date : `${from.date}-to-${to.date}`}.html`;
}
