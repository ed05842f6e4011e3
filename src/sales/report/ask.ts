/** Asks a report's questions in turn, and those again that don't agree with their headline. */
import { rateLimits } from "../../contract/limits.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupList } from "../merge/groups.js";
import { totalsAgree } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { Pivot } from "../pivot/pivot.js";
import { agree } from "../plan/agreement.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion } from "../plan/request.js";
import { withSharedDays } from "../plan/shared-days.js";
import { periodsOf, type Age, type Aged, type Compared } from "../results.js";

export type AgedGroups = Map<Dimension, Aged<GroupList>>;

export interface Answers {
  readonly current: AgedGroups;
  readonly previous: AgedGroups;
  heatmap: Pivot | undefined;
}

export interface ReportQuestions {
  readonly calls: PlannedCalls;
  readonly periods: Compared<Period>;
  /** The questions are in the order in which they are asked: days first. */
  readonly questions: readonly GroupsQuestion[];
  readonly askHeatmap: (() => Promise<Pivot>) | undefined;
  readonly signal: AbortSignal;
}

/** @param beforeWait is called whenever the limit is used up, so that the next answer takes a wait */
export async function askReport(
  asking: ReportQuestions,
  answers: Answers,
  beforeWait: () => Promise<void>,
): Promise<void> {
  const { calls, askHeatmap } = asking;
  const spend = createSpend(beforeWait);
  const askSections = () => askInTurn(asking, answers, spend);
  const askUntilAgreed = async () => {
    await askSections();
    await agree(calls, () => sectionContradictions(asking, answers), askSections);
  };
  await askUntilAgreed();
  if (askHeatmap) {
    answers.heatmap = await askHeatmap();
    // The heat map has had some answers asked for again, where they didn't agree with it, and the other way round.
    await askUntilAgreed();
    answers.heatmap = await askHeatmap();
  }
}

type Spend = (calls: number) => Promise<void>;

function createSpend(beforeWait: () => Promise<void>): Spend {
  const { limit } = rateLimits.summary_grouped;
  let spent = 0;
  return async (calls) => {
    const waits = spent > 0 && spent + calls > limit;
    if (waits) await beforeWait();
    spent = waits ? calls : spent + calls;
  };
}

async function askInTurn(asking: ReportQuestions, answers: Answers, spend: Spend): Promise<void> {
  const { calls, questions, signal } = asking;
  let asksWeekdays = false;
  for (const question of questions) {
    const cost = await calls.count([question]);
    if (question.dimension === "day_of_week" && cost > 0) {
      // The first weekdays were announced: they tell how the service writes the others, as a rule.
      if (asksWeekdays) await calls.announce([question]);
      asksWeekdays = true;
    }
    await spend(cost);
    const { figures, age } = await calls.grouped(question, signal);
    // Restatements are told once, of the days.
    sideOf(asking, answers, question.period).set(question.dimension, {
      figures,
      age: question.dimension === "day_of_week" ? withoutRestated(age) : age,
    });
  }
  shareDays(asking, answers);
}

function shareDays({ periods: { current, previous } }: ReportQuestions, answers: Answers): void {
  const [days, daysBefore] = [answers.current.get("day"), answers.previous.get("day")];
  if (!previous || !days || !daysBefore) return;
  const [{ figures }, before] = withSharedDays(
    { ...days, period: current },
    { ...daysBefore, period: previous },
  );
  answers.current.set("day", { ...days, figures });
  answers.previous.set("day", { ...daysBefore, figures: before.figures });
}

/** Drops restatements that other answers have told. */
export function withoutRestated({ askedAt, kept }: Age): Age {
  return { askedAt, kept };
}

function sideOf({ periods }: ReportQuestions, answers: Answers, period: Period): AgedGroups {
  return period === periods.current ? answers.current : answers.previous;
}

/** Finds the sections whose total isn't that of their period's days. */
function sectionContradictions(asking: ReportQuestions, answers: Answers) {
  return periodsOf(asking.periods).flatMap((period) => {
    const side = sideOf(asking, answers, period);
    const sections = asking.questions.flatMap((question) => {
      const answer = question.period === period ? side.get(question.dimension) : undefined;
      if (!answer) return [];
      return [{ name: question, askedAt: answer.age.askedAt, groups: answer.figures.grouped.groups }];
    });
    const days = sections.find(({ name }) => name.dimension === "day");
    return sections.flatMap((section) =>
      days && !totalsAgree(section.groups, days.groups) ? [[section, days] as const] : [],
    );
  });
}
