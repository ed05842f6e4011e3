/** The groups of two periods, matched and set against each other. */
import type { Dimension, Group } from "../../contract/summary.js";
import { dateOrdinal, isTimeline, keyIdentity, type PlacedGroup } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import type { PeriodFigures } from "../results.js";
import { compareMetrics, type MetricsChange } from "./metrics.js";

/** A group's change. A side without the group counts as 0. */
export interface GroupChange extends MetricsChange {
  /** The current period's; the previous period's where only that one has the group. */
  readonly key: Group["key"];
  readonly label: Group["label"];
  /** For days, weeks and months: what the current one is compared with; absent where only one side has it. */
  readonly previous_key?: Group["key"];
}

/** A group of one period and what it is compared with in the other; a side may be missing, never both. */
export interface ComparedGroup {
  readonly current: Group | undefined;
  readonly previous: Group | undefined;
  readonly change: GroupChange;
}

/**
 * One entry for each group of either period: the current period's groups in their order, then those that the
 * previous one alone has. Groups are matched by key; days, weeks and months by their place in the period (the first
 * day with the first day), since their keys differ from period to period.
 */
export function compareGroups(
  current: PeriodFigures<GroupList>,
  previous: PeriodFigures<GroupList>,
  dimension: Dimension,
): readonly ComparedGroup[] {
  const byPlace = isTimeline(dimension) && [current, previous].every(hasPlaces);
  const index = (side: PeriodFigures<GroupList>): ReadonlyMap<string, Group> =>
    byPlace ? groupsByPlace(side, dimension) : groupsByKey(side, dimension);
  const [now, then] = [index(current), index(previous)];
  return [...new Set([...now.keys(), ...then.keys()])].map((place) => {
    const [one, other] = [now.get(place), then.get(place)];
    return { current: one, previous: other, change: changeOf(one, other, byPlace) };
  });
}

function changeOf(current: Group | undefined, previous: Group | undefined, byPlace: boolean): GroupChange {
  const shown = current ?? previous;
  return {
    key: shown?.key ?? null,
    label: shown?.label ?? null,
    ...(byPlace && current && previous ? { previous_key: previous.key } : {}),
    ...compareMetrics(current, previous),
  };
}

function hasPlaces({ figures }: PeriodFigures<GroupList>): boolean {
  return figures.placed.every(({ ordinal }) => ordinal !== undefined);
}

function groupsByPlace(
  { period, figures }: PeriodFigures<GroupList>,
  dimension: Dimension,
): ReadonlyMap<string, Group> {
  const first = isTimeline(dimension) ? (dateOrdinal(period.from.date, dimension) ?? 0) : 0;
  return numbered(figures.placed, ({ ordinal = first }) => String(ordinal - first));
}

/** The identity of a day, week or month holds its place; that of any other group its key, and what tells stores apart. */
function groupsByKey(
  { figures }: PeriodFigures<GroupList>,
  dimension: Dimension,
): ReadonlyMap<string, Group> {
  return numbered(figures.placed, ({ group, identity }) =>
    isTimeline(dimension) ? keyIdentity(group.key) : identity,
  );
}

/** Several groups in one place (the `11` of two years, say) are matched in their order. */
function numbered(
  placed: readonly PlacedGroup[],
  placeOf: (one: PlacedGroup) => string,
): ReadonlyMap<string, Group> {
  const seen = new Map<string, number>();
  return new Map(
    placed.map((one) => {
      const place = placeOf(one);
      const count = seen.get(place) ?? 0;
      seen.set(place, count + 1);
      return [`${place}/${count}`, one.group];
    }),
  );
}
