import * as fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import type { Dimension } from "../../../src/api/values.js";
import { edgesOf, resolvePeriod, type Period } from "../../../src/sales/period.js";
import { cautious, windowsOf } from "../../../src/sales/fetch.js";
import { sized } from "../../support/soak.js";
import { afterwards, books } from "../support/books.js";

const now = Date.parse("2026-11-20T18:17:22.500Z");
const zone = "America/Sao_Paulo";

function split(from: string, to: string, by?: Dimension, dateField?: "scheduled_date") {
  const period = resolvePeriod({ from, to }, { now, zone, dateField });
  return windowsOf(period, by).map((window) => ({ ...window, ...edgesOf(window, dateField) }));
}

const edges = (windows: ReturnType<typeof split>) => windows.map(({ from, to }) => `${from} to ${to}`);
const days = (windows: readonly Pick<Period, "first" | "last">[]) =>
  windows.map(({ first, last }) => `${first} to ${last}`);

describe("windowsOf", () => {
  test.each([
    [undefined, "2026-04-15 to 2026-10-14", "2026-10-15 to 2026-11-01"],
    ["month", "2026-04-15 to 2026-09-30", "2026-10-01 to 2026-11-01"],
    ["month", "2026-01-01 to 2026-06-30", "2026-07-01 to 2026-08-31"],
    // 2026-10-12 is a Monday.
    ["week", "2026-04-15 to 2026-10-11", "2026-10-12 to 2026-11-01"],
  ] as const)("splits a period by %s, but not a week or month: %s, %s", (by, first, second) => {
    expect(days(split(first.slice(0, 10), second.slice(-10), by))).toEqual([first, second]);
  });

  test("splits a window that the service rejects as too long, but not one of 179 days", () => {
    const period = resolvePeriod({ from: "2026-03-01", to: "2026-08-31" }, { now, zone });
    const [window] = windowsOf(period, undefined);
    if (!window) throw new Error("there is no window");
    const shorter = windowsOf(window, undefined, cautious);
    expect(days(shorter)).toEqual(["2026-03-01 to 2026-08-26", "2026-08-27 to 2026-08-31"]);
    const again = shorter.map((part) => windowsOf(part, undefined, cautious));
    expect(again).toEqual(shorter.map((part) => [part]));
  });

  test("keeps date-times as typed, and splits between them at a local midnight", () => {
    expect(edges(split("2026-01-15T10:00:00Z", "2026-11-01T00:00:00.5+05:30"))).toEqual([
      "2026-01-15T10:00:00Z to 2026-07-14T23:59:59.999999-03:00",
      "2026-07-15T00:00:00-03:00 to 2026-11-01T00:00:00.5+05:30",
    ]);
  });

  test("returns days for scheduled dates, both included", () => {
    expect(edges(split("2026-01-01", "2026-12-31", undefined, "scheduled_date"))).toEqual([
      "2026-01-01 to 2026-06-30",
      "2026-07-01 to 2026-12-31",
    ]);
  });

  test("covers the period without gap or overlap, in windows of at most 6 months", () => {
    fc.assert(
      fc.property(books, fc.constantFrom(undefined, "week" as const, "month" as const), (book, by) => {
        const { from, to, zone: inZone } = book;
        const period = resolvePeriod({ from, to }, { now: afterwards(book), zone: inZone });
        const windows = windowsOf(period, by);
        expect(windows[0]?.start).toBe(period.start);
        expect(windows.at(-1)?.end).toBe(period.end);
        for (const [index, { start, end }] of windows.entries()) {
          const length = Temporal.Instant.from(start).until(Temporal.Instant.from(end));
          expect(length.total("hours")).toBeGreaterThan(0);
          const sixMonthsOn = Temporal.Instant.from(start).toZonedDateTimeISO(inZone).add({ months: 6 });
          expect(Temporal.Instant.compare(end, sixMonthsOn.toInstant())).toBe(-1);
          const next = windows[index + 1];
          if (next) expect(Temporal.Instant.from(end).until(next.start).total("microseconds")).toBe(1);
        }
      }),
      { numRuns: sized({ test: 25, search: 400, soak: 400 }) },
    );
  });
});
