/**
 * Any question gives the same bytes, whatever was asked before: what follows from kept answers is written as the service
 * itself writes it, in whatever form it writes its days, weeks, months, weekdays and hours.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import type { Group, GroupedSummary } from "../../../src/contract/models.js";
import { averageCents, numberFromCents } from "../../../src/contract/money.js";
import type { Comparison } from "../../../src/sales/period/comparison.js";
import { pivotPlan } from "../../../src/sales/pivot/pivot.js";
import { reportPlan } from "../../../src/sales/report/plan.js";
import { periodsOf } from "../../../src/sales/results.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { asking, callsOver, emptyKept, tries, type CallsOptions } from "../support/oracle.js";

type Written = NonNullable<CallsOptions["written"]>;
type Writing = (place: number) => Pick<Group, "key" | "label">;

const zone = "America/Sao_Paulo";
const now = Date.parse("2026-11-20T15:00:00Z");
const { signal } = new AbortController();

const dayMs = 86_400_000;
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs;
const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const brazilian = (date: string) => date.split("-").toReversed().join("/");

/** A service's groups out of its days, counted and written in a way of its own. */
function ofDays(days: GroupedSummary, by: Dimension, placeOf: (day: number) => number, write: Writing) {
  const places = new Map<number, { orders: number; cents: number }>();
  for (const { key, total_order_count, total_revenue } of days.groups) {
    const place = placeOf(dayNumber(String(key)));
    const { orders, cents } = places.get(place) ?? { orders: 0, cents: 0 };
    places.set(place, {
      orders: orders + total_order_count,
      cents: cents + Math.round(total_revenue * 100),
    });
  }
  const groups = [...places]
    .toSorted(([a], [b]) => a - b)
    .map(([place, { orders, cents }]) => ({
      ...write(place),
      total_order_count: orders,
      total_revenue: numberFromCents(cents),
      average_order_value: numberFromCents(averageCents(cents, orders)),
    }));
  return { group_by: by, groups };
}

const weekdayNames = [
  "domingo",
  "segunda-feira",
  "terça-feira",
  "quarta-feira",
  "quinta-feira",
  "sexta-feira",
];
const nameOf = (weekday: number) => weekdayNames[weekday] ?? "sábado";
const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
const sundayOn = (day: number) => (((day + 4) % 7) + 7) % 7;
const mondayOn = (day: number) => (((day + 3) % 7) + 7) % 7;
const isoWeekOf = (monday: number) => {
  const thursday = dateOf(monday + 3);
  const week = Math.floor((monday + 3 - dayNumber(`${thursday.slice(0, 4)}-01-01`)) / 7) + 1;
  return { year: thursday.slice(0, 4), week };
};
const monthOf = (month: number) => ({ year: String(Math.floor(month / 12)), month: (month % 12) + 1 });
const two = (number: number) => String(number).padStart(2, "0");

/** Sunday's number in the order of an answer, and how its weekdays are written. */
const weekdayForms: Readonly<Record<string, readonly [placeOf: (day: number) => number, write: Writing]>> = {
  "numbers from Sunday, 0": [sundayOn, (d) => ({ key: d, label: capital(nameOf(d)) })],
  "texts from Sunday, 0": [sundayOn, (d) => ({ key: String(d), label: nameOf(d) })],
  "numbers from Sunday, 1": [sundayOn, (d) => ({ key: d + 1, label: null })],
  "numbers from Sunday, 0, without names": [sundayOn, (d) => ({ key: d, label: null })],
  "numbers from Monday, 1, without names": [mondayOn, (d) => ({ key: d + 1, label: null })],
  "numbers from Monday, 1": [mondayOn, (d) => ({ key: d + 1, label: nameOf((d + 1) % 7) })],
  "texts from Monday, 1, in words of its own": [
    mondayOn,
    (d) => ({ key: String(d + 1), label: `dia ${d + 1}` }),
  ],
  "numbers from Monday, 0": [mondayOn, (d) => ({ key: d, label: null })],
  "names from Monday on": [mondayOn, (d) => ({ key: nameOf((d + 1) % 7), label: nameOf((d + 1) % 7) })],
  names: [sundayOn, (d) => ({ key: nameOf(d), label: capital(nameOf(d)) })],
};

const fromMonday = (day: number) => Math.floor((day + 3) / 7);
const weekForms: typeof weekdayForms = {
  "2026-W40": [
    fromMonday,
    (place) => {
      const { year, week } = isoWeekOf(place * 7 - 3);
      return { key: `${year}-W${two(week)}`, label: `Semana ${week} de ${year}` };
    },
  ],
  "the Monday's date": [fromMonday, (place) => ({ key: dateOf(place * 7 - 3), label: null })],
  "the date of its Sunday, with which it begins": [
    (day) => Math.floor((day + 4) / 7),
    (place) => ({ key: dateOf(place * 7 - 4), label: brazilian(dateOf(place * 7 - 4)) }),
  ],
  "its number": [
    fromMonday,
    (place) => ({ key: isoWeekOf(place * 7 - 3).week, label: `sem. ${isoWeekOf(place * 7 - 3).week}` }),
  ],
  "words of its own": [
    fromMonday,
    (place) => ({ key: `semana ${isoWeekOf(place * 7 - 3).week}`, label: null }),
  ],
};

const byMonth = (day: number) => Number(dateOf(day).slice(0, 4)) * 12 + Number(dateOf(day).slice(5, 7)) - 1;
const monthNames = ["", "", "", "", "", "", "julho", "agosto", "setembro", "outubro", "novembro"];
const monthForms: typeof weekdayForms = {
  "2026-10": [byMonth, (place) => ({ key: isoMonth(place), label: brazilian(isoMonth(place)) })],
  "its first day": [
    byMonth,
    (place) => ({
      key: `${isoMonth(place)}-01`,
      label: `${monthNames[monthOf(place).month - 1] ?? ""} de 2026`,
    }),
  ],
  "its number": [
    byMonth,
    (place) => ({ key: monthOf(place).month, label: monthNames[monthOf(place).month - 1] ?? "" }),
  ],
  "a text of its number": [byMonth, (place) => ({ key: two(monthOf(place).month), label: null })],
  "a text of its number, without a zero": [
    byMonth,
    (place) => ({ key: String(monthOf(place).month), label: null }),
  ],
  "its name": [
    byMonth,
    (place) => ({ key: monthNames[monthOf(place).month - 1] ?? "", label: `mês ${place}` }),
  ],
};
function isoMonth(place: number): string {
  const { year, month } = monthOf(place);
  return `${year}-${two(month)}`;
}

const dayForms: Readonly<Record<string, (date: string) => Pick<Group, "key" | "label">>> = {
  "2026-10-05": (date) => ({ key: date, label: brazilian(date) }),
  "a date-time": (date) => ({ key: `${date}T00:00:00-03:00`, label: null }),
  "a label of its own": (date) => ({ key: date, label: `dia ${dayNumber(date)}` }),
  "words of its own": (date) => ({ key: `dia ${dayNumber(date)}`, label: null }),
};

interface Forms {
  readonly day: string;
  readonly week: string;
  readonly month: string;
  readonly weekday: string;
  /** What else a service may do with its groups. */
  readonly manner: "plain" | "fields of its own" | "averages that are cut off";
}

const forms: fc.Arbitrary<Forms> = fc.record({
  day: fc.constantFrom(...Object.keys(dayForms).slice(0, 1), ...Object.keys(dayForms)),
  week: fc.constantFrom(...Object.keys(weekForms)),
  month: fc.constantFrom(...Object.keys(monthForms)),
  // Names that begin with Monday fit two orders until a Sunday is seen.
  weekday: fc.constantFrom(...Object.keys(weekdayForms), "names from Monday on", "names from Monday on"),
  manner: fc.constantFrom("plain", "plain", "plain", "fields of its own", "averages that are cut off"),
});

function serviceOf({ day, week, month, weekday, manner }: Forms): Written {
  const answer: Written = (by, groupsBy) => {
    const form = { week: weekForms[week], month: monthForms[month], day_of_week: weekdayForms[weekday] };
    if (by === "week" || by === "month" || by === "day_of_week") {
      const [placeOf, write] = form[by] ?? [];
      return placeOf && write ? ofDays(groupsBy("day"), by, placeOf, write) : groupsBy(by);
    }
    const found = groupsBy(by);
    const write = dayForms[day];
    if (by !== "day" || !write) return found;
    return { ...found, groups: found.groups.map((group) => ({ ...group, ...write(String(group.key)) })) };
  };
  return (by, groupsBy) => {
    const { groups, ...rest } = answer(by, groupsBy);
    if (manner === "plain") return { ...rest, groups };
    return {
      ...rest,
      groups: groups.map((group) =>
        manner === "fields of its own"
          ? { ...group, items: group.total_order_count * 2 }
          : {
              ...group,
              average_order_value: Math.floor((group.total_revenue / group.total_order_count) * 10) / 10,
            },
      ),
    };
  };
}

interface Asked {
  readonly what: Dimension | "pivot" | "report";
  readonly rows: Dimension;
  readonly cols: Dimension;
  readonly period: { readonly from: string; readonly to: string };
  readonly dayStarts: string;
  readonly filters: readonly string[];
  readonly comparison: Comparison | undefined;
}

const calendar = ["day", "week", "month", "day_of_week"] as const;
const periods = fc.constantFrom(
  { from: "2026-09-01", to: "2026-09-30" },
  { from: "2026-10-01", to: "2026-10-31" },
  { from: "2026-09-01", to: "2026-10-31" },
  { from: "2026-10-05", to: "2026-10-18" },
  { from: "2026-10-07", to: "2026-10-09" },
  { from: "2026-10-06", to: "2026-10-06" },
);
const anything: fc.Arbitrary<Asked> = fc.record({
  what: fc.constantFrom<Asked["what"]>(...calendar, "hour", "status", "pivot", "report"),
  rows: fc.constantFrom(...calendar),
  cols: fc.constantFrom<Dimension>("status", "hour", "order_type"),
  period: periods,
  dayStarts: fc.constantFrom("00:00", "00:00", "00:00", "04:00"),
  filters: fc.constantFrom([], [], ["status!=canceled"]),
  comparison: fc.constantFrom<Comparison | undefined>(undefined, undefined, "previous"),
});
const usual: Asked = {
  ...{ what: "day", rows: "week", cols: "hour", comparison: undefined },
  ...{ period: { from: "2026-10-06", to: "2026-10-06" }, dayStarts: "00:00", filters: [] },
};

/** Windows that leave open how the service goes on: a month without a zero, a week, weekdays without a Sunday or around it. */
const tellingLittle = {
  month: [
    { from: "2026-10-06", to: "2026-10-06" },
    { from: "2026-10-05", to: "2026-10-18" },
  ],
  week: [
    { from: "2026-10-05", to: "2026-10-18" },
    { from: "2026-10-07", to: "2026-10-09" },
  ],
  day_of_week: [
    { from: "2026-10-06", to: "2026-10-09" },
    { from: "2026-10-10", to: "2026-10-12" },
  ],
} as const;

/** What a short window tells of a dimension; then a longer one, of which the days are known. */
const learned: fc.Arbitrary<readonly Asked[]> = fc
  .record({
    asked: fc
      .constantFrom<keyof typeof tellingLittle>("week", "month", "day_of_week")
      .chain((by) => fc.tuple(fc.constant(by), fc.constantFrom(...tellingLittle[by]))),
    long: fc.constantFrom({ from: "2026-09-01", to: "2026-10-31" }, { from: "2026-09-20", to: "2026-10-31" }),
    others: fc.array(anything, { maxLength: 1 }),
  })
  .map(({ asked: [by, short], long, others }) => [
    { ...usual, what: "day", period: short },
    { ...usual, what: by, period: short },
    ...others,
    { ...usual, what: "day", period: long },
    { ...usual, what: by, period: long },
  ]);

/** The parts of a window, then the whole of it. */
const tiled: fc.Arbitrary<readonly Asked[]> = fc
  .record({
    what: fc.constantFrom<Asked["what"]>("status", "order_type", "driver_id", "hour", ...calendar.slice(1)),
    filters: fc.constantFrom([], ["status!=canceled"]),
    parts: fc.constantFrom(
      [
        { from: "2026-09-01", to: "2026-09-30" },
        { from: "2026-10-01", to: "2026-10-31" },
      ],
      [
        { from: "2026-10-05", to: "2026-10-05" },
        { from: "2026-10-06", to: "2026-10-06" },
        { from: "2026-10-07", to: "2026-10-09" },
      ],
    ),
  })
  .map(({ parts, ...asked }) => {
    const [whole, last] = [parts[0], parts.at(-1)].map((part) => part ?? usual.period);
    const periods = [...parts, { from: whole?.from ?? "", to: last?.to ?? "" }];
    return periods.map((period): Asked => ({ ...usual, ...asked, period }));
  });

/** One dimension and the days of two windows, in any order, and anything between. */
const mixed: fc.Arbitrary<readonly Asked[]> = fc
  .record({
    by: fc.constantFrom("week", "month", "day_of_week"),
    windows: fc.tuple(periods, periods),
    dayStarts: fc.constantFrom("00:00", "00:00", "00:00", "04:00"),
    others: fc.array(anything, { maxLength: 3 }),
  })
  .chain(({ by, windows, dayStarts, others: [first, ...others] }) => {
    const like = first ?? usual;
    const all = windows.flatMap((period) =>
      (["day", by] as const).map((what): Asked => ({ ...like, what, period, dayStarts, filters: [] })),
    );
    return fc.shuffledSubarray([...all, ...others], { minLength: 4 });
  });

const questions = fc.oneof(
  { weight: 3, arbitrary: learned },
  { weight: 3, arbitrary: tiled },
  { weight: 2, arbitrary: mixed },
);

const order = fc
  .record({
    minute: fc.integer({ min: 0, max: 75 * 24 * 60 }),
    total: fc.integer({ min: 1, max: 20_000 }),
    status: fc.constantFrom("closed", "canceled"),
    orderType: fc.constantFrom("delivery", "takeout"),
    driverId: fc.constantFrom(null, 3, 7, 11),
  })
  .map(({ minute, ...fields }) =>
    orderOf({ ...fields, createdAt: Date.parse("2026-08-20T00:00:00-03:00") + minute * 60_000 } as const),
  );
const orders = fc.oneof(
  fc.array(order, { minLength: 150, maxLength: 250, size: "max" }),
  fc.array(order, { maxLength: 20, size: "max" }),
  // The same each day, so that no weekday is told from another by its figures.
  fc.constant(
    Array.from({ length: 75 }, (_, day) =>
      orderOf({ createdAt: Date.parse("2026-08-20T12:00:00-03:00") + day * dayMs }),
    ),
  ),
);

type Orders = Parameters<typeof callsOver>[0]["orders"];

/** What a command would show, but for how old it is. */
async function answerTo(
  { what, rows, cols, period, dayStarts, filters, comparison }: Asked,
  {
    orders: all,
    written,
    kept,
  }: { readonly orders: Orders; readonly written: Written; readonly kept: CallsOptions["kept"] },
): Promise<string> {
  const { calls, request } = callsOver({ zone, orders: all }, now, {
    ...(kept && { kept }),
    written,
    filters,
    freshness: { kind: "usual", maxAgeMs: undefined },
  });
  const place = { zone, dayStarts, ...period };
  const both = asking(place, { now, period, comparison });
  try {
    if (what === "pivot") {
      const { rowMembers, colMembers, cells } = await pivotPlan({ rows, cols, dateField: undefined }).fetch(
        calls,
        both,
        signal,
      );
      return JSON.stringify([rowMembers, colMembers, cells]);
    }
    if (what === "report") {
      const plan = reportPlan({
        ...request,
        compareSections: true,
        heatmap: false,
        keys: cols !== "hour",
      });
      const { summary, sections } = await plan.fetch(calls, both, signal);
      return JSON.stringify([
        summary.current.figures,
        [...sections].map(([dimension, section]) => [
          dimension,
          ...periodsOf(section).map(({ figures }) => figures.grouped),
        ]),
      ]);
    }
    const { figures } = await calls.grouped({ period: both.current, dimension: what }, signal);
    return JSON.stringify(figures);
  } catch (error) {
    return String(error);
  }
}

const size = tries({ test: 10, search: 500, soak: 5_000 });

test(`${size.numRuns} times the same question gives the same bytes, whatever was asked before`, async () => {
  await fc.assert(
    fc.asyncProperty(orders, forms, questions, async (all, chosen, story) => {
      const written = serviceOf(chosen);
      const kept = emptyKept();
      for (const question of story) {
        const told = await answerTo(question, { orders: all, written, kept });
        const direct = await answerTo(question, { orders: all, written, kept: undefined });
        expect(told).toBe(direct);
      }
    }),
    size,
  );
});
