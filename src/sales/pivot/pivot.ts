/**
 * Splits figures by two dimensions at once, exact in cents: it asks the questions and puts the answers into a table.
 */
import type { DateField, Dimension } from "../../contract/enums.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { dayOf, type CalendarDimension } from "../merge/calendar-forms.js";
import type { Evidence } from "../merge/calendar-names.js";
import { namesLike } from "../merge/derive.js";
import { placedGroup } from "../merge/group-identity.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { memberOf, totalOf, type Member } from "../merge/members.js";
import { addMetrics, noOrders, sumOf } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import { agree } from "../plan/agreement.js";
import type { Outlook, Plan, PlannedCalls } from "../plan/plans.js";
import type { GroupsQuestion } from "../plan/request.js";
import type { Age } from "../results.js";

import { addPivots } from "./add-pivots.js";
import { openAsker, type Asker } from "./asker.js";
import { groupsOf, restOf, table, type Line, type Pair, type PivotDifference, type Table } from "./table.js";
import { tieLines, tieParts, type Lines } from "./ties.js";
import { chooseWay, filtersOf, type Parts, type Way } from "./way.js";

export interface Pivot extends Pair, Table {
  readonly period: Period;
  readonly age: Age;
  /** These rows and columns differ from the answers about the whole period. */
  readonly differences: readonly PivotDifference[];
}

type PivotResult = Table & Pick<Pivot, "differences">;

type PivotRequest = Pair & { readonly dateField: DateField | undefined };

export function pivotPlan(request: PivotRequest): Plan<Pivot> {
  const { rows, cols } = request;
  const wayOf = (period: Period) => chooseWay(request, period, request.dateField);
  return {
    questions: ({ current }) => firstQuestions(wayOf(current), request, current),
    outlook: (calls, { current }, signal) => laterQuestions(calls, request, current, signal),
    async fetch(calls, { current }, signal) {
      const [way, asker] = [wayOf(current), openAsker(calls, signal)];
      const fetchTable = () => tableOf(way, request, current, asker);
      let result = await fetchTable();
      await agree(
        calls,
        () => asker.takeContradictions(),
        async () => {
          result = await fetchTable();
        },
      );
      return { ...result, rows, cols, period: current, age: asker.age() };
    },
    age: ({ age }) => age,
    add: addPivots,
  };
}

/** Lists the questions that are known before the first answer. */
function firstQuestions(way: Way, { rows, cols }: Pair, period: Period): readonly GroupsQuestion[] {
  switch (way.kind) {
    case "days":
      return [...new Set(["day", rows, cols] as const)].map((dimension) => ({ period, dimension }));
    case "parts":
      return [
        ...way.parts.map((part) => ({ period: part.period, dimension: way.grouped })),
        { period, dimension: way.cut },
      ];
    case "values":
      return [rows, cols].map((dimension) => ({ period, dimension }));
  }
}

/** Lists the questions for each value, which are only known when the totals are. */
async function laterQuestions(
  calls: PlannedCalls,
  request: PivotRequest,
  current: Period,
  signal: AbortSignal,
): Promise<Outlook> {
  const way = chooseWay(request, current, request.dateField);
  if (way.kind !== "values") return { questions: [], estimated: false };
  if ((await calls.count(firstQuestions(way, request, current))) > 0)
    return { questions: [], unknownCalls: way.usualCalls, estimated: true };
  const totals = await askTotals(request, async (dimension) => {
    return (await calls.grouped({ period: current, dimension }, signal)).figures;
  });
  const { values } = splitByValue(way.filterable, totals, request, current);
  return { questions: values.map(({ question }) => question), estimated: false };
}

function tableOf(way: Way, pair: Pair, period: Period, asker: Asker): Promise<PivotResult> {
  switch (way.kind) {
    case "days":
      return tableOfDays(way, period, asker);
    case "parts":
      return tableOfParts(way, pair, period, asker);
    case "values":
      return tableOfValues(way.filterable, pair, period, asker);
  }
}

async function tableOfDays(
  { rows, cols }: Extract<Way, { kind: "days" }>,
  period: Period,
  asker: Asker,
): Promise<PivotResult> {
  const byDay = { period, dimension: "day" } as const;
  const days = await asker.ask(byDay);
  const placesOf = async (dimension: CalendarDimension) => {
    const list = await asker.ask({ period, dimension });
    asker.tie([{ period, dimension }, totalOf(groupsOf(list))], [byDay, totalOf(groupsOf(days))]);
    return membersLike({ days: days.grouped.groups, answer: list.grouped }, dimension);
  };
  const [rowOf, colOf] = [await placesOf(rows), await placesOf(cols)];
  const cells = days.placed.map(({ ordinal: day, group }) => {
    if (day !== undefined) return { row: rowOf(day), col: colOf(day), sum: sumOf(group) };
    throw new ComandaError("unexpected_answer", t`The service gave a day that can't be read: ${group.key}.`);
  });
  const lines = cells
    .toSorted((a, b) => a.col.place - b.col.place)
    .map(({ row, col, sum }): Line => ({
      member: col.member,
      groups: [{ ...row.member, sum }],
    }));
  const groupOrder = cells.toSorted((a, b) => a.row.place - b.row.place).map(({ row }) => row.member);
  return { ...table(lines, { linesAre: "cols", groupOrder }), differences: [] };
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
    return { place, member: memberOf(placedGroup({ key, label, ...noOrders }, dimension, place)) };
  };
}

async function tableOfParts(way: Parts, { cols }: Pair, period: Period, asker: Asker): Promise<PivotResult> {
  const { cut, grouped, parts } = way;
  const lists: GroupList[] = [];
  for (const part of parts) lists.push(await asker.ask({ period: part.period, dimension: grouped }));
  const total = await asker.ask({ period, dimension: cut });
  const answeredParts = parts.flatMap(({ day }, index) => {
    const list = lists[index];
    return list ? [{ day, list, sum: addMetrics(list.grouped.groups) }] : [];
  });
  const days = answeredParts
    .filter(({ sum }) => sum.total_order_count > 0)
    .map(({ day, sum }) => ({ key: dayOf(day).toString(), label: null, ...sum }));
  const memberAt = membersLike({ days, answer: total.grouped }, cut);
  const lines = answeredParts
    .map(({ day, list }) => ({ ...memberAt(day), list }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ member, list }): Line => ({ member, groups: groupsOf(list) }));
  const order = mergeGroups(
    grouped,
    lists.map(({ placed }) => placed),
  );
  const result = table(lines, {
    linesAre: cols === cut ? "cols" : "rows",
    groupOrder: order.placed.map(memberOf),
  });
  return { ...result, differences: await tieParts(way, { lists, total }, period, asker) };
}

/** Asks for the totals by either dimension, then one question for each value of the dimension that has fewer. */
async function tableOfValues(
  filterable: readonly Dimension[],
  pair: Pair,
  period: Period,
  asker: Asker,
): Promise<PivotResult> {
  const totals = await askTotals(pair, (dimension) => asker.ask({ period, dimension }));
  const { side, values, unfiltered, split, whole } = splitByValue(filterable, totals, pair, period);
  await asker.calls.announce(values.map(({ question }) => question));
  const lines: Lines["lines"][number][] = [];
  for (const { member, question } of values)
    lines.push({ member, question, groups: groupsOf(await asker.ask(question)) });
  const rest = restOf(whole.groups, lines, unfiltered);
  const result = table([...lines, rest], {
    linesAre: side === "col" ? "cols" : "rows",
    groupOrder: whole.groups,
  });
  const differences = tieLines(result, { side, split, whole, lines, rest, unfiltered }, period, asker);
  return { ...result, differences };
}

type Totals = Readonly<Record<"rows" | "cols", GroupList>>;

async function askTotals(
  { rows, cols }: Pair,
  ask: (dimension: Dimension) => Promise<GroupList>,
): Promise<Totals> {
  return { rows: await ask(rows), cols: await ask(cols) };
}

/** Chooses the dimension that is filtered, its values, and the question for each. */
function splitByValue(filterable: readonly Dimension[], totals: Totals, pair: Pair, period: Period) {
  const totalOf = (side: "row" | "col") =>
    ({ dimension: pair[`${side}s`], groups: groupsOf(totals[`${side}s`]) }) as const;
  const candidates = (["row", "col"] as const).flatMap((side) => {
    const split = totalOf(side);
    if (!filterable.includes(split.dimension)) return [];
    const values = split.groups.flatMap((member) => {
      const filters = filtersOf(split.dimension, member.key);
      return filters ? [{ member, filters }] : [];
    });
    const unfiltered = split.groups.filter((member) => !values.some((value) => value.member === member));
    return [{ side, split, values, unfiltered }];
  });
  const [choice] = candidates.toSorted((a, b) => a.values.length - b.values.length);
  if (!choice) throw new RangeError("neither of the dimensions can be filtered");
  const whole = totalOf(choice.side === "row" ? "col" : "row");
  const values = choice.values.map(({ member, filters }) => {
    const question: GroupsQuestion = { period, dimension: whole.dimension, filters };
    return { member, question };
  });
  return { ...choice, values, whole };
}
