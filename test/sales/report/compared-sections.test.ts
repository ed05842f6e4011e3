/** Which sections of a report are compared, within the minutes that it takes anyway. */
import { expect, test } from "vitest";

import type { Dimension } from "../../../src/contract/enums.js";
import { requestedPeriods } from "../../../src/sales/plan/request.js";
import { comparedSections } from "../../../src/sales/report/compared-sections.js";

const sections: readonly Dimension[] = [
  ...(["day", "hour", "day_of_week", "status", "sales_channel"] as const),
  ...(["order_type", "payment_method_id", "driver_id", "customer_origin"] as const),
];

const now = Date.parse("2026-11-20T15:00:00Z");

interface Case {
  readonly period: string;
  readonly all?: boolean;
  readonly dayStarts?: string;
}

function compared({ period, all = false, dayStarts }: Case) {
  const asked = requestedPeriods(
    {
      period: { period, from: undefined, to: undefined },
      dateField: undefined,
      filters: [],
      comparison: "previous",
      comparisonIsOptional: true,
    },
    {
      now,
      zone: "America/Sao_Paulo",
      storeZone: "America/Sao_Paulo",
      dayStarts,
      onWarning: () => undefined,
    },
  );
  return comparedSections(sections, asked, all);
}

test.each([
  // 8 by groups: 2 more go out in the same minute.
  ["a month", { period: "2026-10" }, ["day", "hour", "day_of_week"]],
  // 16 by groups, in its two halves: 4 more go out in the same minute.
  ["a year", { period: "last-year" }, ["day", "hour", "day_of_week"]],
  // Days in two parts: 9, and a day before takes 2.
  ["days that start at 4", { period: "2026-10", dayStarts: "04:00" }, ["hour"]],
] as const)("Sections are compared where that takes no further minute: %s", (_, given, expected) => {
  expect(compared(given)).toEqual(expected);
});

test("All sections are compared where that is asked for", () => {
  expect(compared({ period: "last-year", all: true }).toSorted()).toEqual(sections.toSorted());
});
