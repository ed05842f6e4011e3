/** Writes summaries as a table, as CSV and as Markdown. */
import { plural, t, translated } from "../../shared/language.js";
import { renderRecords, type Column, type Tone } from "../../terminal/index.js";
import { compareMetrics } from "../compare/metrics.js";
import type { SummaryFigures } from "../plan/plans.js";
import { answeringStores, type Canceled, type SalesResult, type StoresTotal } from "../results.js";
import { metrics, tableColumns, toneOfChange, type FiguresRow, type TableOptions } from "./columns.js";
import { changeCells, edgeCells, figureCells, salesCsv, type Cells, type FiguresLine } from "./csv.js";
import { createNumberFormat, noNumber, type NumberFormat } from "./number-format.js";

export async function summaryTable(
  result: SalesResult<SummaryFigures>,
  options: TableOptions,
): Promise<string> {
  const { format, view } = options;
  if (format === "csv") return summaryCsv(result, options);
  const [first] = answeringStores(result);
  if (!result.areSeveral && first?.figures.previous) {
    const { current, previous } = first.figures;
    const lines = comparisonRows(current, previous, createNumberFormat(first.display));
    return renderRecords(format, comparisonColumns, lines, { view });
  }
  const rows = [
    ...result.stores.map((store) => rowOf(store.store, store.kind === "figures" ? store : undefined)),
    ...result.totals.map((total) => rowOf(totalText(total), total)),
  ];
  const columns = [...tableColumns(result, options, []), ...canceledColumn(rows)];
  return renderRecords(format, columns, rows, { view });
}

type FiguresOfStores = Pick<StoresTotal<SummaryFigures>, "figures" | "display">;

function totalText({ covered }: StoresTotal<SummaryFigures>): string {
  const stores = plural(covered.length, { one: t`1 store`, other: t`${covered.length} stores` });
  return t`Total of ${stores}`;
}

interface Row extends FiguresRow {
  readonly canceled: Canceled | null | undefined;
}

/** @param found is absent for a store that gave no figures */
function rowOf(store: string, found: FiguresOfStores | undefined): Row {
  const { current, previous } = found?.figures ?? {};
  return {
    store,
    current: current?.figures,
    change: current && previous && compareMetrics(current.figures, previous.figures),
    canceled: current?.canceled,
    format: found && createNumberFormat(found.display),
  };
}

const canceledHeading = "Of which canceled";

/** The column is there where any of it is known. */
function canceledColumn(rows: readonly Row[]): readonly Column<Row>[] {
  if (rows.every(({ canceled }) => !canceled)) return [];
  return [
    {
      heading: canceledHeading,
      align: "right",
      cell: ({ canceled, format }) => canceledText(canceled, format),
    },
  ];
}

function canceledText(canceled: Canceled | null | undefined, format: NumberFormat | undefined): string {
  if (!canceled || !format) return noNumber;
  return `${format.count(canceled.total_order_count)} (${format.amount(canceled.total_revenue)})`;
}

interface ComparisonRow {
  readonly heading: string;
  readonly cells: readonly [current: string, previous: string, change: string, percent: string];
  readonly tone?: Tone | undefined;
}

/** One store's comparison has room for a line for each of the three figures. */
const comparisonColumns: readonly Column<ComparisonRow>[] = [
  { heading: "Figure", cell: ({ heading }) => translated(heading) },
  { heading: "Current", align: "right", cell: ({ cells }) => cells[0] },
  { heading: "Previous", align: "right", cell: ({ cells }) => cells[1] },
  { heading: "Change", align: "right", cell: ({ cells }) => cells[2], tone: ({ tone }) => tone },
  { heading: "%", align: "right", cell: ({ cells }) => cells[3], tone: ({ tone }) => tone },
];

function comparisonRows(
  current: SummaryFigures["current"],
  previous: SummaryFigures["current"],
  format: NumberFormat,
): readonly ComparisonRow[] {
  const changes = compareMetrics(current.figures, previous.figures);
  const rows = metrics.map(({ name, heading, show, showChange }): ComparisonRow => {
    const { absolute, percent } = changes[name];
    const sides = [format[show](current.figures[name]), format[show](previous.figures[name])] as const;
    const cells = [...sides, format[showChange](absolute), format.percentChange(percent)] as const;
    return { heading, cells, tone: toneOfChange(percent) };
  });
  if (!current.canceled && !previous.canceled) return rows;
  const canceled = [canceledText(current.canceled, format), canceledText(previous.canceled, format)] as const;
  return [...rows, { heading: canceledHeading, cells: [...canceled, "", ""] }];
}

interface Line extends FiguresLine {
  readonly figures: SummaryFigures;
}

function summaryCsv(result: SalesResult<SummaryFigures>, options: TableOptions): Promise<string> {
  const { dateField, compared } = options;
  const rows = answeringStores(result).map(({ store, figures, display: { currency } }): Line => {
    const { current } = figures;
    return { store, figures, beside: current, isRunning: current.period.runningDay !== undefined, currency };
  });
  const cells = ({ figures }: Partial<Line> = {}): Cells => {
    const { current, previous } = figures ?? {};
    const change = current && previous && compareMetrics(current.figures, previous.figures);
    return {
      ...edgeCells(current?.period, dateField),
      ...figureCells(current?.figures),
      ...(compared && {
        ...edgeCells(previous?.period, dateField, "previous_"),
        ...figureCells(previous?.figures, "previous_"),
        ...changeCells(change),
      }),
    };
  };
  return salesCsv(result, { rows, cells });
}
