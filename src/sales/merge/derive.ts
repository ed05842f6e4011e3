/** What follows from the figures by day, so that the service need not be asked for it. */
import type { Group } from "../../contract/models.js";
import type { CalendarDimension } from "./calendar-forms.js";
import { isoNames, namesIn, unitSums, withIsoNames, type Evidence, type Names } from "./calendar-names.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";
import type { GroupList } from "./groups.js";
import { addMetrics, type Metrics } from "./sums.js";

/** Every order belongs to one day, so all days together are the period. */
export function totalOfDays({ grouped }: GroupList): Metrics {
  return addMetrics(grouped.groups);
}

/**
 * The figures by week, month or weekday, as the service would write them: out of the same days its other answers follow
 * to the letter.
 *
 * @param names as {@link exactNames} found them
 * @returns `undefined` where the service has to be asked
 */
export function groupsOfDays(
  days: readonly Group[],
  dimension: CalendarDimension,
  names: readonly Names[],
): GroupList | undefined {
  const [placed, ...others] = names.map((names) => placedSums(days, dimension, names));
  if (!placed || others.some((other) => JSON.stringify(other) !== JSON.stringify(placed))) return undefined;
  return { grouped: { group_by: dimension, groups: placed.map(({ group }) => group) }, placed };
}

/** How the service writes them, where its answers are to the letter what follows from their days. */
export function exactNames(evidence: readonly Evidence[], dimension: CalendarDimension): readonly Names[] {
  return namesIn(evidence, dimension, (derived, { group_by, groups, ...unknown }) => {
    const isSame = JSON.stringify(derived) === JSON.stringify(groups);
    return isSame && group_by === dimension && Object.keys(unknown).length === 0;
  });
}

/** Like {@link exactNames}, where the service has no answer of its own: orders and revenue have to agree. */
export function namesLike(evidence: readonly Evidence[], dimension: CalendarDimension): readonly Names[] {
  return namesIn(evidence, dimension, (derived, { groups }) =>
    derived.every(
      ({ total_order_count, total_revenue }, index) =>
        groups[index]?.total_order_count === total_order_count &&
        groups[index].total_revenue === total_revenue,
    ),
  );
}

/**
 * As one of the ways writes them; where it has no name, as ISO 8601 does.
 *
 * @returns `undefined` for days that can't be read
 */
export function namedGroups(
  days: readonly Group[],
  dimension: CalendarDimension,
  [names = isoNames(dimension)]: readonly Names[],
): GroupList | undefined {
  return groupsOfDays(days, dimension, [withIsoNames(names)]);
}

/** @returns `undefined` where one of them has no name that is known */
function placedSums(
  days: readonly Group[],
  dimension: CalendarDimension,
  { units, nameOf }: Names,
): readonly PlacedGroup[] | undefined {
  const sums = unitSums(days, units);
  const placed = sums?.flatMap(([place, metrics]): PlacedGroup[] => {
    const name = nameOf(place);
    return name ? [{ group: { ...name, ...metrics }, ...placeIn(dimension, name.key, place) }] : [];
  });
  return placed?.length === sums?.length ? placed : undefined;
}

/** Weekdays are known by their key alone. */
export function placeIn(dimension: CalendarDimension, key: Group["key"], place: number) {
  return dimension === "day_of_week"
    ? { identity: keyIdentity(key), ordinal: undefined }
    : { identity: `${keyIdentity(key)}@${place}`, ordinal: place };
}
