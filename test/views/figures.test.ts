/** Figures as a table, CSV and JSON. */
import { expect, test } from "vitest";

import { createOutput } from "../../src/cli/output.js";
import type { Format } from "../../src/cli/records.js";
import type { FiguresResult, Grouping } from "../../src/core/figures.js";
import type { Figures } from "../../src/sales/figures.js";
import { parseSort } from "../../src/sales/sort.js";
import { showFigures } from "../../src/views/figures.js";
import { figuresOf, missing, result, row, store } from "../sales/sample.js";

async function rendered(figures: FiguresResult, format: Format): Promise<string> {
  let text = "";
  const stdout = { write: (part: string | Uint8Array) => void (text += String(part)) };
  const streams = { stdout, stderr: { write: () => undefined }, env: {} };
  const output = await createOutput(streams, { format, quiet: false, color: false });
  await showFigures(output, figures);
  return text;
}

/** The figures of one store by a dimension, and those of a previous period. */
const grouped = (by: Grouping["by"], ...sides: [current: Figures, previous?: Figures]) =>
  result([store("centro", sides[0], sides[1], { by })], { by });

const october = figuresOf("2026-10-01", "2026-10-31", [row(null, 31, 310_00)]);
const september = figuresOf("2026-09-01", "2026-09-30", [row(null, 30, 400_00)], true);

test("a summary shows store, days, time zone and request time", async () => {
  const summary = result([store("centro", { ...october, cached: true })]);
  expect(await rendered(summary, "table")).toBe(
    "centro: 2026-10-01 to 2026-10-31 (America/Sao_Paulo), as of 2026-11-20 12:00 (cached)\n" +
      "ORDERS   REVENUE  AVG. ORDER\n" +
      "    31  R$310.00     R$10.00\n",
  );
  expect(await rendered(summary, "csv")).toBe(
    "store,from,to,time_zone,currency,filters,date_field,asked_at,total_order_count,total_revenue,average_order_value\r\n" +
      "centro,2026-10-01T00:00:00-03:00,2026-10-31T23:59:59.999999-03:00,America/Sao_Paulo,BRL,,created_at,2026-11-20T15:00:00.000Z,31,310.00,10.00\r\n",
  );
});

test("a comparison has current, previous and change", async () => {
  const compared = result([store("centro", october, september)]);
  const asked_at = "2026-11-20T15:00:00.000Z";
  const period = { from: "2026-10-01T00:00:00-03:00", to: "2026-10-31T23:59:59.999999-03:00" };
  expect(JSON.parse(await rendered(compared, "json"))).toMatchObject({
    store: "centro",
    current: { total_order_count: 31, cached: false, asked_at, period },
    previous: { average_order_value: 13.33, cached: true, period: { label: "typed" } },
    change: { total_revenue: { absolute: -90, percent: -22.5 } },
  });
  const [head, ...table] = (await rendered(compared, "table")).split("\n");
  expect(head).toContain(", 31 days, compared with 2026-09-01 to 2026-09-30, 30 days, as of ");
  expect(table.join("\n")).toBe(
    "ORDERS  PREV. ORDERS  CHANGE   REVENUE  PREV. REVENUE  CHANGE  AVG. ORDER  CHANGE\n" +
      "    31            30   +3.3%  R$310.00       R$400.00  -22.5%     R$10.00    -25%\n",
  );
});

test("an hour that only one period has is listed in both as far as it is there, without a change", async () => {
  const hours = (key: string) => figuresOf("2026-10-01", "2026-10-31", [row(key, 5, 50_00)]);
  const compared = grouped("hour", hours("12"), hours("20"));
  const none = { total_order_count: null, total_revenue: null, per_day: null };
  expect(JSON.parse(await rendered(compared, "json"))).toMatchObject({
    current: { groups: [{ key: "12" }] },
    previous: { groups: [{ key: "20" }] },
    change: { groups: ["12", "20"].map((key) => ({ key, ...none })) },
  });
});

test("days are compared by position, and the remaining days of the longer period have no counterpart", async () => {
  const rows = [row("2026-03-01", 1, 1_000), row("2026-03-02", 2, 2_000)];
  const current = figuresOf("2026-03-01", "2026-03-02", rows);
  const previous = figuresOf("2026-02-26", "2026-02-28", [
    ...[row("2026-02-26", 1, 500), row("2026-02-27", 0, 0), row("2026-02-28", 4, 4_000)],
  ]);
  const days = grouped("day", current, previous);
  const lines = (await rendered(days, "table")).split("\n").slice(1, -1);
  expect(lines.map((line) => line.trimEnd().split(/ {2,}/))).toEqual([
    ["DAY", "COMPARED WITH", "ORDERS", "CHANGE", "REVENUE", "PREVIOUS", "CHANGE"],
    ["2026-03-01 Sun", "2026-02-26 Thu", "1", "0%", "R$10.00", "R$5.00", "+100%"],
    ["2026-03-02 Mon", "2026-02-27 Fri", "2", "–", "R$20.00", "R$0.00", "–"],
    ["", "2026-02-28 Sat", "R$40.00"],
    ["Total", "3", "-40%", "R$30.00", "R$45.00", "-33.3%"],
  ]);
  const csv = (await rendered(days, "csv")).trimEnd().split("\r\n");
  expect(csv[0]).toMatch(
    /,average_order_value,previous_from,previous_to,previous_key,previous_total_order_count,.*,average_order_value_change,average_order_value_change_percent$/,
  );
  expect(csv[1]).toMatch(/,2026-03-01,,1,10\.00,10\.00,.*,2026-02-26,1,5\.00,5\.00,0,0,5\.00,100,5\.00,100$/);
  expect(csv[3]).toMatch(/,,,,,,2026-02-26T.*,2026-02-28,4,40\.00,10\.00,,,,,,$/);
});

test("weekdays show their number of days, and are compared per day", async () => {
  const current = figuresOf("2026-10-01", "2026-10-31", [row("tue", 40, 4_000, "Tuesday", 4)]);
  const previous = figuresOf("2026-09-01", "2026-09-30", [row("tue", 45, 4_500, "Tuesday", 5)]);
  const weekdays = grouped("day_of_week", current, previous);
  const table = await rendered(weekdays, "table");
  expect(table).toMatch(/ORDERS {2}CHANGE\/DAY .*DAYS \(PREV\.\)\n/);
  expect(table).toMatch(/Tuesday {2}.*40 +\+11\.1%.*4 \(5\)\n/);
  expect(await rendered(weekdays, "csv")).toMatch(/_per_day_change_percent\r\n.*,11\.11,11\.11\r\n$/);
});

test("several stores have rows, an error if they have no figures, and the total", async () => {
  const by = "sales_channel";
  const figures = (orders: number) =>
    figuresOf("2026-10-01", "2026-10-31", [row("catalog", orders, orders * 1_000, "Catálogo")]);
  const stores = [store("centro", figures(1)), missing("velho"), store("norte", figures(2))];
  const chain = result(stores, { by, several: true, total: store(null, figures(3)) });
  const total = { store: null, group_by: by, groups: [{ key: "catalog" }], totals: { total_order_count: 3 } };
  expect(JSON.parse(await rendered(chain, "json"))).toMatchObject({ total });
  const lines = (await rendered(chain, "table")).split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "centro, norte: 2026-10-01 to 2026-10-31 (America/Sao_Paulo), as of 2026-11-20 12:00",
    "velho: no figures. The service refused the sign-in.",
  ]);
  expect(lines.slice(2, -1).map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
    ["STORE", "KEY", "SALES CHANNEL", "ORDERS"],
    ["centro", "catalog", "Catálogo", "1"],
    ["norte", "catalog", "Catálogo", "2"],
    ["Total", "catalog", "Catálogo", "3"],
  ]);
});

test("every format says what was counted", async () => {
  const query = {
    filters: ["status_not_in=canceled", "total_gteq=50"],
    dateField: "scheduled_date",
    typed: ["total>=50"],
    net: true,
  } as const;
  const summary = result([store("centro", october)], { query });
  const head =
    "centro: 2026-10-01 to 2026-10-31 (America/Sao_Paulo), as of 2026-11-20 12:00, without canceled orders, total>=50, date field scheduled_date";
  expect((await rendered(summary, "table")).split("\n")[0]).toBe(head);
  const [markdown = ""] = (await rendered(summary, "markdown")).split("\n");
  expect(markdown.replaceAll("\\", "")).toBe(head);
  expect((await rendered(summary, "csv")).split("\r\n")[1]).toMatch(
    /^centro,2026-10-01,2026-10-31,America\/Sao_Paulo,BRL,status_not_in=canceled total_gteq=50,scheduled_date,/,
  );
  const counted = { filters: query.filters, date_field: "scheduled_date" };
  expect(JSON.parse(await rendered(summary, "json"))).toMatchObject({ query: counted });
});

test("--sort and --top select rows, and the total includes the others", async () => {
  const rows = [row("a", 1, 300, "b"), row("b", 5, 100, "a"), row("c", 2, 200, null)];
  const by = "order_type";
  const types = (grouping: Grouping) =>
    result([store("centro", figuresOf("2026-10-01", "2026-10-31", rows), undefined, { by, ...grouping })], {
      by,
    });
  const json = async (grouping: Grouping) =>
    JSON.parse(await rendered(types(grouping), "json")) as { groups: { key: string }[] };
  const keys = async (grouping: Grouping) => (await json(grouping)).groups.map(({ key }) => key).join("");
  expect(await keys({})).toBe("abc");
  expect(await keys({ top: 2 })).toBe("ac");
  expect(await keys({ sort: parseSort("orders") })).toBe("bca");
  expect(await keys({ sort: parseSort("revenue:asc"), top: 2 })).toBe("bc");
  expect(await keys({ sort: parseSort("label") })).toBe("bac");
  expect(await keys({ sort: parseSort("key:desc") })).toBe("cba");
  const table = await rendered(types({ top: 1 }), "table");
  expect(table).toMatch(/Total.* 8 +R\$6\.00.*\n2 more groups: 7 orders, R\$3\.00\n$/);
  expect(await rendered(types({ top: 2 }), "markdown")).toMatch(/\n\n1 more group: 5 orders, R\$1\.00\n$/);
  expect(await json({ top: 1 })).toMatchObject({
    totals: { total_order_count: 8, total_revenue: 6 },
    omitted: { groups: 2, total_order_count: 7, total_revenue: 3, average_order_value: 0.43 },
  });
  expect(await json({ top: 3 })).not.toHaveProperty("omitted");
  expect(() => parseSort("turnover")).toThrow(expect.objectContaining({ code: "invalid_input" }) as Error);
});

test("groups have their total even if only the previous period has several", async () => {
  const current = figuresOf("2026-10-01", "2026-10-31", [row("closed", 9, 9_000)]);
  const both = [row("closed", 5, 5_000), row("canceled", 5, 5_000)];
  const previous = figuresOf("2026-09-01", "2026-09-30", both);
  const table = await rendered(grouped("status", current, previous), "table");
  expect(table).toMatch(/\nTotal +9 +-10% +R\$90\.00 +R\$100\.00 +-10%\n$/);
});
