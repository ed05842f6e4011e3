/** Random stores, periods and orders. Orders crowd around the places where counting can go wrong. */
import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";

import { dimensions } from "../../../src/contract/enums.js";
import type { Choices, FakeOrder } from "./fake-service.js";

export const zones = [
  "America/Sao_Paulo",
  "Europe/Lisbon",
  "Pacific/Apia",
  "Australia/Lord_Howe",
  "America/New_York",
  "Asia/Kathmandu",
  "UTC",
] as const;

const second = 1_000_000n;
/** Distances from a month's start, in microseconds: both sides of it, to the last place of either precision. */
const nearStart = [-second, -999_000n, -1000n, 0n, 1000n, 500_000n, second] as const;

export interface Scenario {
  readonly choices: Choices;
  readonly now: number;
  /** YYYY-MM-DD */
  readonly from: string;
  readonly to: string;
  readonly orders: readonly FakeOrder[];
}

export const choices: fc.Arbitrary<Choices> = fc.record({
  zone: fc.constantFrom(...zones),
  endIncluded: fc.boolean(),
  halfYearIs180Days: fc.boolean(),
  weekForm: fc.constantFrom("monday", "iso", "number", "text"),
  monthForm: fc.constantFrom("iso", "padded", "number", "name"),
});

/** Weeks and months more often: with them the merging has most to get wrong. */
export const dimension = fc.oneof(
  fc.constantFrom(...dimensions.filter((one) => one !== "payment_method_id")),
  fc.constantFrom("week", "month"),
);

/** From 2012 on: São Paulo's and Apia's clocks still changed then, and Apia left a day out in 2011. */
export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    choices,
    now: fc.integer({ min: Date.UTC(2012, 0, 3), max: Date.UTC(2027, 0, 1) }),
    daysBack: fc.oneof(fc.integer({ min: 1, max: 1090 }), fc.integer({ min: 800, max: 1090 })),
    part: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.9, max: 1, noNaN: true })),
    precision: fc.constantFrom(second, 1000n),
  })
  .chain(({ choices: chosen, now, daysBack, part, precision }) => {
    const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(chosen.zone).toPlainDate();
    const from = today.subtract({ days: daysBack });
    const to = from.add({ days: Math.floor(part * (daysBack - 1)) });
    return fc.record({
      choices: fc.constant(chosen),
      now: fc.constant(now),
      from: fc.constant(from.toString()),
      to: fc.constant(to.toString()),
      orders: fc.array(order(from, to, chosen.zone, precision), { maxLength: 80, size: "max" }),
    });
  });

function order(
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
  zone: string,
  precision: bigint,
): fc.Arbitrary<FakeOrder> {
  const days = from.until(to, { largestUnit: "day" }).days;
  return fc
    .record({
      day: fc.integer({ min: -2, max: days + 2 }),
      atMonthStart: fc.boolean(),
      near: fc.constantFrom(...nearStart),
      within: fc.bigInt({ min: 0n, max: 86_399_999_999n }),
      cents: fc.oneof(fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 9_999_999_99 })),
      status: fc.constantFrom("closed", "canceled", "delivered"),
      driver: fc.constantFrom(null, { id: 1, name: "Ana" }, { id: 2, name: "Ana" }, { id: 30, name: "Zé" }),
      origin: fc.constantFrom(null, "null", "instagram", "a,b"),
    })
    .map(({ day, atMonthStart, near, within, ...rest }) => {
      const date = from.add({ days: day });
      const start = (atMonthStart ? date.with({ day: 1 }) : date).toZonedDateTime(zone);
      const exact = start.epochNanoseconds / 1000n + (atMonthStart ? near : within);
      return {
        ...rest,
        createdAt: exact - (((exact % precision) + precision) % precision),
        scheduledFor: date.toString(),
      };
    });
}
