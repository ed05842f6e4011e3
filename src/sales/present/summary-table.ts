/** Writes summaries as a table, as CSV and as Markdown. */
import type { DateField } from "../../contract/enums.js";
import { renderRecords, type Column, type Tone } from "../../terminal/index.js";
import { compareMetrics } from "../compare/metrics.js";
import type { SummaryFigures } from "../plan/plans.js";
import {
  answeringStores,
  type Canceled,
  type Display,
  type SalesResult,
  type StoreResult,
  type StoresTotal,
} from "../results.js";
import {
  edgeText,
  metrics,
  salesCsv,
  tableColumns,
  toneOfChange,
  type FiguresRow,
  type TableOptions,
} from "./columns.js";
import { createNumberFormat, noNumber, type NumberFormat } from "./number-format.js";
import { plural, t, translated } from "../../shared/language.js";

interface Row extends FiguresRow {
  readonly figures: SummaryFigures | undefined;
  readonly isTotal: boolean;
}

export async function summaryTable(
  result: SalesResult<SummaryFigures>,
  options: TableOptions,
): Promise<string> {
  const { format, csv, dateField, view, compared } = options;
  if (format === "csv") {
    const rows = answeringStores(result).map(rowOf);
    const row: Column<Row> = { heading: "row", cell: ({ isTotal }) => (isTotal ? "total" : "store") };
    return salesCsv(result, options, {
      sheet: "summary",
      rows: csv.details ? [...rows, ...result.totals.map(totalRow)] : rows,
      about: edgeColumns("", "current", dateField),
      previous: compared ? edgeColumns("previous_", "previous", dateField) : undefined,
      more: csv.details ? [row] : [],
      edges: false,
      isWhole: () => true,
    });
  }
  const [first] = answeringStores(result);
  if (!result.areSeveral && first?.figures.previous) {
    const lines = comparisonRows(
      first.figures.current,
      first.figures.previous,
      createNumberFormat(first.display),
    );
    return renderRecords(format, comparisonColumns, lines, { view });
  }
  const rows = [...result.stores.map(rowOf), ...result.totals.map(totalRow)];
  const columns = [...tableColumns<Row>(result, options, []), ...canceledColumn(rows)];
  return renderRecords(format, columns, rows, { view });
}

function rowOf(store: StoreResult<SummaryFigures>): Row {
  if (store.kind === "figures") return figuresRow(store.store, store.figures, store.display);
  const noFigures = { figures: undefined, current: undefined, beside: undefined, currency: undefined };
  return { store: store.store, isTotal: false, isRunning: false, ...noFigures };
}

function totalRow({ figures, covered, display, zones }: StoresTotal<SummaryFigures>): Row {
  const stores = plural(covered.length, { one: t`1 store`, other: t`${covered.length} stores` });
  return { ...figuresRow(t`Total of ${stores}`, figures, display), isTotal: true, zones };
}

/** The column is there where any of it is known. */
function canceledColumn(rows: readonly Row[]): readonly Column<Row>[] {
  if (rows.every(({ figures }) => !figures?.current.canceled)) return [];
  return [
    {
      heading: canceledHeading,
      align: "right",
      cell: ({ figures, format }) => canceledText(figures?.current.canceled, format),
    },
  ];
}

const canceledHeading = "Of which canceled";

function canceledText(canceled: Canceled | null | undefined, format: NumberFormat | undefined): string {
  if (!canceled || !format) return noNumber;
  return `${format.count(canceled.total_order_count)} (${format.amount(canceled.total_revenue)})`;
}

function figuresRow(store: string, figures: SummaryFigures, display: Display): Row {
  const current = figures.current.figures;
  const previous = figures.previous?.figures;
  return {
    store,
    isTotal: false,
    figures,
    current,
    previous,
    change: previous && compareMetrics(current, previous),
    beside: figures.current,
    isRunning: figures.current.period.runningDay !== undefined,
    currency: display.currency,
    format: createNumberFormat(display),
  };
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
    const sides = [show(format, current.figures[name]), show(format, previous.figures[name])] as const;
    const cells = [...sides, showChange(format, absolute), format.percentChange(percent)] as const;
    return { heading, cells, tone: toneOfChange(percent) };
  });
  if (!current.canceled && !previous.canceled) return rows;
  const canceled = [canceledText(current.canceled, format), canceledText(previous.canceled, format)] as const;
  return [...rows, { heading: canceledHeading, cells: [...canceled, "", ""] }];
}

function edgeColumns(
  prefix: "" | "previous_",
  periodName: "current" | "previous",
  dateField: DateField | undefined,
): readonly Column<Row>[] {
  return (["from", "to"] as const).map((side) => ({
    heading: `${prefix}${side}`,
    type: "day",
    cell: ({ figures }) => {
      const period = figures?.[periodName]?.period;
      return period ? edgeText(period, side, dateField) : "";
    },
  }));
}
