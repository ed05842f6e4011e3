/** `--json` prints sales figures in these forms, which are a stable interface. */
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
  /** The code is one of ISO 4217. */
  readonly currency: string | undefined;
}

/**
 * Makes one store's figures as they are. Several stores make `{"stores": [{"store", …}], "totals": [{"stores", …}],
 * "total"}`, where a store that gave none has an `error`. There is a total for each currency; `total` is the only
 * one, else null.
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
    stores: result.stores.map((store) =>
      store.kind === "missing"
        ? missingShape(store)
        : { store: store.store, ...storeShape(store, dateField, shape) },
    ),
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

/**
 * Makes the API's Summary object with `period`, `currency` and `canceled`; of two periods `{"current", "previous",
 * "change"}`.
 */
export function summaryShape({ current, previous }: SummaryFigures, context: ShapeContext): object {
  if (!previous) return { ...current.figures, ...besideFigures(current, context) };
  return {
    current: { ...current.figures, ...besideFigures(current, context, namedPeriodShape) },
    previous: { ...previous.figures, ...besideFigures(previous, context, namedPeriodShape) },
    change: { ...compareMetrics(current.figures, previous.figures), ...calendarShape(current, previous) },
  };
}

/** Adds the calendar's part of the change; nothing where the days of the period before aren't known. */
function calendarShape(current: PeriodFigures<unknown>, previous: PeriodFigures<Metrics>): object {
  const part = calendarOf(current, previous);
  if (!part) return {};
  const { total_order_count, total_revenue } = part;
  return { calendar: { total_order_count, total_revenue } };
}

function besideFigures(
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
 * Makes `{"group_by", "groups"}`, with what stands beside a summary too, and `rest` where `--top` left groups out and
 * their sum was asked for; of two periods `{"current", "previous", "change"}`, each of that form.
 */
export function groupedShape(ranked: RankedGroups, context: ShapeContext): object {
  const { groupBy: group_by, groups, rest, current, previous } = ranked;
  const shape = (all: readonly object[], others: object | undefined) => ({
    ...{ group_by, groups: all },
    ...(others && { rest: others }),
  });
  const side = (period: "current" | "previous") =>
    shape(
      groups.flatMap((group) => sideOf(group, period) ?? []),
      rest?.[period],
    );
  if (!previous) return { ...side("current"), ...besideFigures(current, context) };
  return {
    current: { ...side("current"), ...besideFigures(current, context, namedPeriodShape) },
    previous: { ...side("previous"), ...besideFigures(previous, context, namedPeriodShape) },
    change: shape(
      groups.flatMap(({ change }) => change ?? []),
      rest?.change,
    ),
  };
}

/**
 * `partial` marks a week or month that the period's edge cuts; `days` is how many of its days there are, or how many
 * of the period's days a weekday or an hour has; `running` marks a day, week or month that isn't over.
 */
function sideOf(group: RankedGroup, side: "current" | "previous"): object | undefined {
  const part = group.part[side];
  const count = part?.days ?? group.days?.[side];
  return (
    group[side] && {
      ...group[side],
      ...(part && { partial: true }),
      ...(count !== undefined && { days: count }),
      ...runningShape(side === "current" && group.isRunning),
    }
  );
}

export function runningShape(isStillRunning: boolean): object {
  return isStillRunning ? { running: true } : {};
}

/** Says when the oldest of the answers was asked for, and whether any was kept on this machine. */
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

/** Writes date-times with offset, as they were asked for; dates where sales are counted by scheduled date. */
export function periodShape({ from, to, zone, dayStarts }: Period, dateField: DateField | undefined): object {
  const isDated = hasDates(dateField);
  return {
    from: isDated ? from.date : from.sent,
    to: isDated ? to.date : to.sent,
    time_zone: zone,
    ...(dayStarts !== undefined && { day_starts: dayStarts }),
  };
}

/** Adds each period's name where two are compared. `zone` is the older name of `time_zone`. */
function namedPeriodShape(period: Period, dateField: DateField | undefined): object {
  return { label: period.label, ...periodShape(period, dateField), zone: period.zone };
}

function missingShape({ store, error }: MissingStore): object {
  return { store, error: { exit_code: error.exitCode, ...codesOf(error), message: error.message } };
}
