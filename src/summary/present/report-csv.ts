/** A report's figures as CSV: one line for each group, since sections of different shape beside each other make no table. */
import type { Dimension, Group } from "../../contract/summary.js";
import { renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import type { ReportFigures } from "../plan/report-plan.js";
import { answered, storesOf, type SalesResult } from "../results.js";
import { csvOptions, detailColumns, metrics, type CsvFlags, type TableOptions } from "./columns.js";
import type { Beside } from "./ranking.js";

interface Line {
  readonly store: string;
  readonly currency: string | undefined;
  readonly beside: Beside;
  readonly section: "summary" | "previous" | Dimension;
  readonly key: Group["key"];
  readonly label: string | null;
  readonly figures: Metrics;
}

export function reportCsv(
  result: SalesResult<ReportFigures>,
  csv: CsvFlags,
  { dateField, view }: Pick<TableOptions, "dateField" | "view">,
): Promise<string> {
  const lines = answered(storesOf(result)).flatMap(({ store, figures, display: { currency } }) =>
    linesOf(figures).map((line) => ({ ...line, store, currency })),
  );
  const columns: readonly Column<Line>[] = [
    ...(result.kind === "several stores" ? [{ heading: "store", cell: ({ store }: Line) => store }] : []),
    { heading: "section", cell: ({ section }) => section },
    { heading: "key", asIs: !csv.excel, cell: ({ key }) => key },
    { heading: "label", cell: ({ label }) => label },
    ...metrics.map(({ name }): Column<Line> => ({ heading: name, cell: ({ figures }) => figures[name] })),
    ...(csv.details ? detailColumns<Line>(true, dateField) : []),
  ];
  return renderRecords("csv", columns, lines, { ...csvOptions(result, csv), view });
}

function linesOf({ summary, groups }: ReportFigures): readonly Omit<Line, "store" | "currency">[] {
  const whole = { key: null, label: null, beside: summary.current };
  return [
    { ...whole, section: "summary", figures: summary.current.figures },
    ...(summary.kind === "comparison"
      ? [
          {
            ...whole,
            section: "previous" as const,
            figures: summary.previous.figures,
            beside: summary.previous,
          },
        ]
      : []),
    ...[...groups].flatMap(([section, { grouped }]) =>
      grouped.groups.map((group) => ({
        section,
        beside: summary.current,
        key: group.key,
        label: group.label,
        figures: group,
      })),
    ),
  ];
}
