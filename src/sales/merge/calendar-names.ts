/**
 * Learns from a service's own answers how it writes its hours, days, weeks, months and weekdays. A name that was seen
 * is written as it was; another one in the form that fits all that were seen. Where two forms fit and differ, nothing
 * is known.
 */
import type { Dimension } from "../../contract/enums.js";
import type { Group, GroupedSummary } from "../../contract/models.js";
import {
  calendars,
  dateOrdinal,
  hours,
  isCalendar,
  type CalendarDimension,
  type Forms,
  type Units,
} from "./calendar-forms.js";
import type { Form } from "./calendar-words.js";
import { dayOfKey, type PlacedGroup } from "./group-identity.js";
import { addSums, emptySum, metricsOfSum, sumOf, type Metrics, type Sum } from "./sums.js";

/** The same orders are known by day and by another dimension. */
export interface Evidence {
  readonly days: readonly Group[];
  readonly answer: GroupedSummary;
}

type Name = Pick<Group, "key" | "label">;

/** Gives the key and label of a place; `undefined` where the forms that fit differ. */
type NameOf = Form<{ readonly [Part in keyof Name]: Name[Part] | undefined }>;

/** The evidence allows this way of counting and writing. */
export interface Names {
  readonly units: Units;
  readonly nameOf: NameOf;
}

/**
 * Lists all ways that the evidence allows; none where there is no evidence. An answer has to follow from its days,
 * group by group.
 *
 * @param isSame compares what follows from the days with the answer
 */
export function namesIn(
  evidence: readonly Evidence[],
  dimension: CalendarDimension,
  isSame: (derived: readonly Group[], answer: GroupedSummary) => boolean,
): readonly Names[] {
  return calendars[dimension].flatMap((units) => {
    const names = seenNames(evidence, units, isSame);
    return names && names.size > 0 ? [{ units, nameOf: nameLike(names, units) }] : [];
  });
}

/** @returns `undefined` where an answer doesn't follow from its days, or contradicts another */
function seenNames(
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
      if (before.key !== key || before.label !== label || !canBeNamed(place, { key, label }, units))
        return undefined;
      names.set(place, { key, label });
      derived.push({ key, label, ...metrics });
    }
    if (!isSame(derived, answer)) return undefined;
  }
  return names;
}

/**
 * @returns the sums in the order of places; `undefined` for days that can't be read
 */
export function unitSums(
  days: readonly Group[],
  { placeOf }: Units,
): readonly (readonly [place: number, metrics: Metrics])[] | undefined {
  const sums = new Map<number, Sum>();
  for (const group of days) {
    const day = dateOrdinal(dayOfKey(group.key) ?? "", "day");
    if (day === undefined) return undefined;
    const place = placeOf(day);
    sums.set(place, addSums(sums.get(place) ?? emptySum, sumOf(group)));
  }
  return [...sums].toSorted(([a], [b]) => a - b).map(([place, sum]) => [place, metricsOfSum(sum)]);
}

/** Groups alone tell this, without their days. */
export interface Reading {
  /** Gives the place of a day, for dimensions that follow from the day. */
  readonly placeOfDay: Units["placeOf"] | undefined;
  readonly nameOf: Form<Name>;
  /** Gives the place of a group: the number of its hour, of its weekday in the service's order, or its ordinal. */
  readonly placeOf: (placed: Placed) => number | undefined;
}

type Placed = Pick<PlacedGroup, "ordinal"> & { readonly group: Pick<Group, "key"> };

/** Lists the ways in which the keys of groups in time can be read. */
export function readingsOf(groups: readonly PlacedGroup[], dimension: Dimension): readonly Reading[] {
  const ways: readonly (Forms & Partial<Units>)[] =
    dimension === "hour" ? [hours] : isCalendar(dimension) ? calendars[dimension] : [];
  return ways.flatMap((forms) =>
    forms.keys.flatMap((keyOf): readonly Reading[] => {
      const placeOf = placeBy(keyOf, forms);
      const names = new Map<number, Name>();
      for (const placed of groups) {
        const place = placeOf(placed);
        if (place === undefined || !canBeNamed(place, placed.group, forms)) return [];
        names.set(place, placed.group);
      }
      const nameOf = nameLike(names, forms);
      return [
        {
          placeOfDay: forms.placeOf,
          nameOf: (place) => ({ key: keyOf(place), label: nameOf(place).label ?? null }),
          placeOf,
        },
      ];
    }),
  );
}

function placeBy(keyOf: Form<Group["key"]>, { count }: Forms): Reading["placeOf"] {
  return ({ group, ordinal }) => {
    const places = count === undefined ? [ordinal] : Array.from({ length: count }, (_, place) => place);
    return places.find((place) => place !== undefined && keyOf(place) === group.key);
  };
}

function canBeNamed(place: number, { key, label }: Name, { isNamed = () => true }: Forms): boolean {
  return [key, label].every((name) => isNamed(place, String(name)));
}

/** Names a place as it was seen, or else in the form that fits all names that were seen. */
function nameLike(names: ReadonlyMap<number, Name>, { keys, labels }: Forms): NameOf {
  const seen = [...names];
  const keyForms = keys.filter((form) => seen.every(([place, { key }]) => form(place) === key));
  const labelForms = labels.filter((form) => seen.every(([place, { label }]) => form(place) === label));
  return (place) =>
    names.get(place) ?? { key: unanimous(keyForms, place), label: unanimous(labelForms, place) };
}

/** Gives what all forms say of a place; `undefined` where they differ. */
function unanimous<Text>(forms: readonly Form<Text>[], place: number): Text | undefined {
  const texts = new Set(forms.map((form) => form(place)));
  return texts.size === 1 ? [...texts][0] : undefined;
}
