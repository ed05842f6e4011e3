/** What `--json` prints of sales figures: a stable interface. */
import { hasDates } from "../../contract/enums.js";
import type { DateField } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { compareMetrics } from "../compare/metrics.js";
import type { Restatement } from "../ledger/restatements.js";
import type { Period } from "../period/period.js";
import type { SummaryFigures } from "../plan/plans.js";
import { storesOf, type Age, type MissingStore, type SalesResult, type StoreFigures } from "../results.js";
import { codesOf } from "../../terminal/index.js";
import { alertShape } from "./alerts.js";
import type { Beside, RankedGroups } from "./ranking.js";

/** What a shape is made with. */
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
  if (result.kind === "one store") return storeShape(result.store, dateField, shape);
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
  return storesOf(result).map((store) =>
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
  return storesOf(result).flatMap((store) => {
    if (store.kind === "missing") return missingShape(store);
    const lines = [...linesOf(store.figures), ...(store.alerts ?? []).map(alertShape)];
    return lines.map((line) => named(result, store, line));
  });
}

/** Adds the store's name to a line where there are several stores. */
function named({ kind }: SalesResult<unknown>, { store }: StoreFigures<unknown>, line: object): object {
  return kind === "one store" ? line : { store, ...line };
}

/**
 * The API's Summary object, with its `period`, `currency` and what of it is `canceled`; of two periods `{"current",
 * "previous", "change"}`.
 */
export function summaryShape(figures: SummaryFigures, context: ShapeContext): object {
  const { kind, current } = figures;
  if (kind === "plain") return { ...current.figures, ...besides(current, context) };
  const { previous } = figures;
  return {
    current: { ...current.figures, ...besides(current, context, namedPeriodShape) },
    previous: { ...previous.figures, ...besides(previous, context, namedPeriodShape) },
    change: compareMetrics(current.figures, previous.figures),
  };
}

/** What stands beside the figures of a period. */
function besides(
  { period, age, canceled }: Beside,
  { dateField, currency }: ShapeContext,
  shape = periodShape,
): object {
  const running = period.runningDay !== undefined && { running: true };
  return {
    period: { ...shape(period, dateField), ...running },
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
  const { groupBy: group_by } = ranked;
  const shape = (groups: readonly object[], rest: object | undefined) => ({
    group_by,
    groups,
    ...(rest && { rest }),
  });
  if (ranked.kind === "plain") {
    return {
      ...shape(withParts(ranked.groups, ranked), ranked.rest ?? undefined),
      ...besides(ranked.current, context),
    };
  }
  const { groups, rest } = ranked;
  const side = (of: "current" | "previous") => ({
    ...shape(
      withParts(
        groups.flatMap((group) => group[of] ?? []),
        ranked,
      ),
      rest?.[of],
    ),
    ...besides(ranked[of], context, namedPeriodShape),
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

/**
 * Gives each group, with its change where two periods are compared. A side is null where that period doesn't have the
 * group.
 */
export function groupLines(ranked: RankedGroups): readonly object[] {
  const { rest } = ranked;
  const restLines = rest ? [{ rest: true, ...rest }] : [];
  if (ranked.kind === "plain") return [...withParts(ranked.groups, ranked), ...restLines];
  const lines = ranked.groups.map(
    ({ current, previous, change: { key, label, previous_key, ...change } }) => ({
      key,
      label,
      ...(previous_key !== undefined && { previous_key }),
      current: current ? withPart(current, ranked) : null,
      previous: previous ? withPart(previous, ranked) : null,
      change,
    }),
  );
  return [...lines, ...restLines];
}

type GroupNotes = Pick<RankedGroups, "parts" | "days" | "running">;

/**
 * `partial` marks a week or month that the period's edge cuts; `days` is how many of its days there are, or how many of the
 * period's days a weekday or an hour has; `running` marks a day, week or month that isn't over.
 */
function withPart(group: Group, { parts, days, running }: GroupNotes): object {
  const part = parts.get(group);
  const count = part?.days ?? days.get(group);
  return {
    ...group,
    ...(part && { partial: true }),
    ...(count !== undefined && { days: count }),
    ...(running === group && { running: true }),
  };
}

function withParts(groups: readonly Group[], notes: GroupNotes): readonly object[] {
  return groups.map((group) => withPart(group, notes));
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
