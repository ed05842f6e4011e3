/** Two dimensions as a table with shades, as CSV, Markdown and JSON. */
import type { DateField, Dimension } from "../../contract/enums.js";
import {
  fitsAsTable,
  printable,
  renderRecords,
  type Cell,
  type Column,
  type Format,
  type View,
} from "../../terminal/index.js";
import { numberFromCents } from "../../contract/money.js";
import { addSums, emptySum, metricsOfSum, type Sum } from "../merge/sums.js";
import { isTimeline, ordinalOf } from "../merge/group-identity.js";
import { canBeCut, isPart, isRunning, unitsOf, type Unit } from "../merge/parts.js";
import type { Period } from "../period/period.js";
import type { Pivot } from "../pivot/pivot.js";
import type { Pair } from "../pivot/way.js";
import type { Member, PivotCell } from "../pivot/table.js";
import { answered, type Display, type SalesResult } from "../results.js";
import { metrics, salesCsv, type CsvFlags, type CsvRow } from "./columns.js";
import { ageShape, periodShape, runningShape, type ShapeContext } from "./json.js";
import { localLabels, partText } from "./labels.js";
import { createNumberFormat, type NumberFormat } from "./number-format.js";
import { t, translated } from "../../shared/language.js";

/** Which of the three figures a table shows. */
export const pivotFigures = { orders: 0, revenue: 1, average: 2 } as const;
export type PivotFigure = keyof typeof pivotFigures;

/** What one table is drawn with. */
interface PivotTableOptions extends PivotTablesOptions {
  readonly display: Display;
}

export interface PivotTablesOptions {
  readonly format: Exclude<Format, "json">;
  readonly figure: PivotFigure;
  readonly heatmap: boolean;
  readonly csv: CsvFlags;
  readonly view: View;
  readonly dateField: DateField | undefined;
}

/** A table for each store and their sum; CSV is one table of all stores' cells, without sums, since readers add them up. */
export async function pivotTables(
  result: SalesResult<Pivot>,
  pair: Pair,
  options: PivotTablesOptions,
): Promise<string> {
  if (options.format === "csv") return pivotCsv(result, pair, options);
  const { totals } = result;
  const tables = [
    ...answered(result).map(({ store, figures, display }) => ({ title: store, figures, display })),
    ...totals.map(({ figures, display }) => ({
      title: totals.length > 1 ? t`Total ${display.currency ?? t`without currency`}` : t`Total`,
      ...{ figures, display },
    })),
  ];
  const texts: string[] = [];
  for (const { title, figures, display } of tables) {
    const table = await pivotTable(figures, { ...options, display });
    if (!result.areSeveral) return table;
    const heading =
      options.format === "markdown" ? `## ${printable(title)}\n` : options.view.style.bold(printable(title));
    texts.push(`${heading}\n${table}`);
  }
  return texts.join("\n");
}

function pivotCsv(
  result: SalesResult<Pivot>,
  { rows, cols }: Pair,
  options: PivotTablesOptions,
): Promise<string> {
  const lines = answered(result).flatMap(({ store, figures, display: { currency } }): CsvLine[] => {
    const beside = { period: figures.period, age: figures.age, canceled: null };
    const isPartial = partialCells(figures);
    return figures.cells.map((cell) => ({
      ...{ ...cell, store, beside, currency },
      current: metricsOfSum(cell.sum),
      isRunning: isRunningCell(figures, cell),
      isPartial: isPartial(cell),
    }));
  });
  return salesCsv<CsvLine>(result, options, {
    sheet: "pivot",
    rows: lines,
    about: [
      { heading: "row", ...(rows === "day" && { type: "day" }), cell: ({ row }) => row.key },
      { heading: "row_label", cell: ({ row }) => row.label },
      { heading: "col", ...(cols === "day" && { type: "day" }), cell: ({ col }) => col.key },
      { heading: "col_label", cell: ({ col }) => col.label },
      { heading: "other", cell: ({ other }) => String(other) },
    ],
    more: lines.some(({ isPartial }) => isPartial)
      ? [{ heading: "partial", cell: ({ isPartial }) => isPartial }]
      : [],
  });
}

/** Cells with orders, one a line: what a spreadsheet's own pivot is made of. */
interface CsvLine extends CsvRow, PivotCell {
  readonly isPartial: boolean;
}

/** Is it of a week or month that the period's edge cuts? */
function partialCells({ rows, cols, rowMembers, colMembers, period }: Pivot): (cell: PivotCell) => boolean {
  const [left, top] = [partsOf(rowMembers, rows, period), partsOf(colMembers, cols, period)];
  return ({ row, col }) => left.has(row.identity) || top.has(col.identity);
}

/** The weeks and months that the period's edge cuts, by the identity of their members. */
function partsOf(
  members: readonly Member[],
  dimension: Dimension,
  period: Period,
): ReadonlyMap<Member["identity"], Unit> {
  if (!canBeCut(dimension)) return new Map();
  const placed = members.map(({ identity, key }) => ({
    identity,
    ordinal: ordinalOf(key, dimension, daysOf(period)),
  }));
  const units = unitsOf(
    dimension,
    period,
    placed.filter(({ ordinal }) => ordinal !== undefined),
  ).filter(isPart);
  return new Map(
    placed.flatMap(({ identity, ordinal }) => {
      const unit = units.find((each) => each.ordinal === ordinal);
      return unit ? [[identity, unit] as const] : [];
    }),
  );
}

function isRunningCell({ rows, cols, period }: Pivot, { row, col }: PivotCell): boolean {
  return isRunningMember(row, rows, period) && isRunningMember(col, cols, period);
}

function isRunningMember({ key }: Member, dimension: Dimension, period: Period): boolean {
  return isRunning(period, dimension, ordinalOf(key, dimension, daysOf(period)));
}

function daysOf({ from, to }: Period) {
  return { firstDay: from.date, lastDay: to.date };
}

function pivotTable(pivot: Pivot, options: PivotTableOptions): Promise<string> {
  const { format, view } = options;
  if (format === "csv") throw new RangeError("CSV is of all stores");
  if (format === "table") return terminalTable(pivot, options);
  const { columns, rows } = matrixOf(pivot, options, {});
  return renderRecords(format, columns, rows, { view });
}

/** What a table gives up where it doesn't fit the terminal. */
interface Compact {
  /** Weekdays are called by their short names, and the corner by one of the two dimensions. */
  readonly short?: boolean;
  /** Amounts are in whole units. */
  readonly whole?: boolean;
  /** The longer dimension goes down. */
  readonly turned?: boolean;
  /** One blank between two columns. */
  readonly tight?: boolean;
}

/** The first that fits; what was asked for first. */
const compacted: readonly Compact[] = [
  {},
  { short: true },
  { short: true, whole: true },
  { short: true, turned: true },
  { short: true, whole: true, turned: true },
  { short: true, turned: true, tight: true },
  { short: true, whole: true, turned: true, tight: true },
];

async function terminalTable(pivot: Pivot, options: PivotTableOptions): Promise<string> {
  const { figure } = options;
  for (const compact of compacted) {
    if (compact.whole && figure === "orders") continue;
    const view = compact.tight ? { ...options.view, gap: 1 } : options.view;
    const { columns, rows } = matrixOf(pivot, options, compact);
    if (!(await fitsAsTable(columns, rows, view))) continue;
    const table = await renderRecords("table", columns, rows, { view });
    if (!compact.whole) return table;
    return `${table}${view.style.dim(t`Amounts in whole units; --format csv has the cents.`)}\n`;
  }
  const { columns, rows } = matrixOf(pivot, options, {});
  return renderRecords("table", columns, rows, { view: options.view });
}

interface Matrix {
  readonly columns: readonly Column<MatrixRow>[];
  readonly rows: readonly MatrixRow[];
}

function matrixOf(wholePivot: Pivot, options: PivotTableOptions, compact: Compact): Matrix {
  const pivot = compact.turned ? turned(wholePivot) : wholePivot;
  const names = namesOf(pivot.rowMembers, pivot.rows, { pivot, options, compact });
  const rows = pivot.rowMembers.map((row, index) => rowOf(pivot, row, names[index] ?? ""));
  rows.push(rowOf(pivot, undefined, t`Total`));
  return { columns: matrixColumns(pivot, options, compact), rows };
}

function turned(pivot: Pivot): Pivot {
  const { rows, cols, rowMembers, colMembers, cells } = pivot;
  return {
    ...pivot,
    ...{ rows: cols, cols: rows, rowMembers: colMembers, colMembers: rowMembers },
    cells: cells.map((cell) => ({ ...cell, row: cell.col, col: cell.row })),
  };
}

interface Naming {
  readonly pivot: Pick<Pivot, "period">;
  readonly options: PivotTableOptions;
  readonly compact: Compact;
}

/** Days, weeks and months that aren't over, or that the period's edge cuts, are marked as such. */
function namesOf(
  members: readonly Member[],
  dimension: Dimension,
  { pivot: { period }, options, compact }: Naming,
): readonly string[] {
  const { locale } = options.display;
  const names = localLabels(members, { dimension, locale, weekdays: compact.short ? "short" : "long" });
  if (!isTimeline(dimension)) return names;
  const parts = partsOf(members, dimension, period);
  return members.map((member, index) => {
    const [name = "", unit] = [names[index], parts.get(member.identity)];
    if (unit) return name + partText(unit);
    return isRunningMember(member, dimension, period) ? `${name} (${t`so far`})` : name;
  });
}

interface MatrixRow {
  readonly label: string;
  readonly isTotal: boolean;
  readonly total: Sum;
  readonly byColumn: ReadonlyMap<string, Sum>;
}

/** @param row `undefined` for the line of totals */
function rowOf({ cells }: Pivot, row: Member | undefined, label: string): MatrixRow {
  const rowCells = cells.filter((cell) => row === undefined || cell.row.identity === row.identity);
  const byColumn = new Map<string, Sum>();
  for (const { col, sum } of rowCells)
    byColumn.set(col.identity, addSums(byColumn.get(col.identity) ?? emptySum, sum));
  return {
    label,
    isTotal: row === undefined,
    total: rowCells.map(({ sum }) => sum).reduce(addSums, emptySum),
    byColumn,
  };
}

function matrixColumns(
  pivot: Pivot,
  options: PivotTableOptions,
  compact: Compact,
): readonly Column<MatrixRow>[] {
  const { figure, heatmap, display } = options;
  const format = createNumberFormat(display);
  const shade = heatmap ? shader(pivot.cells, figure) : () => "";
  const show = (sum: Sum | undefined): string =>
    sum ? shownFigure(sum, figure, compact.whole ? { ...format, amount: format.wholeAmount } : format) : "";
  const { rows, cols, colMembers } = pivot;
  const names = namesOf(colMembers, cols, { pivot, options, compact });
  const corner = compact.short ? headingOf(rows) : `${headingOf(rows)} \\ ${headingOf(cols)}`;
  return [
    { heading: corner, cell: ({ label }) => label },
    ...colMembers.map((col, index): Column<MatrixRow> => ({
      heading: names[index] ?? "",
      align: "right",
      cell: ({ byColumn, isTotal }) => {
        const sum = byColumn.get(col.identity);
        return isTotal || !sum ? show(sum) : `${show(sum)}${shade(sum)}`;
      },
    })),
    { heading: "Total", align: "right", cell: ({ total }): Cell => show(total) },
  ];
}

function shownFigure(sum: Sum, figure: PivotFigure, format: NumberFormat): string {
  const { name, show } = metrics[pivotFigures[figure]];
  return show(format, metricsOfSum(sum)[name]);
}

/** Five shades from the lightest to the darkest, from an empty cell to the highest. */
const shades = [" ", "░", "▒", "▓", "█"] as const;

function shader(cells: readonly PivotCell[], figure: PivotFigure): (sum: Sum) => string {
  const { name } = metrics[pivotFigures[figure]];
  const value = (sum: Sum): number => metricsOfSum(sum)[name];
  const highest = cells.reduce((most, { sum }) => Math.max(most, value(sum)), 0);
  return (sum) => {
    const step =
      highest === 0 ? 0 : Math.min(shades.length - 1, Math.floor((value(sum) / highest) * shades.length));
    return ` ${shades[step] ?? ""}`;
  };
}

export function headingOf(dimension: Dimension): string {
  return translated(dimension.replaceAll("_", " ").replace(/ id$/, ""));
}

/** `{"rows", "cols", "period", "currency", "asked_at", "kept", "cells": [{"row", …, "total_order_count", …}]}`. */
export function pivotShape(pivot: Pivot, { dateField, currency }: ShapeContext) {
  return {
    rows: pivot.rows,
    cols: pivot.cols,
    period: { ...periodShape(pivot.period, dateField), ...runningShape(isRunning(pivot.period)) },
    currency: currency ?? null,
    ...ageShape(pivot.age),
    cells: cellShapes(pivot),
    differences: pivot.differences.map(({ dimension, member: { identity, key }, sum }) => ({
      ...{ dimension, key, other: identity === "other" },
      total_order_count: sum.orders,
      total_revenue: numberFromCents(sum.revenue),
    })),
  };
}

export function cellShapes(pivot: Pivot): readonly object[] {
  const isInTime = isTimeline(pivot.rows) || isTimeline(pivot.cols);
  const isPartial = partialCells(pivot);
  return pivot.cells.map((cell) => ({
    ...{ row: cell.row.key, row_label: cell.row.label, col: cell.col.key, col_label: cell.col.label },
    other: cell.other,
    ...metricsOfSum(cell.sum),
    ...(isPartial(cell) && { partial: true }),
    ...runningShape(isInTime && isRunningCell(pivot, cell)),
  }));
}
