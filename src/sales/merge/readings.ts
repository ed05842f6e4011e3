/** Finds the ways in which the keys of groups in time can be read, from these groups alone. */
import type { Dimension } from "../../contract/enums.js";
import type { Group } from "../../contract/models.js";
import { calendars, isCalendar, twoDigits, type Units } from "./calendar-forms.js";
import type { PlacedGroup } from "./group-identity.js";
import { unanimous, type Form } from "./weekday-names.js";

export interface Reading {
  /** Gives the place of a day, for dimensions that follow from the day. */
  readonly placeOfDay: Units["placeOf"] | undefined;
  readonly key: Form<Group["key"]>;
  /** It gives `null` where the labels of the others don't tell. */
  readonly label: Form<Group["label"]>;
  /** Gives the place of a group: the number of its hour, of its weekday in the service's order, or its ordinal. */
  readonly placeOf: (placed: Placed) => number | undefined;
}

type Placed = Pick<PlacedGroup, "ordinal"> & { readonly group: Pick<Group, "key"> };

/** A kind of group may be written in these forms, and can stand in these places. */
interface Writing extends Pick<Units, "keys" | "labels" | "isNamed"> {
  readonly placeOfDay: Units["placeOf"] | undefined;
  /** There are so many places; `undefined` where time goes on. */
  readonly count: number | undefined;
}

const hours: Writing = {
  placeOfDay: undefined,
  count: 24,
  keys: [(hour) => hour, String, twoDigits, (hour) => `${twoDigits(hour)}:00`],
  labels: [
    (hour) => `${twoDigits(hour)}:00`,
    (hour) => `${hour}:00`,
    (hour) => `${hour}h`,
    (hour) => `${twoDigits(hour)}h`,
    String,
    twoDigits,
    () => null,
  ],
};

function writingsOf(dimension: Dimension): readonly Writing[] {
  if (dimension === "hour") return [hours];
  if (!isCalendar(dimension)) return [];
  const count = dimension === "day_of_week" ? 7 : undefined;
  return calendars[dimension].map(({ placeOf, ...forms }) => ({ ...forms, placeOfDay: placeOf, count }));
}

export function readingsOf(groups: readonly PlacedGroup[], dimension: Dimension): readonly Reading[] {
  return writingsOf(dimension).flatMap((writing) =>
    writing.keys.flatMap((key): readonly Reading[] => {
      const placeOf = placeBy(key, writing);
      const places = groups.map(placeOf);
      const fits = groups.every(({ group }, index) => canBeNamed(writing, places[index], group));
      if (!fits || !ascends(key, writing)) return [];
      const labels = writing.labels.filter((form) =>
        groups.every(({ group: { label } }, index) => form(places[index] ?? 0) === label),
      );
      const label: Form<Group["label"]> = (place) => unanimous(labels, place) ?? null;
      return [{ placeOfDay: writing.placeOfDay, key, label, placeOf }];
    }),
  );
}

function placeBy(key: Form<Group["key"]>, { count }: Writing): Reading["placeOf"] {
  return ({ group, ordinal }) => {
    if (count === undefined) return ordinal !== undefined && key(ordinal) === group.key ? ordinal : undefined;
    const place = Array.from({ length: count }, (_, number) => key(number)).indexOf(group.key);
    return place === -1 ? undefined : place;
  };
}

function canBeNamed({ isNamed }: Writing, place: number | undefined, { key, label }: Group): boolean {
  if (place === undefined) return false;
  return [key, label].every((name) => isNamed?.(place, String(name)) ?? true);
}

/** Numbered weekdays stand in the order of their numbers. */
function ascends(key: Form<Group["key"]>, { count }: Writing): boolean {
  const numbers = Array.from({ length: count ?? 0 }, (_, place) => Number(key(place)));
  return numbers.every((number, place) => place === 0 || !(number < (numbers[place - 1] ?? 0)));
}
