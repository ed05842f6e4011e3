/** What `--json` prints of sales figures: a stable interface. */
import { hasDates } from "../../contract/enums.js";
import type { DateField } from "../../contract/enums.js";
import { compareMetrics } from "../compare/metrics.js";
import type { Metrics } from "../merge/sums.js";
import { calendarOf } from "./calendar-text.js";
import type { Restatement } from "../ledger/restatements.js";
import { isRunning } from "../merge/parts.js";
import type { Period } from "../period/period.js";
import type { SummaryFigures } from "../plan/plans.js";
import {
  answeringStores,
  type Age,
  type MissingStore,
  type PeriodFigures,
  type SalesResult,
  type StoreFigures,
} from "../results.js";
import { codesOf } from "../../terminal/index.js";
import { alertShape } from "./alerts.js";
import type { Beside, RankedGroup, RankedGroups } from "./ranking.js";

export interface ShapeContext {
  readonly dateField: DateField | undefined;
  /** ISO 4217. */
  readonly currency: string | undefined;
}

/**
 * One store's figures as they are. Several stores: `{"stores": [{"store", …}], "totals": [{"stores", …}], "total"}`,
 * where a store that gave none has an `error`. There is a total for each currency; `total` is the only one, else null.
 */
export function resultShape<Figures>(
  result: SalesResult<Figures>,
  dateField: DateField | undefined,
  shape: Shape<Figures>,
): object {
  const [first] = answeringStores(result);
  if (!result.areSeveral && first) return storeShape(first, dateField, shape);
  const totals = result.totals.map(({ covered, figures, display, zones }) => ({
    stores: covered,
    ...shape(figures, { dateField, currency: display.currency }),
    // The period is then the first store's: the others' days begin at other times.
    ...(zones.length > 1 && { time_zones: zones }),
  }));
  return {
    stores: storeLines(result, dateField, shape),
    totals,
    total: totals.length === 1 ? totals[0] : null,
  };
}

type Shape<Figures> = (figures: Figures, context: ShapeContext) => object;

function storeShape<Figures>(
  { figures, display, alerts }: StoreFigures<Figures>,
  dateField: DateField | undefined,
  shape: Shape<Figures>,
): object {
  const context = { dateField, currency: display.currency };
  return { ...shape(figures, context), ...(alerts && { alerts: alerts.map(alertShape) }) };
}

/** Gives each store in the form of {@link resultShape}, for JSON with a line for each. */
export function storeLines<Figures>(
  result: SalesResult<Figures>,
  dateField: DateField | undefined,
  shape: Shape<Figures>,
): readonly object[] {
  return result.stores.map((store) =>
    store.kind === "missing"
      ? missingShape(store)
      : named(result, store, storeShape(store, dateField, shape)),
  );
}

/**
 * For JSON with a line for each of a store's groups or cells, and for what became of its alerts. Sums over stores are left
 * to whoever reads them.
 */
export function partLines<Figures>(
  result: SalesResult<Figures>,
  linesOf: (figures: Figures) => readonly object[],
): readonly object[] {
  return result.stores.flatMap((store) => {
    if (store.kind === "missing") return missingShape(store);
    const lines = [...linesOf(store.figures), ...(store.alerts ?? []).map(alertShape)];
    return lines.map((line) => named(result, store, line));
  });
}

/** Adds the store's name to a line where there are several stores. */
function named({ areSeveral }: SalesResult<unknown>, { store }: StoreFigures<unknown>, line: object): object {
  return areSeveral ? { store, ...line } : line;
}

/**
 * The API's Summary object, with its `period`, `currency` and what of it is `canceled`; of two periods `{"current",
 * "previous", "change"}`.
 */
export function summaryShape({ current, previous }: SummaryFigures, context: ShapeContext): object {
  if (!previous) return { ...current.figures, ...besides(current, context) };
  return {
    current: { ...current.figures, ...besides(current, context, namedPeriodShape) },
    previous: { ...previous.figures, ...besides(previous, context, namedPeriodShape) },
    change: { ...compareMetrics(current.figures, previous.figures), ...calendarShape(current, previous) },
  };
}

/** What of the change is the calendar's; nothing where the days of the period before aren't known. */
function calendarShape(current: PeriodFigures<unknown>, previous: PeriodFigures<Metrics>): object {
  const part = calendarOf(current, previous);
  if (!part) return {};
  const { total_order_count, total_revenue } = part;
  return { calendar: { total_order_count, total_revenue } };
}

function besides(
  { period, age, canceled }: Beside,
  { dateField, currency }: ShapeContext,
  shape = periodShape,
): object {
  return {
    period: { ...shape(period, dateField), ...runningShape(isRunning(period)) },
    currency: currency ?? null,
    ...ageShape(age),
    canceled,
  };
}

/**
 * `{"group_by", "groups"}`, with what stands beside a summary too, and `rest` where `--top` left groups out and their
 * sum was asked for; of two periods `{"current", "previous", "change"}`, each of that form.
 */
export function groupedShape(ranked: RankedGroups, context: ShapeContext): object {
  const { groupBy: group_by, groups, rest, current, previous } = ranked;
  const shape = (all: readonly object[], others: object | undefined) => ({
    ...{ group_by, groups: all },
    ...(others && { rest: others }),
  });
  const side = (of: "current" | "previous") =>
    shape(
      groups.flatMap((group) => sideOf(group, of) ?? []),
      rest?.[of],
    );
  if (!previous) return { ...side("current"), ...besides(current, context) };
  return {
    current: { ...side("current"), ...besides(current, context, namedPeriodShape) },
    previous: { ...side("previous"), ...besides(previous, context, namedPeriodShape) },
    change: shape(
      groups.flatMap(({ change }) => change ?? []),
      rest?.change,
    ),
  };
}

/**
 * Gives each group, with its change where two periods are compared. A side is null where that period doesn't have the
 * group.
 */
export function groupLines({ groups, rest, previous }: RankedGroups): readonly object[] {
  const lines = groups.flatMap((group) => {
    const now = sideOf(group, "current") ?? null;
    if (!group.change) return now ?? [];
    const { key, label, previous_key, ...change } = group.change;
    return {
      ...{ key, label, ...(previous_key !== undefined && { previous_key }) },
      ...{ current: now, previous: sideOf(group, "previous") ?? null, change },
    };
  });
  return [...lines, ...(rest ? [{ rest: true, ...(previous ? rest : rest.current) }] : [])];
}

/**
 * `partial` marks a week or month that the period's edge cuts; `days` is how many of its days there are, or how many of the
 * period's days a weekday or an hour has; `running` marks a day, week or month that isn't over.
 */
function sideOf(group: RankedGroup, of: "current" | "previous"): object | undefined {
  const part = group.part[of];
  const count = part?.days ?? group.days?.[of];
  return (
    group[of] && {
      ...group[of],
      ...(part && { partial: true }),
      ...(count !== undefined && { days: count }),
      ...runningShape(of === "current" && group.isRunning),
    }
  );
}

export function runningShape(is: boolean): object {
  return is ? { running: true } : {};
}

/** When the oldest of the answers was asked for, and whether any was kept on this machine. */
export function ageShape({ askedAt, kept, restated }: Age): object {
  return {
    asked_at: new Date(askedAt).toISOString(),
    kept,
    ...(restated && { restated: restated.map(restatedShape) }),
  };
}

export function restatedShape({ dimension, key, from, to, before, after, since }: Restatement): object {
  return { dimension, key, from, to, before, after, since: new Date(since).toISOString() };
}

/** Date-times with offset, as they were asked for; dates where sales are counted by scheduled date. */
export function periodShape({ from, to, zone, dayStarts }: Period, dateField: DateField | undefined): object {
  const dated = hasDates(dateField);
  return {
    from: dated ? from.date : from.sent,
    to: dated ? to.date : to.sent,
    time_zone: zone,
    ...(dayStarts !== undefined && { day_starts: dayStarts }),
  };
}

/** Where two periods are compared, each also has its name. `zone` is the older name of `time_zone`. */
function namedPeriodShape(period: Period, dateField: DateField | undefined): object {
  return { label: period.label, ...periodShape(period, dateField), zone: period.zone };
}

function missingShape({ store, error }: MissingStore): object {
  return { store, error: { exit_code: error.exitCode, ...codesOf(error), message: error.message } };
}
