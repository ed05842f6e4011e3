/** Whether the rules of `--alert` hold of groups, also of those that have no orders any more. */
import type { Dimension, Group } from "../../contract/summary.js";
import { isTimeline, keyIdentity } from "../merge/group-identity.js";
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
} from "./alerts.js";
import { compareGroups } from "./groups.js";

type GroupFigures = PeriodFigures<GroupList>;

/** Without orders in such a group the store was closed; without those of a channel, say, it may well have been open. */
export function isTimeSlice(dimension: Dimension): boolean {
  return isTimeline(dimension) || dimension === "day_of_week";
}

/** A group that a rule is judged of. */
interface Judged {
  readonly group: Pick<Group, "key" | "label">;
  readonly metrics: Metrics;
  readonly against: Baseline | undefined;
  /** Does it hold as many days as what it is set against? */
  readonly isUnequal: boolean;
  /** Had it orders before, so that it is missed? */
  readonly isKnown: boolean;
}

/** Each rule for each group; of a store that was closed, once for all of them. */
export function groupAlerts(
  figures: Compared<GroupFigures>,
  dimension: Dimension,
  rules: readonly AlertRule[],
  weeks: number | undefined,
): readonly Alert[] {
  const { current } = figures;
  const isSlice = isTimeSlice(dimension);
  const all = judgedGroups(figures, dimension, weeks);
  const groups = isSlice ? all : all.filter(({ metrics, isKnown }) => isKnown || hasOrders(metrics));
  const whole = openingOf(addMetrics(current.figures.grouped.groups), current.basis?.unfiltered);
  return rules.flatMap((rule): readonly Alert[] => {
    if (whole !== "open" && !asksForNone(rule)) return [judge(rule, noOrders, undefined, whole)];
    return groups.map(({ group, metrics, against, isUnequal }) => {
      const opening = isSlice ? openingOf(metrics, sliceOf(group, current)) : whole;
      return {
        ...(isUnequal && rule.limit.kind === "percent"
          ? { ...judge(rule, metrics, undefined, opening), unjudged: "part" as const }
          : judge(rule, metrics, against, opening)),
        group,
      };
    });
  });
}

function judgedGroups(
  figures: Compared<GroupFigures>,
  dimension: Dimension,
  weeks: number | undefined,
): readonly Judged[] {
  if (figures.kind === "comparison") return comparedGroups(figures, dimension);
  const { current } = figures;
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
): readonly Judged[] {
  return compareGroups(current, previous, dimension).flatMap(({ current: now, previous: then, change }) => {
    const isUnequal = change.comparable === false;
    // A day of the other period alone is none of this one.
    if (now === undefined && isUnequal) return [];
    const group = { key: change.key, label: change.label };
    const isKnown = then !== undefined && hasOrders(then);
    return [{ group, metrics: now ?? noOrders, against: baselineOf(then), isUnequal, isKnown }];
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

/** Of the days on which the store was open; a group without orders on one of them counts there as 0. */
function medianOfGroup({ key }: Group, weekdays: readonly GroupList[]): Baseline {
  const identity = keyIdentity(key);
  const open = weekdays.filter(({ placed }) => placed.length > 0);
  return medianOf(
    open.map(({ placed }) => placed.find((one) => one.identity === identity)?.group ?? noOrders),
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
