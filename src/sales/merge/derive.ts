/** Some answers follow from the figures by day, so that the service need not be asked for them. */
import type { Group } from "../../contract/models.js";
import { calendars, type CalendarDimension } from "./calendar-forms.js";
import { namesIn, unitSums, type Evidence, type Names } from "./calendar-names.js";
import { placedGroup, type PlacedGroup } from "./group-identity.js";
import { groupList, type GroupList } from "./groups.js";

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
  return groupList(dimension, placed);
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
 * Where a group has no name, it is named as ISO 8601 does; weekdays count from Sunday, 0.
 */
export function namesLike(evidence: readonly Evidence[], dimension: CalendarDimension): Names {
  const [names] = namesIn(evidence, dimension, (derived, { groups }) =>
    derived.every(
      ({ total_order_count, total_revenue }, index) =>
        groups[index]?.total_order_count === total_order_count &&
        groups[index].total_revenue === total_revenue,
    ),
  );
  const units = names?.units ?? calendars[dimension][0];
  const [isoKey = () => null] = units.keys;
  return {
    units,
    nameOf: (place) => {
      const { key, label } = names?.nameOf(place) ?? {};
      return key === undefined || label === undefined ? { key: isoKey(place), label: null } : { key, label };
    },
  };
}

/** @returns `undefined` where a place has no known name, or days can't be read */
function placedSums(
  days: readonly Group[],
  dimension: CalendarDimension,
  { units, nameOf }: Names,
): readonly PlacedGroup[] | undefined {
  const sums = unitSums(days, units);
  const placed = sums?.flatMap(([place, metrics]): PlacedGroup[] => {
    const { key, label } = nameOf(place);
    if (key === undefined || label === undefined) return [];
    return [placedGroup({ key, label, ...metrics }, dimension, place)];
  });
  return placed?.length === sums?.length ? placed : undefined;
}
