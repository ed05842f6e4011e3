/**
 * Weekdays of a report follow from its days. A page shows no keys and calls weekdays as its reader does, so that the
 * service need not show how it writes them.
 */
import { calendars } from "../merge/calendar-forms.js";
import { groupsOfDays } from "../merge/derive.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { Question } from "../plan/request.js";

const names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const [units] = calendars.day_of_week;
const englishNames = { units, nameOf: (place: number) => ({ key: place, label: names[place] ?? null }) };

export interface WeekdayOptions {
  /** The service's own keys are shown. */
  readonly keys: boolean;
}

/** Asks for days in the place of weekdays. */
export function weekdaysOfDays(calls: PlannedCalls, { keys }: WeekdayOptions): PlannedCalls {
  return {
    ...calls,
    count: (questions) => calls.count(questions.map((question) => byDay(question, { keys }))),
    doubt: (questions) => calls.doubt(questions.map((question) => byDay(question, { keys }))),
    announce: (questions) => calls.announce(questions.map((question) => byDay(question, { keys }))),
    async grouped(span, dimension, signal, filters) {
      if (dimension !== "day_of_week") return calls.grouped(span, dimension, signal, filters);
      const { figures, age } = await calls.grouped(span, "day", signal, filters);
      const weekdays = keys ? undefined : groupsOfDays(figures.grouped.groups, dimension, [englishNames]);
      // Weekdays follow from the days that are known by now, unless these can't be read, or nothing has shown how
      // weekdays are written.
      return weekdays ? { figures: weekdays, age } : calls.grouped(span, dimension, signal, filters);
    },
  };
}

/** The weekdays of all orders show how those of some are written. */
export function byDay(question: Question, { keys }: WeekdayOptions): Question {
  const { dimension, filters = [] } = question;
  if (dimension !== "day_of_week" || (keys && filters.length === 0)) return question;
  return { ...question, dimension: "day" };
}
