/** Groups as a table with bars, as CSV and as Markdown. */
import type { Dimension, Group } from "../../contract/summary.js";
import { barChart } from "../../summary/present/chart.js";
import type { MetricsChange } from "../../summary/compare/metrics.js";
import { noNumber, type NumberFormat } from "../../summary/present/number-format.js";
import type { StoreResult, StoresTotal } from "../../summary/merge/stores.js";
import type { Metrics } from "../../summary/merge/sums.js";
import { printable, type Column, type Output } from "../../terminal/index.js";

import type { Arranged } from "./arrange.js";
import { csvOptions } from "./csv.js";
import { formatFor, totalFormat } from "./format.js";
import type { Gathered } from "./gather.js";
import { changeCsvColumns, metricCsvColumns, metricNames } from "./metric-columns.js";
import type { GroupedOptions } from "./options.js";

interface Shown {
  readonly results: readonly StoreResult<Gathered<Arranged>>[];
  readonly total: StoresTotal<Arranged> | null;
  readonly options: GroupedOptions;
  readonly dimension: Dimension;
  /** Columns that bars may take; absent for no bars. */
  readonly width?: number;
}

interface Row {
  readonly store: string;
  readonly key: Group["key"];
  readonly label: string;
  readonly previousKey: Group["key"];
  readonly current: Metrics | undefined;
  readonly previous: Metrics | undefined;
  readonly change: MetricsChange | undefined;
  readonly format: NumberFormat | undefined;
  /** What `--rest` asked for. */
  readonly isRest: boolean;
}

export async function showGroups(output: Output, shown: Shown): Promise<void> {
  const { results, total, options, dimension, width } = shown;
  const several = results.length > 1 || total !== null;
  const rows = results.flatMap((one) => ("figures" in one ? rowsOf(one.store, one.figures) : []));
  if (output.format === "csv") {
    const [first] = results.flatMap((one) => ("figures" in one ? [one.figures.preferences.locale] : []));
    await output.records(csvColumns(several, options), rows, csvOptions(options, first ?? "en"));
    return;
  }
  const totals = total ? arrangedRows("Total", total.figures, totalFormat(output, results)) : [];
  const all = [...rows, ...totals];
  await output.records(tableColumns(several, dimension, all, options.compare !== undefined), all);
  // Of several stores their total is drawn: bars of different stores under one another can't be compared.
  const drawn = total ? totals : rows;
  if (width === undefined || drawn.length === 0) return;
  output.line("");
  for (const line of barChart(drawn.filter(({ isRest }) => !isRest).map(barOf), { width })) output.line(line);
}

function rowsOf(store: string, { figures, preferences }: Gathered<Arranged>): readonly Row[] {
  return arrangedRows(store, figures, formatFor(preferences));
}

function arrangedRows(
  store: string,
  { groups, rest }: Arranged,
  format: NumberFormat | undefined,
): readonly Row[] {
  const rows = groups.map(({ key, label, current, previous, change }): Row => ({
    ...{ store, key, label: label ?? (key === null ? "(none)" : String(key)) },
    ...{ current, previous, change, format, isRest: false },
    previousKey: change?.previous_key ?? null,
  }));
  if (!rest) return rows;
  const { current, previous, change } = rest;
  const label = current.group_count === 1 ? "1 other" : `${current.group_count} others`;
  return [
    ...rows,
    { store, key: null, label, previousKey: null, current, previous, change, format, isRest: true },
  ];
}

function tableColumns(
  several: boolean,
  dimension: Dimension,
  rows: readonly Row[],
  compared: boolean,
): readonly Column<Row>[] {
  const dated = ["hour", "day", "day_of_week", "week", "month"].includes(dimension);
  // A filter takes the key, so it is shown where the label isn't the same.
  const keyed = !dated && rows.some(({ key, label }) => key !== null && String(key) !== label);
  return [
    ...(several ? [{ heading: "Store", cell: ({ store }: Row) => store }] : []),
    { heading: dimension.replaceAll("_", " ").replace(/ id$/, ""), cell: ({ label }) => label },
    ...(keyed ? [{ heading: "Key", cell: ({ key }: Row) => key }] : []),
    ...metricNames.flatMap(({ name, heading, show }): Column<Row>[] => [
      {
        ...{ heading, align: "right" },
        cell: ({ current, format }) => (format ? show(format, current?.[name] ?? 0) : noNumber),
      },
      ...(compared ? [changeColumn(name)] : []),
    ]),
  ];
}

function changeColumn(name: keyof Metrics): Column<Row> {
  return {
    ...{ heading: "Change", align: "right" },
    cell: ({ change, format }) => (change && format ? format.percentChange(change[name].percent) : noNumber),
  };
}

function barOf({ label, current, format }: Row) {
  const value = current?.total_revenue ?? 0;
  return { label: printable(label), value, text: format ? format.amount(value) : String(value) };
}

function csvColumns(several: boolean, { compare }: GroupedOptions): readonly Column<Row>[] {
  return [
    ...(several ? [{ heading: "store", cell: ({ store }: Row) => store }] : []),
    { heading: "key", cell: ({ key }) => key },
    {
      heading: "label",
      cell: ({ label, isRest, key }) => (key === null && !isRest && label === "(none)" ? "" : label),
    },
    ...metricCsvColumns<Row>("", ({ current }) => current),
    ...(compare === undefined
      ? []
      : [
          { heading: "previous_key", cell: ({ previousKey }: Row) => previousKey },
          ...metricCsvColumns<Row>("previous_", ({ previous }) => previous),
          ...changeCsvColumns<Row>(({ change }) => change),
        ]),
  ];
}
