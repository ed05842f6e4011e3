/** Whether the rules of `--alert` hold of groups, also of those that have no orders any more. */
import type { DateField, Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { keyIdentity } from "../merge/group-identity.js";
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

interface Judged {
  readonly group: Pick<Group, "key" | "label">;
  readonly metrics: Metrics;
  readonly against: Baseline | undefined;
  /** Does it hold as many days as what it is set against? */
  readonly isUnequal: boolean;
  /** How many weekdays or hours each period has; `unknown` where that can't be told. */
  readonly days?: DaysAgainst | "unknown";
  /** Had it orders before, so that it is missed? */
  readonly isKnown: boolean;
}

/** Each rule for each group; of a store that was closed, once for all of them. */
export function groupAlerts(figures: Compared<GroupFigures>, options: GroupAlertsOptions): readonly Alert[] {
  const { current } = figures;
  const { dimension, rules } = options;
  // On a day without orders the store was closed; without those of a channel, say, it may well have been open.
  const isSlice = isCalendar(dimension);
  const all = judgedGroups(figures, options);
  const groups = isSlice ? all : all.filter(({ metrics, isKnown }) => isKnown || hasOrders(metrics));
  const whole = openingOf(addMetrics(current.figures.grouped.groups), current.basis?.unfiltered);
  return rules.flatMap((rule): readonly Alert[] => {
    if (whole !== "open" && !asksForNone(rule)) return [judge(rule, noOrders, undefined, whole)];
    return groups.map(({ group, metrics, against, isUnequal, days }) => {
      const opening = isSlice ? openingOf(metrics, sliceOf(group, current)) : whole;
      const isChange = rule.limit.kind === "percent";
      if (isChange && (isUnequal || days === "unknown")) {
        const unjudged = isUnequal ? ("part" as const) : ("days" as const);
        return { ...judge(rule, metrics, undefined, opening), unjudged, group, dimension };
      }
      return {
        ...judge(rule, metrics, against, opening, days === "unknown" ? undefined : days),
        group,
        dimension,
      };
    });
  });
}

export interface GroupAlertsOptions {
  readonly dimension: Dimension;
  readonly dateField: DateField | undefined;
  readonly rules: readonly AlertRule[];
  /** Over which the median of a weekday is taken; absent where none is. */
  readonly weeks: number | undefined;
}

function judgedGroups(
  figures: Compared<GroupFigures>,
  { dimension, dateField, weeks }: GroupAlertsOptions,
): readonly Judged[] {
  const { current, previous } = figures;
  if (previous) return comparedGroups({ current, previous }, dimension, dateField);
  const { days, weekdays, before } = current.basis ?? {};
  if (days && weeks !== undefined) {
    return current.figures.placed.map(({ group, ordinal }) => ({
      ...plainly(group),
      against: medianOf(weekdaysBefore(days, ordinal, weeks), weeks),
    }));
  }
  if (weekdays) {
    return withMissing(current.figures, weekdays).map((group) => {
      const against = medianOfGroup(group, weekdays);
      return { ...plainly(group), against, isKnown: (against.orders ?? 0) > 0 };
    });
  }
  const lately = new Set(before?.placed.map(({ identity }) => identity));
  return withMissing(current.figures, before ? [before] : []).map((group) => ({
    ...plainly(group),
    isKnown: lately.has(keyIdentity(group.key)),
  }));
}

function comparedGroups(
  { current, previous }: { readonly current: GroupFigures; readonly previous: GroupFigures },
  dimension: Dimension,
  dateField: DateField | undefined,
): readonly Judged[] {
  return compareGroups(current, previous, dimension, { dateField }).flatMap((compared): readonly Judged[] => {
    const { current: now, previous: then, change, daily } = compared;
    // A day of the other period alone is none of this one.
    if (now === undefined && change.comparable === false) return [];
    const group = { key: change.key, label: change.label };
    const isKnown = then !== undefined && hasOrders(then);
    const [days, others] = daily ? daily.sides.map((side) => side.days) : [];
    const isUnequal = change.comparable === false || (days && others ? !areComparable(days, others) : false);
    return [
      {
        ...{ group, metrics: now ?? noOrders, against: baselineOf(then), isUnequal, isKnown },
        ...(daily && {
          days: days && others ? { current: days.days, previous: others.days } : ("unknown" as const),
        }),
      },
    ];
  });
}

function plainly({ key, label, ...metrics }: Group): Judged {
  return { group: { key, label }, metrics, against: undefined, isUnequal: false, isKnown: false };
}

/** The groups of a period, then those that it lacks and the others have, without orders. */
function withMissing({ placed }: GroupList, others: readonly GroupList[]): readonly Group[] {
  const groups = new Map(placed.map(({ identity, group }) => [identity, group]));
  for (const { identity, group } of others.flatMap((list) => list.placed))
    if (!groups.has(identity)) groups.set(identity, { key: group.key, label: group.label, ...noOrders });
  return [...groups.values()];
}

/** Days on which the store was closed don't count; a group without orders on another day counts there as 0. */
function medianOfGroup({ key }: Group, weekdays: readonly GroupList[]): Baseline {
  const identity = keyIdentity(key);
  const open = weekdays.filter(({ placed }) => placed.length > 0);
  return medianOf(
    open.map(({ placed }) => placed.find((placed) => placed.identity === identity)?.group ?? noOrders),
    weekdays.length,
  );
}

/** All orders of the same days, where the filters leave none. */
function sliceOf({ key }: Pick<Group, "key">, { basis }: GroupFigures): Metrics | "not kept" | undefined {
  const unfiltered = basis?.unfiltered;
  if (unfiltered === undefined || unfiltered === "not kept" || !("grouped" in unfiltered)) return unfiltered;
  return unfiltered.grouped.groups.find((group) => group.key === key);
}

function hasOrders({ total_order_count: orders }: Metrics): boolean {
  return orders > 0;
}
