/**
 * Learns from a service's own answers how it writes its days, weeks, months and weekdays. An answer whose days are
 * known too is evidence: it has to follow from the days, group by group, or nothing follows from days here. A name
 * that was seen is written as it was; another one in the form that fits all that were seen. Where two forms fit and
 * differ, nothing is known.
 */
import type { Group, GroupedSummary } from "../../contract/models.js";
import { calendars, dayOf, type CalendarDimension, type Units } from "./calendar-forms.js";
import { dateOrdinal, dayOfKey } from "./group-identity.js";
import { unanimous } from "./weekday-names.js";
import { addToSum, emptySum, metricsOfSum, type Metrics, type Sum } from "./sums.js";

/** The same orders are known by day and by another dimension. */
export interface Evidence {
  readonly days: readonly Group[];
  readonly answer: GroupedSummary;
}

type Name = Pick<Group, "key" | "label">;

/** The evidence allows this way of counting and writing. */
export interface Names {
  readonly units: Units;
  /** @returns `undefined` where the evidence doesn't tell */
  readonly nameOf: (place: number) => Name | undefined;
}

/**
 * Lists all ways that the evidence allows; none where there is no evidence.
 *
 * @param isSame compares what follows from the days with the answer
 */
export function namesIn(
  evidence: readonly Evidence[],
  dimension: CalendarDimension,
  isSame: (derived: readonly Group[], answer: GroupedSummary) => boolean,
): readonly Names[] {
  return calendars[dimension].flatMap((units) => {
    const namesByPlace = collectNames(evidence, units, isSame);
    if (!namesByPlace || namesByPlace.size === 0) return [];
    const places = [...namesByPlace];
    const keys = units.keys.filter((form) => places.every(([place, { key }]) => form(place) === key));
    const labels = units.labels.filter((form) => places.every(([place, { label }]) => form(place) === label));
    const nameOf = (place: number): Name | undefined => {
      const [key, label] = [unanimous(keys, place), unanimous(labels, place)];
      return (
        namesByPlace.get(place) ?? (key === undefined || label === undefined ? undefined : { key, label })
      );
    };
    return { units, nameOf };
  });
}

/** @returns `undefined` where an answer doesn't follow from its days, or contradicts another */
function collectNames(
  evidence: readonly Evidence[],
  units: Units,
  isSame: (derived: readonly Group[], answer: GroupedSummary) => boolean,
): ReadonlyMap<number, Name> | undefined {
  const names = new Map<number, Name>();
  for (const { days, answer } of evidence) {
    const sums = unitSums(days, units);
    if (sums?.length !== answer.groups.length) return undefined;
    const derived: Group[] = [];
    for (const [index, [place, metrics]] of sums.entries()) {
      const { key = null, label = null } = answer.groups[index] ?? {};
      const before = names.get(place) ?? { key, label };
      const isNamed = [key, label].every((name) => units.isNamed?.(place, String(name)) ?? true);
      if (before.key !== key || before.label !== label || !isNamed) return undefined;
      names.set(place, { key, label });
      derived.push({ key, label, ...metrics });
    }
    if (!isSame(derived, answer)) return undefined;
  }
  return names;
}

/**
 * @returns the sums in the order of places; `undefined` for days that can't be read, or whose amounts aren't exact
 */
export function unitSums(
  days: readonly Group[],
  { placeOf }: Units,
): readonly (readonly [place: number, metrics: Metrics])[] | undefined {
  const sums = new Map<number, Sum>();
  const roundedAmounts: number[] = [];
  for (const group of days) {
    const ordinal = dateOrdinal(dayOfKey(group.key) ?? "", "day");
    if (ordinal === undefined) return undefined;
    const place = placeOf(dayOf(ordinal));
    const onRounded = (amount: number) => roundedAmounts.push(amount);
    sums.set(place, addToSum(sums.get(place) ?? emptySum, group, onRounded));
  }
  if (roundedAmounts.length > 0) return undefined;
  return [...sums].toSorted(([a], [b]) => a - b).map(([place, sum]) => [place, metricsOfSum(sum)]);
}

/** Names units as ISO 8601 does where the evidence shows no form. Weekdays count from Sunday, 0. */
export function withIsoNames({ units, nameOf }: Names) {
  const [form = () => null] = units.keys;
  return { units, nameOf: (place: number): Name => nameOf(place) ?? { key: form(place), label: null } };
}

export function isoNames(dimension: CalendarDimension): Names {
  return withIsoNames({ units: calendars[dimension][0], nameOf: () => undefined });
}
