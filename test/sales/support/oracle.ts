/**
 * What figures are held against: stores in zones whose clocks do what clocks can do, the service over their orders, and
 * plain counting, order by order, with loops and a calendar of its own.
 */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";

import type { Dimension } from "../../../src/contract/enums.js";
import type { GroupedSummary } from "../../../src/contract/models.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import { summarize, summarizeGrouped } from "../../../src/emulator/domain/summary/aggregate.js";
import { readGroupedQuery, readSummaryQuery } from "../../../src/emulator/domain/summary/query.js";
import { createWallClock } from "../../../src/emulator/domain/zone.js";
import { openSource } from "../../../src/sales/ask/store-source.js";
import { openAnswers } from "../../../src/state/answers.js";
import type { StateFolder } from "../../../src/state/state-folder.js";
import type { DatedAnswer } from "../../../src/sales/ledger/freshness.js";
import { isGrouped } from "../../../src/sales/ledger/figures.js";
import type { Comparison } from "../../../src/sales/period/comparison.js";
import type { PeriodRequest } from "../../../src/sales/period/resolve.js";
import { parseFilters } from "../../../src/sales/plan/filters.js";
import type { PlannedCalls } from "../../../src/sales/plan/plans.js";
import type { SalesQuery, SalesSource } from "../../../src/sales/plan/source.js";
import { requestedPeriods } from "../../../src/sales/plan/request.js";
import { createStoreCalls, type StoreCallsOptions } from "../../../src/sales/plan/store-calls.js";
import { sized, soak, type Size } from "../../support/soak.js";
import { keySlowly } from "../../emulator/summary/brute-force.js";
import { orders as orderOfAnyKind } from "../../emulator/summary/fixture.js";

/** Where the clocks go forward or back at midnight, by half an hour, by a whole day, at one in the morning; and when. */
const places = [
  { zone: "America/Sao_Paulo", change: "2017-10-15", last: "2017-10-25" },
  { zone: "America/Sao_Paulo", change: "2018-02-18", last: "2018-03-01" },
  { zone: "Asia/Beirut", change: "2022-10-30", last: "2022-11-10" },
  { zone: "Africa/Cairo", change: "2023-10-27", last: "2023-11-05" },
  { zone: "Australia/Lord_Howe", change: "2026-10-04", last: "2026-10-20" },
  { zone: "Pacific/Apia", change: "2011-12-31", last: "2012-01-06" },
  { zone: "Pacific/Apia", change: "2011-12-31", last: "2012-01-06" },
  { zone: "Europe/Lisbon", change: "2026-10-25", last: "2026-11-10" },
] as const;

/** How often a property is tried: in the suite on the same cases each time, in `npm run soak` on ever new ones. */
export function tries(size: Size): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: sized(size), ...(!soak && { seed: 20_111_230 }) };
}

/** A day of the store, which may start later than midnight. */
export interface StoreDays {
  /** IANA name. */
  readonly zone: string;
  /** HH:MM */
  readonly dayStarts: string;
}

export interface StoreCase extends StoreDays {
  /** YYYY-MM-DD, both included. */
  readonly from: string;
  readonly to: string;
  readonly orders: readonly OrderRecord[];
}

export interface CaseOptions {
  readonly dayStarts: readonly string[];
  /** How many days a period has at most. */
  readonly days: number;
  /** Days before the period that have orders too. */
  readonly before?: number;
  /** How many orders there are at most. */
  readonly orders?: number;
}

/** Orders crowd around the edges of days; some lie outside of the period. */
export function storeCases({
  dayStarts,
  days: most,
  before = 1,
  orders = 40,
}: CaseOptions): fc.Arbitrary<StoreCase> {
  return fc
    .record({
      place: fc.constantFrom(...places),
      dayStarts: fc.constantFrom(...dayStarts),
      days: fc.oneof(fc.integer({ min: 0, max: Math.min(20, most) }), fc.integer({ min: 0, max: most })),
      earlier: fc.integer({ min: 0, max: 12 }),
    })
    .filter(({ place: { zone, last }, days, earlier }) => {
      const to = Temporal.PlainDate.from(last).subtract({ days: earlier });
      // Of a day that the zone left out there are no figures.
      const edges = [to, to.subtract({ days })].map(String);
      return zone !== "Pacific/Apia" || !edges.includes("2011-12-30");
    })
    .chain(({ place: { zone, change, last }, dayStarts: starts, days, earlier }) => {
      const to = Temporal.PlainDate.from(last).subtract({ days: earlier });
      const from = to.subtract({ days });
      const toChange = from.until(change, { largestUnit: "day" }).days;
      const order = fc
        .record({
          fields: orderOfAnyKind,
          day: fc.oneof(
            { weight: 2, arbitrary: fc.integer({ min: -before, max: days + 2 }) },
            fc.integer({ min: toChange - 1, max: toChange + 1 }),
          ),
          edge: fc.constantFrom("00:00", starts),
          second: fc.oneof(
            fc.integer({ min: 0, max: 86_399 }),
            fc.constantFrom(-1, 0, 1, 1_799, 1_800, 3_599, 3_600),
          ),
        })
        .map(({ fields, day, edge, second }) => {
          const start = startOfDay(from.add({ days: day }), { zone, dayStarts: edge });
          return { ...fields, createdAt: start + second * 1_000 };
        });
      return fc.record({
        zone: fc.constant(zone),
        dayStarts: fc.constant(starts),
        from: fc.constant(from.toString()),
        to: fc.constant(to.toString()),
        orders: fc.array(order, { minLength: orders / 2, maxLength: orders, size: "max" }),
      });
    });
}

/** When the figures are asked for: the period is over. */
export function afterwards({ to, zone }: StoreCase): number {
  return Temporal.PlainDate.from(to).add({ days: 3 }).toZonedDateTime(zone).epochMilliseconds;
}

export interface Asking {
  readonly now: number;
  readonly period?: PeriodRequest;
  readonly comparison?: Comparison | undefined;
}

/** The periods of a command line; by default the case's own. */
export function asking(
  { from, to, zone, dayStarts }: Omit<StoreCase, "orders">,
  { now, period = { from, to }, comparison }: Asking,
) {
  return requestedPeriods(
    { period, dateField: undefined, filters: [], comparison, comparisonIsOptional: false },
    {
      now,
      zone,
      dayStarts: dayStarts === "00:00" ? undefined : dayStarts,
      onWarning: refuse,
    },
  );
}

/** The answers that a machine has kept of a store. */
export type KeptOfStore = Omit<SalesSource, "now" | "ahead" | "call">;

/** The same in memory. */
export function emptyKept(): KeptOfStore {
  const all: (DatedAnswer & { readonly query: SalesQuery })[] = [];
  const edges = ["start_date", "end_date"];
  return {
    storeZone: undefined,
    doubtedAt: () => Promise.resolve(undefined),
    history: (query) => Promise.resolve(all.filter((kept) => textOf(kept.query) === textOf(query))),
    overlapping: (query) => {
      const sameSubject = all.filter((kept) => textOf(kept.query, edges) === textOf(query, edges));
      const withPart = sameSubject.filter(({ query: { start_date, end_date } }) => {
        const [start, end] = [Date.parse(start_date), Date.parse(end_date)];
        return start <= Date.parse(query.end_date) && Date.parse(query.start_date) <= end;
      });
      return Promise.resolve(
        withPart.map(({ query: { start_date: start, end_date: end }, ...known }) => ({
          ...{ start, end, ...known },
        })),
      );
    },
    running: () => Promise.resolve(undefined),
    async *answersBy(dimension) {
      await Promise.resolve();
      for (const { query, answer, askedAt } of all)
        if ("group_by" in query && query.group_by === dimension && isGrouped(answer))
          yield { query, answer, askedAt };
    },
    keep(query, known) {
      all.push({ query, ...known });
      return Promise.resolve();
    },
    keepRunning: () => Promise.resolve(),
    share: (_, work) => work(),
  };
}

function textOf(query: object, without: readonly string[] = []): string {
  return JSON.stringify(Object.entries(query).filter(([name]) => !without.includes(name)));
}

/** The same in a database, opened anew as each command does. */
export function keptInDatabase(data: StateFolder): KeptOfStore {
  const source = {
    store: "centro",
    environment: "https://api.example",
    signIn: () => Promise.resolve("1"),
  };
  const settings = { timeZone: undefined, currency: undefined, dayStarts: undefined };
  const notAsked = () => Promise.reject(new Error("the service isn't asked here"));
  return openSource({
    answers: openAnswers(data, source, settings),
    client: { summary: notAsked, groupedSummary: notAsked },
    ...{ now: () => 0, ahead: () => 0, storeZone: undefined, waitMs: 1000 },
    doubtedAt: () => Promise.resolve(undefined),
    unlessUnusable: (work) => work(),
    onDrivers: () => Promise.resolve(),
  });
}

export interface CallsOptions extends Partial<Pick<StoreCallsOptions, "freshness" | "exactOnly">> {
  /** This machine last changed an order then. */
  readonly doubtedAt?: number | undefined;
  readonly onCalled?: () => void;
  /** The clock, where it goes on in a run. */
  readonly now?: () => number;
  readonly filters?: readonly string[];
  /** Absent: nothing is kept, so that each question goes out. */
  readonly kept?: KeptOfStore;
  /** How the service writes its groups, out of the emulator's; absent: as the emulator does. */
  readonly written?: (
    dimension: Dimension,
    groupsBy: (dimension: Dimension) => GroupedSummary,
  ) => GroupedSummary;
}

/** One run of a command: the service as it is now, what was kept before, and what is asked, counted. */
export function callsOver(
  { zone, orders }: Pick<StoreCase, "zone" | "orders">,
  now: number,
  {
    filters = [],
    kept = emptyKept(),
    written = (by, groupsBy) => groupsBy(by),
    now: clock = () => now,
    doubtedAt,
    onCalled = () => undefined,
    ...options
  }: CallsOptions = {},
) {
  const context = { now, clock: createWallClock(zone) };
  const sent: SalesQuery[] = [];
  const searchOf = (query: SalesQuery) => {
    sent.push(query);
    const { filters: named = {}, ...fields } = query;
    const search = new URLSearchParams(Object.entries(fields));
    for (const [name, value] of Object.entries(named))
      for (const each of [value].flat()) search.append(`filters[${name}]`, String(each));
    return search;
  };
  const names = { driver: () => "Ana", paymentMethod: () => "Pix" };
  const answerTo = (query: SalesQuery) => {
    const search = searchOf(query);
    if (!("group_by" in query)) return summarize(orders, readSummaryQuery(search, context), context);
    const read = readGroupedQuery(search, context);
    return written(read.groupBy, (groupBy) => summarizeGrouped(orders, { ...read, groupBy }, context, names));
  };
  const request = { dateField: undefined, filters: parseFilters(filters) };
  const storeCalls = createStoreCalls({
    source: {
      ...kept,
      now: clock,
      ahead: () => 0,
      storeZone: zone,
      doubtedAt: () => Promise.resolve(doubtedAt),
      call(query) {
        const askedAt = clock();
        const answer = answerTo(query);
        onCalled();
        return Promise.resolve({ askedAt, answer });
      },
    },
    request,
    freshness: { kind: "fresh" },
    onWarning: refuse,
    ...options,
  });
  const calls: PlannedCalls = {
    ...storeCalls,
    hasRoomForGroups: () => Promise.resolve(true),
    warn: refuse,
    announce: () => Promise.resolve(),
  };
  return { calls, sent, request };
}

function refuse(message: string): never {
  throw new Error(message);
}

/** The calendar is slow, and random cases meet the same days again and again. */
const starts = new Map<string, number>();

/** Milliseconds since the epoch. */
export function startOfDay(day: Temporal.PlainDate, { zone, dayStarts }: StoreDays): number {
  const name = `${day.toString()} ${dayStarts} ${zone}`;
  const plainTime = Temporal.PlainTime.from(dayStarts);
  const start = starts.get(name) ?? day.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
  starts.set(name, start);
  return start;
}

/** The day that an order belongs to: its date, but before the start of the day the day before. */
export function dayOf({ createdAt }: OrderRecord, { zone, dayStarts }: StoreDays): Temporal.PlainDate {
  const at = Temporal.Instant.fromEpochMilliseconds(createdAt).toZonedDateTimeISO(zone);
  const isNight = Temporal.PlainTime.compare(at.toPlainTime(), Temporal.PlainTime.from(dayStarts)) < 0;
  return isNight ? at.startOfDay().subtract({ seconds: 1 }).toPlainDate() : at.toPlainDate();
}

/** @param from YYYY-MM-DD, as `to`; both included */
export function ordersOfDays(
  orders: readonly OrderRecord[],
  from: string,
  to: string,
  days: StoreDays,
): readonly OrderRecord[] {
  const start = startOfDay(Temporal.PlainDate.from(from), days);
  const end = startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), days);
  return orders.filter(({ createdAt }) => start <= createdAt && createdAt < end);
}

/** What an order stands under when orders are split by a dimension. */
export function keyOf(order: OrderRecord, dimension: Dimension, days: StoreDays): string | number | null {
  const day = () => dayOf(order, days);
  switch (dimension) {
    case "day":
      return day().toString();
    case "week":
      return `${day().yearOfWeek ?? 0}-W${String(day().weekOfYear).padStart(2, "0")}`;
    case "month":
      return day().toString().slice(0, 7);
    case "day_of_week":
      return day().dayOfWeek % 7;
    default:
      return keySlowly(order, dimension, days.zone);
  }
}

export interface Counted {
  readonly count: number;
  readonly cents: number;
}

export function counted(orders: readonly OrderRecord[]): Counted {
  let cents = 0;
  for (const { total } of orders) cents += total;
  return { count: orders.length, cents };
}

/** The count of each key that has orders. */
export function countedBy(
  orders: readonly OrderRecord[],
  keyOfOrder: (order: OrderRecord) => string | number | null,
): ReadonlyMap<string | number | null, Counted> {
  const groups = new Map<string | number | null, Counted>();
  for (const order of orders) {
    const key = keyOfOrder(order);
    const { count, cents } = groups.get(key) ?? { count: 0, cents: 0 };
    groups.set(key, { count: count + 1, cents: cents + order.total });
  }
  return groups;
}

/** An answer's figures in the form of {@link counted}. */
export function told(figures: {
  readonly total_order_count: number;
  readonly total_revenue: number;
}): Counted {
  return { count: figures.total_order_count, cents: Math.round(figures.total_revenue * 100) };
}
