/** Two dimensions as a table with shades, as CSV, Markdown and JSON. */
import type { DateField, Dimension } from "../../contract/summary.js";
import {
  renderRecords,
  type Cell,
  type Column,
  type CsvOptions,
  type Format,
  type View,
} from "../../terminal/index.js";
import { addCents, emptySum, metricsOfSum, type Metrics, type Sum } from "../merge/sums.js";
import type { Member } from "../merge/calendar-member.js";
import { ordinalOf } from "../merge/group-identity.js";
import { canBeCut, isPart, unitsOf } from "../merge/parts.js";
import type { Period } from "../period/period.js";
import type { Pivot } from "../pivot/pivot.js";
import type { PivotCell } from "../pivot/table.js";
import type { Display } from "../results.js";
import { detailColumns, metrics, type CsvFlags } from "./columns.js";
import { ageShape, periodShape, type ShapeContext } from "./json.js";
import { localLabels, partText } from "./labels.js";
import { createNumberFormat, spreadsheetMarks, type NumberFormat } from "./number-format.js";
import type { Beside } from "./ranking.js";
import { t, translated } from "../../shared/language.js";

/** Which of the three figures a table shows. */
export const pivotFigures = { orders: 0, revenue: 1, average: 2 } as const;
export type PivotFigure = keyof typeof pivotFigures;

export interface PivotTableOptions {
  readonly format: Exclude<Format, "json">;
  readonly figure: PivotFigure;
  readonly heatmap: boolean;
  readonly csv: CsvFlags;
  readonly display: Display;
  readonly view: View;
  readonly dateField: DateField | undefined;
}

export function pivotTable(pivot: Pivot, options: PivotTableOptions): Promise<string> {
  const { format, csv, display, view, dateField } = options;
  if (format === "csv") {
    const marks: CsvOptions = csv.excel ? { byteOrderMark: true, ...spreadsheetMarks(display.locale) } : {};
    const beside = { period: pivot.period, age: pivot.age, canceled: null };
    const lines = pivot.cells.map((cell) => ({ ...cell, beside, currency: display.currency }));
    const columns = csv.details ? [...csvColumns, ...detailColumns<CsvLine>(true, dateField)] : csvColumns;
    return renderRecords("csv", columns, lines, { header: csv.header, ...marks, view });
  }
  const names = namesOf(pivot.rowMembers, pivot.rows, { period: pivot.period, locale: display.locale });
  const rows = pivot.rowMembers.map((row, index) => rowOf(pivot, row, names[index] ?? ""));
  rows.push(rowOf(pivot, undefined, t`Total`));
  return renderRecords(format, matrixColumns(pivot, options), rows, { view });
}

/** Weeks and months that the period's edge cuts are marked as such. */
function namesOf(
  members: readonly Member[],
  dimension: Dimension,
  { period, locale }: { readonly period: Period; readonly locale: string },
): readonly string[] {
  const names = localLabels(members, { dimension, locale });
  if (!canBeCut(dimension)) return names;
  const window = { firstDay: period.from.date, lastDay: period.to.date };
  const ordinals = members.map(({ key }) => ordinalOf(key, dimension, window));
  const known = ordinals.flatMap((ordinal) => (ordinal === undefined ? [] : { ordinal }));
  const units = unitsOf(dimension, period, known);
  return names.map((name, index) => {
    const unit = units.find(({ ordinal }) => ordinal === ordinals[index]);
    return unit && isPart(unit) ? name + partText(unit) : name;
  });
}

interface CsvLine extends PivotCell {
  readonly beside: Beside;
  readonly currency: string | undefined;
}

/** Cells with orders, one a line: what a spreadsheet's own pivot is made of. */
const csvColumns: readonly Column<CsvLine>[] = [
  { heading: "row", cell: ({ row }) => row.key, asIs: true },
  { heading: "row_label", cell: ({ row }) => row.label },
  { heading: "col", cell: ({ col }) => col.key, asIs: true },
  { heading: "col_label", cell: ({ col }) => col.label },
  { heading: "other", cell: ({ other }) => String(other) },
  ...metrics.map(({ name }): Column<CsvLine> => ({
    heading: name,
    cell: ({ sum }) => metricsOfSum(sum)[name],
  })),
];

interface MatrixRow {
  readonly label: string;
  readonly isTotal: boolean;
  readonly total: Sum;
  readonly byColumn: ReadonlyMap<string, Sum>;
}

/** @param row `undefined` for the line of totals */
function rowOf({ cells }: Pivot, row: Member | undefined, label: string): MatrixRow {
  const own = cells.filter((cell) => row === undefined || cell.row.identity === row.identity);
  const byColumn = new Map<string, Sum>();
  for (const { col, sum } of own)
    byColumn.set(col.identity, add(byColumn.get(col.identity) ?? emptySum, sum));
  return {
    label,
    isTotal: row === undefined,
    total: own.map(({ sum }) => sum).reduce(add, emptySum),
    byColumn,
  };
}

function add(one: Sum, other: Sum): Sum {
  return { orders: one.orders + other.orders, revenue: addCents(one.revenue, other.revenue) };
}

function matrixColumns(
  pivot: Pivot,
  { figure, heatmap, display }: PivotTableOptions,
): readonly Column<MatrixRow>[] {
  const format = createNumberFormat(display);
  const shade = heatmap ? shader(pivot.cells, figure) : () => "";
  const show = (sum: Sum | undefined): string => (sum ? shownFigure(sum, figure, format) : "");
  const { rows, cols, colMembers } = pivot;
  const names = namesOf(colMembers, cols, { period: pivot.period, locale: display.locale });
  return [
    { heading: `${headingOf(rows)} \\ ${headingOf(cols)}`, cell: ({ label }) => label },
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

/** From the lightest to the darkest, for five steps between nothing and the highest cell. */
const shades = [" ", "░", "▒", "▓", "█"] as const;

function shader(cells: readonly PivotCell[], figure: PivotFigure): (sum: Sum) => string {
  const { name } = metrics[pivotFigures[figure]];
  const value = (sum: Sum): number => metricsOfSum(sum)[name satisfies keyof Metrics];
  const highest = cells.reduce((most, { sum }) => Math.max(most, value(sum)), 0);
  return (sum) => {
    const step =
      highest === 0 ? 0 : Math.min(shades.length - 1, Math.floor((value(sum) / highest) * shades.length));
    return ` ${shades[step] ?? ""}`;
  };
}

function headingOf(dimension: Dimension): string {
  return translated(dimension.replaceAll("_", " ").replace(/ id$/, ""));
}

/** `{"rows", "cols", "period", "currency", "asked_at", "kept", "cells": [{"row", …, "total_order_count", …}]}`. */
export function pivotShape(pivot: Pivot, { dateField, currency }: ShapeContext): object {
  return {
    rows: pivot.rows,
    cols: pivot.cols,
    period: periodShape(pivot.period, dateField),
    currency: currency ?? null,
    ...ageShape(pivot.age),
    cells: cellShapes(pivot),
  };
}

export function cellShapes({ cells }: Pick<Pivot, "cells">): readonly object[] {
  return cells.map(({ row, col, other, sum }) => ({
    row: row.key,
    row_label: row.label,
    col: col.key,
    col_label: col.label,
    other,
    ...metricsOfSum(sum),
  }));
}
