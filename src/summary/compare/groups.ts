/** The groups of two periods, matched. */
import type { Dimension } from "../../contract/summary.js";
import { compareMetrics, type GroupChange } from "./metrics.js";
import type { FetchedGroups } from "../plan/fetch.js";
import type { Period } from "../period/period.js";
import { keyIdentity, type PlacedGroup } from "../merge/placed-groups.js";
import { dateOrdinal, isTimeline } from "../merge/timeline.js";

export interface PeriodGroups {
  readonly period: Period;
  readonly groups: FetchedGroups;
}

/** A group of the one period and what it is compared with in the other; a side may be missing, never both. */
export interface GroupPair {
  readonly current: PlacedGroup | undefined;
  readonly previous: PlacedGroup | undefined;
  /** Met by their place in the period, so that their keys differ. */
  readonly byPlace: boolean;
}

/**
 * One pair for each group of either period: the current period's groups in their order, then those that the
 * previous one alone has. Groups meet by key; days, weeks and months by their place in the period (the first
 * day with the first day), since their keys differ from period to period.
 */
export function pairGroups(
  current: PeriodGroups,
  previous: PeriodGroups,
  dimension: Dimension,
): readonly GroupPair[] {
  const byPlace = isTimeline(dimension) && [current, previous].every(hasPlaces);
  const placesOf = (side: PeriodGroups): ReadonlyMap<string, PlacedGroup> =>
    byPlace ? places(side, dimension) : keys(side, dimension);
  const [now, then] = [placesOf(current), placesOf(previous)];
  return [...new Set([...now.keys(), ...then.keys()])].map((place) => ({
    current: now.get(place),
    previous: then.get(place),
    byPlace,
  }));
}

/** One change for each pair of {@link pairGroups}. */
export function compareGroups(
  current: PeriodGroups,
  previous: PeriodGroups,
  dimension: Dimension,
): readonly GroupChange[] {
  return pairGroups(current, previous, dimension).map(groupChange);
}

export function groupChange({ current, previous, byPlace }: GroupPair): GroupChange {
  const shown = current ?? previous;
  return {
    key: shown?.group.key ?? null,
    label: shown?.group.label ?? null,
    ...(byPlace && current && previous ? { previous_key: previous.group.key } : {}),
    ...compareMetrics(current?.group, previous?.group),
  };
}

function hasPlaces({ groups }: PeriodGroups): boolean {
  return groups.placed.every(({ ordinal }) => ordinal !== undefined);
}

function places({ period, groups }: PeriodGroups, dimension: Dimension): ReadonlyMap<string, PlacedGroup> {
  const first = isTimeline(dimension) ? (dateOrdinal(period.from.date, dimension) ?? 0) : 0;
  return numbered(groups.placed, ({ ordinal = first }) => String(ordinal - first));
}

/** The identity of a day, week or month holds its place; that of any other group is its key, and what tells stores apart. */
function keys({ groups }: PeriodGroups, dimension: Dimension): ReadonlyMap<string, PlacedGroup> {
  return numbered(groups.placed, ({ group, identity }) =>
    isTimeline(dimension) ? keyIdentity(group.key) : identity,
  );
}

/** Several groups in one place (the `11` of two years, say) meet one by one. */
function numbered(
  placed: readonly PlacedGroup[],
  placeOf: (one: PlacedGroup) => string,
): ReadonlyMap<string, PlacedGroup> {
  const seen = new Map<string, number>();
  return new Map(
    placed.map((one) => {
      const place = placeOf(one);
      const count = seen.get(place) ?? 0;
      seen.set(place, count + 1);
      return [`${place}/${count}`, one];
    }),
  );
}
