/** A report's figures for machines. */
import type { Dimension, Group } from "../../contract/summary.js";
import { compareMetrics } from "../../summary/compare/metrics.js";
import { comparisonShape, periodShape, storesShape } from "../../summary/present/json.js";
import type { Metrics } from "../../summary/merge/sums.js";
import { renderRecords, safeJson, type Column } from "../../terminal/index.js";
import { csvOptions } from "../figures/csv.js";
import { metricCsvColumns } from "../figures/metric-columns.js";
import type { AskedPeriods } from "../figures/request.js";
import { mapFigures } from "../figures/results.js";

import type { ReportFigures } from "./figures.js";
import type { FinishedReport } from "./finished.js";

export async function renderFigures(report: FinishedReport, format: "json" | "csv"): Promise<string> {
  return format === "json" ? `${safeJson(jsonOf(report))}\n` : csvOf(report);
}

/**
 * `{"summary": {"current", "previous", "change"}, "grouped": {"day": {"group_by", "groups"}, …}}`; of several stores
 * that of each, and of their total.
 */
function jsonOf({ several, results, total, request: { dateField } }: FinishedReport): object {
  const shape = ({ current, previous, groups }: ReportFigures, asked: AskedPeriods) => ({
    summary:
      previous && asked.previous
        ? comparisonShape(
            { period: periodShape(asked.current.period, dateField), figures: current },
            { period: periodShape(asked.previous.period, dateField), figures: previous },
            compareMetrics(current, previous),
          )
        : current,
    grouped: Object.fromEntries([...groups].map(([dimension, { grouped }]) => [dimension, grouped])),
  });
  const shapes = mapFigures(results, ({ figures, asked }) => shape(figures, asked));
  const [only] = shapes;
  if (!several && only && "figures" in only) return only.figures;
  const [any] = results.flatMap((one) => ("figures" in one ? [one.figures.asked] : []));
  return storesShape(shapes, total && any ? { ...total, figures: shape(total.figures, any) } : null);
}

interface Line {
  readonly store: string;
  readonly section: "summary" | "previous" | Dimension;
  readonly key: Group["key"];
  readonly label: string | null;
  readonly metrics: Metrics;
}

/** One line a group: sections of different shape side by side make no table. */
function csvOf({ several, results, options }: FinishedReport): Promise<string> {
  const answered = results.flatMap((one) => ("figures" in one ? [one] : []));
  const lines = answered.flatMap(({ store, figures: { figures } }) => linesOf(store, figures));
  const columns: readonly Column<Line>[] = [
    ...(several ? [{ heading: "store", cell: ({ store }: Line) => store }] : []),
    { heading: "section", cell: ({ section }) => section },
    { heading: "key", cell: ({ key }) => key },
    { heading: "label", cell: ({ label }) => label },
    ...metricCsvColumns<Line>("", ({ metrics }) => metrics),
  ];
  const locale = answered[0]?.figures.preferences.locale ?? "en";
  return renderRecords("csv", columns, lines, csvOptions(options, locale));
}

function linesOf(store: string, { current, previous, groups }: ReportFigures): readonly Line[] {
  return [
    { store, section: "summary", key: null, label: null, metrics: current },
    ...(previous ? [{ store, section: "previous" as const, key: null, label: null, metrics: previous }] : []),
    ...[...groups].flatMap(([section, { grouped }]) =>
      grouped.groups.map(({ key, label, ...metrics }) => ({ store, section, key, label, metrics })),
    ),
  ];
}
