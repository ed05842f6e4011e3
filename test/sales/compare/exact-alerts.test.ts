/** Every alert, whether it holds and what it is set against, equals what plain counting over the orders says. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import { parseAlert } from "../../../src/sales/compare/alert-rules.js";
import { summaryAlerts } from "../../../src/sales/compare/alerts.js";
import { groupAlerts } from "../../../src/sales/compare/group-alerts.js";
import { withAlertBasis } from "../../../src/sales/plan/alert-basis.js";
import { groupedPlan, summaryPlan } from "../../../src/sales/plan/plans.js";
import { alertShape } from "../../../src/sales/present/alerts.js";
import type { Dimension } from "../../../src/contract/enums.js";
import type { OrderRecord } from "../../../src/emulator/domain/orders.js";
import {
  afterwards,
  asking,
  callsOver,
  counted,
  countedBy,
  keyOf,
  ordersOfDays,
  startOfDay,
  storeCases,
  type Counted,
  tries,
  type StoreCase,
} from "../support/oracle.js";

const size = tries({ test: 12, search: 100, soak: 5_000 });
const runs = size.numRuns;
const { signal } = new AbortController();

type Figure = "orders" | "revenue" | "average";
type Operator = "<" | "<=" | ">" | ">=";

interface Rule {
  readonly figure: Figure;
  readonly operator: Operator;
  /** In hundredths: of an order or a unit of money, or of a percent. */
  readonly hundredths: number;
  readonly percent: boolean;
}

const rules: fc.Arbitrary<Rule> = fc
  .record({
    figure: fc.constantFrom("orders", "revenue", "average"),
    operator: fc.constantFrom("<", "<=", ">", ">="),
    percent: fc.boolean(),
    // Small amounts, since cases of few orders have many of 0, 0.01 and 10.
    amount: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(10, 999, 1_000, 1_001, 2_000, 100_000)),
    change: fc.oneof(fc.integer({ min: -10_000, max: 30_000 }), fc.constantFrom(-10_000, -5_000, 0, 10_000)),
  })
  .map(({ figure, operator, percent, amount, change }) => ({
    ...{ figure, operator, percent },
    hundredths: percent ? change : figure === "orders" ? amount * 100 : amount,
  }));

/** As it is typed. */
function textOf({ figure, operator, hundredths, percent }: Rule): string {
  const sign = hundredths < 0 ? "-" : "";
  const [whole, part] = [Math.floor(Math.abs(hundredths) / 100), Math.abs(hundredths) % 100];
  const digits = part === 0 ? String(whole) : `${whole}.${String(part).padStart(2, "0")}`;
  return `${figure}${operator}${sign}${digits}${percent ? "%" : ""}`;
}

/** In hundredths; the average is rounded half up to the cent. */
function figureOf(figure: Figure, { count, cents }: Counted): number {
  if (figure === "orders") return count * 100;
  if (figure === "revenue") return cents;
  return count === 0 ? 0 : Math.floor(cents / count + 0.5);
}

/** The median of the days that had orders. */
function medianOf(figure: Figure, days: readonly Counted[]): number | undefined {
  const values = days.filter(({ count }) => count > 0).map((day) => figureOf(figure, day));
  return middleOf(values, days.length);
}

/** Of an even number of values the middle of the two, rounded half up; of less than half of the weeks nothing is known. */
function middleOf(values: readonly number[], weeks: number): number | undefined {
  if (values.length < 2 || values.length < weeks / 2) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return Math.floor((low + high) / 2 + 0.5);
}

/** @param baseline in hundredths */
function expected(rule: Rule, now: Counted, baseline: number | undefined, wasOpen = now.count > 0) {
  const { figure, operator, hundredths, percent } = rule;
  const value = figureOf(figure, now);
  const shown = {
    rule: textOf(rule),
    value: value / 100,
    baseline: baseline === undefined ? null : baseline / 100,
  };
  if (!wasOpen && !asksForNone(rule)) return { ...shown, holds: false, reason: "closed" };
  if (figure === "average" && now.count === 0) return { ...shown, holds: false, reason: "no average" };
  if (percent && (baseline === undefined || baseline === 0))
    return { ...shown, holds: false, reason: "too little history" };
  // As fractions of 10,000, so that nothing is rounded.
  const [left, right] = percent
    ? [BigInt(value) * 10_000n, BigInt(baseline ?? 0) * BigInt(10_000 + hundredths)]
    : [BigInt(value), BigInt(hundredths)];
  const holds = { "<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right }[operator];
  return { ...shown, holds };
}

function asksForNone({ figure, hundredths, percent }: Rule): boolean {
  return figure === "orders" && !percent && hundredths <= 100;
}

/** Is the change of a rule that of the averages of a day? Here both periods are a day, so that averages are the sums. */
function isDaily({ figure, percent }: Rule, dimension: Dimension): boolean {
  return dimension === "hour" && percent && figure !== "average";
}

/** How long an hour takes on a day: where the clocks change it may be half an hour, two, or none. */
function minutesOfHour(given: StoreCase, date: Temporal.PlainDate, hour: string | number | null): number {
  const [start = 0, next = 0] = [date, date.add({ days: 1 })].map((day) => startOfDay(day, given));
  let minutes = 0;
  for (let at = start; at < next; at += 30 * 60_000) {
    const shown = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(given.zone);
    if (shown.hour === hour) minutes += 30;
  }
  return minutes;
}

/** It is told once, whatever the groups. */
function closedStore(rule: Rule): object[] {
  return asksForNone(rule) ? [] : [expected(rule, none, undefined)];
}

const none: Counted = { count: 0, cents: 0 };

function countOn(given: StoreCase, day: Temporal.PlainDate): Counted {
  return counted(ordersOfDays(given.orders, day.toString(), day.toString(), given));
}

function sameWeekdays(given: StoreCase, day: Temporal.PlainDate, weeks: number): readonly Counted[] {
  return Array.from({ length: weeks }, (_, week) => countOn(given, day.subtract({ days: 7 * (week + 1) })));
}

const cases = storeCases({ dayStarts: ["00:00", "04:00"], days: 6, before: 60, orders: 150 });
const someRules = fc.array(rules, { minLength: 1, maxLength: 8 });

test(`${runs} times a summary's alerts hold as plain counting says`, async () => {
  const against = fc.constantFrom<"previous" | "week" | 2 | 4 | 8>("previous", "week", 2, 4, 8);
  await fc.assert(
    fc.asyncProperty(cases, someRules, against, async (given, all, baseline) => {
      const now = afterwards(given);
      const day = Temporal.PlainDate.from(given.to);
      const weeks = typeof baseline === "number" ? baseline : undefined;
      const comparison = typeof baseline === "number" ? undefined : baseline;
      const other = day.subtract({ days: comparison === "week" ? 7 : 1 });
      fc.pre(given.zone !== "Pacific/Apia" || other.toString() !== "2011-12-30");
      const { calls, sent } = callsOver(given, now);
      const asked = asking(given, { now, period: { period: given.to }, comparison });
      const request = { filters: [], dateField: undefined };
      const typed = all.map(textOf).map(parseAlert);
      const plan = withAlertBasis(summaryPlan(request, false), { ...request, rules: typed, weeks, now });
      const figures = await plan.fetch(calls, asked, signal);
      const found = summaryAlerts(figures, typed, weeks).map(alertShape);
      const baselineOf = (figure: Figure) => {
        if (weeks !== undefined) return medianOf(figure, sameWeekdays(given, day, weeks));
        const before = countOn(given, other);
        return before.count === 0 ? undefined : figureOf(figure, before);
      };
      expect(found).toEqual(all.map((rule) => expected(rule, countOn(given, day), baselineOf(rule.figure))));
      // A day is one call, or two where it starts late.
      const calledForDays = given.dayStarts === "00:00" ? 1 : 2;
      expect(sent).toHaveLength(weeks === undefined ? 2 : 1 + calledForDays);
    }),
    size,
  );
});

test(`${runs} times the alerts of each day go by the median of its own weekday`, async () => {
  await fc.assert(
    fc.asyncProperty(cases, someRules, fc.constantFrom(2, 8), async (given, all, weeks) => {
      const now = afterwards(given);
      const { calls } = callsOver(given, now);
      const request = { filters: [], dateField: undefined };
      const typed = all.map(textOf).map(parseAlert);
      const alert = { ...request, rules: typed, weeks, dimension: "day" as const, now };
      const plan = withAlertBasis(groupedPlan("day", request), alert);
      const figures = await plan.fetch(calls, asking(given, { now }), signal);
      const found = groupAlerts(figures, { dimension: "day", dateField: undefined, rules: typed, weeks }).map(
        alertShape,
      );
      const days: Temporal.PlainDate[] = [];
      for (
        let day = Temporal.PlainDate.from(given.from);
        day.toString() <= given.to;
        day = day.add({ days: 1 })
      )
        if (countOn(given, day).count > 0) days.push(day);
      expect(found).toMatchObject(
        all.flatMap((rule) =>
          days.length === 0
            ? closedStore(rule)
            : days.map((day) => ({
                key: day.toString(),
                ...expected(
                  rule,
                  countOn(given, day),
                  medianOf(rule.figure, sameWeekdays(given, day, weeks)),
                ),
              })),
        ),
      );
    }),
    size,
  );
});

test(`${runs} times the alerts of groups hold as plain counting says, of those without orders too`, async () => {
  const ways = fc.constantFrom<"lately" | "week" | 2 | 4>("lately", "week", 2, 4);
  const dimensions = fc.constantFrom<Dimension>("sales_channel", "status", "hour");
  await fc.assert(
    fc.asyncProperty(cases, someRules, ways, dimensions, async (given, all, way, dimension) => {
      const now = afterwards(given);
      const day = Temporal.PlainDate.from(given.to);
      const other = day.subtract({ days: 7 });
      fc.pre(given.zone !== "Pacific/Apia");
      const weeks = typeof way === "number" ? way : undefined;
      const comparison = way === "week" ? way : undefined;
      const rulesNow = way === "lately" ? all.filter(({ percent }) => !percent) : all;
      const typed = rulesNow.map(textOf).map(parseAlert);
      const { calls } = callsOver(given, now);
      const alert = { dateField: undefined, filters: [], rules: typed, weeks, dimension, now };
      const plan = withAlertBasis(groupedPlan(dimension, alert), alert);
      const asked = asking(given, { now, period: { period: given.to }, comparison });
      const figures = await plan.fetch(calls, asked, signal);
      const found = groupAlerts(figures, { dimension, dateField: undefined, rules: typed, weeks }).map(
        alertShape,
      );

      const ofDay = (date: Temporal.PlainDate) =>
        ordersOfDays(given.orders, date.toString(), date.toString(), given);
      const split = (orders: readonly OrderRecord[]) =>
        countedBy(orders, (order) => keyOf(order, dimension, given));
      const current = split(ofDay(day));
      const before = split(ofDay(other));
      const lately = split(
        ordersOfDays(
          given.orders,
          day.subtract({ days: 28 }).toString(),
          day.subtract({ days: 1 }).toString(),
          given,
        ),
      );
      const open = Array.from({ length: weeks ?? 0 }, (_, week) =>
        ofDay(day.subtract({ days: 7 * (week + 1) })),
      )
        .filter((orders) => orders.length > 0)
        .map(split);
      const medianOfKey = (figure: Figure, key: string | number | null) => {
        const days = open.map((groups) => groups.get(key) ?? none);
        const counting = figure === "average" ? days.filter(({ count }) => count > 0) : days;
        return middleOf(
          counting.map((one) => figureOf(figure, one)),
          weeks ?? 0,
        );
      };
      const baselineFor = (figure: Figure, key: string | number | null) => {
        if (weeks !== undefined) return medianOfKey(figure, key);
        const then = before.get(key);
        return way === "week" && then ? figureOf(figure, then) : undefined;
      };
      const isAskedFor = rulesNow.some(({ operator }) => operator.startsWith("<"));
      const missed = {
        lately: () => (isAskedFor ? [...lately.keys()] : []),
        week: () => [...before.keys()],
        median: () =>
          [...new Set(open.flatMap((groups) => [...groups.keys()]))].filter(
            (key) => (medianOfKey("orders", key) ?? 0) > 0,
          ),
      }[typeof way === "number" ? "median" : way]();
      const keys = [...new Set([...current.keys(), ...missed])];
      const wasOpen = current.size > 0;
      const wanted = rulesNow.flatMap((rule): object[] => {
        if (!wasOpen && !asksForNone(rule)) return closedStore(rule);
        return keys.map((key) => {
          const sides = way === "week" ? [day, other] : [];
          const lengths = sides.map((date) => minutesOfHour(given, date, key));
          if (dimension === "hour" && rule.percent && lengths[0] !== lengths[1]) {
            const shown = expected(rule, current.get(key) ?? none, undefined);
            return { key, ...shown, holds: false, reason: "part" };
          }
          return {
            key,
            ...expected(rule, current.get(key) ?? none, baselineFor(rule.figure, key), wasOpen),
            ...(way === "week" && isDaily(rule, dimension) && { per_day: true }),
          };
        });
      });
      const inOrder = (alerts: readonly object[]) =>
        alerts
          .map((one) => Object.entries(one).filter(([name]) => name !== "label"))
          .map((entries) => JSON.stringify(entries.toSorted()))
          .toSorted();
      expect(inOrder(found)).toEqual(inOrder(wanted));
    }),
    size,
  );
});
