/**
 * A report's figures for programs: JSON, and CSV with one line for each group, since sections of different shape beside
 * each other make no table.
 */
import type { Dimension, Group } from "../../contract/summary.js";
import { renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import type { ReportFigures } from "../report/plan.js";
import { answered, storesOf, type SalesResult } from "../results.js";
import { csvOptions, detailColumns, metrics, type CsvFlags, type TableOptions } from "./columns.js";
import { ageShape, summaryShape, type ShapeContext } from "./json.js";
import { pivotShape } from "./pivot-table.js";
import type { Beside } from "./ranking.js";

interface Line {
  readonly store: string;
  readonly currency: string | undefined;
  readonly beside: Beside;
  readonly section: "summary" | "previous" | Dimension | `previous_${Dimension}`;
  readonly key: Group["key"];
  readonly label: string | null;
  readonly figures: Metrics;
}

/**
 * `{"summary": …, "grouped": {"day": {"group_by", "groups"}, …}}`, with `grouped_previous` for the sections that are
 * compared, and `heatmap` where it was asked for.
 */
export function reportShape(figures: ReportFigures, context: ShapeContext): object {
  const { summary, groups, previous, heatmap, age } = figures;
  const shape = (of: ReportFigures["groups"]) =>
    Object.fromEntries([...of].map(([dimension, { grouped }]) => [dimension, grouped]));
  return {
    summary: summaryShape(summary, context),
    grouped: shape(groups),
    ...(previous.size > 0 && { grouped_previous: shape(previous) }),
    ...(heatmap && { heatmap: pivotShape(heatmap, context) }),
    ...ageShape(age),
  };
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

function linesOf({ summary, groups, previous }: ReportFigures): readonly Omit<Line, "store" | "currency">[] {
  const whole = { key: null, label: null };
  const current = {
    ...whole,
    section: "summary",
    beside: summary.current,
    figures: summary.current.figures,
  } as const;
  if (summary.kind === "plain") return [current, ...groupLines(groups, summary.current, "")];
  const before = summary.previous;
  return [
    current,
    { ...whole, section: "previous", beside: before, figures: before.figures },
    ...groupLines(groups, summary.current, ""),
    ...groupLines(previous, before, "previous_"),
  ];
}

function groupLines(
  groups: ReportFigures["groups"],
  beside: Beside,
  prefix: "" | "previous_",
): readonly Omit<Line, "store" | "currency">[] {
  return [...groups].flatMap(([dimension, { grouped }]) =>
    grouped.groups.map((group) => ({
      section: `${prefix}${dimension}` as const,
      beside,
      key: group.key,
      label: group.label,
      figures: group,
    })),
  );
}
