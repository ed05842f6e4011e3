/** Some answers follow from the figures by day, so that the service need not be asked for them. */
import type { Group } from "../../contract/models.js";
import type { CalendarDimension } from "./calendar-forms.js";
import { isoNames, namesIn, unitSums, withIsoNames, type Evidence, type Names } from "./calendar-names.js";
import { keyIdentity, type PlacedGroup } from "./group-identity.js";
import type { GroupList } from "./groups.js";
import { addMetrics, type Metrics } from "./sums.js";

/** Adds up all days: every order belongs to one day, so they are the whole period. */
export function totalOfDays({ grouped }: GroupList): Metrics {
  return addMetrics(grouped.groups);
}

/**
 * Makes the figures by week, month or weekday as the service would write them: from the same days its other answers
 * follow to the letter.
 *
 * @param names are those that {@link exactNames} found
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

/** Learns how the service writes the groups, where its answers follow from their days to the letter. */
export function exactNames(evidence: readonly Evidence[], dimension: CalendarDimension): readonly Names[] {
  return namesIn(evidence, dimension, (derived, { group_by, groups, ...unknownFields }) => {
    const isSame = JSON.stringify(derived) === JSON.stringify(groups);
    return isSame && group_by === dimension && Object.keys(unknownFields).length === 0;
  });
}

/**
 * Learns like {@link exactNames}, where the service has no answer of its own: only orders and revenue have to agree.
 */
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
 * Makes groups in the first of these ways; where a group has no name, it is named as ISO 8601 does.
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

/** @returns `undefined` where a place has no known name */
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

/** Gives the identity of a group; weekdays are identified by their key alone. */
export function placeIn(dimension: CalendarDimension, key: Group["key"], place: number) {
  return dimension === "day_of_week"
    ? { identity: keyIdentity(key), ordinal: undefined }
    : { identity: `${keyIdentity(key)}@${place}`, ordinal: place };
}
