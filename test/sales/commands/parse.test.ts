/** How `summary`, `grouped` and `report` read what was typed. */
import { describe, expect, test } from "vitest";

import { grouped } from "../../../src/sales/commands/grouped.js";
import { report } from "../../../src/sales/commands/report.js";
import { summary } from "../../../src/sales/commands/summary.js";
import { parse } from "../../support/parse.js";

const words = (line: string) => line.split(" ").filter(Boolean);
const plain = {
  request: {
    period: { period: "yesterday", from: undefined, to: undefined },
    dateField: undefined,
    filters: [],
    comparison: undefined,
    comparisonIsOptional: false,
  },
  presentation: { time_zone: undefined, locale: undefined, currency: undefined },
  freshness: { kind: "usual", maxAgeMs: undefined },
};

describe("summary", () => {
  test.each([
    ["", plain],
    ["--period last-week", { request: { period: { period: "last-week" } } }],
    ["--from 2026-10-01", { request: { period: { period: undefined, from: "2026-10-01" } } }],
    ["--date-field scheduled_date", { request: { dateField: "scheduled_date" } }],
    ["--compare year", { request: { comparison: "year" } }],
    ["--compare month", { request: { period: { period: "month-to-yesterday" }, comparison: "month" } }],
    ["-p este-mês --compare month", { request: { period: { period: "month-to-yesterday" } } }],
    ["-p 2026-09 --compare month", { request: { period: { period: "2026-09" }, comparison: "month" } }],
    ["--compare none", { request: { comparison: undefined } }],
    [
      "-f status=closed -f total>=50",
      {
        request: {
          filters: [
            { field: "status", operator: "in", values: ["closed"] },
            { field: "total", operator: "gteq", values: ["50"] },
          ],
        },
      },
    ],
    [
      "--tz UTC --locale pt_br --currency brl",
      { presentation: { time_zone: "UTC", locale: "pt-BR", currency: "BRL" } },
    ],
    ["--fresh", { freshness: { kind: "fresh" } }],
    ["--net", { request: { filters: [{ field: "status", operator: "not_in", values: ["canceled"] }] } }],
    ["", { mayAskCanceled: true }],
    ["--json", { mayAskCanceled: false }],
    ["--offline", { freshness: { kind: "offline" } }],
    ["--max-age 90m", { freshness: { kind: "usual", maxAgeMs: 90 * 60_000 } }],
    ["--max-age 40d", { freshness: { kind: "usual", maxAgeMs: 40 * 86_400_000 } }],
    ["--as-of mês-passado", { freshness: { kind: "as of", date: "mês-passado" } }],
    ["--as-of 2026-11-01", { freshness: { kind: "as of", date: "2026-11-01" } }],
    ["--append sales.csv --all-stores", { append: { file: "sales.csv", update: false }, allStores: true }],
  ])("summary reads its options from %j", async (line, options) => {
    await expect(parse(summary, ...words(line))).resolves.toMatchObject(options);
  });

  test.each([
    ["--filter status=closd", "invalid_input"],
    ["--compare last", "invalid_input"],
    ["--currency REAL", "invalid_input"],
    ["--locale xx-not-one", "invalid_input"],
    ["--max-age soon", "usage"],
    ["--max-age 1100d", "usage"],
    ["--max-age -1d", "usage"],
    ["--as-of yestrday", "usage"],
    ["--as-of 2026-02-30", "invalid_input"],
    ["--fresh --offline", "usage"],
    ["--max-age 1h --as-of 2026-11-01", "usage"],
    ["--append -", "usage"],
    ["--append sales.csv --net", "usage"],
    ["--append sales.csv --filter total>=50", "usage"],
    ["--append sales.csv --compare week", "usage"],
    ["--append sales.csv --json", "usage"],
    ["--append sales.csv --dry-run", "usage"],
  ])("summary refuses %s as %s", async (line, code) => {
    await expect(parse(summary, ...words(line))).rejects.toMatchObject({ code });
  });
});

describe("grouped", () => {
  const byRevenue = { sort: { field: "revenue", descending: true }, top: 3, rest: true };
  test.each([
    [
      "--by hour",
      {
        ...plain,
        dimension: "hour",
        chart: undefined,
        ranking: { sort: undefined, top: undefined, rest: false },
      },
    ],
    ["--by day-of-week --chart", { dimension: "day_of_week", chart: true }],
    ["--by driver_id --top 3 --rest", { ranking: byRevenue }],
    [
      "--by driver_id --top 3 --sort label",
      { ranking: { sort: { field: "label", descending: false }, top: 3 } },
    ],
    ["--by driver_id --sort orders:asc", { ranking: { sort: { field: "orders", descending: false } } }],
  ])("grouped reads its options from %j", async (line, options) => {
    await expect(parse(grouped, ...words(line))).resolves.toMatchObject(options);
  });

  test.each([
    ["", "usage"],
    ["--by dy", "invalid_input"],
    ["--by hour --date-field scheduled_date", "invalid_input"],
    ["--by day --rest", "usage"],
    ["--by day --top 0", "usage"],
    ["--by day --top=-1", "usage"],
    ["--by day --top 1.5", "usage"],
    ["--by day --top ten", "usage"],
    ["--by day --sort price", "invalid_input"],
    ["--by day --chart --json", "usage"],
  ])("grouped refuses %j as %s", async (line, code) => {
    await expect(parse(grouped, ...words(line))).rejects.toMatchObject({ code });
  });
});

describe("report", () => {
  test.each([
    [
      "",
      {
        format: "page",
        out: undefined,
        open: false,
        filters: [],
        request: { period: { period: "last-month" }, comparison: "previous", comparisonIsOptional: true },
      },
    ],
    [
      "--compare year -o october.html --open",
      { out: "october.html", open: true, request: { comparison: "year" } },
    ],
    ["--compare none", { request: { comparison: undefined } }],
    ["--json", { format: "json" }],
    ["--filter status!=canceled", { filters: ["status!=canceled"] }],
    ["--net", { filters: ["status!=canceled"] }],
  ])("report reads its options from %j", async (line, options) => {
    await expect(parse(report, ...words(line))).resolves.toMatchObject(options);
  });

  test.each(["--format markdown", "--open --json", "--open --out -"])("and refuses %s", async (line) => {
    await expect(parse(report, ...words(line))).rejects.toMatchObject({ code: "usage" });
  });
});
