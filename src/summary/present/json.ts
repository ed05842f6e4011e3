/** What `--json` prints of sales figures: a stable interface. */
import type { DateField } from "../../contract/summary.js";
import { compareMetrics } from "../compare/metrics.js";
import type { Period } from "../period/period.js";
import type { ReportFigures, SummaryFigures } from "../plan/plans.js";
import type { Age, MissingStore, SalesResult } from "../results.js";
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
  if (kind === "plain") return { ...current.figures, ...ageShape(current.age) };
  const { previous } = figures;
  const side = ({ period, figures: own, age }: typeof current) => ({
    period: periodShape(period, dateField),
    ...own,
    ...ageShape(age),
  });
  return {
    current: side(current),
    previous: side(previous),
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
  if (ranked.kind === "plain") {
    return { ...shape(ranked.groups, ranked.rest ?? undefined), ...ageShape(ranked.age) };
  }
  const { groups, rest, periods, ages } = ranked;
  const side = (of: "current" | "previous") => ({
    period: periodShape(periods[of], dateField),
    ...shape(
      groups.flatMap((group) => group[of] ?? []),
      rest?.[of],
    ),
    ...ageShape(ages[of]),
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
export function reportShape(
  { summary, groups, age }: ReportFigures,
  dateField: DateField | undefined,
): object {
  return {
    summary: summaryShape(summary, dateField),
    grouped: Object.fromEntries([...groups].map(([dimension, { grouped }]) => [dimension, grouped])),
    ...ageShape(age),
  };
}

/** When the oldest of the answers was asked for, and whether any was kept on this machine. */
function ageShape({ askedAt, kept }: Age): object {
  return { asked_at: new Date(askedAt).toISOString(), kept };
}

/** Date-times with offset, as they were asked for; dates where sales are counted by scheduled date. */
function periodShape({ label, from, to, zone }: Period, dateField: DateField | undefined): object {
  const dated = dateField === "scheduled_date";
  return { label, from: dated ? from.date : from.sent, to: dated ? to.date : to.sent, zone };
}

function missingShape({ store, error: { exitCode, code, message } }: MissingStore): object {
  return { store, error: { exit_code: exitCode, code, message } };
}
