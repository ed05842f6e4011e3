/** The three figures of section 2.8 as columns. */
import type { MetricsChange } from "../../summary/compare/metrics.js";
import type { NumberFormat } from "../../summary/present/number-format.js";
import type { Metrics } from "../../summary/merge/sums.js";
import type { Column } from "../../terminal/index.js";

export type MetricName = keyof Metrics;

interface MetricDescription {
  readonly name: MetricName;
  readonly heading: string;
  readonly show: (format: NumberFormat, value: number) => string;
  readonly showChange: (format: NumberFormat, value: number) => string;
}

const amount = {
  show: (format: NumberFormat, value: number) => format.amount(value),
  showChange: (format: NumberFormat, value: number) => format.amountChange(value),
};

export const metricNames: readonly MetricDescription[] = [
  {
    ...{ name: "total_order_count", heading: "Orders" },
    show: (format, value) => format.count(value),
    showChange: (format, value) => format.countChange(value),
  },
  { name: "total_revenue", heading: "Revenue", ...amount },
  { name: "average_order_value", heading: "Average", ...amount },
];

/** Plain numbers for machines; empty where there are none. */
export function metricCsvColumns<Row>(
  prefix: "" | "previous_",
  metrics: (row: Row) => Metrics | undefined,
): readonly Column<Row>[] {
  return metricNames.map(({ name }) => ({
    heading: `${prefix}${name}`,
    cell: (row) => metrics(row)?.[name] ?? null,
  }));
}

export function changeCsvColumns<Row>(
  changes: (row: Row) => MetricsChange | undefined,
): readonly Column<Row>[] {
  return metricNames.flatMap(({ name }): Column<Row>[] => [
    { heading: `${name}_change`, cell: (row) => changes(row)?.[name].absolute ?? null },
    { heading: `${name}_change_percent`, cell: (row) => changes(row)?.[name].percent ?? null },
  ]);
}
