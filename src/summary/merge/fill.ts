/**
 * Days, weeks, months, hours and weekdays without orders: the service answers none of them. Their keys and labels
 * follow the form of those that it did answer; where no form that is known fits all of these, nothing is added.
 */
import { Temporal } from "temporal-polyfill";

import type { DateField, Dimension, Group } from "../../contract/summary.js";
import type { Period } from "../period/period.js";
import type { Compared, PeriodFigures } from "../results.js";
import { isoStyle, labelStyles, mondayOf, pad, thursdayOf, type Form } from "./calendar-labels.js";
import {
  dateOrdinal,
  isTimeline,
  keyIdentity,
  type PlacedGroup,
  type TimelineDimension,
} from "./group-identity.js";
import { weekdayNames } from "./weekday-names.js";
import type { GroupList } from "./groups.js";
import { noOrders } from "./sums.js";

interface FillContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly dateField: DateField | undefined;
}

/** Each period's groups, with those that have no orders. What is still to come is none of them. */
export function fillCompared(
  figures: Compared<PeriodFigures<GroupList>>,
  dimension: Dimension,
  context: FillContext,
): Compared<PeriodFigures<GroupList>> {
  const filled = (side: PeriodFigures<GroupList>) => ({
    ...side,
    figures: fillPeriod(side.figures, dimension, side.period, context),
  });
  if (figures.kind === "plain") return { kind: "plain", current: filled(figures.current) };
  return { kind: "comparison", current: filled(figures.current), previous: filled(figures.previous) };
}

export function fillPeriod(
  list: GroupList,
  dimension: Dimension,
  period: Period,
  { now, dateField }: FillContext,
): GroupList {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(period.zone).toPlainDate();
  const until = dateField === "scheduled_date" ? period.to.date : today.toString();
  return fillGroups(list, dimension, period, until);
}

/**
 * @param until the last day that there can be orders of, YYYY-MM-DD; of a period that is over its own last day
 */
function fillGroups(list: GroupList, dimension: Dimension, period: Period, until: string): GroupList {
  if (isTimeline(dimension)) return fillTimeline(list, dimension, period, until);
  if (dimension === "hour") return fillPlaces(list, hoursOf(period), hourForms);
  if (dimension === "day_of_week") return fillPlaces(list, weekdaysOf(period, until), weekdayForms(list));
  return list;
}

function fillTimeline(
  list: GroupList,
  dimension: TimelineDimension,
  period: Period,
  until: string,
): GroupList {
  const last = period.to.date < until ? period.to.date : until;
  const [first, end] = [dateOrdinal(period.from.date, dimension), dateOrdinal(last, dimension)];
  const known = list.placed.flatMap(({ ordinal }) => ordinal ?? []);
  if (first === undefined || end === undefined || known.length < list.placed.length) return list;
  // Where the service counts in another zone, its days may reach beyond those that were asked for.
  const [from, to] = [Math.min(first, ...known), Math.max(end, ...known)];
  return fillPlaces(list, range(from, to), timelineForms[dimension], (one) => one.ordinal);
}

interface Forms {
  readonly keys: readonly Form<Group["key"]>[];
  readonly labels: readonly Form<string>[];
}

function fillPlaces(
  list: GroupList,
  places: readonly number[],
  forms: Forms,
  ordinalOf?: (one: PlacedGroup) => number | undefined,
): GroupList {
  const { grouped, placed } = list;
  const placesOf = (key: Form<Group["key"]>) =>
    placed.map((one) => {
      const place = ordinalOf ? ordinalOf(one) : places.find((each) => key(each) === one.group.key);
      return place !== undefined && key(place) === one.group.key ? place : undefined;
    });
  const key = forms.keys.find((form) => !placesOf(form).includes(undefined));
  if (key === undefined) return list;
  const taken = placesOf(key);
  // Two groups in one place: what is not understood is not touched.
  if (new Set(taken).size < taken.length) return list;
  const label = forms.labels.find((form) =>
    placed.every(({ group }, index) => form(taken[index] ?? 0) === group.label),
  );
  const byKey = (a: number, b: number) => Number(key(a)) - Number(key(b));
  const filled = (ordinalOf ? places : places.toSorted(byKey)).map((place): PlacedGroup => {
    const found = placed[taken.indexOf(place)];
    if (found) return found;
    const group = { key: key(place), label: placed.length > 0 && label ? label(place) : null, ...noOrders };
    const identity = keyIdentity(group.key);
    return ordinalOf
      ? { group, identity: `${identity}@${place}`, ordinal: place }
      : { group, identity, ordinal: undefined };
  });
  return { grouped: { ...grouped, groups: filled.map(({ group }) => group) }, placed: filled };
}

const hourForms: Forms = {
  keys: [(hour) => hour, String, pad, (hour) => `${pad(hour)}:00`],
  labels: [
    (hour) => `${pad(hour)}:00`,
    (hour) => `${hour}:00`,
    (hour) => `${hour}h`,
    (hour) => `${pad(hour)}h`,
    String,
    pad,
  ],
};

const timelineForms: Readonly<Record<TimelineDimension, Forms>> = {
  day: {
    keys: [isoStyle.day],
    labels: labelStyles.map(({ day }) => day),
  },
  week: {
    keys: [isoStyle.week, (week) => mondayOf(week).toString(), (week) => thursdayOf(week).weekOfYear ?? null],
    labels: [...labelStyles.map(({ week }) => week), (week) => mondayOf(week).toString()],
  },
  month: {
    keys: [isoStyle.month, (month) => (month % 12) + 1, (month) => pad((month % 12) + 1)],
    labels: labelStyles.map(({ month }) => month),
  },
};

/** The hours of the day that a period touches. */
function hoursOf({ start, end }: Period): readonly number[] {
  if (start.until(end, { largestUnit: "hour" }).hours >= 23) return range(0, 23);
  const [first, last] = [start.hour, end.hour];
  return first <= last ? range(first, last) : [...range(0, last), ...range(first, 23)];
}

/** The weekdays that a period touches; Sunday is 0. */
function weekdaysOf(period: Period, until: string): readonly number[] {
  const first = Temporal.PlainDate.from(period.from.date);
  const last = Temporal.PlainDate.from(period.to.date < until ? period.to.date : until);
  const days = first.until(last, { largestUnit: "day" }).days;
  if (days >= 6) return range(0, 6);
  return range(0, days)
    .map((day) => first.add({ days: day }).dayOfWeek % 7)
    .toSorted((a, b) => a - b);
}

/**
 * Which number a weekday has is not shown: the service's names of them say it, in any of these languages; without
 * names a 0 among the keys, which only Sunday has.
 */
function weekdayForms({ placed }: GroupList): Forms {
  const sundayFirst: Form<Group["key"]>[] = [(day) => day, String];
  const keys: Form<Group["key"]>[] = [
    ...sundayFirst,
    (day) => day || 7,
    (day) => String(day || 7),
    (day) => day + 1,
    (day) => String(day + 1),
  ];
  const labels = weekdayNames.find((form) =>
    placed.every(({ group: { key, label } }) =>
      range(0, 6).some((day) => form(day) === label && keys.some((of) => of(day) === key)),
    ),
  );
  if (labels && placed.length > 0) {
    const named = keys.filter((of) =>
      placed.every(({ group }) =>
        range(0, 6).some((day) => of(day) === group.key && labels(day) === group.label),
      ),
    );
    return { keys: named, labels: [labels] };
  }
  const hasZero = placed.some(({ group: { key } }) => key === 0 || key === "0");
  return { keys: hasZero ? sundayFirst : [], labels: [] };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
