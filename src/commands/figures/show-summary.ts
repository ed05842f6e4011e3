/** Summaries as a table, as CSV and as Markdown. */
import { compareMetrics, type MetricsChange } from "../../summary/compare/metrics.js";
import { noNumber, type NumberFormat } from "../../summary/present/number-format.js";
import type { StoreResult, StoresTotal } from "../../summary/merge/stores.js";
import type { Metrics } from "../../summary/merge/sums.js";
import type { Column, Output } from "../../terminal/index.js";

import { csvOptions } from "./csv.js";
import { formatFor, totalFormat } from "./format.js";
import type { Gathered } from "./gather.js";
import { changeCsvColumns, metricCsvColumns, metricNames, type MetricName } from "./metric-columns.js";
import type { SummaryOptions } from "./options.js";
import type { AskedPeriods } from "./request.js";
import type { SummaryFigures } from "./results.js";

interface Shown {
  readonly results: readonly StoreResult<Gathered<SummaryFigures>>[];
  /** `null` where one store was asked for, or none answered. */
  readonly total: StoresTotal<SummaryFigures> | null;
  readonly options: SummaryOptions;
}

interface Row {
  readonly store: string;
  readonly asked: AskedPeriods | undefined;
  /** Absent for a store that gave none. */
  readonly figures: SummaryFigures | undefined;
  readonly change: MetricsChange | undefined;
  readonly format: NumberFormat | undefined;
}

export async function showSummaries(output: Output, { results, total, options }: Shown): Promise<void> {
  const rows = results.map(rowOf);
  const [only] = rows;
  const several = rows.length > 1 || total !== null;
  if (output.format === "csv") {
    const locale = results.flatMap((one) => ("figures" in one ? [one.figures.preferences.locale] : []))[0];
    const answered = rows.filter(({ figures }) => figures !== undefined);
    await output.records(csvColumns(several, options), answered, csvOptions(options, locale ?? "en"));
  } else if (!several && only?.figures?.previous) {
    await output.records(oneComparison, comparisonRows(only));
  } else {
    const totals = total ? [totalRow(total, totalFormat(output, results))] : [];
    await output.records(tableColumns(several, options.compare !== undefined), [...rows, ...totals]);
  }
}

function rowOf(one: StoreResult<Gathered<SummaryFigures>>): Row {
  if ("error" in one) {
    return { store: one.store, asked: undefined, figures: undefined, change: undefined, format: undefined };
  }
  const { figures, asked, preferences } = one.figures;
  return { store: one.store, asked, figures, change: changeOf(figures), format: formatFor(preferences) };
}

function totalRow({ figures, covered }: StoresTotal<SummaryFigures>, format: NumberFormat | undefined): Row {
  const stores = covered.length === 1 ? "1 store" : `${covered.length} stores`;
  return { store: `Total of ${stores}`, asked: undefined, figures, change: changeOf(figures), format };
}

function changeOf({ current, previous }: SummaryFigures): MetricsChange | undefined {
  return previous && compareMetrics(current, previous);
}

function tableColumns(several: boolean, compared: boolean): readonly Column<Row>[] {
  return [
    ...(several ? [{ heading: "Store", cell: ({ store }: Row) => store }] : []),
    ...metricNames.flatMap(({ name, heading, show }): Column<Row>[] => [
      {
        ...{ heading, align: "right" },
        cell: ({ figures, format }) => (figures && format ? show(format, figures.current[name]) : noNumber),
      },
      ...(compared ? [changeColumn(name)] : []),
    ]),
  ];
}

function changeColumn(name: MetricName): Column<Row> {
  return {
    ...{ heading: "Change", align: "right" },
    cell: ({ change, format }) => (change && format ? format.percentChange(change[name].percent) : noNumber),
  };
}

interface ComparisonRow {
  readonly heading: string;
  readonly current: string;
  readonly previous: string;
  readonly change: string;
  readonly percent: string;
}

const oneComparison: readonly Column<ComparisonRow>[] = [
  { heading: "Figure", cell: ({ heading }) => heading },
  { heading: "Current", align: "right", cell: ({ current }) => current },
  { heading: "Previous", align: "right", cell: ({ previous }) => previous },
  { heading: "Change", align: "right", cell: ({ change }) => change },
  { heading: "%", align: "right", cell: ({ percent }) => percent },
];

function comparisonRows({ figures, change, format }: Row): readonly ComparisonRow[] {
  const previous = figures?.previous;
  if (!previous || !change || !format) return [];
  return metricNames.map(({ name, heading, show, showChange }) => ({
    heading,
    current: show(format, figures.current[name]),
    previous: show(format, previous[name]),
    change: showChange(format, change[name].absolute),
    percent: format.percentChange(change[name].percent),
  }));
}

function csvColumns(several: boolean, { compare, dateField }: SummaryOptions): readonly Column<Row>[] {
  const edge = (of: "current" | "previous", side: "from" | "to") => (row: Row) => {
    const period = row.asked?.[of]?.period;
    if (!period) return "";
    return period.kind === "days" || dateField === "scheduled_date" ? period[side].date : period[side].sent;
  };
  const current = metricCsvColumns<Row>("", ({ figures }): Metrics | undefined => figures?.current);
  const previous = metricCsvColumns<Row>("previous_", ({ figures }) => figures?.previous);
  return [
    ...(several ? [{ heading: "store", cell: ({ store }: Row) => store }] : []),
    { heading: "from", cell: edge("current", "from") },
    { heading: "to", cell: edge("current", "to") },
    ...current,
    ...(compare === undefined
      ? []
      : [
          { heading: "previous_from", cell: edge("previous", "from") },
          { heading: "previous_to", cell: edge("previous", "to") },
          ...previous,
          ...changeCsvColumns<Row>(({ change }) => change),
        ]),
  ];
}
