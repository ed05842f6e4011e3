import { describe, expect, test } from "vitest";

import { parse } from "./fixture.js";

const instants = "start_date=2026-10-01T00:00:00-03:00&end_date=2026-10-31T23:59:59-03:00";
const days = "date_field=scheduled_date&start_date=2026-10-01&end_date=2026-10-31";

describe("a query that is refused", () => {
  test.each([
    ["", "start_date is required"],
    ["start_date=2026-10-01T00:00:00Z", "end_date is required"],
    ["start_date=&end_date=2026-10-01T00:00:00Z", "start_date is required"],
    [`${instants}&start_date=2026-10-01T00:00:00Z`, "start_date is given more than once"],
    [`${instants}&end_date=2026-10-01T00:00:00Z`, "end_date is given more than once"],
    [`${instants}&date_field=updated_at`, "date_field must be one of created_at, scheduled_date"],
    [`${instants}&date_field=created_at&date_field=created_at`, "date_field is given more than once"],
    [`${instants}&group_by=`, "group_by is required"],
    [`${instants}&group_by=driver`, "group_by must be one of hour, day, day_of_week, week, month"],
    [`${instants}&group_by=day&group_by=week`, "group_by is given more than once"],
    [`${days}&group_by=hour`, "group_by can't be hour where date_field is scheduled_date"],
    [`${instants}&page=1`, 'The query has no field "page"'],
    [`${instants}&status_in=closed`, 'The query has no field "status_in"'],
  ])("%s", (search, details) => {
    expect(() => parse(search)).toThrow(details);
  });

  test("says what a plus sign must be written as", () => {
    expect(() => parse("start_date=2026-10-01T00:00:00+03:00&end_date=2026-10-31T00:00:00Z")).toThrow("%2B");
  });

  test.each([
    ["filters[status][in]=closed", "filters[status][in]: filters are flat"],
    ["filters[status_in][]=closed", "filters are flat"],
    ["filters[status]=closed", 'filters has no field "status". Did you mean "status_in"?'],
    ["filters[status_eq]=closed", 'filters has no field "status_eq"'],
    ["filters[price_gt]=1", 'filters has no field "price_gt"'],
    ["filters=status", "filters must be an object"],
    ["filters[total_null]=true", 'filters has no field "total_null"'],
    ["filters[created_at_time_not_eq]=10:00", "filters has no field"],
    ["filters[status_in]=done", "filters[status_in] must be one of waiting_confirmation"],
    ["filters[status_in]=closed,canceled", "must be one of"],
    ["filters[status_in]=closed&filters[status_in]=", "must be one of"],
    // Section 4.8 leaves these two statuses out of its list.
    ["filters[status_in]=canceling", "must be one of"],
    ["filters[status_not_in]=pending_online_payment", "must be one of"],
    ["filters[order_type_in]=Delivery", "must be one of delivery, takeout, onsite, closed_table"],
    ["filters[order_timing_not_in]=now", "must be one of immediate, scheduled"],
    ["filters[sales_channel_in]=", "must be a name"],
    ["filters[driver_id_in]=0", "must be an integer of at least 1"],
    ["filters[driver_id_in]=-1", "must be an integer of at least 1"],
    ["filters[driver_id_in]=1.5", "must be an integer of at least 1"],
    ["filters[driver_id_in]=9999999999999999", "must be an integer of at least 1"],
    ["filters[payment_method_id_in]=", "must be an id"],
    ["filters[customer_origin_null]=false", "filters[customer_origin_null] must be true"],
    ["filters[customer_origin_not_null]=", "must be true"],
    ["filters[customer_origin_null]=true&filters[customer_origin_null]=true", "takes one value"],
    [`filters[customer_origin_in]=${"x".repeat(256)}`, "must be a text of at most 255 characters"],
    ["filters[created_at_time_gt]=24:00", "must be a time of day, HH:MM"],
    ["filters[created_at_time_gt]=9:00", "must be a time of day, HH:MM"],
    ["filters[created_at_time_gt]=09:00:00", "must be a time of day, HH:MM"],
    ["filters[total_eq]=1.005", "must be an amount of at least 0 with at most two decimals"],
    ["filters[total_eq]=-1", "must be an amount of at least 0"],
    ["filters[total_eq]=1,50", "must be an amount of at least 0"],
    ["filters[total_eq]=1e2", "must be an amount of at least 0"],
    ["filters[total_gt]=1&filters[total_gt]=2", "filters[total_gt] takes one value"],
  ])("has the filter %s", (filter, details) => {
    expect(() => parse(`${instants}&${filter}`)).toThrow(details);
  });
});

describe("a query that is accepted", () => {
  test("is read whole, with repeated keys as several values", () => {
    const search =
      `${instants}&group_by=week&filters[status_in]=closed&filters[status_in]=canceled` +
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
    const { period } = parse(`${days}&group_by=day`);
    const day = (date: string) => Date.parse(date) / 86_400_000;
    expect(period).toEqual({
      dateField: "scheduled_date",
      firstDay: day("2026-10-01"),
      lastDay: day("2026-10-31"),
    });
  });

  test.each([
    "filters[sales_channel_in]=a_channel_we_dont_know",
    `filters[customer_origin_in]=${"🍇".repeat(255)}`,
    "filters[created_at_time_lteq]=00:00",
    "filters[created_at_time_eq]=23:59",
    "filters[total_eq]=0",
    "filters[delivery_fee_not_eq]=7.50",
    "filters[driver_id_not_in]=1&filters[driver_id_not_in]=2",
    "filters%5Bstatus_in%5D=ready",
  ])("has the filter %s", (filter) => {
    expect(parse(`${instants}&${filter}`).filters).toHaveLength(1);
  });
});
