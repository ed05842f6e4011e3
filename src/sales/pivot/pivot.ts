/**
 * Splits figures by two dimensions at once, exact in cents: it asks the questions and puts the answers into a table.
 */
import type { DateField, Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOrdinal, isCalendar, type CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { namesLike } from "../merge/derive.js";
import { placedGroup } from "../merge/group-identity.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { addMetrics, addToSum, emptySum, noOrders, type Metrics } from "../merge/sums.js";
import type { PlainDate } from "../period/calendar.js";
import type { Period } from "../period/period.js";
import { agree } from "../plan/agreement.js";
import type { Outlook, Plan, PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion, PeriodSpan } from "../plan/request.js";
import type { Age } from "../results.js";

import { addPivots } from "./add-pivots.js";
import { openAsker, sumOf, type Asker } from "./asker.js";
import { groupsOf, memberOf, restOf, table, type Line, type Member, type Table } from "./table.js";
import { tieLines, tieParts, type Lines, type PivotDifference } from "./ties.js";
import { filtersOf, isFilterable, usualCount } from "./values.js";
import { chooseWay, type Pair, type Way } from "./way.js";

export interface Pivot extends Pair, Table {
  readonly period: Period;
  readonly age: Age;
  /** These rows and columns differ from the answers about the whole period. */
  readonly differences: readonly PivotDifference[];
}

type PivotResult = Table & Pick<Pivot, "differences">;

type PivotRequest = Pair & { readonly dateField: DateField | undefined };

export function pivotPlan(request: PivotRequest): Plan<Pivot> {
  const wayOf = (span: PeriodSpan) => chooseWay(request, span, request.dateField);
  return {
    questions: ({ current }) => firstQuestions(wayOf(current), request, current),
    outlook: (calls, { current }, signal) => laterQuestions(calls, request, current, signal),
    async fetch(calls, { current }, signal) {
      const asker = openAsker({ calls, pair: request, span: current }, signal);
      let result = await tableOf(wayOf(current), asker);
      await agree(calls, asker.takeContradictions, async () => {
        result = await tableOf(wayOf(current), asker);
      });
      return { ...result, rows: request.rows, cols: request.cols, period: current.period, age: asker.age() };
    },
    age: ({ age }) => age,
    add: addPivots,
  };
}

/** Lists the questions for each value, which are only known when the totals are. */
async function laterQuestions(
  calls: PlannedCalls,
  request: PivotRequest,
  current: PeriodSpan,
  signal: AbortSignal,
): Promise<Outlook> {
  const way = chooseWay(request, current, request.dateField);
  if (way.kind !== "values") return { questions: [], estimated: false };
  if ((await calls.count(firstQuestions(way, request, current))) > 0) {
    const usual = Math.min(...way.filterable.filter(isFilterable).map(usualCount));
    return { questions: [], unknownCalls: usual * current.windows.length, estimated: true };
  }
  const totals = await askTotals(request, async (dimension) => {
    return (await calls.grouped(current, dimension, signal)).figures;
  });
  const { values } = splitByValue(way.filterable, totals, { pair: request, span: current });
  return { questions: values.map(({ question }) => question), estimated: false };
}

/** Lists the questions that are known before the first answer. */
export function firstQuestions(way: Way, { rows, cols }: Pair, span: PeriodSpan): readonly GroupsQuestion[] {
  switch (way.kind) {
    case "days":
      return [...new Set(["day", rows, cols] as const)].map((dimension) => ({ span, dimension }));
    case "parts":
      return [
        ...way.parts.map((part) => ({ span: part.span, dimension: way.grouped })),
        { span, dimension: way.cut },
      ];
    case "values":
      return [
        { span, dimension: rows },
        { span, dimension: cols },
      ];
  }
}

function tableOf(way: Way, asker: Asker): Promise<PivotResult> {
  switch (way.kind) {
    case "days":
      return tableOfDays(asker);
    case "parts":
      return tableOfParts(way, asker);
    case "values":
      return tableOfValues(way.filterable, asker);
  }
}

async function tableOfDays({ pair: { rows, cols }, span, ask, tie }: Asker): Promise<PivotResult> {
  const byDay = { span, dimension: "day" } as const;
  const { placed, grouped } = await ask(byDay);
  const days = placed.map(({ ordinal, group }) => {
    if (ordinal !== undefined) return { day: ordinal, group };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
  const placesOf = async (dimension: Dimension) => {
    // Both follow from the day, as `chooseWay` checked.
    const list = await ask({ span, dimension });
    tie([{ span, dimension }, sumOf(groupsOf(list))], [byDay, sumOf(groupsOf({ grouped, placed }))]);
    return membersLike({ days: grouped.groups, answer: list.grouped }, calendarOf(dimension));
  };
  const [rowOf, colOf] = [await placesOf(rows), await placesOf(cols)];
  const cells = days.map(({ day, group }) => ({ row: rowOf(day), col: colOf(day), group }));
  const lines = cells
    .toSorted((a, b) => a.col.place - b.col.place)
    .map(({ row, col, group }): Line => {
      return { member: col.member, other: false, groups: [[row.member, addToSum(emptySum, group)]] };
    });
  const groupOrder = cells.toSorted((a, b) => a.row.place - b.row.place).map(({ row }) => row.member);
  return { ...table(lines, { linesAre: "cols", groupOrder }), differences: [] };
}

function calendarOf(dimension: Dimension): CalendarDimension {
  if (isCalendar(dimension)) return dimension;
  throw new RangeError(`${dimension} doesn't follow from the day`);
}

/**
 * Makes a function that gives the place of a day in a dimension, and the service's name for it in its answer about
 * the same days.
 */
function membersLike(evidence: Evidence, dimension: CalendarDimension) {
  const { units, nameOf } = namesLike([evidence], dimension);
  return (day: number): { readonly place: number; readonly member: Member } => {
    const place = units.placeOf(day);
    const { key = null, label = null } = nameOf(place);
    const placed = placedGroup({ key, label, ...noOrders }, dimension, place);
    return { place, member: memberOf(placed) };
  };
}

async function tableOfParts(
  { cut, grouped, parts }: Way & { kind: "parts" },
  asker: Asker,
): Promise<PivotResult> {
  const { pair, span: whole, ask } = asker;
  const lists: (GroupList & { readonly day: PlainDate })[] = [];
  for (const { span, day } of parts) lists.push({ ...(await ask({ span, dimension: grouped })), day });
  const total = await ask({ span: whole, dimension: cut });
  const { grouped: answer } = total;
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
    .map((list) => ({ ...memberAt(dayOrdinal(list.day)), list }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ member, list }): Line => ({ member, other: false, groups: groupsOf(list) }));
  const result = table(lines, {
    linesAre: pair.cols === cut ? "cols" : "rows",
    groupOrder: order.placed.map(memberOf),
  });
  return { ...result, differences: await tieParts({ cut, grouped, parts }, { lists, total }, asker) };
}

function hasOrders({ total_order_count: orders }: Metrics): boolean {
  return orders > 0;
}

/** Asks for the totals by either dimension, then one question for each value of the dimension that has fewer. */
async function tableOfValues(filterable: readonly Dimension[], asker: Asker): Promise<PivotResult> {
  const { pair, span, ask, calls } = asker;
  const totals = await askTotals(pair, (dimension) => ask({ span, dimension }));
  const { side, values, unfiltered, split, whole } = splitByValue(filterable, totals, { pair, span });
  await calls.announce(values.map(({ question }) => question));
  const lines: Lines["lines"][number][] = [];
  for (const { member, question } of values)
    lines.push({ member, question, other: false, groups: groupsOf(await ask(question)) });
  const rest = restOf(whole.groups, lines, unfiltered);
  const result = table([...lines, rest], {
    linesAre: side === "col" ? "cols" : "rows",
    groupOrder: whole.groups.map(([member]) => member),
  });
  return { ...result, differences: tieLines(result, { side, split, whole, lines, rest, unfiltered }, asker) };
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

/** Chooses the dimension that is filtered, its values, and the question for each. */
function splitByValue(
  filterable: readonly Dimension[],
  totals: Totals,
  { pair, span }: { readonly pair: Pair; readonly span: PeriodSpan },
) {
  const candidates = (["row", "col"] as const).flatMap((side) => {
    const dimension = pair[`${side}s`];
    if (!filterable.includes(dimension)) return [];
    const groups = groupsOf(totals[`${side}s`]);
    const members = groups.map(([member]) => member);
    const values = members.filter(({ key }) => filtersOf(dimension, key) !== undefined);
    const unfiltered = members.filter((member) => !values.includes(member));
    return [{ side, split: { dimension, groups }, values, unfiltered }];
  });
  const [choice] = candidates.toSorted((a, b) => a.values.length - b.values.length);
  if (!choice) throw new RangeError("neither of the dimensions can be filtered");
  const other = choice.side === "row" ? "cols" : "rows";
  const values = choice.values.map((member) => {
    const filters = filtersOf(choice.split.dimension, member.key) ?? [];
    const question: GroupsQuestion = { span, dimension: pair[other], filters };
    return { member, question };
  });
  return { ...choice, values, whole: { dimension: pair[other], groups: groupsOf(totals[other]) } };
}
