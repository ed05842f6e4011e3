/** Groups as a table with bars, as CSV and as Markdown. */
import { temporalDimensions, type Dimension, type Group } from "../../contract/summary.js";
import { printable, renderRecords, type Column } from "../../terminal/index.js";
import { answered, storesOf, type SalesResult } from "../results.js";
import { barChart, type Bar } from "./chart.js";
import {
  csvColumns,
  csvOptions,
  tableColumns,
  type CsvKeys,
  type FiguresRow,
  type TableOptions,
} from "./columns.js";
import { createNumberFormat, type NumberFormat } from "./number-format.js";
import type { RankedGroups, Rest } from "./ranking.js";

interface Row extends FiguresRow {
  readonly key: Group["key"];
  readonly label: string;
  readonly previousKey: Group["key"];
  /** What `--rest` asked for. */
  readonly isRest: boolean;
}

export interface GroupTableOptions extends TableOptions {
  readonly dimension: Dimension;
  /** Columns of the terminal that bars may take; absent for no bars. */
  readonly barWidth: number | undefined;
}

export async function groupTable(
  result: SalesResult<RankedGroups>,
  options: GroupTableOptions,
): Promise<string> {
  const { format, csv, barWidth } = options;
  const stores = answered(storesOf(result));
  const rows = stores.flatMap(({ store, figures, display }) =>
    rowsOf(store, figures, createNumberFormat(display)),
  );
  if (format === "csv") {
    return renderRecords("csv", csvColumns(result, options, csvKeys), rows, csvOptions(result, csv));
  }
  const totals = result.kind === "several stores" ? result.totals : [];
  const totalRows = totals.flatMap(({ figures, display }) =>
    rowsOf(
      totals.length > 1 ? `Total ${display.currency ?? "without currency"}` : "Total",
      figures,
      createNumberFormat(display),
    ),
  );
  const all = [...rows, ...totalRows];
  const columns = tableColumns(result, options, keyColumns(options.dimension, all));
  const table = await renderRecords(format, columns, all);
  // Of several stores their total is drawn: bars of different stores under one another can't be compared.
  const drawn = totals.length > 0 ? totalRows : rows;
  if (barWidth === undefined || drawn.length === 0) return table;
  return `${table}\n${bars(drawn, barWidth)}`;
}

/** Figures in time are drawn where nothing else was asked for. */
export function isTemporal(dimension: Dimension): boolean {
  return temporalDimensions.some((one) => one === dimension);
}

function rowsOf(store: string, ranked: RankedGroups, format: NumberFormat | undefined): readonly Row[] {
  const rows = ranked.kind === "plain" ? plainRows(ranked) : comparedRows(ranked);
  return rows.map((row) => ({ ...row, store, format }));
}

type RowParts = Omit<Row, "store" | "format">;

function plainRows({ groups, rest }: RankedGroups & { kind: "plain" }): readonly RowParts[] {
  const rows = groups.map((group): RowParts => ({
    key: group.key,
    label: labelOf(group),
    previousKey: null,
    current: group,
    previous: undefined,
    change: undefined,
    isRest: false,
  }));
  if (!rest) return rows;
  return [...rows, { ...restRow(rest), current: rest, previous: undefined, change: undefined }];
}

function comparedRows({ groups, rest }: RankedGroups & { kind: "comparison" }): readonly RowParts[] {
  const rows = groups.map(({ current, previous, change }): RowParts => ({
    key: change.key,
    label: labelOf(change),
    previousKey: change.previous_key ?? null,
    current,
    previous,
    change,
    isRest: false,
  }));
  return rest ? [...rows, { ...restRow(rest.current), ...rest }] : rows;
}

function restRow({ group_count }: Rest) {
  const label = group_count === 1 ? "1 other" : `${group_count} others`;
  return { key: null, label, previousKey: null, isRest: true };
}

function labelOf({ key, label }: Pick<Group, "key" | "label">): string {
  return label ?? (key === null ? noKey : String(key));
}

const noKey = "(none)";

function keyColumns(dimension: Dimension, rows: readonly Row[]): readonly Column<Row>[] {
  // A filter takes the key, so it is shown where the label isn't the same.
  const keyed =
    !isTemporal(dimension) && rows.some(({ key, label }) => key !== null && String(key) !== label);
  return [
    { heading: dimension.replaceAll("_", " ").replace(/ id$/, ""), cell: ({ label }) => label },
    ...(keyed ? [{ heading: "Key", cell: ({ key }: Row) => key }] : []),
  ];
}

const csvKeys: CsvKeys<Row> = {
  current: [
    { heading: "key", cell: ({ key }) => key },
    {
      heading: "label",
      cell: ({ label, isRest, key }) => (key === null && !isRest && label === noKey ? "" : label),
    },
  ],
  previous: [{ heading: "previous_key", cell: ({ previousKey }) => previousKey }],
};

function bars(rows: readonly Row[], width: number): string {
  const drawn = rows.filter(({ isRest }) => !isRest);
  return barChart(drawn.map(barOf), width)
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function barOf({ label, current, format }: Row): Bar {
  const value = current?.total_revenue ?? 0;
  return { label: printable(label), value, text: format ? format.amount(value) : String(value) };
}
