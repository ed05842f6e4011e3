/** All tables of sales figures share the columns of the three figures, and the way CSV is written. */
import {
  renderRecords,
  type CellType,
  type Column,
  type CsvOptions,
  type Format,
  type View,
  type Tone,
} from "../../terminal/index.js";
import type { DateField } from "../../contract/enums.js";
import type { GroupChange } from "../compare/groups.js";
import type { MetricsChange } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import { t } from "../../shared/language.js";
import { answeringStores, type Display, type SalesResult } from "../results.js";
import { noNumber, spreadsheetMarks, type NumberFormat } from "./number-format.js";
import type { Beside } from "./ranking.js";

export interface TableOptions {
  readonly format: Exclude<Format, "json">;
  /** Two periods were asked for. This is known even where no store answered. */
  readonly compared: boolean;
  readonly csv: CsvFlags;
  readonly dateField: DateField | undefined;
  /** Sums are compared per day, since the periods may have them on more days or fewer. */
  readonly perDay?: boolean;
  readonly view: View;
}

export interface CsvFlags {
  /** Numbers and separators are written as a spreadsheet of the reader's locale expects them. */
  readonly excel: boolean;
  readonly header: boolean;
  /** The file also has the columns that stand beside the figures in JSON, and the totals. */
  readonly details: boolean;
}

export interface FiguresRow {
  readonly store: string;
  readonly current: Partial<Metrics> | undefined;
  readonly previous?: Metrics | undefined;
  readonly change?: (MetricsChange & Pick<GroupChange, "per_day">) | undefined;
  /** The current period's figures come with this. */
  readonly beside: Beside | undefined;
  /** The row counts what isn't over. */
  readonly isRunning: boolean;
  /** Days were counted in these zones. Absent where that is the period's own zone. */
  readonly zones?: readonly string[];
  /** The code is one of ISO 4217. */
  readonly currency: string | undefined;
  /** People read numbers in this format. It is absent in a file, and where a store gave no figures. */
  readonly format?: NumberFormat | undefined;
}

const amount = {
  show: (format: NumberFormat, value: number) => format.amount(value),
  showChange: (format: NumberFormat, value: number) => format.amountChange(value),
  type: "money",
} as const;

/** Section 2.8 has these three figures. */
export const metrics = [
  {
    name: "total_order_count",
    heading: "Orders",
    show: (format: NumberFormat, value: number) => format.count(value),
    showChange: (format: NumberFormat, value: number) => format.countChange(value),
    type: undefined,
  },
  { name: "total_revenue", heading: "Revenue", ...amount },
  { name: "average_order_value", heading: "Average", ...amount },
] as const;

/**
 * Makes the columns for people: the store where there may be several, what the row is about, and the figures as the
 * reader's locale writes them, each with its change where two periods are compared.
 */
export function tableColumns<Row extends FiguresRow>(
  result: SalesResult<unknown>,
  { compared, perDay = false }: TableOptions,
  rowColumns: readonly Column<Row>[],
): readonly Column<Row>[] {
  return [
    ...storeColumn<Row>(result, "Store"),
    ...rowColumns,
    ...metrics.flatMap(({ name, heading, show }): Column<Row>[] => [
      {
        ...{ heading, name },
        align: "right",
        cell: ({ current, format }) => (format ? show(format, current?.[name] ?? 0) : noNumber),
      },
      ...(compared ? [changeColumn<Row>(name, perDay)] : []),
    ]),
  ];
}

/** Makes the column of a change. The average of an order is the same on however many days. */
function changeColumn<Row extends FiguresRow>(name: keyof Metrics, perDay: boolean): Column<Row> {
  const isPerDay = perDay && name !== "average_order_value";
  const percentOf = ({ change }: Row) =>
    isPerDay ? (change?.per_day?.[name].percent ?? null) : change?.[name].percent;
  return {
    heading: isPerDay ? "Per day" : "Change",
    name: isPerDay ? `${name}_per_day_change_percent` : `${name}_change_percent`,
    align: "right",
    tone: (row) => toneOfChange(percentOf(row)),
    cell: (row) => (row.change && row.format ? row.format.percentChange(percentOf(row) ?? null) : noNumber),
  };
}

/** More is green, less is red; the sign says so too. */
export function toneOfChange(percent: number | null | undefined): Tone | undefined {
  if (!percent) return undefined;
  return percent > 0 ? "good" : "bad";
}

export interface SalesCsv<Row> {
  readonly sheet: string;
  readonly rows: readonly Row[];
  readonly about: readonly Column<Row>[];
  /** The period before has the same columns; absent where nothing is compared. */
  readonly previous?: readonly Column<Row>[] | undefined;
  readonly more?: readonly Column<Row>[];
  /** The columns of `--details` have the days, which no other column has. */
  readonly edges?: boolean;
  /** Only rows of a whole period have how many of the orders are canceled, since readers add rows up. */
  readonly isWhole?: (row: Row) => boolean;
}

/**
 * Writes CSV for machines: the same columns from run to run, whatever the stores answer, with plain numbers. Where a
 * period isn't over, one more column says which rows will still grow.
 */
export function salesCsv<Row extends FiguresRow>(
  result: SalesResult<unknown>,
  { csv, view, dateField }: Pick<TableOptions, "csv" | "view" | "dateField">,
  { sheet, rows, about, previous, more = [], edges = true, isWhole }: SalesCsv<Row>,
): Promise<string> {
  const isRunning = rows.some(({ beside }) => beside?.period.runningDay !== undefined);
  const columns = [
    ...storeColumn<Row>(result, "store"),
    ...about,
    ...metrics.map(({ name, type }) => plainColumn<Row>(name, ({ current }) => current?.[name], type)),
    ...(previous ? comparedColumns<Row>(previous) : []),
    ...more,
    ...(csv.details ? detailColumns<Row>(edges, dateField) : []),
    ...(csv.details && isWhole ? canceledColumns<Row>(isWhole) : []),
    ...(isRunning ? [{ heading: "running", cell: (row: Row) => row.isRunning }] : []),
  ];
  return renderRecords("csv", columns, rows, { ...csvOptions(result, csv), view, sheet });
}

function comparedColumns<Row extends FiguresRow>(about: readonly Column<Row>[]): readonly Column<Row>[] {
  return [
    ...about,
    ...metrics.map(({ name, type }) =>
      plainColumn<Row>(`previous_${name}`, ({ previous }) => previous?.[name], type),
    ),
    ...metrics.flatMap(({ name, type }) => [
      plainColumn<Row>(`${name}_change`, ({ change }) => change?.[name].absolute, type),
      plainColumn<Row>(`${name}_change_percent`, ({ change }) => change?.[name].percent),
    ]),
  ];
}

/** Makes the columns at the end of each line for what JSON has beside the figures. */
function detailColumns<Row extends FiguresRow>(
  edges: boolean,
  dateField: DateField | undefined,
): readonly Column<Row>[] {
  return [
    { heading: "currency", cell: ({ currency }) => currency ?? null },
    ...(edges ? (["from", "to"] as const) : []).map((side): Column<Row> => ({
      heading: side,
      type: "day",
      cell: ({ beside }) => (beside ? edgeText(beside.period, side, dateField) : null),
    })),
    { heading: "time_zone", cell: ({ zones, beside }) => zones?.join(" ") ?? beside?.period.zone ?? null },
    {
      heading: "asked_at",
      type: "moment",
      cell: ({ beside }) => (beside ? new Date(beside.age.askedAt).toISOString() : null),
    },
    { heading: "kept", cell: ({ beside }) => beside?.age.kept ?? null },
  ];
}

function canceledColumns<Row extends FiguresRow>(isWhole: (row: Row) => boolean): readonly Column<Row>[] {
  const canceled = (row: Row) => (isWhole(row) ? row.beside?.canceled : undefined);
  return [
    plainColumn("canceled_order_count", (row) => canceled(row)?.total_order_count),
    plainColumn("canceled_revenue", (row) => canceled(row)?.total_revenue, "money"),
  ];
}

/** Gives the first or last day of a period of whole days; else its date-time. */
export function edgeText(period: Period, side: "from" | "to", dateField: DateField | undefined): string {
  return period.kind === "days" || dateField === "scheduled_date" ? period[side].date : period[side].sent;
}

function plainColumn<Row extends FiguresRow>(
  heading: string,
  value: (row: Row) => number | null | undefined,
  type?: CellType,
): Column<Row> {
  const typed = type && { type, currency: ({ currency }: Row) => currency };
  return { heading, ...typed, cell: (row) => value(row) ?? null };
}

/** Names a total. Amounts of different currencies aren't added up, so each currency has one. */
export function totalName({ totals }: SalesResult<unknown>, { currency }: Display): string {
  return totals.length > 1 ? t`Total ${currency ?? t`without currency`}` : t`Total`;
}

/** A single store needs no column of its name. */
export function storeColumn<Row extends { readonly store: string }>(
  { areSeveral }: SalesResult<unknown>,
  heading: string,
): Column<Row>[] {
  return areSeveral ? [{ heading, cell: ({ store }) => store }] : [];
}

/** The separator and the decimal mark are those of the first store's locale. */
export function csvOptions(result: SalesResult<unknown>, { excel, header }: CsvFlags): CsvOptions {
  const [first] = answeringStores(result);
  return {
    header,
    ...(excel && { spreadsheet: spreadsheetMarks(first?.display.locale ?? "en") }),
  };
}
