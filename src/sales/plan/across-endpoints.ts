/**
 * A plan that asks much by groups, with a part of it moved to the endpoint for summaries. Each endpoint takes 5 calls a
 * minute (section 8), and a report leaves the other one idle: the orders of one type, or with one final status, are a
 * summary by a filter. What is moved makes the whole shorter; where nothing does, nothing is moved.
 *
 * The values that are asked for have to be all of the total, in orders and cents. Where they aren't (an order that is still
 * open, a value that the specification doesn't have, a change in between), the groups are asked for after all. No value is
 * ever taken for the rest of the total, which would hide just that.
 *
 * A summary has no label: what the service calls a value is known of its earlier answers by groups, of whatever period.
 * Where there is none, as at a store's first report, nothing is moved.
 *
 * What a year's report takes, in its two half-years, is counted in `test/sales/plan/across-endpoints.test.ts`: 14 + 6
 * calls and 120 s. Six dimensions can't be moved (an order has one of their values, but which there are isn't known), so
 * that 12 calls for groups and 120 s are the least. Order types and statuses both moved would be 12 + 14.
 */
import { finalStatuses, orderTypes } from "../../contract/enums.js";
import type { Filter } from "../../contract/filters.js";
import { rateLimits } from "../../contract/limits.js";
import type { Summary } from "../../contract/models.js";
import { finalAfterMs } from "../ledger/freshness.js";
import { isCalendar } from "../merge/calendar-forms.js";
import { totalOfDays } from "../merge/derive.js";
import { keyIdentity } from "../merge/group-identity.js";
import type { GroupList } from "../merge/groups.js";
import { addMetrics, type Metrics } from "../merge/sums.js";
import { oldest, type Aged } from "../results.js";
import type { Plan, PlannedCalls } from "./plans.js";
import type { PeriodSpan, SalesRequest, Question } from "./request.js";
import type { StoreCalls } from "./store-calls.js";

export interface AcrossOptions extends Pick<SalesRequest, "filters"> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function acrossEndpoints<Figures>(plan: Plan<Figures>, options: AcrossOptions): Plan<Figures> {
  return {
    ...plan,
    async questions(spans, calls) {
      const questions = await plan.questions(spans, calls);
      const { moves } = await chosenMoves(questions, options, calls);
      return questions.flatMap((question) => {
        const move = moves.find((move) => isOf(move, question));
        return move ? valueQuestions(move) : [question];
      });
    },
    async fetch(calls, spans, signal, soFar) {
      const questions = await plan.questions(spans, calls);
      const chosen = await chosenMoves(questions, options, calls);
      const moved = chosen.moves.length === 0 ? calls : movedCalls(calls, { ...chosen, signal });
      return plan.fetch(moved, spans, signal, soFar);
    },
  };
}

/** What is sure to be the total first: every order has a type, but some are never finalized. */
const movable = ["order_type", "status"] as const;

/** A question about groups, and the values by which it is asked for instead. */
export interface Move {
  readonly span: PeriodSpan;
  readonly dimension: (typeof movable)[number];
  readonly values: readonly string[];
}

/** The moves after which everything is there soonest; of these the fewest calls. They depend on no answer. */
export function movesOf(questions: readonly Question[], options: AcrossOptions): readonly Move[] {
  const candidates = candidatesOf(questions, options);
  const statuses = candidates.filter(({ dimension }) => dimension === "status");
  const [best] = [[], ...prefixesOf(candidates), ...prefixesOf(statuses)]
    .map((moves) => ({ moves, ...costOf(questions, moves) }))
    .toSorted((a, b) => a.minutes - b.minutes || a.calls - b.calls);
  return best?.moves ?? [];
}

function candidatesOf(questions: readonly Question[], options: AcrossOptions): readonly Move[] {
  return questions
    .flatMap((question) => moveOf(question, options) ?? [])
    .toSorted((a, b) => movable.indexOf(a.dimension) - movable.indexOf(b.dimension));
}

function prefixesOf<One>(all: readonly One[]): readonly (readonly One[])[] {
  return all.map((_, index) => all.slice(0, index + 1));
}

/**
 * Weekdays follow from days, but for the first of a store.
 *
 * @returns minutes until the last call may go out, and how many calls there are
 */
export function costOf(questions: readonly Question[], moves: readonly Move[]) {
  const moved = (question: Question) => moves.some((move) => isOf(move, question));
  const left = questions.filter((question) => !moved(question) && question.dimension !== "day_of_week");
  const count = (of: readonly Question[]) => of.reduce((sum, question) => sum + callsOf(question), 0);
  const grouped = count(left.filter(({ dimension }) => dimension !== undefined));
  const summaries =
    count(left.filter(({ dimension }) => dimension === undefined)) + count(moves.flatMap(valueQuestions));
  const minutes = (calls: number) => Math.max(0, Math.ceil(calls / rateLimits.summary.limit) - 1);
  return { minutes: Math.max(minutes(grouped), minutes(summaries)), calls: grouped + summaries };
}

function callsOf({ span: { windows, period }, dimension }: Question): number {
  return windows.length * (isCalendar(dimension) && period.dayStarts !== undefined ? 2 : 1);
}

function moveOf(
  { span, dimension, filters = [] }: Question,
  { filters: requestFilters, now }: AcrossOptions,
): Move | undefined {
  if ((dimension !== "order_type" && dimension !== "status") || filters.length > 0) return undefined;
  if (requestFilters.some(({ field }) => field === dimension)) return undefined;
  // Until then orders are still open as a rule, and their statuses are too many to be asked for one by one.
  const isSettled = now - span.period.end.epochMilliseconds >= finalAfterMs;
  if (dimension === "status" && !isSettled) return undefined;
  return { span, dimension, values: dimension === "status" ? finalStatuses : orderTypes };
}

/** What is moved, by what is known already; and what else could be. */
async function chosenMoves(
  questions: readonly Question[],
  options: AcrossOptions,
  calls: Pick<StoreCalls, "mayAsk" | "count" | "labels">,
): Promise<Omit<Moved, "signal">> {
  const best = movesOf(questions, options);
  const candidates = candidatesOf(questions, options);
  // Groups of another period tell how the values are called, where nothing has told it yet.
  const isTold = async (move: Move) =>
    (await calls.labels(move.dimension)).size > 0 ||
    questions.some(
      (question) => question.dimension === move.dimension && !best.some((move) => isOf(move, question)),
    );
  const planned = await filtered(best, isTold);
  const others = await filtered(
    candidates.filter((candidate) => !best.some((move) => isSame(move, candidate))),
    isTold,
  );
  // An earlier run has moved them in another one's place.
  const countable = await filtered(others, async (move) => (await calls.count(valueQuestions(move))) === 0);
  return {
    moves: await openMoves([...planned, ...countable], calls),
    others: others.filter((move) => !countable.includes(move)),
  };
}

/** Without those whose groups are known, and those whose values aren't where nothing may be asked. */
function openMoves(
  moves: readonly Move[],
  calls: Pick<StoreCalls, "mayAsk" | "count">,
): Promise<readonly Move[]> {
  const isKnown = async (questions: readonly Question[]) => (await calls.count(questions)) === 0;
  return filtered(
    moves,
    async (move) =>
      !(await isKnown([{ span: move.span, dimension: move.dimension }])) &&
      (calls.mayAsk || (await isKnown(valueQuestions(move)))),
  );
}

async function filtered<Element>(
  all: readonly Element[],
  holds: (element: Element) => Promise<boolean>,
): Promise<readonly Element[]> {
  const held: Element[] = [];
  for (const element of all) if (await holds(element)) held.push(element);
  return held;
}

function isOf(move: Move, { span, dimension, filters = [] }: Question): boolean {
  return move.span === span && move.dimension === dimension && filters.length === 0;
}

function isSame(left: Move, other: Move): boolean {
  return left.span === other.span && left.dimension === other.dimension;
}

function valueQuestions({ span, dimension, values }: Move): readonly Question[] {
  return values.map((value) => ({ span, filters: [filterOf(dimension, value)] }));
}

function filterOf(field: Move["dimension"], value: string): Filter {
  return { field, operator: "in", values: [value] };
}

interface Moved {
  readonly moves: readonly Move[];
  /** What else could be moved, where one of these turns out not to be the total. */
  readonly others: readonly Move[];
  readonly signal: AbortSignal;
}

/**
 * All values are asked for from the beginning, one after another, beside what the plan asks. Where those of a move aren't
 * the total, its groups are asked for, and another one is moved in its place, so that nobody waits longer for it.
 */
function movedCalls(calls: PlannedCalls, { moves, others, signal }: Moved): PlannedCalls {
  const days = new Map<PeriodSpan, Promise<Aged<GroupList>>>();
  const byDay = (span: PeriodSpan) => {
    const answer = days.get(span) ?? calls.grouped(span, "day", signal);
    days.set(span, answer);
    return answer;
  };
  let last: Promise<unknown> = Promise.resolve();
  const answers = new Map<Move, Promise<readonly Aged<Summary>[]>>();
  const begin = (move: Move): void => {
    const values = last.then(() => askValues(calls, move, signal));
    // Whoever wants this answer is told of its failure; the next ones are asked for all the same.
    last = values.catch(() => undefined);
    answers.set(move, values);
  };
  moves.forEach(begin);
  const left = [...others];
  const moveAnother = async (): Promise<readonly Question[]> => {
    const [next] = await openMoves(left.splice(0, 1), calls);
    if (!next) return [];
    begin(next);
    return valueQuestions(next);
  };
  return {
    ...calls,
    // What was moved is on its way already.
    count: (questions) =>
      calls.count(questions.filter((question) => ![...answers.keys()].some((move) => isOf(move, question)))),
    async doubt(questions) {
      for (const question of questions) {
        const move = [...answers.keys()].find((move) => isOf(move, question));
        if (move) answers.delete(move);
        if (question.dimension === "day") days.delete(question.span);
      }
      await calls.doubt(questions);
    },
    async grouped(span, dimension, signal, filters = []) {
      if (dimension === "day" && filters.length === 0) return byDay(span);
      const move = [...answers.keys()].find((move) => isOf(move, { span, dimension, filters }));
      const parts = move && (await answers.get(move));
      if (!parts) return calls.grouped(span, dimension, signal, filters);
      const total = totalOfDays((await byDay(span)).figures);
      const list = splitTotal(total, move, { parts, labels: await calls.labels(dimension) });
      if (list) return list;
      await calls.announce([{ span, dimension }, ...(await moveAnother())]);
      return calls.grouped(span, dimension, signal);
    },
  };
}

async function askValues(
  calls: PlannedCalls,
  { span, dimension, values }: Move,
  signal: AbortSignal,
): Promise<readonly Aged<Summary>[]> {
  const answers: Aged<Summary>[] = [];
  for (const value of values) answers.push(await calls.summary(span, signal, [filterOf(dimension, value)]));
  return answers;
}

interface Parts {
  /** The answers in the order of the move's values. */
  readonly parts: readonly Aged<Summary>[];
  /** How the service calls the values, as far as it has told. */
  readonly labels: ReadonlyMap<string, string | null>;
}

/** @returns `undefined` where the parts aren't the total, or where the service hasn't told how it calls one of them */
export function splitTotal(
  total: Metrics,
  { dimension, values }: Pick<Move, "dimension" | "values">,
  { parts, labels }: Parts,
): Aged<GroupList> | undefined {
  const sum = addMetrics(parts.map(({ figures }) => figures));
  if (sum.total_order_count !== total.total_order_count || sum.total_revenue !== total.total_revenue)
    return undefined;
  const withOrders = parts
    .map(({ figures }, index) => ({ figures, key: values[index] ?? "" }))
    .filter(({ figures }) => figures.total_order_count > 0);
  const groups = withOrders
    .flatMap(({ figures: { total_order_count, total_revenue, average_order_value }, key }) => {
      const label = labels.get(key);
      return label === undefined ? [] : { key, label, total_order_count, total_revenue, average_order_value };
    })
    .toSorted((a, b) => b.total_order_count - a.total_order_count || (a.key < b.key ? -1 : 1));
  if (groups.length < withOrders.length) return undefined;
  const placed = groups.map((group) => ({ group, identity: keyIdentity(group.key), ordinal: undefined }));
  const { askedAt, kept } = oldest(parts.map(({ age }) => age));
  return { figures: { grouped: { group_by: dimension, groups }, placed }, age: { askedAt, kept } };
}
