/** Writes two dimensions as a table with shades, as CSV, Markdown and JSON. */
import type { DateField, Dimension } from "../../contract/enums.js";
import {
  fitsAsTable,
  printable,
  renderRecords,
  type Column,
  type Format,
  type View,
} from "../../terminal/index.js";
import { numberFromCents } from "../../contract/money.js";
import { addSums, emptySum, metricsOfSum, type Sum } from "../merge/sums.js";
import { isTimeline, placesIn } from "../merge/group-identity.js";
import { isRunning, marksOf } from "../merge/parts.js";
import type { Period } from "../period/period.js";
import type { Pivot } from "../pivot/pivot.js";

import type { Member } from "../merge/members.js";
import type { PivotCell } from "../pivot/table.js";
import { answeringStores, type Display, type SalesResult } from "../results.js";
import { metrics, totalName } from "./columns.js";
import { figureCells, salesCsv, type FiguresLine } from "./csv.js";
import { ageShape, periodShape, runningShape, type ShapeContext } from "./json.js";
import { headingOf, localLabels, markText, type LabelOptions } from "./labels.js";
import { createNumberFormat } from "./number-format.js";
import { t } from "../../shared/language.js";

const [orders, revenue, average] = metrics;
export const pivotFigures = { orders, revenue, average };
export type PivotFigure = keyof typeof pivotFigures;

interface PivotTableOptions extends PivotTablesOptions {
  readonly display: Display;
  readonly isSmall?: boolean;
}

export interface PivotTablesOptions {
  readonly view: View;
  readonly format: Exclude<Format, "json">;
  readonly figure: PivotFigure;
  readonly heatmap: boolean;
  readonly dateField: DateField | undefined;
}

/**
 * Makes a table for each store and their sum. CSV is one table of all stores' cells, without sums, since readers add
 * them up.
 */
export async function pivotTables(result: SalesResult<Pivot>, options: PivotTablesOptions): Promise<string> {
  if (options.format === "csv") return pivotCsv(result);
  const tables = [
    ...answeringStores(result).map(({ store, figures, display }) => ({ title: store, figures, display })),
    ...result.totals.map(({ figures, display }) => ({ title: totalName(result, display), figures, display })),
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

function pivotCsv(result: SalesResult<Pivot>): Promise<string> {
  const lines = answeringStores(result).flatMap(({ store, figures, display: { currency } }): CsvLine[] => {
    const beside = { period: figures.period, age: figures.age, canceled: null };
    const markOf = cellMarks(figures);
    return figures.cells.map((cell) => ({ store, beside, currency, ...markOf(cell), cell }));
  });
  const hasParts = lines.some(({ isPartial }) => isPartial);
  return salesCsv(result, {
    rows: lines,
    cells: ({ cell, isPartial }: Partial<CsvLine> = {}) => ({
      ...{ row: cell?.row.key ?? null, row_label: cell?.row.label ?? null },
      ...{ col: cell?.col.key ?? null, col_label: cell?.col.label ?? null },
      other: String(cell?.other),
      ...figureCells(cell && metricsOfSum(cell.sum)),
      ...(hasParts && { partial: isPartial ?? null }),
    }),
  });
}

/** Each cell with orders has a line: a spreadsheet's own pivot is made of them. */
interface CsvLine extends FiguresLine {
  readonly cell: PivotCell;
  readonly isPartial: boolean;
}

function memberMarks(members: readonly Member[], dimension: Dimension, period: Period) {
  const placeOf = placesIn({ firstDay: period.from.date, lastDay: period.to.date }, dimension);
  const placed = members.map(({ key }) => ({ ordinal: placeOf(key) }));
  const marks = marksOf(placed, dimension, period);
  return new Map(members.map(({ identity }, index) => [identity, marks[index]]));
}

function cellMarks({ rows, cols, rowMembers, colMembers, period }: Pivot) {
  const [left, top] = [memberMarks(rowMembers, rows, period), memberMarks(colMembers, cols, period)];
  return ({ row, col }: PivotCell) => {
    const marks = [left.get(row.identity), top.get(col.identity)];
    return {
      isPartial: marks.some((mark) => mark?.part !== undefined),
      isRunning: marks.every((mark) => mark?.isRunning === true),
    };
  };
}

/**
 * Makes a table as it was asked for, where it fits the terminal. A smaller one has short names, amounts in whole
 * units, the longer dimension going down, and if need be one blank between two columns; where it doesn't fit either,
 * each row of the first becomes a block of lines.
 */
async function pivotTable(pivot: Pivot, options: PivotTableOptions): Promise<string> {
  const { format, view, figure } = options;
  const { columns, rows } = matrixOf(pivot, options);
  const asAsked = () => renderRecords(format, columns, rows, { view });
  if (format !== "table" || (await fitsAsTable(columns, rows, view))) return asAsked();
  const small = matrixOf(pivot, { ...options, isSmall: true });
  for (const smallView of [view, { ...view, gap: 1 }]) {
    if (!(await fitsAsTable(small.columns, small.rows, smallView))) continue;
    const table = await renderRecords(format, small.columns, small.rows, { view: smallView });
    if (figure === "orders") return table;
    return `${table}${view.style.dim(t`Amounts in whole units; --format csv has the cents.`)}\n`;
  }
  return asAsked();
}

function matrixOf(wholePivot: Pivot, options: PivotTableOptions) {
  const { isSmall = false, display } = options;
  const isTurned = isSmall && wholePivot.colMembers.length > wholePivot.rowMembers.length;
  const pivot = isTurned ? turnPivot(wholePivot) : wholePivot;
  const { rowMembers, colMembers, rows: down, cols: across, period } = pivot;
  const naming = { period, locale: display.locale, weekdays: isSmall ? "short" : "long" } as const;
  const names = namesOf(rowMembers, down, naming);
  const rows = rowMembers.map((row, index) => rowOf(pivot, row, names[index] ?? ""));
  rows.push(rowOf(pivot, undefined, t`Total`));
  return { columns: matrixColumns(pivot, namesOf(colMembers, across, naming), options), rows };
}

function turnPivot(pivot: Pivot): Pivot {
  const { rows, cols, rowMembers, colMembers, cells } = pivot;
  return {
    ...pivot,
    ...{ rows: cols, cols: rows, rowMembers: colMembers, colMembers: rowMembers },
    cells: cells.map((cell) => ({ ...cell, row: cell.col, col: cell.row })),
  };
}

/** Names members. Days, weeks and months that aren't over, or that the period's edge cuts, are marked as such. */
function namesOf(
  members: readonly Member[],
  dimension: Dimension,
  { period, ...form }: Pick<Pivot, "period"> & Omit<LabelOptions, "dimension">,
): readonly string[] {
  const names = localLabels(members, { dimension, ...form });
  if (!isTimeline(dimension)) return names;
  const marks = memberMarks(members, dimension, period);
  return members.map(({ identity }, index) => {
    const [name = "", mark] = [names[index], marks.get(identity)];
    return name + (mark ? markText(mark) : "");
  });
}

interface MatrixRow {
  readonly label: string;
  readonly isTotal: boolean;
  readonly total: Sum;
  readonly byColumn: ReadonlyMap<string, Sum>;
}

/** @param row is `undefined` for the line of totals */
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
  names: readonly string[],
  { figure, heatmap, display, isSmall = false }: PivotTableOptions,
): readonly Column<MatrixRow>[] {
  const format = createNumberFormat(display);
  const shade = heatmap ? shader(pivot.cells, figure) : () => "";
  const { name, show } = pivotFigures[figure];
  const form = isSmall && show === "amount" ? "wholeAmount" : show;
  const textOf = (sum: Sum | undefined) => (sum ? format[form](metricsOfSum(sum)[name]) : "");
  const { rows, cols, colMembers } = pivot;
  const corner = isSmall ? headingOf(rows) : `${headingOf(rows)} \\ ${headingOf(cols)}`;
  return [
    { heading: corner, cell: ({ label }) => label },
    ...colMembers.map((col, index): Column<MatrixRow> => ({
      heading: names[index] ?? "",
      align: "right",
      cell: ({ byColumn, isTotal }) => {
        const sum = byColumn.get(col.identity);
        return isTotal || !sum ? textOf(sum) : `${textOf(sum)}${shade(sum)}`;
      },
    })),
    { heading: "Total", align: "right", cell: ({ total }) => textOf(total) },
  ];
}

/** There are five shades from the lightest to the darkest, from an empty cell to the highest. */
const shades = [" ", "░", "▒", "▓", "█"] as const;

function shader(cells: readonly PivotCell[], figure: PivotFigure): (sum: Sum) => string {
  const { name } = pivotFigures[figure];
  const value = (sum: Sum): number => metricsOfSum(sum)[name];
  const highest = cells.reduce((most, { sum }) => Math.max(most, value(sum)), 0);
  return (sum) => {
    const step =
      highest === 0 ? 0 : Math.min(shades.length - 1, Math.floor((value(sum) / highest) * shades.length));
    return ` ${shades[step] ?? ""}`;
  };
}

/**
 * Makes `{"rows", "cols", "period", "currency", "asked_at", "kept", "cells": [{"row", …, "total_order_count", …}]}`.
 */
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

function cellShapes(pivot: Pivot): readonly object[] {
  const isInTime = isTimeline(pivot.rows) || isTimeline(pivot.cols);
  const markOf = cellMarks(pivot);
  return pivot.cells.map((cell) => ({
    ...{ row: cell.row.key, row_label: cell.row.label, col: cell.col.key, col_label: cell.col.label },
    other: cell.other,
    ...metricsOfSum(cell.sum),
    ...(markOf(cell).isPartial && { partial: true }),
    ...runningShape(isInTime && markOf(cell).isRunning),
  }));
}
