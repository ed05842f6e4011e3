/** What `--json` prints of sales figures: a stable interface. */
import type { DateField } from "../../contract/summary.js";
import { compareMetrics } from "../compare/metrics.js";
import type { Period } from "../period/period.js";
import type { ReportFigures, SummaryFigures } from "../plan/plans.js";
import type { MissingStore, SalesResult } from "../results.js";
import type { RankedGroups } from "./ranking.js";

/**
 * One store's figures as they are. Several stores: `{"stores": [{"store", …}], "total": {"stores", …}}`, where a store
 * that gave none has an `error`.
 */
export function resultShape<Figures>(
  result: SalesResult<Figures>,
  shape: (figures: Figures) => object,
): object {
  if (result.kind === "one store") return shape(result.store.figures);
  const { stores, total } = result;
  return {
    stores: stores.map((one) =>
      one.kind === "missing" ? missingShape(one) : { store: one.store, ...shape(one.figures) },
    ),
    total: total && { stores: total.covered, ...shape(total.figures) },
  };
}

/** The API's Summary object; of two periods `{"current", "previous", "change"}`. */
export function summaryShape(figures: SummaryFigures, dateField: DateField | undefined): object {
  const { kind, current } = figures;
  if (kind === "plain") return current.figures;
  const { previous } = figures;
  return {
    current: { period: periodShape(current.period, dateField), ...current.figures },
    previous: { period: periodShape(previous.period, dateField), ...previous.figures },
    change: compareMetrics(current.figures, previous.figures),
  };
}

/**
 * `{"group_by", "groups"}`, and `rest` where `--top` left groups out and their sum was asked for; of two periods
 * `{"current", "previous", "change"}`, each of that form.
 */
export function groupedShape(ranked: RankedGroups, dateField: DateField | undefined): object {
  const { groupBy: group_by } = ranked;
  const shape = (groups: readonly object[], rest: object | undefined) => ({
    group_by,
    groups,
    ...(rest && { rest }),
  });
  if (ranked.kind === "plain") return shape(ranked.groups, ranked.rest ?? undefined);
  const { groups, rest, periods } = ranked;
  const side = (of: "current" | "previous") => ({
    period: periodShape(periods[of], dateField),
    ...shape(
      groups.flatMap((group) => group[of] ?? []),
      rest?.[of],
    ),
  });
  return {
    current: side("current"),
    previous: side("previous"),
    change: shape(
      groups.map(({ change }) => change),
      rest?.change,
    ),
  };
}

/** `{"summary": …, "grouped": {"day": {"group_by", "groups"}, …}}`. */
export function reportShape({ summary, groups }: ReportFigures, dateField: DateField | undefined): object {
  return {
    summary: summaryShape(summary, dateField),
    grouped: Object.fromEntries([...groups].map(([dimension, { grouped }]) => [dimension, grouped])),
  };
}

/** Date-times with offset, as they were asked for; dates where sales are counted by scheduled date. */
function periodShape({ label, from, to, zone }: Period, dateField: DateField | undefined): object {
  const dated = dateField === "scheduled_date";
  return { label, from: dated ? from.date : from.sent, to: dated ? to.date : to.sent, zone };
}

function missingShape({ store, error: { exitCode, code, message } }: MissingStore): object {
  return { store, error: { exit_code: exitCode, code, message } };
}
