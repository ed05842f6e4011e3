/**
 * Writes a report's figures for programs: JSON, and CSV with one line for each group, since sections of different
 * shape beside each other make no table.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { GroupList } from "../merge/groups.js";
import { isRunning } from "../merge/parts.js";
import type { Metrics } from "../merge/sums.js";
import { isTimeline } from "../merge/group-identity.js";
import type { ReportFigures } from "../report/plan.js";
import { answeringStores, type PeriodFigures, type SalesResult } from "../results.js";
import { figureCells, salesCsv, type FiguresLine } from "./csv.js";
import { differencesOf, type Difference } from "./differences.js";
import { ageShape, runningShape, summaryShape, type ShapeContext } from "./json.js";
import { pivotShape } from "./pivot-table.js";

const sides = ["current", "previous"] as const;

/** Names a section of the period, or with a prefix of the one that it is compared with. */
function sectionName({ of, section }: Pick<Difference, "of" | "section">): string {
  return of === "current" ? section : `previous_${section}`;
}

/**
 * Makes `{"summary": …, "grouped": {"day": {"group_by", "groups"}, …}}`, with `grouped_previous` for the sections
 * that are compared, and `heatmap` where it was asked for. `differences` names the sections that don't equal their
 * headline, each with what it has more, or less.
 */
export function reportShape(figures: ReportFigures, context: ShapeContext): object {
  const { summary, sections, heatmap, age } = figures;
  const [current, previous] = sides.map((of) =>
    [...sections].flatMap(([dimension, section]) => {
      const side = section[of];
      return side ? [[dimension, groupsShape(side, dimension)] as const] : [];
    }),
  );
  return {
    summary: summaryShape(summary, context),
    grouped: Object.fromEntries(current ?? []),
    ...(previous && previous.length > 0 && { grouped_previous: Object.fromEntries(previous) }),
    ...(heatmap && { heatmap: pivotShape(heatmap, context) }),
    differences: differencesOf(figures).map(({ of, section, ...sum }) => ({
      section: sectionName({ of, section }),
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

interface Line extends FiguresLine {
  readonly section: string;
  readonly group?: Pick<Group, "key" | "label">;
  readonly figures: Partial<Metrics>;
}

export function reportCsv(result: SalesResult<ReportFigures>): Promise<string> {
  const rows = answeringStores(result).flatMap(({ store, figures, display: { currency } }) =>
    linesOf(figures).map((line) => ({ ...line, store, currency })),
  );
  return salesCsv(result, {
    rows,
    cells: ({ section, group, figures }: Partial<Line> = {}) => ({
      ...{ section: section ?? null, key: group?.key ?? null, label: group?.label ?? null },
      ...figureCells(figures),
    }),
  });
}

function linesOf(figures: ReportFigures): readonly Omit<Line, "store" | "currency">[] {
  const { summary, sections } = figures;
  const periods = sides.flatMap((of) => (summary[of] ? [{ of, beside: summary[of] }] : []));
  const summaries = periods.map(({ of, beside }) => ({
    ...{ section: of === "current" ? "summary" : "previous", beside },
    ...{ figures: beside.figures, isRunning: isRunning(beside.period) },
  }));
  const groups = periods.flatMap(({ of, beside }) =>
    [...sections].flatMap(([dimension, section]) =>
      (section[of]?.figures.placed ?? []).map(({ group, ordinal }) => {
        const name = sectionName({ of, section: dimension });
        const isOpen = isRunning(beside.period, dimension, ordinal);
        return { section: name, beside, group, figures: group, isRunning: isOpen };
      }),
    ),
  );
  const differences = differencesOf(figures).map(({ of, section, ...sum }) => {
    const beside = summary[of] ?? summary.current;
    const name = `difference_${sectionName({ of, section })}`;
    return {
      section: name,
      beside,
      figures: sum,
      isRunning: isRunning(beside.period),
    };
  });
  return [...summaries, ...groups, ...differences];
}
