/**
 * How a service writes its days, weeks, months and weekdays, learned of its own answers. Each answer whose days are known
 * too is evidence: what follows from the days has to be the answer, group by group, or nothing follows from days here.
 * What was seen is written as it was; what wasn't, in the form that fits all that was. Where two forms fit and differ,
 * nothing is known.
 */
import type { Group, GroupedSummary } from "../../contract/models.js";
import { calendars, dayOf, type CalendarDimension, type Units } from "./calendar-forms.js";
import { dateOrdinal, dayOfKey } from "./group-identity.js";
import { unanimous } from "./weekday-names.js";
import { addToSum, emptySum, metricsOfSum, type Metrics, type Sum } from "./sums.js";

/** The groups by day of some orders, and the same orders by another dimension. */
export interface Evidence {
  readonly days: readonly Group[];
  readonly answer: GroupedSummary;
}

type Name = Pick<Group, "key" | "label">;

/** One way of counting and writing that the evidence allows. */
export interface Names {
  readonly units: Units;
  /** @returns `undefined` where the evidence doesn't tell */
  readonly nameOf: (place: number) => Name | undefined;
}

/** All ways that the evidence allows; none where there is none. @param isSame what an answer has to be */
export function namesIn(
  evidence: readonly Evidence[],
  dimension: CalendarDimension,
  isSame: (derived: readonly Group[], answer: GroupedSummary) => boolean,
): readonly Names[] {
  return calendars[dimension].flatMap((units) => {
    const seen = seenIn(evidence, units, isSame);
    if (!seen || seen.size === 0) return [];
    const places = [...seen];
    const keys = units.keys.filter((form) => places.every(([place, { key }]) => form(place) === key));
    const labels = units.labels.filter((form) => places.every(([place, { label }]) => form(place) === label));
    const nameOf = (place: number): Name | undefined => {
      const [key, label] = [unanimous(keys, place), unanimous(labels, place)];
      return seen.get(place) ?? (key === undefined || label === undefined ? undefined : { key, label });
    };
    return { units, nameOf };
  });
}

/** @returns by place; `undefined` where the evidence isn't what follows from its days, or contradicts itself */
function seenIn(
  evidence: readonly Evidence[],
  units: Units,
  isSame: (derived: readonly Group[], answer: GroupedSummary) => boolean,
): ReadonlyMap<number, Name> | undefined {
  const seen = new Map<number, Name>();
  for (const { days, answer } of evidence) {
    const sums = unitSums(days, units);
    if (sums?.length !== answer.groups.length) return undefined;
    const derived: Group[] = [];
    for (const [index, [place, metrics]] of sums.entries()) {
      const { key = null, label = null } = answer.groups[index] ?? {};
      const before = seen.get(place) ?? { key, label };
      const isNamed = [key, label].every((name) => units.isNamed?.(place, String(name)) ?? true);
      if (before.key !== key || before.label !== label || !isNamed) return undefined;
      seen.set(place, { key, label });
      derived.push({ key, label, ...metrics });
    }
    if (!isSame(derived, answer)) return undefined;
  }
  return seen;
}

/** @returns in the order of places; `undefined` for days that can't be read, or whose amounts aren't exact */
export function unitSums(
  days: readonly Group[],
  { placeOf }: Units,
): readonly (readonly [place: number, metrics: Metrics])[] | undefined {
  const sums = new Map<number, Sum>();
  const rounded: number[] = [];
  for (const group of days) {
    const ordinal = dateOrdinal(dayOfKey(group.key) ?? "", "day");
    if (ordinal === undefined) return undefined;
    const place = placeOf(dayOf(ordinal));
    const onRounded = (amount: number) => rounded.push(amount);
    sums.set(place, addToSum(sums.get(place) ?? emptySum, group, onRounded));
  }
  if (rounded.length > 0) return undefined;
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
