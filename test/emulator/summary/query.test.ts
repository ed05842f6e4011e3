/** What the service reads of a query; what a filter takes is the contract's, and proven in `test/api`. */
import { describe, expect, test } from "vitest";

import { parse } from "./fixture.js";

const instants = "start_date=2026-10-01T00:00:00-03:00&end_date=2026-10-31T23:59:59-03:00";
const days = "date_field=scheduled_date&start_date=2026-10-01&end_date=2026-10-31";

describe("a query that is refused", () => {
  test.each([
    ["", "start_date is required"],
    ["start_date=&end_date=2026-10-01T00:00:00Z", "start_date is required"],
    [`${instants}&start_date=2026-10-01T00:00:00Z`, "start_date is given more than once"],
    [`${instants}&group_by=day&group_by=week`, "group_by is given more than once"],
    [`${days}&group_by=hour`, "group_by can't be hour where date_field is scheduled_date"],
    [`${instants}&status_in=closed`, 'The query has no field "status_in"'],
    ["start_date=2026-10-01T00:00:00+03:00&end_date=2026-10-31T00:00:00Z", "%2B"],
    [`${instants}&filters[status][in]=closed`, "filters[status][in]: filters are flat"],
    [`${instants}&filters[status]=closed`, 'filters has no field "status". Did you mean "status_in"?'],
    [`${instants}&filters[status_in]=closed&filters[status_in]=`, "must be one of"],
    // Section 4.8 leaves this status out of its list.
    [`${instants}&filters[status_in]=canceling`, "must be one of"],
    [`${instants}&filters[total_gt]=1&filters[total_gt]=2`, "filters[total_gt] takes one value"],
  ])("%s", (search, details) => {
    expect(() => parse(search)).toThrow(details);
  });
});

describe("a query that is accepted", () => {
  test("is read whole, with repeated keys as several values", () => {
    const search =
      `${instants}&group_by=week&filters%5Bstatus_in%5D=closed&filters[status_in]=canceled` +
      "&filters[customer_origin_not_in]=a%2C%20b&filters[total_gteq]=7.5&filters[customer_origin_not_null]=true";
    expect(parse(search)).toEqual({
      period: {
        dateField: "created_at",
        start: Date.parse("2026-10-01T03:00:00Z"),
        end: Date.parse("2026-11-01T02:59:59Z"),
      },
      groupBy: "week",
      filters: [
        { field: "status", operator: "in", values: ["closed", "canceled"] },
        { field: "customer_origin", operator: "not_in", values: ["a, b"] },
        { field: "total", operator: "gteq", values: ["7.5"] },
        { field: "customer_origin", operator: "not_null", values: ["true"] },
      ],
    });
  });

  test("by scheduled date has days", () => {
    const day = (date: string) => Date.parse(date) / 86_400_000;
    expect(parse(`${days}&group_by=day`).period).toEqual({
      dateField: "scheduled_date",
      firstDay: day("2026-10-01"),
      lastDay: day("2026-10-31"),
    });
  });
});
