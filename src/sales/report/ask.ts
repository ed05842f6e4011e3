/** Asks a report's questions in turn, and those again that don't agree with their headline. */
import { rateLimits } from "../../contract/limits.js";
import type { Dimension } from "../../contract/enums.js";
import type { GroupList } from "../merge/groups.js";
import { totalsAgree, type Metrics } from "../merge/sums.js";
import type { Pivot } from "../pivot/pivot.js";
import { agree, type Disputed } from "../plan/agreement.js";
import type { PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion, PeriodSpan, Question, SalesRequest } from "../plan/request.js";
import { dayContradictions, tellSharedDays } from "../plan/shared-days.js";
import { periodsOf, type Age, type Aged, type Compared, type PeriodFigures } from "../results.js";
import { daysByHour, heatmapPlan, hoursByDay } from "./heatmap.js";

export type AgedGroups = Map<Dimension, Aged<GroupList>>;

export interface Answers {
  readonly current: AgedGroups;
  readonly previous: AgedGroups;
  /** The headline of the period before, where its days aren't asked for. */
  before: PeriodFigures<Metrics> | undefined;
  heatmap: Pivot | undefined;
}

export interface ReportQuestions {
  readonly calls: PlannedCalls;
  readonly spans: Compared<PeriodSpan>;
  readonly request: Pick<SalesRequest, "dateField"> & { readonly heatmap: boolean };
  /** The questions are in the order in which they are asked: days first. */
  readonly questions: readonly GroupsQuestion[];
  /** The summary of the period before, where its days aren't asked for. */
  readonly before: HeadlineBefore | undefined;
  readonly signal: AbortSignal;
}

interface HeadlineBefore {
  readonly question: Question;
  readonly ask: () => Promise<PeriodFigures<Metrics>>;
}

/**
 * Asks both endpoints at the same time, each one call after another: they have limits of their own.
 *
 * @param beforeWait is called whenever the limit is used up, so that the next answer takes a wait
 */
export async function askReport(
  asking: ReportQuestions,
  answers: Answers,
  beforeWait: () => Promise<void>,
): Promise<void> {
  const { calls, spans, request, before } = asking;
  const askBefore = async () => {
    answers.before = await before?.ask();
  };
  const headline = askBefore();
  const spend = createSpend(async () => {
    await headline;
    await beforeWait();
  });
  const askSections = () => askInTurn(asking, answers, spend);
  const settle = () =>
    agree(
      calls,
      () => [...contradictions(asking, answers), ...dayContradictions(daysOfBoth(asking, answers))],
      // Figures that follow from others are made anew.
      async () => {
        await Promise.all([askSections(), askBefore()]);
      },
    );
  await Promise.all([askSections(), headline]);
  await settle();
  if (request.heatmap) {
    const hours = hoursByDay(spans.current, request, answers.current.get("hour")?.figures);
    await calls.announce(hours);
    await spend(await calls.count([...daysByHour(spans.current, request), ...hours]));
    answers.heatmap = await askHeatmap(asking, announcedOnce(calls));
    // The heat map has had some answers asked for again, where they didn't agree with it, and the other way round.
    await askSections();
    await settle();
    answers.heatmap = await askHeatmap(asking, calls);
  }
  tellSharedDays(calls, daysOfBoth(asking, answers));
}

function askHeatmap({ spans, request, signal }: ReportQuestions, calls: PlannedCalls): Promise<Pivot> {
  return heatmapPlan(request).fetch(calls, { current: spans.current }, signal);
}

/** The first questions are announced already. */
function announcedOnce(calls: PlannedCalls): PlannedCalls {
  let isFirst = true;
  return {
    ...calls,
    async announce(questions) {
      if (!isFirst) await calls.announce(questions);
      isFirst = false;
    },
  };
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
    const { figures, age } = await calls.grouped(question.span, question.dimension, signal);
    // Restatements are told once, of the days.
    sideOf(asking, answers, question.span).set(question.dimension, {
      figures,
      age: question.dimension === "day_of_week" ? withoutRestated(age) : age,
    });
  }
}

/** Drops restatements that other answers have told. */
export function withoutRestated({ askedAt, kept }: Age): Age {
  return { askedAt, kept };
}

/** Finds the days of both periods, which share some where more than a week is compared with the week before. */
function daysOfBoth(asking: ReportQuestions, answers: Answers) {
  const [left, other] = periodsOf(asking.spans).map((span) => {
    const question = asking.questions.find((day) => day.span === span && day.dimension === "day");
    const answer = sideOf(asking, answers, span).get("day");
    return question && answer && { question, ...answer };
  });
  return left && other ? ([left, other] as const) : undefined;
}

function sideOf({ spans }: ReportQuestions, answers: Answers, span: PeriodSpan): AgedGroups {
  return span === spans.current ? answers.current : answers.previous;
}

/** Finds the sections whose total isn't their period's headline: the days, or a summary. */
function contradictions(asking: ReportQuestions, answers: Answers) {
  const { spans, questions, before } = asking;
  return periodsOf(spans).flatMap((span) => {
    const groups = sideOf(asking, answers, span);
    const sections = questions.flatMap((question): AnsweredSection[] => {
      const answer = question.span === span ? groups.get(question.dimension) : undefined;
      if (!answer) return [];
      return [{ name: question, askedAt: answer.age.askedAt, groups: answer.figures.grouped.groups }];
    });
    const days = sections.find(({ name }) => name.dimension === "day");
    const summary = span === spans.previous ? answers.before : undefined;
    const headline =
      days ??
      (before &&
        summary && { name: before.question, askedAt: summary.age.askedAt, groups: [summary.figures] });
    return sections.flatMap((section) =>
      headline && !totalsAgree(section.groups, headline.groups) ? [[section, headline] as const] : [],
    );
  });
}

interface AnsweredSection extends Disputed<Question> {
  readonly groups: readonly Metrics[];
}
