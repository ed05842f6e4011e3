/**
 * A report's figures for programs: JSON, and CSV with one line for each group, since sections of different shape beside
 * each other make no table.
 */
import type { Group } from "../../contract/models.js";
import { renderRecords, type Column } from "../../terminal/index.js";
import type { Metrics } from "../merge/sums.js";
import { differencesOf, type Difference } from "../report/differences.js";
import type { ReportFigures } from "../report/plan.js";
import { answered, type SalesResult } from "../results.js";
import {
  canceledColumns,
  csvOptions,
  detailColumns,
  metrics,
  storeColumn,
  type CsvFlags,
  type TableOptions,
} from "./columns.js";
import { ageShape, summaryShape, type ShapeContext } from "./json.js";
import { pivotShape } from "./pivot-table.js";
import type { Beside } from "./ranking.js";

interface Line {
  readonly store: string;
  readonly currency: string | undefined;
  readonly beside: Beside;
  readonly section: "summary" | "previous" | SectionName | `difference_${SectionName}`;
  readonly key: Group["key"];
  readonly label: string | null;
  /** A difference has no average. */
  readonly figures: Partial<Metrics>;
}

type SectionName = Difference["section"] | `previous_${Difference["section"]}`;

function sectionName(of: Difference["of"], section: Difference["section"]): SectionName {
  return of === "current" ? section : `previous_${section}`;
}

/**
 * `{"summary": …, "grouped": {"day": {"group_by", "groups"}, …}}`, with `grouped_previous` for the sections that are
 * compared, and `heatmap` where it was asked for. `differences` names the sections that don't equal their headline, each
 * with what it has more, or less.
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
    differences: differencesOf(figures).map(({ of, section, ...sum }) => ({
      section: sectionName(of, section),
      ...sum,
    })),
    ...ageShape(age),
  };
}

/** @returns none where the view's workbook has taken the lines */
export async function reportCsv(
  result: SalesResult<ReportFigures>,
  csv: CsvFlags,
  { dateField, view }: Pick<TableOptions, "dateField" | "view">,
): Promise<string> {
  const lines = answered(result).flatMap(({ store, figures, display: { currency } }) =>
    linesOf(figures).map((line) => ({ ...line, store, currency })),
  );
  const columns: readonly Column<Line>[] = [
    ...storeColumn<Line>(result, "store"),
    { heading: "section", cell: ({ section }) => section },
    { heading: "key", type: "day", cell: ({ key }) => key },
    { heading: "label", cell: ({ label }) => label },
    ...metrics.map(({ name, type }): Column<Line> => ({
      heading: name,
      ...(type && { type, currency: ({ currency }) => currency }),
      cell: ({ figures }) => figures[name] ?? null,
    })),
    ...(csv.details
      ? [
          ...detailColumns<Line>(true, dateField),
          ...canceledColumns<Line>(({ section }) => section === "summary" || section === "previous"),
        ]
      : []),
  ];
  const options = { ...csvOptions(result, csv), view };
  if (!view.workbook) return renderRecords("csv", columns, lines, options);
  for (const sheet of new Set(lines.map(sheetOf))) {
    const rows = lines.filter((line) => sheetOf(line) === sheet);
    await renderRecords("csv", columns, rows, { ...options, sheet });
  }
  return "";
}

/** In a workbook each section is a table of its own. */
function sheetOf({ section }: Pick<Line, "section">): string {
  if (section.startsWith("difference_")) return "differences";
  return section === "previous" ? "summary" : section;
}

type LineOfStore = Omit<Line, "store" | "currency">;

const whole = { key: null, label: null };

function linesOf(figures: ReportFigures): readonly LineOfStore[] {
  const { summary, groups, previous } = figures;
  const { current, previous: before } = summary;
  return [
    { ...whole, section: "summary", beside: current, figures: current.figures },
    ...(before ? [{ ...whole, section: "previous", beside: before, figures: before.figures } as const] : []),
    ...groupLines(groups, current, ""),
    ...(before ? groupLines(previous, before, "previous_") : []),
    ...differencesOf(figures).map(({ of, section, ...sum }): LineOfStore => ({
      ...whole,
      section: `difference_${sectionName(of, section)}`,
      beside: of === "previous" && before ? before : current,
      figures: sum,
    })),
  ];
}

function groupLines(
  groups: ReportFigures["groups"],
  beside: Beside,
  prefix: "" | "previous_",
): readonly LineOfStore[] {
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
