/**
 * Writes a report's figures for programs: JSON, and CSV with one line for each group, since sections of different
 * shape beside each other make no table.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { GroupList } from "../merge/groups.js";
import { isRunning } from "../merge/parts.js";
import { isTimeline } from "../merge/group-identity.js";
import { differencesOf, type Difference } from "./differences.js";
import type { ReportFigures } from "../report/plan.js";
import { answeringStores, type PeriodFigures, type SalesResult } from "../results.js";
import { salesCsv, type CsvRow, type TableOptions } from "./columns.js";
import { ageShape, runningShape, summaryShape, type ShapeContext } from "./json.js";
import { pivotShape } from "./pivot-table.js";
import type { Beside } from "./ranking.js";

interface Line extends CsvRow {
  readonly beside: Beside;
  readonly section: "summary" | "previous" | SectionName | `difference_${SectionName}`;
  readonly key: Group["key"];
  readonly label: string | null;
}

type SectionName = Difference["section"] | `previous_${Difference["section"]}`;

function sectionName(of: Difference["of"], section: Difference["section"]): SectionName {
  return of === "current" ? section : `previous_${section}`;
}

/**
 * Makes `{"summary": …, "grouped": {"day": {"group_by", "groups"}, …}}`, with `grouped_previous` for the sections
 * that are compared, and `heatmap` where it was asked for. `differences` names the sections that don't equal their
 * headline, each with what it has more, or less.
 */
export function reportShape(figures: ReportFigures, context: ShapeContext): object {
  const { summary, sections, heatmap, age } = figures;
  const shape = (of: "current" | "previous"): object =>
    Object.fromEntries(
      [...sections].flatMap(([dimension, section]) => {
        const side = section[of];
        return side ? [[dimension, groupsShape(side, dimension)]] : [];
      }),
    );
  const isCompared = [...sections.values()].some((section) => section.previous);
  return {
    summary: summaryShape(summary, context),
    grouped: shape("current"),
    ...(isCompared && { grouped_previous: shape("previous") }),
    ...(heatmap && { heatmap: pivotShape(heatmap, context) }),
    differences: differencesOf(figures).map(({ of, section, ...sum }) => ({
      section: sectionName(of, section),
      ...sum,
    })),
    ...ageShape(age),
  };
}

function groupsShape(
  { period, figures: { grouped, placed } }: PeriodFigures<GroupList>,
  dimension: Dimension,
): object {
  const groups = placed.map(({ group, ordinal }) => ({
    ...group,
    ...runningShape(isTimeline(dimension) && isRunning(period, dimension, ordinal)),
  }));
  return { ...grouped, groups };
}

/** @returns an empty text where the view's workbook has taken them */
export async function reportCsv(
  result: SalesResult<ReportFigures>,
  options: Pick<TableOptions, "csv" | "dateField" | "view">,
): Promise<string> {
  const lines = answeringStores(result).flatMap(({ store, figures, display: { currency } }) =>
    linesOf(figures).map((line) => ({ isRunning: isRunning(line.beside.period), ...line, store, currency })),
  );
  const tableOf = (sheet: string, rows: readonly Line[]) =>
    salesCsv(result, options, {
      ...{ sheet, rows },
      about: [
        { heading: "section", cell: ({ section }) => section },
        { heading: "key", type: "day", cell: ({ key }) => key },
        { heading: "label", cell: ({ label }) => label },
      ],
      isWhole: ({ section }) => section === "summary" || section === "previous",
    });
  if (!options.view.workbook) return tableOf("report", lines);
  for (const sheet of new Set(lines.map(sheetOf)))
    await tableOf(
      sheet,
      lines.filter((line) => sheetOf(line) === sheet),
    );
  return "";
}

/** In a workbook each section is a table of its own. */
function sheetOf({ section }: Pick<Line, "section">): string {
  if (section.startsWith("difference_")) return "differences";
  return section === "previous" ? "summary" : section;
}

type LineOfStore = Omit<Line, "store" | "currency" | "isRunning"> & Partial<Pick<Line, "isRunning">>;

const noGroup = { key: null, label: null };

function linesOf(figures: ReportFigures): readonly LineOfStore[] {
  const { current, previous: before } = figures.summary;
  return [
    { ...noGroup, section: "summary", beside: current, current: current.figures },
    ...(before
      ? [{ ...noGroup, section: "previous", beside: before, current: before.figures } as const]
      : []),
    ...groupLines(figures, "current"),
    ...groupLines(figures, "previous"),
    ...differencesOf(figures).map(({ of, section, ...sum }): LineOfStore => ({
      ...noGroup,
      section: `difference_${sectionName(of, section)}`,
      beside: of === "previous" && before ? before : current,
      current: sum,
    })),
  ];
}

function groupLines(
  { summary, sections }: ReportFigures,
  of: "current" | "previous",
): readonly LineOfStore[] {
  const beside = summary[of];
  if (!beside) return [];
  return [...sections].flatMap(([dimension, section]) =>
    (section[of]?.figures.placed ?? []).map(({ group, ordinal }) => ({
      section: sectionName(of, dimension),
      ...{ beside, key: group.key, label: group.label, current: group },
      isRunning: isRunning(beside.period, dimension, ordinal),
    })),
  );
}
