/** Judges whether the rules of `--alert` hold of groups, also of those that have no orders any more. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import type { PlacedGroup } from "../merge/group-identity.js";
import { isCalendar } from "../merge/calendar-forms.js";
import type { GroupList } from "../merge/groups.js";
import { addMetrics, noOrders, type Metrics } from "../merge/sums.js";
import type { Compared, PeriodFigures } from "../results.js";
import type { Alert, AlertRule } from "./alert-rules.js";
import {
  asksForNone,
  baselineOf,
  judge,
  medianOf,
  openingOf,
  weekdaysBefore,
  type Baseline,
  type DaysAgainst,
} from "./alerts.js";
import { areComparable } from "./group-days.js";
import { compareGroups } from "./groups.js";

type GroupFigures = PeriodFigures<GroupList>;

interface JudgedGroup {
  readonly group: Pick<Group, "key" | "label">;
  readonly metrics: Metrics;
  readonly baseline?: Baseline | undefined;
  /** The two periods have this many of a weekday or an hour. */
  readonly days?: DaysAgainst | undefined;
  /** The group has another number of days than what it is compared with, or it isn't known how many. */
  readonly unjudged?: "part" | "days" | undefined;
  /** The group had orders before, so it is missed. */
  readonly isKnown?: boolean;
}

/** Judges each rule for each group; a closed store is judged once for all of them. */
export function groupAlerts(figures: Compared<GroupFigures>, options: GroupAlertsOptions): readonly Alert[] {
  const { current } = figures;
  const { dimension, rules } = options;
  // A day without orders means that the store was closed; a channel without orders may well have been open.
  const isSlice = isCalendar(dimension);
  const groups = judgedGroups(figures, options).filter(
    ({ metrics, isKnown }) => isSlice || isKnown === true || hasOrders(metrics),
  );
  const storeOpening = openingOf(addMetrics(current.figures.grouped.groups), current.basis?.unfiltered);
  return rules.flatMap((rule): readonly Alert[] => {
    if (storeOpening !== "open" && !asksForNone(rule))
      return [judge(rule, noOrders, undefined, storeOpening)];
    return groups.map(({ group, metrics, baseline, days, unjudged }) => {
      const opening = isSlice ? openingOf(metrics, sliceOf(group, current)) : storeOpening;
      const alert =
        unjudged && rule.limit.kind === "percent"
          ? { ...judge(rule, metrics, undefined, opening), unjudged }
          : judge(rule, metrics, baseline, opening, days);
      return { ...alert, group, dimension };
    });
  });
}

export interface GroupAlertsOptions {
  readonly dimension: Dimension;
  readonly dateField: DateField | undefined;
  readonly rules: readonly AlertRule[];
  /** The median of a weekday is taken over this many weeks; absent where none is. */
  readonly weeks: number | undefined;
}

function judgedGroups(
  figures: Compared<GroupFigures>,
  { dimension, dateField, weeks }: GroupAlertsOptions,
): readonly JudgedGroup[] {
  const { current, previous } = figures;
  if (previous) return comparedGroups({ current, previous }, dimension, dateField);
  const { days, weekdays, before } = current.basis ?? {};
  const earlier = weekdays ?? (before ? [before] : []);
  const earlierGroups = new Set(earlier.flatMap(({ placed }) => placed.map(({ identity }) => identity)));
  return withMissing(current.figures, earlier).map(
    ({ identity, ordinal, group: { key, label, ...metrics } }) => {
      const baseline =
        days && weeks !== undefined
          ? medianOf(weekdaysBefore(days, ordinal, weeks), weeks)
          : weekdays && medianOfGroup(identity, weekdays);
      const isKnown = weekdays ? (baseline?.orders ?? 0) > 0 : earlierGroups.has(identity);
      return { group: { key, label }, metrics, baseline, isKnown };
    },
  );
}

function comparedGroups(
  { current, previous }: { readonly current: GroupFigures; readonly previous: GroupFigures },
  dimension: Dimension,
  dateField: DateField | undefined,
): readonly JudgedGroup[] {
  return compareGroups(current, previous, dimension, { dateField }).flatMap(
    ({ current: now, previous: then, change, daily }): readonly JudgedGroup[] => {
      const isUnequal = change.comparable === false;
      // A day that only the other period has is none of this one.
      if (now === undefined && isUnequal) return [];
      const [days, daysBefore] = daily?.sides.map((side) => side.days) ?? [];
      const areKnown = days !== undefined && daysBefore !== undefined;
      const isPart = isUnequal || (areKnown && !areComparable(days, daysBefore));
      return [
        {
          group: { key: change.key, label: change.label },
          metrics: now ?? noOrders,
          baseline: baselineOf(then),
          days: areKnown ? { current: days.days, previous: daysBefore.days } : undefined,
          unjudged: isPart ? "part" : daily && !areKnown ? "days" : undefined,
          isKnown: then !== undefined && hasOrders(then),
        },
      ];
    },
  );
}

/** Lists the groups of a period, then those that it lacks and the others have, without orders. */
function withMissing({ placed }: GroupList, others: readonly GroupList[]): readonly PlacedGroup[] {
  const groups = new Map(placed.map((group) => [group.identity, group]));
  for (const other of others.flatMap((list) => list.placed))
    if (!groups.has(other.identity))
      groups.set(other.identity, { ...other, group: { ...other.group, ...noOrders } });
  return [...groups.values()];
}

/**
 * Takes the median of a group. Days on which the store was closed don't count; a group without orders on another day
 * counts there as 0.
 */
function medianOfGroup(identity: string, weekdays: readonly GroupList[]): Baseline {
  const open = weekdays.filter(({ placed }) => placed.length > 0);
  return medianOf(
    open.map(({ placed }) => placed.find((placed) => placed.identity === identity)?.group ?? noOrders),
    weekdays.length,
  );
}

/** Finds all orders of the same days, where the filters leave none. */
function sliceOf({ key }: Pick<Group, "key">, { basis }: GroupFigures): Metrics | "not kept" | undefined {
  const unfiltered = basis?.unfiltered;
  if (unfiltered === undefined || unfiltered === "not kept" || !("grouped" in unfiltered)) return unfiltered;
  return unfiltered.grouped.groups.find((group) => group.key === key);
}

function hasOrders({ total_order_count: orders }: Metrics): boolean {
  return orders > 0;
}
