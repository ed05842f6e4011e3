/** Writes groups as a table with bars, as CSV and as Markdown. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { printable, renderRecords, type Column } from "../../terminal/index.js";
import { answeringStores, type Display, type SalesResult } from "../results.js";
import { barChart, type Bar } from "./chart.js";
import { tableColumns, totalName, type FiguresRow, type TableOptions } from "./columns.js";
import { changeCells, figureCells, salesCsv, type Cells, type FiguresLine } from "./csv.js";
import { isRepeated } from "../compare/group-days.js";
import { isTemporal } from "../merge/calendar-forms.js";
import { isTimeline } from "../merge/group-identity.js";
import { isRunning } from "../merge/parts.js";
import type { Metrics } from "../merge/sums.js";
import { englishHeadingOf, localLabels, markText } from "./labels.js";
import { createNumberFormat, withoutDirection, type NumberFormat } from "./number-format.js";
import type { RankedGroup, RankedGroups, RankedRest, Rest } from "./ranking.js";
import { plural, t } from "../../shared/language.js";

interface Row extends FiguresRow, FiguresLine {
  /** `rest` is what `--rest` asked for; the total is over all groups, also those that aren't shown. */
  readonly row: "group" | "rest" | "total";
  /** People read this name. */
  readonly label: string;
  /** Sums are of no group. */
  readonly group: RankedGroup | undefined;
  readonly previous: Metrics | undefined;
  readonly format: NumberFormat;
  /** The share of the revenue goes from 0 to 1. It is `null` where there is no revenue. */
  readonly share: number | null;
}

export interface GroupTableOptions extends TableOptions {
  readonly dimension: Dimension;
  /** The sum of the groups that aren't shown was asked for. */
  readonly rest: boolean;
  /** Bars may take this many columns of the terminal; absent for no bars. */
  readonly barWidth: number | undefined;
}

export async function groupTable(
  result: SalesResult<RankedGroups>,
  options: GroupTableOptions,
): Promise<string> {
  const { format, dimension, barWidth } = options;
  const rows = answeringStores(result).flatMap(({ store, figures, display }) =>
    rowsOf(store, figures, { ...options, display }),
  );
  const totalRows = result.totals.flatMap(({ figures, display, zones }) =>
    rowsOf(totalName(result, display), figures, { ...options, display }).map((row) => ({ ...row, zones })),
  );
  if (format === "csv") return groupCsv(result, options, rows);
  const allRows = [...rows, ...totalRows];
  const isDaily = isRepeated(dimension) && options.compared;
  const rowColumns = [...keyColumns(dimension, allRows), ...(isDaily ? [daysColumn] : [])];
  const figures = tableColumns(result, { ...options, perDay: isDaily }, rowColumns);
  const columns = [...figures, shareColumn].map((column) => ({ ...column, ...dropOrderOf(column) }));
  const table = await renderRecords(format, columns, allRows, { view: options.view });
  // Bars of different stores under one another can't be compared, so their total is drawn.
  const rowsToDraw = totalRows.length > 0 ? totalRows : rows;
  if (barWidth === undefined || rowsToDraw.length === 0) return table;
  return `${table}\n${bars(rowsToDraw, barWidth)}`;
}

/**
 * Narrow terminals leave these columns out in this order: on a phone a day is a line of three columns, and no block
 * of lines.
 */
const leftOutInOrder = [
  "Share",
  "average_order_value",
  "average_order_value_change_percent",
  "total_order_count_change_percent",
  "total_order_count_per_day_change_percent",
  "total_revenue_change_percent",
  "total_revenue_per_day_change_percent",
];

function dropOrderOf({ heading, name = heading }: Column<Row>): { readonly dropOrder?: number } {
  const place = leftOutInOrder.indexOf(name);
  return place < 0 ? {} : { dropOrder: place };
}

/** Writes only groups, since readers add them up. */
function groupCsv(
  result: SalesResult<RankedGroups>,
  options: GroupTableOptions,
  rows: readonly Row[],
): Promise<string> {
  const { dimension, rest, compared } = options;
  // A week of three days must not be taken for a bad one.
  const hasParts = rows.some(({ group }) => group?.part.current ?? group?.part.previous);
  const partCells = ({ group, isRunning }: Partial<Row>): Cells => ({
    partial: group !== undefined && (group.part.current !== undefined || isRunning === true),
    ...(compared && { previous_partial: group?.part.previous !== undefined }),
  });
  // A period may have more Tuesdays than the other, so each is an average of a day.
  const dailyCells = ({ group, change }: Partial<Row>): Cells => ({
    days: group?.days?.current ?? null,
    ...(compared && {
      previous_days: group?.days?.previous ?? null,
      total_order_count_per_day_change_percent: change?.per_day?.total_order_count.percent ?? null,
      total_revenue_per_day_change_percent: change?.per_day?.total_revenue.percent ?? null,
    }),
  });
  return salesCsv(result, {
    rows: rows.filter(({ row }) => row !== "total"),
    cells: (line: Partial<Row> = {}) => ({
      // The key is what a filter takes, and the label what the service calls it, as in JSON. Sums have neither.
      key: line.group?.key ?? null,
      label: line.group?.label ?? null,
      ...figureCells(line.current),
      ...(compared && {
        previous_key: line.group?.change?.previous_key ?? null,
        ...figureCells(line.previous, "previous_"),
        ...changeCells(line.change),
      }),
      ...(isRepeated(dimension) && dailyCells(line)),
      ...(rest && { row: line.row ?? null }),
      ...(hasParts && partCells(line)),
    }),
  });
}

/** The column shows how many there are; and in brackets how many before, where that is another number. */
const daysColumn: Column<Row> = {
  heading: "Days",
  align: "right",
  cell: ({ group }) => {
    const { current, previous } = group?.days ?? { current: null, previous: null };
    if (current === null) return "";
    return previous === null || previous === current ? String(current) : `${current} (${previous})`;
  },
};

function rowsOf(
  store: string,
  { groups, rest, whole, current: beside }: RankedGroups,
  { display, dimension, format: form }: GroupTableOptions & { readonly display: Display },
): readonly Row[] {
  const isForPeople = form !== "csv";
  const format = createNumberFormat(display);
  const revenue = whole.current.total_revenue;
  const rowOf = (row: Row["row"], label: string, sides: RankedRest | RankedGroup): Row => {
    const { current, previous, change } = sides;
    const group = "part" in sides ? sides : undefined;
    return {
      ...{ store, row, label, group, current, previous, change },
      ...{ format, beside, currency: display.currency },
      isRunning: group && isTimeline(dimension) ? group.isRunning : isRunning(beside.period),
      share: revenue > 0 ? roundShare((current?.total_revenue ?? 0) / revenue) : null,
    };
  };
  // People need names that can be told apart; programs have the keys for that.
  const names = isForPeople ? namesOf(groups, dimension, display) : [];
  // People see no total of one group; programs find it where it always is.
  const hasTotal = !isForPeople || groups.length + (rest ? 1 : 0) > 1;
  return [
    ...groups.map((group, index) => rowOf("group", names[index] ?? "", group)),
    ...(rest ? [rowOf("rest", othersText(rest.current), rest)] : []),
    ...(hasTotal ? [rowOf("total", t`Total`, whole)] : []),
  ];
}

function namesOf(groups: readonly RankedGroup[], dimension: Dimension, display: Display): readonly string[] {
  const names = localLabels(groups, { dimension, locale: display.locale });
  return groups.map(({ key, part, change, isRunning }, index) => {
    const unequal = change?.comparable === false ? part.previous : undefined;
    return (
      withWeekday(names[index] ?? "", key, dimension, display) +
      markText({ part: part.current ?? part.previous, isRunning }, unequal)
    );
  });
}

function othersText({ group_count }: Rest): string {
  return plural(group_count, { one: t`1 other`, other: t`${group_count} others` });
}

function roundShare(share: number): number {
  return Math.round(share * 100_000) / 100_000;
}

function withWeekday(label: string, key: Group["key"], dimension: Dimension, { locale }: Display): string {
  if (dimension !== "day" || typeof key !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(key)) return label;
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  return `${label} ${withoutDirection(weekday.format(Date.parse(key)))}`;
}

function keyColumns(dimension: Dimension, rows: readonly Row[]): readonly Column<Row>[] {
  // A filter takes the key, so it is shown where the label isn't the same.
  const hasKeys =
    !isTemporal(dimension) &&
    rows.some(({ group, label }) => group && group.key !== null && String(group.key) !== label);
  return [
    {
      heading: englishHeadingOf(dimension),
      name: "label",
      cell: ({ label }) => label,
      mayShorten: true,
    },
    ...(hasKeys ? [{ heading: "Key", cell: ({ group }: Row) => group?.key ?? null }] : []),
  ];
}

const shareColumn: Column<Row> = {
  heading: "Share",
  align: "right",
  cell: ({ share, format }) => format.share(share),
};

function bars(rows: readonly Row[], width: number): string {
  const barsToDraw = rows.flatMap(({ group, label, format }): Bar[] => {
    const value = group?.current?.total_revenue ?? 0;
    return group ? [{ label: printable(label), value, text: format.amount(value) }] : [];
  });
  return barChart(barsToDraw, width)
    .map((line) => `${printable(line)}\n`)
    .join("");
}
