/**
 * Makes groups by days that start later than midnight, out of the service's days: sales before the start belong to
 * the day before. The two parts are asked for by a filter each; weeks, months and weekdays follow from the days.
 */
import type { Filter } from "../../contract/filters.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOf, isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import type { Names } from "../merge/calendar-names.js";
import { groupsOfDays, namesLike } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { startOfDay, type PlainDate } from "../period/calendar.js";
import { oldestAge, type Aged } from "../results.js";
import { withFilters } from "./filters.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { GroupsQuestion, Question } from "./request.js";

type NamesOf = KeptAnswers["names"];

interface ByBusinessDays {
  readonly ask: (question: GroupsQuestion) => Promise<Aged<GroupList>>;
  readonly names: NamesOf;
}

/** @returns `undefined` for groups that don't depend on where a day begins */
export async function questionsByBusinessDays(
  question: Question,
  names: NamesOf,
): Promise<readonly Question[] | undefined> {
  const { span, dimension, filters = [] } = question;
  const { dayStarts } = span.period;
  if (dayStarts === undefined || !isCalendar(dimension)) return undefined;
  const parts = partsOf(span, dayStarts, filters);
  const areNamesKnown = dimension === "day" || (await names(dimension, span.period)).length > 0;
  return areNamesKnown ? parts : [...parts, ...partsOf(span, dayStarts, []), { span, dimension }];
}

/** @returns as {@link questionsByBusinessDays} */
export async function groupsByBusinessDays(
  { span, dimension, filters = [] }: Question,
  { ask, names }: ByBusinessDays,
): Promise<Aged<GroupList> | undefined> {
  const { dayStarts, zone } = span.period;
  if (dayStarts === undefined || !isCalendar(dimension)) return undefined;
  const askParts = async (partFilters: readonly Filter[]) => {
    const [fromStart, beforeStart] = partsOf(span, dayStarts, partFilters);
    const [evening, morning] = [await ask(fromStart), await ask(beforeStart)];
    return { own: evening.figures, morning: morning.figures, age: oldestAge([evening.age, morning.age]) };
  };
  const parts = await askParts(filters);
  const days = businessDays(parts, zone);
  const { age } = parts;
  if (dimension === "day") return { figures: withNames(days, dimension, dayNames(parts)), age };
  const derivedGroups = groupsOfDays(days, dimension, await names(dimension, span.period));
  if (derivedGroups) return { figures: derivedGroups, age };
  // The service's own weeks of these orders tell how it writes them.
  const { own, morning } = filters.length === 0 ? parts : await askParts([]);
  const { figures } = await ask({ span, dimension });
  const evidence = {
    days: [own, morning].flatMap(({ grouped }) => grouped.groups),
    answer: figures.grouped,
  };
  return { figures: withNames(days, dimension, namesLike([evidence], dimension)), age };
}

function withNames(days: readonly Group[], dimension: CalendarDimension, names: Names): GroupList {
  const groups = groupsOfDays(days, dimension, [names]);
  if (groups) return groups;
  throw new RangeError("business days have a date each");
}

function partsOf(span: Question["span"], dayStarts: string, filters: readonly Filter[]) {
  const [fromStart, beforeStart] = dayParts(dayStarts);
  const part = (partFilters: readonly Filter[]) =>
    ({ span, dimension: "day", filters: withFilters(filters, partFilters) }) as const;
  return [part(fromStart), part(beforeStart)] as const;
}

/** Makes the filters that select the sales of a day's own date, and those of the morning after. */
function dayParts(dayStarts: string): readonly [own: readonly Filter[], morning: readonly Filter[]] {
  const filter = (operator: "gteq" | "lt"): readonly Filter[] => [
    { field: "created_at_time", operator, values: [dayStarts] },
  ];
  return [filter("gteq"), filter("lt")];
}

/** The sales from the start of the day on, and those before it, are both by the service's days. */
interface DayParts {
  readonly own: GroupList;
  readonly morning: GroupList;
}

/**
 * @param zone is an IANA name
 * @returns one group or two for each day, with its date as key
 * @throws {ComandaError} `unexpected_answer` for days whose keys can't be read
 */
function businessDays({ own: evening, morning }: DayParts, zone: string): readonly Group[] {
  return [...withDates(evening, (date) => date), ...withDates(morning, (date) => dayBefore(date, zone))];
}

/** Learns how the service writes the days of both parts. */
function dayNames({ own: evening, morning }: DayParts): Names {
  const evidence = [evening, morning].map(({ grouped }) => ({ days: grouped.groups, answer: grouped }));
  return namesLike(evidence, "day");
}

function withDates({ placed }: GroupList, moveDate: (date: PlainDate) => PlainDate): readonly Group[] {
  return placed.map(({ group, ordinal }) => {
    if (ordinal !== undefined) return { ...group, key: moveDate(dayOf(ordinal)).toString() };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
}

/** Gives the day before; where the zone left that day out, the one before it. */
function dayBefore(date: PlainDate, zone: string): PlainDate {
  return startOfDay(date, zone).subtract({ microseconds: 1 }).toPlainDate();
}
