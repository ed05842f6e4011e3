import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { splitPeriod, splitWindow } from "../../../src/sales/period/windows.js";
import { scenario } from "../support/arbitraries.js";

const now = Date.parse("2026-11-20T18:17:22.500Z");
const zone = "America/Sao_Paulo";

interface SplitOptions {
  readonly dateField?: "scheduled_date";
  readonly zone?: string;
}

function split(from: string, to: string, { dateField, zone: inZone = zone }: SplitOptions = {}) {
  const period = resolvePeriod({ from, to }, { now, zone: inZone, dateField });
  return splitPeriod(period, dateField);
}

describe("splitPeriod", () => {
  test("Up to 6 months are one window, in whole days of the zone", () => {
    expect(split("2026-05-01", "2026-10-31")).toEqual([
      {
        start: "2026-05-01T00:00:00-03:00",
        end: "2026-10-31T23:59:59.999999-03:00",
        firstDay: "2026-05-01",
        lastDay: "2026-10-31",
      },
    ]);
  });

  test("A day more than 6 months is split at a month start", () => {
    expect(split("2026-05-01", "2026-11-01").map(({ firstDay, lastDay }) => [firstDay, lastDay])).toEqual([
      ["2026-05-01", "2026-06-30"],
      ["2026-07-01", "2026-11-01"],
    ]);
  });

  test("A year is its two halves, which other periods share; more windows than needed are never made", () => {
    const days = (from: string, to: string) =>
      split(from, to).map(({ firstDay, lastDay }) => [firstDay, lastDay]);
    expect(days("2025-01-01", "2025-12-31")).toEqual([
      ["2025-01-01", "2025-06-30"],
      ["2025-07-01", "2025-12-31"],
    ]);
    expect(days("2025-11-20", "2026-07-20")).toEqual([
      ["2025-11-20", "2026-04-30"],
      ["2026-05-01", "2026-07-20"],
    ]);
    expect(split("2023-11-21", "2026-11-19")).toHaveLength(7);
  });

  test.each(Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, "0")}-10`))(
    "From %s on, a long period is cut at halves of calendar years where that makes no more windows",
    (from) => {
      const halves = ["2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01"].filter((cut) => cut > from);
      const starts = split(from, "2026-06-30").map(({ firstDay }) => firstDay);
      expect(starts).toEqual([from, ...halves]);
    },
  );

  test("A window that is refused for its length is split at a month start; no other is", () => {
    const [half] = split("2025-07-01", "2025-12-31");
    if (!half) throw new Error("no window");
    expect(splitWindow(half, zone, undefined).map(({ start, end }) => [start, end])).toEqual([
      ["2025-07-01T00:00:00-03:00", "2025-11-30T23:59:59.999999-03:00"],
      ["2025-12-01T00:00:00-03:00", "2025-12-31T23:59:59.999999-03:00"],
    ]);
    const dated = { ...half, start: "2025-07-01", end: "2025-12-31" };
    expect(splitWindow(dated, zone, "scheduled_date").map(({ start, end }) => [start, end])).toEqual([
      ["2025-07-01", "2025-11-30"],
      ["2025-12-01", "2025-12-31"],
    ]);
    const [month] = split("2025-07-01", "2025-07-31");
    if (!month) throw new Error("no window");
    expect(splitWindow(month, zone, undefined)).toEqual([month]);
  });

  test("36 months up to today are 7 windows", () => {
    expect(split("2023-11-21", "2026-11-20")).toHaveLength(7);
  });

  test("Date-times are passed on to the letter, and cut between at local month starts", () => {
    const windows = split("2026-01-15T10:00:00Z", "2026-11-01T00:00:00.5+05:30");
    expect(windows.map(({ start, end }) => [start, end])).toEqual([
      ["2026-01-15T10:00:00Z", "2026-06-30T23:59:59.999999-03:00"],
      ["2026-07-01T00:00:00-03:00", "2026-11-01T00:00:00.5+05:30"],
    ]);
  });

  test("Windows by scheduled date are days, both included", () => {
    expect(
      split("2026-01-01", "2026-12-31", { dateField: "scheduled_date" }).map(({ start, end }) => [
        start,
        end,
      ]),
    ).toEqual([
      ["2026-01-01", "2026-06-30"],
      ["2026-07-01", "2026-12-31"],
    ]);
  });

  test("Date-times are refused for scheduled dates", () => {
    expect(() =>
      split("2026-01-15T10:00:00Z", "2026-02-01T00:00:00Z", { dateField: "scheduled_date" }),
    ).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  test("A day whose clocks skip midnight starts at 01:00, and each edge has its own offset", () => {
    const context = { now: Date.parse("2019-01-01T12:00:00Z"), zone };
    const edges = (day: string) => splitPeriod(resolvePeriod({ period: day }, context))[0];
    expect(edges("2018-11-04")).toMatchObject({
      start: "2018-11-04T01:00:00-02:00",
      end: "2018-11-04T23:59:59.999999-02:00",
    });
    expect(edges("2018-02-17")).toMatchObject({
      start: "2018-02-17T00:00:00-02:00",
      end: "2018-02-17T23:59:59.999999-03:00",
    });
  });

  test("The windows cover the period without gap or overlap, each of at most 6 months", () => {
    fc.assert(
      fc.property(scenario, ({ from, to, now: then, choices }) => {
        fc.pre(!(from === to && from === "2011-12-30"));
        const period = resolvePeriod({ from, to }, { now: then, zone: choices.zone });
        const windows = splitPeriod(period);
        expect(windows[0]?.start).toBe(period.from.sent);
        expect(windows.at(-1)?.end).toBe(period.to.sent);
        for (const [index, { start, end }] of windows.entries()) {
          const length = Temporal.Instant.from(start).until(Temporal.Instant.from(end));
          expect(length.total("hours")).toBeGreaterThan(0);
          const sixMonthsOn = Temporal.Instant.from(start)
            .toZonedDateTimeISO(choices.zone)
            .add({ months: 6 });
          expect(Temporal.Instant.compare(end, sixMonthsOn.toInstant())).toBe(-1);
          const next = windows[index + 1];
          if (next) expect(Temporal.Instant.from(end).until(next.start).total("microseconds")).toBe(1);
        }
      }),
      { numRuns: 80 },
    );
  });
});
