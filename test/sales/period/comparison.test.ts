import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import {
  comparisonPeriod,
  edgesOf,
  resolvePeriod,
  type Comparison,
  type Period,
  type PeriodRequest,
} from "../../../src/sales/period.js";
import { windowsOf } from "../../../src/sales/ask.js";
import { zones } from "../../emulator/summary/fixture.js";
import { sized } from "../../support/soak.js";

/** A Friday, 15:17:22 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22Z");
const zone = "America/Sao_Paulo";

function compared(request: PeriodRequest, comparison: Comparison, at = now, inZone = zone): Period {
  return comparisonPeriod(resolvePeriod(request, { now: at, zone: inZone }), comparison);
}

const zoned = (edge: string, inZone: string) => Temporal.Instant.from(edge).toZonedDateTimeISO(inZone);

describe("comparisonPeriod: previous", () => {
  test.each<[PeriodRequest, string, string]>([
    [{ period: "yesterday" }, "2026-11-18T00:00:00-03:00", "2026-11-18T23:59:59.999999-03:00"],
    [{ period: "last-week" }, "2026-11-02T00:00:00-03:00", "2026-11-08T23:59:59.999999-03:00"],
    [{ period: "last-month" }, "2026-09-01T00:00:00-03:00", "2026-09-30T23:59:59.999999-03:00"],
    [{ period: "2026-03" }, "2026-02-01T00:00:00-03:00", "2026-02-28T23:59:59.999999-03:00"],
    [
      { from: "2026-10-01", to: "2026-10-31" },
      "2026-09-01T00:00:00-03:00",
      "2026-09-30T23:59:59.999999-03:00",
    ],
    // A whole month and a part of one are no months.
    [
      { from: "2026-09-01", to: "2026-10-15" },
      "2026-07-18T00:00:00-03:00",
      "2026-08-31T23:59:59.999999-03:00",
    ],
    [
      { from: "2026-10-01", to: "2026-10-03" },
      "2026-09-28T00:00:00-03:00",
      "2026-09-30T23:59:59.999999-03:00",
    ],
    [{ period: "today" }, "2026-11-19T00:00:00-03:00", "2026-11-19T15:17:22-03:00"],
    [{ period: "this-week" }, "2026-11-09T00:00:00-03:00", "2026-11-13T15:17:22-03:00"],
    [{ period: "this-month" }, "2026-10-01T00:00:00-03:00", "2026-10-20T15:17:22-03:00"],
    [{ period: "this-year" }, "2025-01-01T00:00:00-03:00", "2025-11-20T15:17:22-03:00"],
    [{ period: "2026-11" }, "2026-10-01T00:00:00-03:00", "2026-10-20T15:17:22-03:00"],
    [{ from: "last-6-days" }, "2026-11-07T00:00:00-03:00", "2026-11-13T15:17:22-03:00"],
    [{ from: "2026-11-19" }, "2026-11-17T00:00:00-03:00", "2026-11-18T15:17:22-03:00"],
    [
      { from: "2026-10-01T18:00:00-03:00", to: "2026-10-01T23:00:00-03:00" },
      "2026-09-30T18:00:00-03:00",
      "2026-09-30T23:00:00-03:00",
    ],
    [
      { from: "2026-10-08T00:00:00-03:00", to: "2026-10-15T00:00:00-03:00" },
      "2026-09-30T00:00:00-03:00",
      "2026-10-07T00:00:00-03:00",
    ],
    [
      { from: "2026-10-08T12:00:00-03:00", to: "2026-10-15T11:00:00-03:00" },
      "2026-10-01T12:00:00-03:00",
      "2026-10-08T11:00:00-03:00",
    ],
  ])("The period before %j is %s to %s", (request, from, to) => {
    const before = compared(request, "previous");
    expect([before.start, before.end]).toEqual([from, to]);
  });

  test("March until a day that February hasn't got is compared with all of February", () => {
    const before = compared({ period: "this-month" }, "previous", Date.parse("2026-03-31T18:00:00Z"));
    expect([before.start, before.end]).toEqual([
      "2026-02-01T00:00:00-03:00",
      "2026-02-28T23:59:59.999999-03:00",
    ]);
  });
});

describe("comparisonPeriod: week, month, year", () => {
  test.each<[PeriodRequest, Comparison, string, string, string]>([
    [{ period: "last-month" }, "year", "2026-11-20", "2025-10-01", "2025-10-31"],
    [{ period: "2024-02" }, "year", "2024-06-01", "2023-02-01", "2023-02-28"],
    [{ period: "2025-02" }, "year", "2025-06-01", "2024-02-01", "2024-02-29"],
    [{ period: "last-year" }, "year", "2026-11-20", "2024-01-01", "2024-12-31"],
    [{ period: "this-month" }, "year", "2026-11-20", "2025-11-01", "2025-11-20"],
    [{ from: "2026-10-01", to: "2026-10-31" }, "year", "2026-11-20", "2025-10-01", "2025-10-31"],
    [{ period: "2026-11-19" }, "year", "2026-11-20", "2025-11-20", "2025-11-20"],
    [{ period: "last-week" }, "year", "2026-11-20", "2025-11-10", "2025-11-16"],
    [{ period: "last-30-days" }, "year", "2026-12-01", "2025-11-02", "2025-12-01"],
    [{ period: "yesterday" }, "week", "2026-11-20", "2026-11-12", "2026-11-12"],
    [{ period: "last-month" }, "week", "2026-11-20", "2026-09-24", "2026-10-24"],
    [{ period: "this-week" }, "week", "2026-11-20", "2026-11-09", "2026-11-13"],
    [{ period: "yesterday" }, "month", "2026-11-20", "2026-10-19", "2026-10-19"],
    [{ period: "last-month" }, "month", "2026-11-20", "2026-09-01", "2026-09-30"],
    [{ period: "month-to-yesterday" }, "month", "2026-11-20", "2026-10-01", "2026-10-19"],
    [{ period: "month-to-yesterday" }, "month", "2026-03-31", "2026-02-01", "2026-02-28"],
    [{ period: "month-to-yesterday" }, "month", "2026-11-01", "2026-09-01", "2026-09-30"],
    [{ period: "last-7-days" }, "month", "2026-11-20", "2026-10-13", "2026-10-19"],
  ])("%j is compared by %s, asked on %s, with %s to %s", (request, comparison, today, from, to) => {
    const before = compared(request, comparison, Date.parse(`${today}T18:17:22Z`));
    expect([before.first, before.last]).toEqual([from, to]);
  });
});

describe("comparisonPeriod", () => {
  test("Whole months meet whole months that lie directly before, and weekdays meet the same weekdays", () => {
    const edges = ({ start, end, zone: inZone }: Period) =>
      [zoned(start, inZone).toPlainDate(), zoned(end, inZone).toPlainDate()] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        // From here no edge falls on 30 December 2011, the day that Apia left out.
        fc.date({ min: new Date("2014-03-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 400 }),
        (inZone, at, months, days) => {
          const context = { now: at.getTime(), zone: inZone };
          const first = Temporal.PlainDate.from(at.toISOString().slice(0, 10))
            .with({ day: 1 })
            .subtract({ months: months + 12 });
          const to = first.add({ months }).subtract({ days: 1 }).toString();
          const whole = resolvePeriod({ from: first.toString(), to }, context);
          const [from, until] = edges(comparisonPeriod(whole, "previous"));
          expect(until.add({ days: 1 }).equals(first)).toBe(true);
          expect(from.add({ months }).equals(first)).toBe(true);
          const run = resolvePeriod({ period: `last-${days}-days` }, context);
          for (const [comparison, distance] of [
            ["week", 7],
            ["year", 364],
          ] as const) {
            const [current, before] = [edges(run), edges(comparisonPeriod(run, comparison))];
            for (const edge of [0, 1] as const) {
              expect(before[edge].until(current[edge], { largestUnit: "day" }).days).toBe(distance);
              expect(before[edge].dayOfWeek).toBe(current[edge].dayOfWeek);
            }
          }
        },
      ),
      { numRuns: sized({ test: 40, search: 100, soak: 1_000 }) },
    );
  });

  test("A comparison can be asked for by scheduled date, running or to come", () => {
    const context = { now, zone, dateField: "scheduled_date" as const };
    for (const request of [{ period: "this-month" }, { from: "2026-12-01", to: "2026-12-07" }]) {
      const period = comparisonPeriod(resolvePeriod(request, context), "previous");
      const [window] = windowsOf(period, undefined);
      expect(window && edgesOf(window, "scheduled_date").from).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
    const december = comparisonPeriod(resolvePeriod({ period: "2026-12" }, context), "previous");
    expect([december.first, december.last]).toEqual(["2026-11-01", "2026-11-30"]);
  });
});
