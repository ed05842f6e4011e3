/**
 * Makes groups by days that start later than midnight, out of the service's days: sales before the start belong to
 * the day before. The two parts are asked for by a filter each; weeks, months and weekdays follow from the days.
 */
import type { Filter } from "../../contract/filters.js";
import type { Group } from "../../contract/models.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOf, isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { groupsOfDays, namesLike } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { startOfDay, type PlainDate } from "../period/calendar.js";
import { oldestAge, type Aged } from "../results.js";
import { withFilters } from "./filters.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { GroupsQuestion, Question } from "./request.js";

type NamesOf = KeptAnswers["names"];

/**
 * Lists what {@link groupsByBusinessDays} asks, in any case.
 *
 * @returns `undefined` for groups that don't depend on where a day begins
 */
export async function questionsByBusinessDays(
  question: Question,
  names: NamesOf,
): Promise<readonly Question[] | undefined> {
  const questions: Question[] = [];
  const ask = (part: GroupsQuestion) => {
    questions.push(part);
    const grouped = { group_by: part.dimension, groups: [] };
    return Promise.resolve({ figures: { grouped, placed: [] }, age: { askedAt: 0, kept: false } });
  };
  return (await groupsByBusinessDays(question, names, ask)) && questions;
}

/** @returns as {@link questionsByBusinessDays} */
export async function groupsByBusinessDays(
  question: Question,
  names: NamesOf,
  ask: (question: GroupsQuestion) => Promise<Aged<GroupList>>,
): Promise<Aged<GroupList> | undefined> {
  const { period, dimension, filters = [] } = question;
  const { dayStarts, zone } = period;
  if (dayStarts === undefined || !isCalendar(dimension)) return undefined;
  const askPart = (partFilters: readonly Filter[], operator: "gteq" | "lt") => {
    const atTime: Filter = { field: "created_at_time", operator, values: [dayStarts] };
    return ask({ ...question, dimension: "day", filters: withFilters(partFilters, [atTime]) });
  };
  const evening = await askPart(filters, "gteq");
  const morning = await askPart(filters, "lt");
  const age = oldestAge([evening.age, morning.age]);
  const days = [
    ...withDates(evening.figures, (date) => date),
    ...withDates(morning.figures, (date) => dayBefore(date, zone)),
  ];
  const namedLike = (evidence: readonly Evidence[]) => ({ figures: named(days, dimension, evidence), age });
  if (dimension === "day") {
    // Both parts show how the service writes days.
    const lists = [evening.figures, morning.figures];
    return namedLike(lists.map(({ grouped }) => ({ days: grouped.groups, answer: grouped })));
  }
  const derivedGroups = groupsOfDays(days, dimension, await names(dimension, period));
  if (derivedGroups) return { figures: derivedGroups, age };
  // The service's own weeks of these orders tell how it writes them.
  const parts =
    filters.length === 0 ? [evening, morning] : [await askPart([], "gteq"), await askPart([], "lt")];
  const { figures } = await ask({ ...question, dimension, filters: [] });
  return namedLike([{ days: parts.flatMap((part) => part.figures.grouped.groups), answer: figures.grouped }]);
}

function named(
  days: readonly Group[],
  dimension: CalendarDimension,
  evidence: readonly Evidence[],
): GroupList {
  const groups = groupsOfDays(days, dimension, [namesLike(evidence, dimension)]);
  if (groups) return groups;
  throw new RangeError("business days have a date each");
}

/**
 * Gives each group the date of its business day as its key.
 *
 * @throws {ComandaError} `unexpected_answer` for days whose keys can't be read
 */
function withDates({ placed }: GroupList, moveDate: (date: PlainDate) => PlainDate): readonly Group[] {
  return placed.map(({ group, ordinal }) => {
    if (ordinal !== undefined) return { ...group, key: moveDate(dayOf(ordinal)).toString() };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
}

/** Gives the day before; where the zone left that day out, the one before it. */
function dayBefore(date: PlainDate, zone: string): PlainDate {
  return startOfDay(date, { zone }).subtract({ microseconds: 1 }).toPlainDate();
}
