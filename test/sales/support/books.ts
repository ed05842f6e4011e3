/**
 * Random stores in zones with unusual clocks, a service over their orders that formats its groups in different ways, and the
 * expected figures, counted order by order without the code under test.
 */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";

import { readFilters } from "../../../src/api/filters.js";
import type { DateField, Dimension } from "../../../src/api/values.js";
import type { Group, SummaryQuery } from "../../../src/api/models.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { summarize, summarizeGrouped } from "../../../src/emulator/domain/summary.js";
import { createWallClock } from "../../../src/emulator/domain/time.js";
import { usualReadings } from "../../../src/emulator/readings.js";
import type { FetchOptions } from "../../../src/sales/fetch.js";
import { parseFilters } from "../../../src/sales/filters.js";
import type { Row } from "../../../src/sales/figures.js";
import { ComandaError } from "../../../src/base/errors.js";
import type { CachedAnswer } from "../../../src/state/answer-cache.js";
import { keySlowly, passes } from "../../emulator/summary/brute-force.js";
import { orders as orderOfAnyKind } from "../../emulator/summary/fixture.js";

/** Zones whose clocks change at midnight, by half an hour, by a whole day, or at one in the morning. */
const places = [
  { zone: "America/Sao_Paulo", change: "2017-10-15", last: "2017-10-25" },
  { zone: "America/Sao_Paulo", change: "2018-02-18", last: "2018-03-01" },
  { zone: "Asia/Beirut", change: "2022-10-30", last: "2022-11-10" },
  { zone: "Africa/Cairo", change: "2023-10-27", last: "2023-11-05" },
  { zone: "Australia/Lord_Howe", change: "2026-10-04", last: "2026-10-20" },
  { zone: "Pacific/Apia", change: "2011-12-31", last: "2012-01-06" },
  { zone: "Europe/Lisbon", change: "2026-10-25", last: "2026-11-10" },
  { zone: "America/New_York", change: "2024-02-29", last: "2024-03-12" },
  { zone: "Asia/Kathmandu", change: "2021-01-03", last: "2021-01-10" },
] as const;

export interface Book {
  readonly zone: string;
  /** HH:MM */
  readonly dayStarts: string;
  /** YYYY-MM-DD, both included. */
  readonly from: string;
  readonly to: string;
  readonly orders: readonly OrderRecord[];
}

const upTo = (max: number) => fc.integer({ min: 0, max });

/** Most orders are near the start of a day, and some outside the period, which has up to three years. */
export const books: fc.Arbitrary<Book> = fc
  .record({
    place: fc.constantFrom(...places),
    dayStarts: fc.constantFrom("00:00", "00:00", "04:00", "02:30"),
    days: fc.oneof(upTo(20), upTo(200), fc.integer({ min: 200, max: 1_080 })),
    earlier: fc.integer({ min: 0, max: 8 }),
  })
  .filter(({ place: { zone, last }, days, earlier }) => {
    const to = Temporal.PlainDate.from(last).subtract({ days: earlier });
    // A day that the zone skipped has no figures.
    const edges = [to, to.subtract({ days })].map(String);
    return zone !== "Pacific/Apia" || !edges.includes("2011-12-30");
  })
  .chain(({ place: { zone, change, last }, dayStarts, days, earlier }) => {
    const to = Temporal.PlainDate.from(last).subtract({ days: earlier });
    const from = to.subtract({ days });
    const toChange = from.until(change, { largestUnit: "day" }).days;
    const order = fc
      .record({
        fields: orderOfAnyKind,
        day: fc.oneof(
          { weight: 2, arbitrary: fc.integer({ min: -days - 2, max: days + 2 }) },
          fc.integer({ min: toChange - 1, max: toChange + 1 }),
          fc.constantFrom(0, days),
        ),
        edge: fc.constantFrom("00:00", dayStarts),
        second: fc.oneof(upTo(86_399), fc.constantFrom(-1, 0, 1, 1_799, 1_800, 3_599, 3_600, 86_399)),
        wait: fc.option(fc.integer({ min: 0, max: 4 * 86_400 }), { nil: null }),
      })
      .map(({ fields, day, edge, second, wait }) => {
        const createdAt = startOfDay(from.add({ days: day }), { zone, dayStarts: edge }) + second * 1_000;
        return { ...fields, createdAt, scheduledStart: wait === null ? null : createdAt + wait * 1_000 };
      });
    const period = { from: from.toString(), to: to.toString() };
    return fc
      .array(order, { minLength: 20, maxLength: 40, size: "max" })
      .map((orders) => ({ zone, dayStarts, ...period, orders }));
  });

/** Returns a time after the period. */
export function afterwards({ to, zone }: Pick<Book, "to" | "zone">): number {
  return Temporal.PlainDate.from(to).add({ days: 3 }).toZonedDateTime(zone).epochMilliseconds;
}

/** Returns a service's key and label for a group that has this key in the emulator. */
type Write = (by: Dimension, key: Group["key"], label: string | null) => Pick<Group, "key" | "label">;

const weekdays = "Domingo,Segunda-feira,Terça-feira,Quarta-feira,Quinta-feira,Sexta-feira,Sábado".split(",");

const asTheEmulator: Write = (_, key, label) => ({ key, label });
const inNumbersWithoutLabels: Write = (by, key) => {
  const isNumber = (by === "week" || by === "month") && typeof key === "string";
  return { key: isNumber ? Number(key.slice(-2)) : key, label: null };
};
const inTexts: Write = (by, key, label) => {
  if (by === "hour") return { key: `${String(key).padStart(2, "0")}:00`, label: null };
  if (by === "day_of_week") return { key: weekdays[Number(key)] ?? null, label: null };
  if (by === "month") return { key: `${String(key)}-01`, label };
  return { key: key === null ? null : String(key), label };
};

export const plainHabits = {
  write: asTheEmulator,
  isReversed: false,
  hasEmptyGroups: false,
  includesEnd: true,
  /** Whether the service counts half a year as 180 days, not as 6 months. */
  halfYearIs180Days: false,
};
export type Habits = typeof plainHabits;

export const habits: fc.Arbitrary<Habits> = fc.record({
  write: fc.constantFrom(asTheEmulator, inNumbersWithoutLabels, inTexts),
  isReversed: fc.boolean(),
  hasEmptyGroups: fc.boolean(),
  includesEnd: fc.boolean(),
  halfYearIs180Days: fc.boolean(),
});

/** Returns a client of the service, and the queries that it received. */
export function serviceOver(
  { zone, orders }: Pick<Book, "zone" | "orders">,
  now: number,
  { write, isReversed, hasEmptyGroups, includesEnd, halfYearIs180Days }: Habits = plainHabits,
) {
  const readings = {
    ...usualReadings,
    empty_groups: hasEmptyGroups ? "zero" : "left_out",
    period_end: includesEnd ? "included" : "excluded",
  } as const;
  const context = { now, clock: createWallClock(zone), readings };
  const names = { driver: (id: number) => `Driver ${id}`, paymentMethod: () => "Pix" };
  const sent: SummaryQuery[] = [];
  const searchOf = (query: SummaryQuery) => {
    sent.push(query);
    const { start_date: start, end_date: end } = query;
    if (halfYearIs180Days && Date.parse(end) - Date.parse(start) >= 180 * 86_400_000)
      throw new ComandaError("invalid_request", "half a year at the most");
    const { filters: named = {}, ...fields } = query;
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) search.append(name, value);
    for (const [name, value] of Object.entries(named))
      for (const each of [value].flat()) search.append(`filters[${name}]`, String(each));
    return search;
  };
  const client: FetchOptions["client"] = {
    summary: async (query) => Promise.resolve({ value: summarize(searchOf(query), orders, context) }),
    groupedSummary: async (query) => {
      const answer = summarizeGrouped(searchOf(query), orders, context, names);
      const groups = answer.groups.map((group) => {
        return { ...group, ...write(query.group_by, group.key, group.label) };
      });
      return Promise.resolve({ value: { ...answer, groups: isReversed ? groups.toReversed() : groups } });
    },
  };
  return { client, sent };
}

export function fetchOptionsFor(
  client: FetchOptions["client"],
  now: number,
  more: Partial<FetchOptions> & { readonly filterTexts?: readonly string[] } = {},
): FetchOptions {
  const { filterTexts = [], ...options } = more;
  return {
    client,
    answers: undefined,
    dateField: undefined,
    filters: parseFilters(filterTexts),
    currency: null,
    freshness: "usual",
    clock: { now: () => now },
    waitMs: 1000,
    callOptions: {},
    warn: ({ about }) => {
      throw new Error(about);
    },
    ...options,
  };
}

export function answersInMemory(): NonNullable<FetchOptions["answers"]> {
  const answers = new Map<string, CachedAnswer>();
  return {
    find: ({ text }) => Promise.resolve(answers.get(text)),
    keep: ({ text }, answer) => {
      answers.set(text, answer);
      return Promise.resolve();
    },
    share: (_, work) => work(),
  };
}

interface Selection {
  readonly dateField: DateField | undefined;
  readonly filterTexts: readonly string[];
  readonly by: Dimension | undefined;
  readonly write: Write;
}

/** Counts order by order, and returns the key, orders and cents of each group that has orders. */
export function counted(
  { zone, dayStarts, from, to, orders }: Book,
  { dateField, filterTexts, by, write }: Selection,
): readonly unknown[] {
  const filters = readFilters(parseFilters(filterTexts), () => undefined);
  const starts = dateField === "scheduled_date" ? "00:00" : dayStarts;
  const groups = new Map<string, { key: unknown; orders: number; cents: number }>();
  for (const order of orders) {
    const at = dateField === "scheduled_date" ? order.scheduledStart : order.createdAt;
    if (at === null) continue;
    const day = dayOf(at, { zone, dayStarts: starts }).toString();
    if (day < from || day > to || !filters.every((filter) => passes(order, filter, zone))) continue;
    const key =
      by === undefined ? null : by === "day" ? day : keySlowly({ ...order, createdAt: at }, by, zone);
    const written = by === undefined || (by === "day" && starts !== "00:00") ? key : write(by, key, null).key;
    const { orders: count, cents } = groups.get(JSON.stringify(key)) ?? { orders: 0, cents: 0 };
    groups.set(JSON.stringify(key), { key: written, orders: count + 1, cents: cents + order.total });
  }
  return sorted([...groups.values()].map(({ key, orders: count, cents }) => [key, count, cents]));
}

/** Returns rows in the form of {@link counted}. */
export function soldIn(rows: readonly Row[]): readonly unknown[] {
  const sold = rows.filter(({ orders }) => orders > 0);
  return sorted(sold.map(({ key, orders, revenue }) => [key, orders, revenue]));
}

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function startOfDay(day: Temporal.PlainDate, { zone, dayStarts }: Pick<Book, "zone" | "dayStarts">): number {
  const plainTime = Temporal.PlainTime.from(dayStarts);
  return day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
}

function dayOf(moment: number, days: Pick<Book, "zone" | "dayStarts">): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(days.zone).toPlainDate();
  if (moment >= startOfDay(date, days)) return date;
  return date.toZonedDateTime(days.zone).subtract({ seconds: 1 }).toPlainDate();
}
