import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { splitPeriod, splitWindow, type SplitOptions } from "../../../src/sales/period/windows.js";
import { scenario } from "../support/arbitraries.js";

const now = Date.parse("2026-11-20T18:17:22.500Z");
const zone = "America/Sao_Paulo";

function split(
  from: string,
  to: string,
  { dateField, zone: inZone = zone, storeZone = inZone }: SplitOptions & { readonly zone?: string } = {},
) {
  const period = resolvePeriod({ from, to }, { now, zone: inZone, dateField });
  return splitPeriod(period, { dateField, storeZone: storeZone === "unknown" ? undefined : storeZone });
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
    // Not known in which zone the service counts: halves of 184 days may be too long for it.
    expect(split("2025-01-01", "2025-12-31", { storeZone: "unknown" })).toHaveLength(3);
  });

  test.each(Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, "0")}-10`))(
    "From %s on, a long period is cut at halves of calendar years where that makes no more windows",
    (from) => {
      const halves = ["2024-07-01", "2025-01-01", "2025-07-01", "2026-01-01"].filter((cut) => cut > from);
      const starts = split(from, "2026-06-30").map(({ firstDay }) => firstDay);
      expect(starts).toEqual([from, ...halves]);
    },
  );

  test("Halves of calendar years are left where one of them may be too long", () => {
    const starts = (storeZone: string) =>
      split("2025-03-10", "2026-03-10", { storeZone }).map(({ firstDay }) => firstDay);
    expect(starts(zone)).toEqual(["2025-03-10", "2025-07-01", "2026-01-01"]);
    expect(starts("unknown")).toEqual(["2025-03-10", "2025-09-01", "2026-02-01"]);
  });

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

  test("A period is split where the clocks' change makes it longer than 6 months in UTC or at the start's offset", () => {
    expect(split("2025-09-01", "2026-02-28", { zone: "Europe/Lisbon" })).toHaveLength(2);
    expect(split("2026-03-01", "2026-08-31", { zone: "Europe/Lisbon" })).toHaveLength(1);
  });

  test("A period is split where it may be longer in the store's zone than in the one that was asked for", () => {
    // 23:59 in São Paulo is 03:59 in a Lisbon that was an hour behind when the period began.
    const [from, to] = ["2024-11-22", "2025-05-21"];
    expect(split(from, to)).toHaveLength(1);
    expect(split(from, to, { storeZone: "Europe/Lisbon" })).toHaveLength(2);
    expect(split(from, to, { storeZone: "unknown" })).toHaveLength(2);
    expect(split(from, "2025-05-20", { storeZone: "unknown" })).toHaveLength(1);
    expect(split(from, to, { storeZone: "Europe/Lisbon", dateField: "scheduled_date" })).toHaveLength(1);
  });

  test.each([
    // 28 February in UTC, and 1 March where it began on the 29th.
    [
      "in UTC",
      "America/New_York",
      "2025-08-29T22:00:00-04:00",
      "2026-02-28T01:00:00Z",
      "2026-02-28T12:00:00Z",
    ],
    // An hour before the end of the same day by the clocks of February.
    [
      "at its offset",
      "Europe/Berlin",
      "2025-08-31T01:00:00+02:00",
      "2026-02-27T22:30:00Z",
      "2026-02-27T23:30:00Z",
    ],
  ])("A period is split where it is longer than 6 months %s alone", (_, inZone, from, fits, tooLong) => {
    expect(split(from, fits, { zone: inZone })).toHaveLength(1);
    expect(split(from, tooLong, { zone: inZone })).toHaveLength(2);
  });

  test("A period is split where it may be longer in the first zone of all, where it begins in February", () => {
    const [from, options] = ["2026-03-01T11:30:00Z", { zone: "UTC", storeZone: "unknown" }] as const;
    expect(split(from, "2026-08-29T09:00:00Z", options)).toHaveLength(1);
    expect(split(from, "2026-08-30T00:00:00Z", options)).toHaveLength(2);
  });

  test("A window is never refused, whatever the store's zone and whether it is known", () => {
    const zones = fc.constantFrom(
      "Pacific/Auckland",
      "America/Los_Angeles",
      "Europe/Lisbon",
      "Asia/Kathmandu",
      zone,
    );
    const day = fc.integer({ min: 0, max: 700 });
    fc.assert(
      fc.property(
        zones,
        zones,
        fc.boolean(),
        day,
        fc.integer({ min: 178, max: 186 }),
        (asked, own, isKnown, back, days) => {
          const to = Temporal.PlainDate.from("2026-11-01").subtract({ days: back });
          const windows = split(to.subtract({ days }).toString(), to.toString(), {
            zone: asked,
            storeZone: isKnown ? own : "unknown",
          });
          for (const { start, end } of windows) {
            const limit = Temporal.Instant.from(start).toZonedDateTimeISO(own).add({ months: 6 });
            expect(
              Temporal.Instant.compare(Temporal.Instant.from(end), limit.toInstant()),
            ).toBeLessThanOrEqual(0);
          }
        },
      ),
      { numRuns: 300 },
    );
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
