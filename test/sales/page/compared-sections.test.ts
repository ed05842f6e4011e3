/** What a report's page draws of two months over each other: weekdays and hours of a day, days over the same weekdays. */
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import { shownSection } from "../../../src/sales/page/groups.js";
import { reportPlan } from "../../../src/sales/report/plan.js";
import type { Comparison } from "../../../src/sales/period/comparison.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { asking, callsOver } from "../support/oracle.js";

const zone = "America/Sao_Paulo";
const now = Date.parse("2026-11-20T15:00:00Z");

/** One order a day, of as many reais as the day of the month, or of as many as the weekday's number. */
async function reportOf(amount: "day of the month" | "weekday", comparison: Comparison) {
  const first = Temporal.PlainDate.from("2025-10-01");
  const orders = Array.from({ length: 410 }, (_, index) => first.add({ days: index })).map((day) =>
    orderOf({
      createdAt: day.toZonedDateTime({ timeZone: zone, plainTime: "12:00" }).epochMilliseconds,
      total: 100 * (amount === "weekday" ? day.dayOfWeek : day.day),
    }),
  );
  const { calls } = callsOver({ zone, orders }, now);
  const request = { dateField: undefined, filters: [], keys: false, now };
  const plan = reportPlan({ ...request, compareSections: true, heatmap: false });
  const period = { period: "2026-10" };
  const asked = asking({ zone, dayStarts: "00:00", from: "", to: "" }, { now, period, comparison });
  const figures = await plan.fetch(calls, asked, new AbortController().signal);
  const section = (dimension: Dimension) => {
    const found = figures.sections.get(dimension);
    if (!found) throw new Error(`there is no section ${dimension}`);
    return shownSection(found, dimension, { dateField: undefined, locale: "en" });
  };
  return { section };
}

test.each<[Comparison, string, number | undefined]>([
  // 1 October 2026 is a Thursday; so are 3 September 2026 and 2 October 2025.
  ["previous", "the month before", 3],
  ["year", "a year before", 2],
  ["date", "the same dates", 1],
])(
  "A month is drawn over another, weekday over weekday, unless dates were asked for: %s",
  async (comparison, _, day) => {
    const { section } = await reportOf("day of the month", comparison);
    const { groups: shown, byWeekday } = section("day");
    expect(shown[0]).toMatchObject({ total_revenue: 1, previous: { total_revenue: day } });
    expect(byWeekday).toBe(comparison !== "date");
    // The last days of October have no Thursday to Saturday left in September.
    const without = shown.filter(({ previous }) => previous === undefined).map(({ total_revenue: of }) => of);
    expect(without).toEqual(comparison === "previous" ? [29, 30, 31] : comparison === "year" ? [31] : []);
  },
);

test("Weekdays and hours are drawn as the averages of a day, each as high as before where nothing changed", async () => {
  const { section } = await reportOf("weekday", "previous");
  const dimensions = ["day_of_week", "hour", "day"] as const;
  expect(dimensions.map((dimension) => section(dimension).perDay)).toEqual([true, true, false]);
  const { groups: shown } = section("day_of_week");
  expect(shown.map(({ name, total_revenue, days, change }) => [name, total_revenue, days, change])).toEqual([
    ["Sunday", 7, { current: 4, previous: 4 }, { absolute: 0, percent: 0 }],
    ["Monday", 1, { current: 4, previous: 4 }, { absolute: 0, percent: 0 }],
    ["Tuesday", 2, { current: 4, previous: 5 }, { absolute: 0, percent: 0 }],
    ["Wednesday", 3, { current: 4, previous: 5 }, { absolute: 0, percent: 0 }],
    ["Thursday", 4, { current: 5, previous: 4 }, { absolute: 0, percent: 0 }],
    ["Friday", 5, { current: 5, previous: 4 }, { absolute: 0, percent: 0 }],
    ["Saturday", 6, { current: 5, previous: 4 }, { absolute: 0, percent: 0 }],
  ]);
  expect(section("hour").groups).toMatchObject([
    { total_order_count: 1, previous: { total_order_count: 1 }, days: { current: 31, previous: 30 } },
  ]);
});
