/** A report's figures as CSV: one line for each group, since sections of different shape beside each other make no table. */
import type { Dimension, Group } from "../../contract/summary.js";
import { renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import type { ReportFigures } from "../plan/plans.js";
import { answered, storesOf, type SalesResult } from "../results.js";
import { csvOptions, metrics, type CsvFlags } from "./columns.js";

interface Line {
  readonly store: string;
  readonly section: "summary" | "previous" | Dimension;
  readonly key: Group["key"];
  readonly label: string | null;
  readonly figures: Metrics;
}

export function reportCsv(result: SalesResult<ReportFigures>, csv: CsvFlags): Promise<string> {
  const lines = answered(storesOf(result)).flatMap(({ store, figures }) => linesOf(store, figures));
  const columns: readonly Column<Line>[] = [
    ...(result.kind === "several stores" ? [{ heading: "store", cell: ({ store }: Line) => store }] : []),
    { heading: "section", cell: ({ section }) => section },
    { heading: "key", cell: ({ key }) => key },
    { heading: "label", cell: ({ label }) => label },
    ...metrics.map(({ name }): Column<Line> => ({ heading: name, cell: ({ figures }) => figures[name] })),
  ];
  return renderRecords("csv", columns, lines, csvOptions(result, csv));
}

function linesOf(store: string, { summary, groups }: ReportFigures): readonly Line[] {
  const whole = { store, key: null, label: null };
  return [
    { ...whole, section: "summary", figures: summary.current.figures },
    ...(summary.kind === "comparison"
      ? [{ ...whole, section: "previous" as const, figures: summary.previous.figures }]
      : []),
    ...[...groups].flatMap(([section, { grouped }]) =>
      grouped.groups.map((group) => ({
        store,
        section,
        key: group.key,
        label: group.label,
        figures: group,
      })),
    ),
  ];
}
