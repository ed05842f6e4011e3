/** The seam between two windows, order by order: see the head of src/sales/period/windows.ts. */
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";

import { fetchSummary } from "../support/fetch.js";
import { resolvePeriod } from "../../../src/sales/period/resolve.js";
import { summaryQuery } from "../../../src/sales/plan/queries.js";
import { splitPeriod } from "../../../src/sales/period/windows.js";
import { zones } from "../support/arbitraries.js";
import { FakeService } from "../support/fake-service.js";

const now = Date.parse("2020-01-15T12:00:00Z");
const microseconds = [-1_000_000n, -999_000n, -500_000n, -1000n, 0n, 1000n, 500_000n, 1_000_000n];

describe.each(zones)("in %s", (zone) => {
  const period = resolvePeriod({ from: "2017-03-10", to: "2019-12-31" }, { now, zone });
  const windows = splitPeriod(period);
  const seams = windows.slice(1).map(({ start }) => Temporal.Instant.from(start).epochNanoseconds / 1000n);
  const at = [...seams.flatMap((seam) => microseconds.map((distance) => seam + distance))];
  const orders = at.map((createdAt) => ({
    createdAt,
    scheduledFor: "2019-01-01",
    cents: 100,
    status: "closed",
    driver: null,
    origin: null,
  }));

  test("Each window begins on the first of a local month, a microsecond after the one before", () => {
    expect(windows.length).toBeGreaterThan(5);
    for (const [index, { start, firstDay }] of windows.entries()) {
      if (index === 0) continue;
      expect(firstDay).toMatch(/-01$/);
      const end = Temporal.Instant.from(windows[index - 1]?.end ?? "");
      expect(end.until(Temporal.Instant.from(start)).total("microseconds")).toBe(1);
    }
  });

  test.each([true, false])(
    "Every order is counted once where the end is included (%s)",
    async (endIncluded) => {
      const service = new FakeService(orders, {
        zone,
        endIncluded,
        halfYearIs180Days: false,
        weekForm: "iso",
        monthForm: "iso",
      });
      const summary = await fetchSummary({
        windows,
        fetch: (window) => service.summary(summaryQuery(window, { dateField: undefined, filters: [] })),
      });
      expect(summary.total_order_count).toBe(orders.length);
    },
  );
});
