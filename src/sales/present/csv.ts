/** CSV of sales figures, for machines: the same columns from run to run, with plain numbers. */
import type { DateField } from "../../contract/enums.js";
import { renderRecords, type Cell } from "../../terminal/index.js";
import type { MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { SalesResult } from "../results.js";
import type { Beside } from "./ranking.js";

/** The cells of a line have the names of their columns, in the order of the columns. */
export type Cells = Readonly<Record<string, Cell>>;

interface CsvLines<Row> {
  readonly rows: readonly Row[];
  /** Makes the cells of a row; without a row it names the columns. */
  readonly cells: (row?: Row) => Cells;
}

/** Writes a line for each row, with the store's name where there may be several. */
export function linesCsv<Row extends { readonly store: string }>(
  result: SalesResult<unknown>,
  { rows, cells }: CsvLines<Row>,
): Promise<string> {
  const cellsOf = (row?: Row): Cells => ({
    ...(result.areSeveral && { store: row?.store ?? null }),
    ...cells(row),
  });
  const lines = rows.map((row) => cellsOf(row));
  const columns = Object.keys(cellsOf()).map((name) => ({
    heading: name,
    ...(isMoney(name) && { type: "money" as const }),
    cell: (line: Cells) => line[name] ?? null,
  }));
  return renderRecords("csv", columns, lines);
}

function isMoney(name: string): boolean {
  return /revenue|average_order_value/.test(name) && !name.endsWith("percent");
}

export interface FiguresLine {
  readonly store: string;
  /** The figures come with this. */
  readonly beside: Beside;
  /** The line counts what isn't over. */
  readonly isRunning: boolean;
  /** Days were counted in these zones. Absent where that is the period's own zone. */
  readonly zones?: readonly string[];
  /** The code is one of ISO 4217. */
  readonly currency: string | undefined;
}

/** Writes lines of figures. Where a period isn't over, one more column says which lines will still grow. */
export function salesCsv<Row extends FiguresLine>(
  result: SalesResult<unknown>,
  { rows, cells }: CsvLines<Row>,
): Promise<string> {
  const hasRunning = rows.some(({ beside }) => beside.period.runningDay !== undefined);
  return linesCsv(result, {
    rows,
    cells: (row) => ({ ...cells(row), ...(hasRunning && { running: row?.isRunning ?? null }) }),
  });
}

export function figureCells(metrics: Partial<Metrics> | undefined, prefix = ""): Cells {
  return {
    [`${prefix}total_order_count`]: metrics?.total_order_count ?? null,
    [`${prefix}total_revenue`]: metrics?.total_revenue ?? null,
    [`${prefix}average_order_value`]: metrics?.average_order_value ?? null,
  };
}

export function changeCells(change: MetricsChange | undefined): Cells {
  const names = ["total_order_count", "total_revenue", "average_order_value"] as const;
  return Object.fromEntries(
    names.flatMap((name) => [
      [`${name}_change`, change?.[name].absolute ?? null],
      [`${name}_change_percent`, change?.[name].percent ?? null],
    ]),
  );
}

export function edgeCells(period: Period | undefined, dateField: DateField | undefined, prefix = ""): Cells {
  return {
    [`${prefix}from`]: period ? edgeText(period, "from", dateField) : null,
    [`${prefix}to`]: period ? edgeText(period, "to", dateField) : null,
  };
}

/** Gives the first or last day of a period of whole days; else its date-time. */
function edgeText(period: Period, side: "from" | "to", dateField: DateField | undefined): string {
  return period.kind === "days" || dateField === "scheduled_date" ? period[side].date : period[side].sent;
}
