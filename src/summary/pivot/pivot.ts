/** Two dimensions at once, exact in cents: what is asked, and the cells that the answers make. */
import type { DateField, Dimension } from "../../contract/summary.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import {
  calendarMember,
  dayOfOrdinal,
  isCalendar,
  memberOf,
  type CalendarDimension,
  type Member,
} from "../merge/calendar-member.js";
import { mergeGroups, type GroupList } from "../merge/groups.js";
import { addCents, addToSum, emptySum, type Sum } from "../merge/sums.js";
import type { Period } from "../period/period.js";
import type { Plan, PlannedCalls } from "../plan/plans.js";
import type { AskedPeriod } from "../plan/request.js";
import type { Question } from "../plan/store-calls.js";
import { oldest, type Age, type Aged } from "../results.js";

import { filtersOf, isFilterable, usualCount } from "./values.js";
import { chooseWay, type Pair, type Way } from "./way.js";

export interface PivotCell {
  readonly row: Member;
  readonly col: Member;
  /** What no filter selects: the rest of the total. */
  readonly other: boolean;
  readonly sum: Sum;
}

export interface Pivot extends Pair {
  readonly period: Period;
  readonly age: Age;
  /** In the order of the table; the rest stands last. */
  readonly rowMembers: readonly Member[];
  readonly colMembers: readonly Member[];
  /** Those with orders. */
  readonly cells: readonly PivotCell[];
}

type PivotRequest = Pair & { readonly dateField: DateField | undefined };

export function pivotPlan(request: PivotRequest): Plan<Pivot> {
  const wayOf = (asked: AskedPeriod) => chooseWay(request, asked, request.dateField);
  return {
    questions: ({ current }) => firstQuestions(wayOf(current), request, current),
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

/** How many calls a pivot takes. */
export interface Outline {
  readonly calls: number;
  /** How many values there are is only known when the totals are. */
  readonly estimated: boolean;
}

/** The same without a call to the service. */
export function pivotOutline(request: PivotRequest): Plan<Outline> {
  return {
    questions: () => [],
    async fetch(calls, { current }, signal) {
      const way = chooseWay(request, current, request.dateField);
      const first = firstQuestions(way, request, current);
      const count = calls.count(first);
      if (way.kind !== "values") return { calls: count, estimated: false };
      const usual = Math.min(...way.filterable.filter(isFilterable).map(usualCount));
      if (count > 0) return { calls: count + usual * current.windows.length, estimated: true };
      const totals = await askTotals(request, async (dimension) => {
        return (await calls.grouped(current, dimension, signal)).figures;
      });
      const { questions } = splitByValue(way.filterable, totals, { pair: request, asked: current });
      return { calls: calls.count(questions), estimated: false };
    },
    age: () => ({ askedAt: 0, kept: false }),
    add: ([first]) => first,
  };
}

type Table = Pick<Pivot, "rowMembers" | "colMembers" | "cells">;
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

/** One value of the dimension that was cut or filtered, and the groups of its orders by the other. */
interface Line {
  readonly member: Member;
  readonly other: boolean;
  readonly groups: readonly (readonly [Member, Sum])[];
}

async function tableOfDays({ pair: { rows, cols }, asked, ask }: Asker): Promise<Table> {
  const { placed } = await ask({ asked, dimension: "day" });
  const lines = placed.map(({ ordinal, group }): Line => {
    if (ordinal === undefined)
      throw new ComandaError(
        "unexpected_answer",
        t`The service gave a day that can't be read: ${group.key}.`,
      );
    const day = dayOfOrdinal(ordinal);
    // Both are of the calendar: chooseWay saw to it.
    const [row, col] = [rows, cols].map((one) => calendarMember(calendarOf(one), day));
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

function groupsOf({ placed }: GroupList): Line["groups"] {
  return placed.map((one) => [memberOf(one), addToSum(emptySum, one.group)]);
}

/** The whole without the lines. @param unfiltered the values that it is made of, as far as they are known */
function restOf(
  whole: Line["groups"],
  lines: readonly Line[],
  unfiltered: readonly Member[],
): { readonly line: Line; readonly exceeded: boolean } {
  const rest = new Map(whole.map(([member, sum]) => [member.identity, { member, sum }]));
  for (const [member, { orders, revenue }] of lines.flatMap(({ groups }) => groups)) {
    const { sum } = rest.get(member.identity) ?? { sum: emptySum };
    const left = { orders: sum.orders - orders, revenue: addCents(sum.revenue, -revenue) };
    rest.set(member.identity, { member, sum: left });
  }
  const all = [...rest.values()];
  const label = unfiltered.map(({ key, label: name }) => name ?? String(key)).join(", ");
  return {
    line: {
      member: { identity: "other", key: null, label: label === "" ? "Other" : label },
      other: true,
      groups: all.map(({ member, sum }) => [member, sum]),
    },
    exceeded: all.some(({ sum: { orders, revenue } }) => orders < 0 || revenue < 0),
  };
}

interface TableOptions {
  readonly linesAre: "rows" | "cols";
  /** Are the lines in the order of the table? Else they are sorted by their key. */
  readonly inOrder: boolean;
  readonly groupOrder?: readonly Member[];
}

function table(lines: readonly Line[], { linesAre, inOrder, groupOrder }: TableOptions): Table {
  const cells = new Map<string, PivotCell>();
  for (const { member, other, groups } of lines) {
    for (const [group, { orders, revenue }] of groups) {
      const [row, col] = linesAre === "rows" ? [member, group] : [group, member];
      const identity = JSON.stringify([row.identity, col.identity]);
      const before = cells.get(identity)?.sum ?? emptySum;
      const sum = { orders: before.orders + orders, revenue: addCents(before.revenue, revenue) };
      cells.set(identity, { row, col, other, sum });
    }
  }
  const filled = [...cells.values()].filter(({ sum: { orders } }) => orders > 0);
  const [rows, cols] = [filled.map(({ row }) => row), filled.map(({ col }) => col)];
  const lineMembers = shown(
    lines.map(({ member }) => member),
    linesAre === "rows" ? rows : cols,
  );
  const groupMembers = shown(
    [...(groupOrder ?? []), ...lines.flatMap(({ groups }) => groups.map(([member]) => member))],
    linesAre === "rows" ? cols : rows,
  );
  const [first, second] = [
    inOrder ? lineMembers : lineMembers.toSorted(byKey),
    groupOrder ? groupMembers : groupMembers.toSorted(byKey),
  ];
  const [rowMembers, colMembers] = linesAre === "rows" ? [first, second] : [second, first];
  return { rowMembers, colMembers, cells: inTableOrder(filled, rowMembers, colMembers) };
}

/** Each once, those that have a cell. */
function shown(members: readonly Member[], withCells: readonly Member[]): readonly Member[] {
  const present = new Set(withCells.map(({ identity }) => identity));
  return [...new Map(members.map((one) => [one.identity, one])).values()].filter(({ identity }) =>
    present.has(identity),
  );
}

function byKey(a: Member, b: Member): number {
  const [one, other] = [a, b].map(({ key }) => String(key));
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

function inTableOrder(
  cells: readonly PivotCell[],
  rows: readonly Member[],
  cols: readonly Member[],
): readonly PivotCell[] {
  const places = (members: readonly Member[]) =>
    new Map(members.map(({ identity }, place) => [identity, place]));
  const [rowPlaces, colPlaces] = [places(rows), places(cols)];
  const place = ({ row, col }: PivotCell) =>
    (rowPlaces.get(row.identity) ?? 0) * cols.length + (colPlaces.get(col.identity) ?? 0);
  return cells.toSorted((a, b) => place(a) - place(b));
}
