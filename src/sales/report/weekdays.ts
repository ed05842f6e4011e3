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

/**
 * Asks for days in the place of weekdays.
 *
 * @param keys says whether the service's own keys are shown
 */
export function weekdaysOfDays(calls: PlannedCalls, keys: boolean): PlannedCalls {
  const byDays = (questions: readonly Question[]) => questions.map((question) => byDay(question, keys));
  return {
    ...calls,
    count: (questions) => calls.count(byDays(questions)),
    doubt: (questions) => calls.doubt(byDays(questions)),
    announce: (questions) => calls.announce(byDays(questions)),
    async grouped(question, signal) {
      const { dimension } = question;
      if (dimension !== "day_of_week") return calls.grouped(question, signal);
      const { figures, age } = await calls.grouped({ ...question, dimension: "day" }, signal);
      const weekdays = keys ? undefined : groupsOfDays(figures.grouped.groups, dimension, [englishNames]);
      // Weekdays follow from the days that are known by now, unless these can't be read, or nothing has shown how
      // weekdays are written.
      return weekdays ? { figures: weekdays, age } : calls.grouped(question, signal);
    },
  };
}

/** The weekdays of all orders show how those of some are written. */
export function byDay(question: Question, keys: boolean): Question {
  const { dimension, filters = [] } = question;
  if (dimension !== "day_of_week" || (keys && filters.length === 0)) return question;
  return { ...question, dimension: "day" };
}
