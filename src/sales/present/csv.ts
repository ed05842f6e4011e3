/** CSV and workbooks of sales figures, for machines: the same columns from run to run, with plain numbers. */
import type { DateField } from "../../contract/enums.js";
import { renderRecords, type Cell, type CellType, type CsvOptions, type View } from "../../terminal/index.js";
import type { MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import { answeringStores, type SalesResult } from "../results.js";
import { spreadsheetMarks } from "./number-format.js";
import type { Beside } from "./ranking.js";

export interface CsvFlags {
  /** Numbers and separators are written as a spreadsheet of the reader's locale expects them. */
  readonly excel: boolean;
  /** The file also has the columns that stand beside the figures in JSON, and the totals. */
  readonly details: boolean;
}

export interface CsvTarget {
  readonly csv: CsvFlags;
  readonly view: View;
}

/** The cells of a line have the names of their columns, in the order of the columns. */
export type Cells = Readonly<Record<string, Cell>>;

interface CsvLines<Row> {
  /** The name of the sheet in a workbook. */
  readonly sheet: string;
  readonly rows: readonly Row[];
  /** Makes the cells of a row; without a row it names the columns. */
  readonly cells: (row?: Row) => Cells;
}

/** Writes a line for each row, with the store's name where there may be several. */
export function linesCsv<Row extends { readonly store: string; readonly currency: string | undefined }>(
  result: SalesResult<unknown>,
  { csv, view }: CsvTarget,
  { sheet, rows, cells }: CsvLines<Row>,
): Promise<string> {
  const cellsOf = (row?: Row): Cells => ({
    ...(result.areSeveral && { store: row?.store ?? null }),
    ...cells(row),
  });
  const lines = rows.map((row) => ({ cells: cellsOf(row), currency: row.currency }));
  const columns = Object.keys(cellsOf()).map((name) => {
    const type = typeOf(name);
    return {
      heading: name,
      ...(type && { type }),
      currency: ({ currency }: (typeof lines)[number]) => currency,
      cell: (line: (typeof lines)[number]) => line.cells[name] ?? null,
    };
  });
  return renderRecords("csv", columns, lines, { ...csvOptions(result, csv), view, sheet });
}

/** The separator and the decimal mark are those of the first store's locale. */
function csvOptions(result: SalesResult<unknown>, { excel }: CsvFlags): CsvOptions {
  const [first] = answeringStores(result);
  return excel ? { spreadsheet: spreadsheetMarks(first?.display.locale ?? "en") } : {};
}

/** One name has one type in all files. A key is a day where it is written as one. */
function typeOf(name: string): CellType | undefined {
  if (/revenue|average_order_value/.test(name)) return name.endsWith("percent") ? undefined : "money";
  if (/^(?:previous_)?(?:from|to|key)$|^(?:row|col)$/.test(name)) return "day";
  return name === "asked_at" ? "moment" : name === "share" ? "share" : undefined;
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

interface FiguresLines<Row> extends CsvLines<Row> {
  /** The columns of `--details` have the days, which no other column has. */
  readonly edges?: boolean;
  /** Only rows of a whole period have how many of the orders are canceled, since readers add rows up. */
  readonly isWhole?: (row: Row) => boolean;
}

/**
 * Writes lines of figures, and with `--details` what JSON has beside them. Where a period isn't over, one more column
 * says which lines will still grow.
 */
export function salesCsv<Row extends FiguresLine>(
  result: SalesResult<unknown>,
  target: CsvTarget & { readonly dateField: DateField | undefined },
  { sheet, rows, cells, edges = true, isWhole }: FiguresLines<Row>,
): Promise<string> {
  const { csv, dateField } = target;
  const hasRunning = rows.some(({ beside }) => beside.period.runningDay !== undefined);
  const detailsOf = (row?: Row): Cells => {
    const { currency, beside, zones } = row ?? {};
    const canceled = row && isWhole?.(row) ? beside?.canceled : undefined;
    return {
      currency: currency ?? null,
      ...(edges && edgeCells(beside?.period, dateField)),
      time_zone: zones?.join(" ") ?? beside?.period.zone ?? null,
      asked_at: beside ? new Date(beside.age.askedAt).toISOString() : null,
      kept: beside?.age.kept ?? null,
      ...(isWhole && {
        canceled_order_count: canceled?.total_order_count ?? null,
        canceled_revenue: canceled?.total_revenue ?? null,
      }),
    };
  };
  return linesCsv(result, target, {
    ...{ sheet, rows },
    cells: (row) => ({
      ...cells(row),
      ...(csv.details && detailsOf(row)),
      ...(hasRunning && { running: row?.isRunning ?? null }),
    }),
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
