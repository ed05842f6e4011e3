/** Two dimensions at once, exact in cents: what is asked, and what of the answers goes into the table. */
import type { DateField, Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOf, isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import { isoNames, withIsoNames, type Evidence } from "../merge/calendar-names.js";
import { namesLike, placeIn } from "../merge/derive.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { addMetrics, addToSum, emptySum, type Metrics } from "../merge/sums.js";
import type { PlainDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import type { Outlook, Plan, PlannedCalls } from "../plan/plans.js";
import type { AskedPeriod, Question } from "../plan/request.js";
import { oldest, type Age, type Aged } from "../results.js";

import { groupsOf, memberOf, restOf, table, type Line, type Member, type Table } from "./table.js";
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
      return [...new Set(["day", rows, cols] as const)].map((dimension) => ({ asked, dimension }));
    case "parts":
      return [
        ...way.parts.map((part) => ({ asked: part.asked, dimension: way.grouped })),
        { asked, dimension: way.cut },
      ];
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
  const { placed, grouped } = await ask({ asked, dimension: "day" });
  const days = placed.map(({ ordinal, group }) => {
    if (ordinal !== undefined) return { day: dayOf(ordinal), group };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
  const placesOf = async (dimension: Dimension) => {
    // Both are of the calendar: chooseWay saw to it.
    const { grouped: answer } = await ask({ asked, dimension });
    return membersLike({ days: grouped.groups, answer }, calendarOf(dimension));
  };
  const [rowOf, colOf] = [await placesOf(rows), await placesOf(cols)];
  const cells = days.map(({ day, group }) => ({ row: rowOf(day), col: colOf(day), group }));
  const lines = cells
    .toSorted((a, b) => a.col.place - b.col.place)
    .map(({ row, col, group }): Line => {
      return { member: col.member, other: false, groups: [[row.member, addToSum(emptySum, group)]] };
    });
  const groupOrder = cells.toSorted((a, b) => a.row.place - b.row.place).map(({ row }) => row.member);
  return table(lines, { linesAre: "cols", groupOrder });
}

function calendarOf(dimension: Dimension): CalendarDimension {
  if (isCalendar(dimension)) return dimension;
  throw new RangeError(`${dimension} doesn't follow from the day`);
}

/** Where a day stands in a dimension, and how the service calls that place, as its answer about the same days tells. */
function membersLike(evidence: Evidence, dimension: CalendarDimension) {
  const [names = isoNames(dimension)] = namesLike([evidence], dimension);
  const { units, nameOf } = withIsoNames(names);
  return (day: PlainDate): { readonly place: number; readonly member: Member } => {
    const place = units.placeOf(day);
    const { key, label } = nameOf(place);
    return { place, member: { key, label, identity: placeIn(dimension, key, place).identity } };
  };
}

async function tableOfParts(
  { cut, grouped, parts }: Way & { kind: "parts" },
  { pair, asked: whole, ask }: Asker,
): Promise<Table> {
  const lists: (GroupList & { readonly day: PlainDate })[] = [];
  for (const { asked, day } of parts) lists.push({ ...(await ask({ asked, dimension: grouped })), day });
  const { grouped: answer } = await ask({ asked: whole, dimension: cut });
  const days = lists.map(({ day, grouped: { groups } }) => ({
    ...{ key: day.toString(), label: null },
    ...addMetrics(groups),
  }));
  const memberAt = membersLike({ days: days.filter(hasOrders), answer }, cut);
  const order = mergeGroups(
    grouped,
    lists.map(({ placed }) => placed),
  );
  const lines = lists
    .map((list) => ({ ...memberAt(list.day), list }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ member, list }): Line => ({ member, other: false, groups: groupsOf(list) }));
  return table(lines, {
    linesAre: pair.cols === cut ? "cols" : "rows",
    groupOrder: order.placed.map(memberOf),
  });
}

function hasOrders({ total_order_count: orders }: Metrics): boolean {
  return orders > 0;
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
