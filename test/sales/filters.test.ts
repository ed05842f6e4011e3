import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { filterFields, filtersByName } from "../../src/api/filters.js";
import type { ComandaError } from "../../src/base/errors.js";
import { filterNotices, parseFilters } from "../../src/sales/filters.js";

describe("parseFilters", () => {
  test.each<[string, string, readonly string[]]>([
    [" status = closed , delivered ", "status_in", ["closed", "delivered"]],
    ["sales_channel=catalog,something_new", "sales_channel_in", ["catalog", "something_new"]],
    ["total>=50", "total_gteq", ["50"]],
    ["total=1.50", "total_eq", ["1.50"]],
    ["delivery_fee!= 7.5 ", "delivery_fee_not_eq", ["7.5"]],
    ["created_at_time<15:00", "created_at_time_lt", ["15:00"]],
    ["customer_origin=a,b", "customer_origin_in", ["a,b"]],
    ["customer_origin=a=b>c", "customer_origin_in", ["a=b>c"]],
    ["customer_origin=null", "customer_origin_null", ["true"]],
    ["customer_origin!=null", "customer_origin_not_null", ["true"]],
    ["customer_origin_in=null", "customer_origin_in", ["null"]],
    ["customer_origin=", "customer_origin_in", [""]],
    ["payment_method_id=pix,3", "payment_method_id_in", ["pix", "3"]],
  ])("reads %j as %s", (text, name, values) => {
    const [sent, ...others] = Object.entries(parseFilters([text]));
    expect({ name: sent?.[0], values: [sent?.[1]].flat().map(String) }).toEqual({ name, values });
    expect(others).toEqual([]);
  });

  test("merges repeated filters, with each value once, in the order typed", () => {
    expect(
      parseFilters(["customer_origin=a,b", "status=closed", "customer_origin=c", "status_in=ready,closed"]),
    ).toEqual({ customer_origin_in: ["a,b", "c"], status_in: ["closed", "ready"] });
  });

  test.each([
    ["status>closed", "Use status= or status!=."],
    ["total=50,60", "Invalid value \"50,60\" for total. Use one amount with a decimal point: 'total=50.60'."],
    ["total_lt=50,05", "'total_lt=50.05'"],
    ["delivery_fee>= 7,5", "'delivery_fee>=7.5'"],
    ["total>=1.005", "two decimals"],
    ["driver_id=0", 'filter "driver_id=0": driver_id must be at least 1.'],
    ["created_at_time<24:00", "HH:MM"],
    ["status=", "Use one of waiting_confirmation, "],
    ["status=canceled,closd", 'Invalid value "closd" for status. Did you mean "closed"?'],
    [`customer_origin=${"ö".repeat(256)}`, "255"],
    ["customer_origin_null=false", "customer_origin_null must be true"],
    ["status", "operator"],
    ["__proto__=1", "Use one of order_type"],
  ])("rejects the filter %j", (text, reason) => {
    const isHelpful = ({ message, hint }: ComandaError) => `${message} ${hint ?? ""}`.includes(reason);
    expect(() => parseFilters([text])).toThrow(expect.toSatisfy(isHelpful) as Error);
  });

  test("rejects a second, different value for a comparison", () => {
    expect(() => parseFilters(["total>50", "total>60"])).toThrow("accepts one value");
    expect(parseFilters(["total>50.5", "total_gt=50.5"])).toEqual({ total_gt: "50.5" });
  });

  test("accepts every parameter of section 4.8 by its API name", () => {
    const sample = { closed: "", open: "x", id: "1", opaque: "pix", text: "x", time: "10:00", amount: "1" };
    for (const { field, operator } of filtersByName().values()) {
      const { values } = filterFields[field];
      const value = values.kind === "closed" ? values.values[0] : sample[values.kind];
      const nullish = operator === "null" || operator === "not_null";
      const sent = parseFilters([`${field}_${operator}=${nullish ? "true" : value}`]);
      expect(Object.keys(sent)).toEqual([`${field}_${operator}`]);
    }
  });

  test("returns filters or throws invalid_input for any text", () => {
    const words = ["=", "!=", ">", "null", ",", "closed", "[", " ", "\n"];
    const piece = fc.constantFrom(...Object.keys(filterFields), ...words);
    const typed = fc.array(piece).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.oneof(fc.string(), typed), (given) => {
        try {
          expect(Object.keys(parseFilters([given]))).toHaveLength(1);
        } catch (error) {
          expect(error).toMatchObject({ name: "ComandaError", code: "invalid_input" });
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("filterNotices", () => {
  const listed = filterFields.sales_channel.values.values;

  test.each([
    ["customer_origin=Instagram,whatsapp", { about: "comma_in_origin", value: "Instagram,whatsapp" }],
    ["customer_origin!=a,b", { about: "comma_in_origin", value: "a,b" }],
    ["sales_channel=portal,catalogg", { about: "unlisted_channel", value: "catalogg", listed }],
    ["sales_channel_not_in=ifood", { about: "unlisted_channel", value: "ifood", listed }],
  ])("explains what %j means", (text, notice) => {
    expect(filterNotices(parseFilters([text]))).toEqual([notice]);
  });

  test("returns no notice for other filters", () => {
    const listedOnes = ["status=closed,ready", "sales_channel=totem"];
    const texts = [...listedOnes, "customer_origin=a b", "payment_method_id=1,2"];
    expect(filterNotices(parseFilters([...texts, "customer_origin=null"]))).toEqual([]);
    expect(filterNotices({})).toEqual([]);
  });
});
