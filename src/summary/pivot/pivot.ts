/** Two dimensions at once, exact in cents: what is asked, and what of the answers goes into the table. */
import type { DateField, Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOf, labelsLike, type CalendarDimension } from "../merge/calendar-labels.js";
import { calendarMember, isCalendar, memberOf } from "../merge/calendar-member.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { addToSum, emptySum } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { Outlook, Plan, PlannedCalls } from "../plan/plans.js";
import type { AskedPeriod } from "../plan/request.js";
import type { Question } from "../plan/store-calls.js";
import { oldest, type Age, type Aged } from "../results.js";

import { groupsOf, restOf, table, type Line, type Table } from "./table.js";
import { filtersOf, isFilterable, usualCount } from "./values.js";
import { chooseWay, type Pair, type Way } from "./way.js";

export interface Pivot extends Pair, Table {
  readonly period: Period;
  readonly age: Age;
}

type PivotRequest = Pair & { readonly dateField: DateField | undefined };

export function pivotPlan(request: PivotRequest): Plan<Pivot> {
  const wayOf = (asked: AskedPeriod) => chooseWay(request, asked, request.dateField);
  return {
    questions: ({ current }) => firstQuestions(wayOf(current), request, current),
    outlook: (calls, { current }, signal) => laterQuestions(calls, { request, current, signal }),
    async fetch(calls, { current }, signal) {
      const ages: Age[] = [];
      const asker: Asker = {
        calls,
        pair: request,
        asked: current,
        ask: async ({ asked, dimension, filters }) => {
          const { figures, age } = await askGroups(calls, { asked, dimension, filters }, signal);
          ages.push(age);
          return figures;
        },
      };
      const table = await tableOf(wayOf(current), asker);
      return { ...table, rows: request.rows, cols: request.cols, period: current.period, age: oldest(ages) };
    },
    age: ({ age }) => age,
    add: ([first]) => first,
  };
}

/** Which values there are, and with them the calls for each, is only known when the totals are. */
async function laterQuestions(
  calls: PlannedCalls,
  {
    request,
    current,
    signal,
  }: { readonly request: PivotRequest; readonly current: AskedPeriod; readonly signal: AbortSignal },
): Promise<Outlook> {
  const way = chooseWay(request, current, request.dateField);
  if (way.kind !== "values") return { questions: [], estimated: false };
  if (calls.count(firstQuestions(way, request, current)) > 0) {
    const usual = Math.min(...way.filterable.filter(isFilterable).map(usualCount));
    return { questions: [], unknownCalls: usual * current.windows.length, estimated: true };
  }
  const totals = await askTotals(request, async (dimension) => {
    return (await calls.grouped(current, dimension, signal)).figures;
  });
  const { questions } = splitByValue(way.filterable, totals, { pair: request, asked: current });
  return { questions, estimated: false };
}

type GroupsQuestion = Question & { readonly dimension: Dimension };

interface Asker {
  readonly calls: PlannedCalls;
  readonly pair: Pair;
  readonly asked: AskedPeriod;
  readonly ask: (question: GroupsQuestion) => Promise<GroupList>;
}

function askGroups(
  calls: PlannedCalls,
  { asked, dimension, filters }: GroupsQuestion,
  signal: AbortSignal,
): Promise<Aged<GroupList>> {
  return calls.grouped(asked, dimension, signal, filters);
}

/** All that is known before the first answer. */
export function firstQuestions(
  way: Way,
  { rows, cols }: Pair,
  asked: AskedPeriod,
): readonly GroupsQuestion[] {
  switch (way.kind) {
    case "days":
      return [{ asked, dimension: "day" }];
    case "parts":
      return way.parts.map((part) => ({ asked: part.asked, dimension: way.grouped }));
    case "values":
      return [
        { asked, dimension: rows },
        { asked, dimension: cols },
      ];
  }
}

function tableOf(way: Way, asker: Asker): Promise<Table> {
  switch (way.kind) {
    case "days":
      return tableOfDays(asker);
    case "parts":
      return tableOfParts(way, asker);
    case "values":
      return tableOfValues(way.filterable, asker);
  }
}

async function tableOfDays({ pair: { rows, cols }, asked, ask }: Asker): Promise<Table> {
  const { placed } = await ask({ asked, dimension: "day" });
  const labelOf = labelsLike(placed);
  const lines = placed.map(({ ordinal, group }): Line => {
    if (ordinal === undefined)
      throw new ComandaError(
        "unexpected_answer",
        t`The service gave a day that can't be read: ${group.key}.`,
      );
    const day = dayOf(ordinal);
    // Both are of the calendar: chooseWay saw to it.
    const [row, col] = [rows, cols].map((one) => calendarMember(calendarOf(one), day, labelOf));
    if (!row || !col) throw new RangeError("a pivot has two dimensions");
    return { member: col, other: false, groups: [[row, addToSum(emptySum, group)]] };
  });
  return table(lines, { linesAre: "cols", inOrder: false });
}

function calendarOf(dimension: Dimension): CalendarDimension {
  if (isCalendar(dimension)) return dimension;
  throw new RangeError(`${dimension} doesn't follow from the day`);
}

async function tableOfParts(
  { cut, grouped, parts }: Way & { kind: "parts" },
  { pair, ask }: Asker,
): Promise<Table> {
  const lists: GroupList[] = [];
  const lines: Line[] = [];
  for (const { asked, member } of parts) {
    const list = await ask({ asked, dimension: grouped });
    lists.push(list);
    lines.push({ member, other: false, groups: groupsOf(list) });
  }
  const order = mergeGroups(
    grouped,
    lists.map(({ placed }) => placed),
  );
  return table(lines, {
    linesAre: pair.cols === cut ? "cols" : "rows",
    inOrder: cut !== "day_of_week",
    groupOrder: order.placed.map(memberOf),
  });
}

/** The totals by either dimension, then one question for each value of the one that has fewer. */
async function tableOfValues(
  filterable: readonly Dimension[],
  { pair, asked, ask, calls }: Asker,
): Promise<Table> {
  const totals = await askTotals(pair, (dimension) => ask({ asked, dimension }));
  const { questions, values, unfiltered, filtered, whole } = splitByValue(filterable, totals, {
    pair,
    asked,
  });
  await calls.announce(questions);
  const lines: Line[] = [];
  for (const [index, question] of questions.entries()) {
    const member = values[index];
    if (member) lines.push({ member, other: false, groups: groupsOf(await ask(question)) });
  }
  const rest = restOf(groupsOf(whole), lines, unfiltered);
  if (rest.exceeded) {
    calls.warn(
      t`The parts are more than the whole: orders changed while they were asked for. --fresh asks for all again.`,
    );
  }
  return table([...lines, rest.line], {
    linesAre: filtered === pair.cols ? "cols" : "rows",
    inOrder: true,
    groupOrder: whole.placed.map(memberOf),
  });
}

interface Totals {
  readonly rows: GroupList;
  readonly cols: GroupList;
}

async function askTotals(
  { rows, cols }: Pair,
  ask: (dimension: Dimension) => Promise<GroupList>,
): Promise<Totals> {
  return { rows: await ask(rows), cols: await ask(cols) };
}

/** Which dimension is filtered, by which values, and what is asked of each. */
function splitByValue(
  filterable: readonly Dimension[],
  totals: Totals,
  { pair, asked }: { readonly pair: Pair; readonly asked: AskedPeriod },
) {
  const candidates = (["rows", "cols"] as const).flatMap((side) => {
    const dimension = pair[side];
    if (!filterable.includes(dimension)) return [];
    const members = totals[side].placed.map(memberOf);
    const values = members.filter(({ key }) => filtersOf(dimension, key) !== undefined);
    const unfiltered = members.filter((member) => !values.includes(member));
    return [{ side, dimension, values, unfiltered }];
  });
  const [chosen] = candidates.toSorted((a, b) => a.values.length - b.values.length);
  if (!chosen) throw new RangeError("neither of the dimensions can be filtered");
  const { dimension: filtered, values, unfiltered } = chosen;
  const grouped = chosen.side === "rows" ? "cols" : "rows";
  const questions = values.map(({ key }): GroupsQuestion => ({
    asked,
    dimension: pair[grouped],
    filters: filtersOf(filtered, key) ?? [],
  }));
  return { questions, values, unfiltered, filtered, whole: totals[grouped] };
}
