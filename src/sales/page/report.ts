/** Makes the data of a report's page from the figures, ready to be written down. */
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

/** A page that isn't whole yet holds this mark. */
export const incompleteMark = 'data-state="incomplete"';

export interface Report {
  readonly covered: readonly string[];
  /**
   * Every store that was asked has a row, and so have the sums of several in one currency; empty for a single store.
   */
  readonly stores: readonly FiguresTableRow[];
  /** The window is told in words, once for each zone in which days were counted. */
  readonly windows: readonly ReportWindow[];
  /** A comparison was asked for, and left out since the service has nothing that old. */
  readonly lacksComparison: boolean;
  /** The filters stay as they were typed. */
  readonly filters: readonly string[];
  /** The oldest of the figures was asked for at this time, in words. */
  readonly askedAt: string;
  /** The report was made at this time, in words. */
  readonly madeAt: string;
  /** The rest will be there at this time, in words; absent where this is all. */
  readonly readyAt: string | undefined;
  /** There is one part for each currency: amounts of different ones can't be added up. */
  readonly parts: readonly ReportPart[];
  /** Each line tells how figures compare with each other. */
  readonly foot: readonly string[];
  /** These figures have changed since the last report of the same question; absent where there was none. */
  readonly since: SinceLast | undefined;
  /** The page carries all figures as JSON; absent where this isn't all. */
  readonly data: object | undefined;
}

export interface ReportWindow {
  readonly window: string;
  readonly previousWindow: string | undefined;
  /** These stores have this window. The list is empty where all have it. */
  readonly stores: readonly string[];
}

/** A part has the figures of all stores that count in one currency. */
export interface ReportPart {
  /** The code is one of ISO 4217; the page names it where there are several. */
  readonly currency: string | undefined;
  /** The first and the last day are written YYYY-MM-DD: days without orders are drawn too. */
  readonly days: readonly [first: string, last: string];
  /** This day isn't over, YYYY-MM-DD; absent where all are. */
  readonly runningDay: string | undefined;
  readonly metrics: Metrics;
  readonly canceled: Canceled | null;
  readonly comparison:
    | {
        readonly previous: Metrics;
        readonly change: MetricsChange;
        /** The calendar's part of the change is told in words. */
        readonly calendar: string | undefined;
      }
    | undefined;
  readonly sections: readonly ReportSection[];
  /** The part has weekdays by hours, where they were asked for. */
  readonly heatmap: Pivot | undefined;
  /** These sections don't equal their headline. */
  readonly differences: readonly Difference[];
  readonly pending: readonly ReportSectionName[];
  readonly format: NumberFormat;
  /** The tag is one of BCP 47. */
  readonly locale: string;
}

export interface ReportSection {
  readonly dimension: Dimension;
  /**
   * The figures are averages of a day, where weekdays or hours are compared: a month has more of some than another.
   */
  readonly perDay?: boolean;
  /** Days are compared with the same weekdays of other months. */
  readonly byWeekday?: boolean;
  /** A comparison has the groups of both periods. */
  readonly groups: readonly ReportGroup[];
}

export interface AgainstBefore {
  /** The group is compared with these figures. Absent where they aren't known. */
  readonly previous?: Metrics;
  /** The revenue changed by this much, where it isn't the difference of the two amounts. */
  readonly change?: Change;
  readonly days?: { readonly current: number; readonly previous: number };
}

export interface ReportGroup extends Group, AgainstBefore {}

export interface ShownGroup extends Metrics, AgainstBefore {
  readonly name: string;
  /** The axis of a picture shows this name. */
  readonly short: string;
}

export interface ReportOptions {
  readonly comparison: Comparison | undefined;
  readonly dateField: DateField | undefined;
  /** The filters stay as they were typed. */
  readonly filters: readonly string[];
  /** The time is in milliseconds since the epoch. */
  readonly now: number;
  /** The rest will be there at this time, in milliseconds since the epoch; absent where this is all. */
  readonly readyAt?: number;
  /** Each line tells how figures compare with each other. */
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
          // Several stores differ, and the page has no room for it.
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
    // The sum of five Tuesdays must not be compared with that of four.
    if (daily.length < compared.length) return { dimension, groups };
    return { dimension, perDay: true, groups: daily };
  }
  const byWeekday = dimension === "day" && areMonths(current, previous);
  return {
    ...{ dimension, byWeekday },
    groups: compared.flatMap(({ current: currentGroup, previous: groupBefore }): readonly ReportGroup[] => {
      // The 31st of a month has no day in one of 30; the heading tells that the two differ in length.
      const group =
        currentGroup ?? (groupBefore && !isTimeline(dimension) ? { ...groupBefore, ...noOrders } : undefined);
      const before = groupBefore ?? (isTimeline(dimension) ? undefined : noOrders);
      return group ? [{ ...group, ...(before && { previous: before }) }] : [];
    }),
  };
}

/** @returns `undefined` where it isn't known how many of its days the periods have */
function dailyGroup({ current, previous, daily }: ComparedGroup): ReportGroup | undefined {
  const [group, perDay] = [current ?? previous, daily?.perDay];
  if (!group || !daily || !perDay) return undefined;
  const [now, then] = daily.sides.map((side) => side.days?.days ?? 0);
  const average = (group: Group | undefined) => group?.average_order_value ?? 0;
  return {
    ...{ key: group.key, label: group.label, ...perDay.current, average_order_value: average(current) },
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

/** Names the file by its days, so that November's report doesn't replace October's. */
export function reportFileName(result: SalesResult<ReportFigures>): string {
  const [first] = answeringStores(result);
  if (!first) return "report.html";
  const { unit, kind, from, to } = first.figures.summary.current.period;
  if (unit === "month" && kind === "days") return `report-${from.date.slice(0, 7)}.html`;
  return `report-${from.date === to.date ? from.date : `${from.date}-to-${to.date}`}.html`;
}
