/** Calls that ask nothing twice: what was answered is remembered, and weekdays follow from days. */
import { weekdaysOfDays } from "../merge/derive.js";
import type { GroupList } from "../merge/groups.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { Question } from "../plan/store-calls.js";
import type { Aged } from "../results.js";

export function thriftyCalls(calls: PlannedCalls): PlannedCalls {
  const answers = new Map<string, Promise<Aged<GroupList>>>();
  const ask = (...question: Parameters<PlannedCalls["grouped"]>): Promise<Aged<GroupList>> => {
    const [asked, dimension, , filters] = question;
    const name = nameOf({ asked, dimension, filters });
    const answer = answers.get(name) ?? calls.grouped(...question);
    answers.set(name, answer);
    return answer;
  };
  const unanswered = (questions: readonly Question[]) =>
    questions.map(byDay).filter((question) => !answers.has(nameOf(question)));
  return {
    ...calls,
    count: (questions) => calls.count(unanswered(questions)),
    announce: (questions) => calls.announce(unanswered(questions)),
    async grouped(asked, dimension, signal, filters) {
      if (dimension !== "day_of_week") return ask(asked, dimension, signal, filters);
      const { figures, age } = await ask(asked, "day", signal, filters);
      const weekdays = weekdaysOfDays(figures);
      if (!weekdays) return ask(asked, dimension, signal, filters);
      // What was restated is told once, of the days.
      return { figures: weekdays, age: { askedAt: age.askedAt, kept: age.kept } };
    },
  };
}

function byDay(question: Question): Question {
  return question.dimension === "day_of_week" ? { ...question, dimension: "day" } : question;
}

function nameOf({ asked: { windows }, dimension, filters = [] }: Question): string {
  return JSON.stringify([windows, dimension, filters]);
}
