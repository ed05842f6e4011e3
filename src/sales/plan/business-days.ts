/** Groups by days that start later than midnight: what is asked for them, and how the service would write them. */
import type { Filter } from "../../contract/filters.js";
import { businessDays, dayNames, dayParts } from "../merge/business-groups.js";
import { isCalendar } from "../merge/calendar-forms.js";
import { groupsOfDays, namedGroups, namesLike } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import { oldest, type Aged } from "../results.js";
import { withFilters } from "./filters.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { GroupsQuestion, Question } from "./request.js";

type NamesOf = KeptAnswers["names"];

interface ByBusinessDays {
  readonly ask: (question: GroupsQuestion) => Promise<Aged<GroupList>>;
  readonly names: NamesOf;
}

/** @returns `undefined` for what doesn't depend on where a day begins */
export async function questionsByBusinessDays(
  question: Question,
  names: NamesOf,
): Promise<readonly Question[] | undefined> {
  const { span, dimension, filters = [] } = question;
  const { dayStarts } = span.period;
  if (dayStarts === undefined || !isCalendar(dimension)) return undefined;
  const parts = partsOf(span, dayStarts, filters);
  const isTold = dimension === "day" || (await names(dimension, span.period)).length > 0;
  return isTold ? parts : [...parts, ...partsOf(span, dayStarts, []), { span, dimension }];
}

/** @returns as {@link questionsByBusinessDays} */
export async function groupsByBusinessDays(
  { span, dimension, filters = [] }: Question,
  { ask, names }: ByBusinessDays,
): Promise<Aged<GroupList> | undefined> {
  const { dayStarts, zone } = span.period;
  if (dayStarts === undefined || !isCalendar(dimension)) return undefined;
  const askParts = async (of: readonly Filter[]) => {
    const [fromStart, beforeStart] = partsOf(span, dayStarts, of);
    const [evening, morning] = [await ask(fromStart), await ask(beforeStart)];
    return { own: evening.figures, morning: morning.figures, age: oldest([evening.age, morning.age]) };
  };
  const parts = await askParts(filters);
  const days = businessDays(parts, zone);
  const { age } = parts;
  if (dimension === "day") return { figures: named(days, dimension, dayNames(parts)), age };
  const told = groupsOfDays(days, dimension, await names(dimension, span.period));
  if (told) return { figures: told, age };
  // The service's own weeks of these orders tell how it writes them.
  const { own, morning } = filters.length === 0 ? parts : await askParts([]);
  const { figures } = await ask({ span, dimension });
  const evidence = {
    days: [own, morning].flatMap(({ grouped }) => grouped.groups),
    answer: figures.grouped,
  };
  return { figures: named(days, dimension, namesLike([evidence], dimension)), age };
}

function named(...days: Parameters<typeof namedGroups>): GroupList {
  const groups = namedGroups(...days);
  if (groups) return groups;
  throw new RangeError("business days have a date each");
}

function partsOf(span: Question["span"], dayStarts: string, filters: readonly Filter[]) {
  const [fromStart, beforeStart] = dayParts(dayStarts);
  const part = (of: readonly Filter[]) =>
    ({ span, dimension: "day", filters: withFilters(filters, of) }) as const;
  return [part(fromStart), part(beforeStart)] as const;
}
