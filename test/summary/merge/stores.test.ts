import { describe, expect, it } from "vitest";

import type { Dimension, Group } from "../../../src/contract/summary.js";
import { ComandaError } from "../../../src/errors/index.js";
import { compareMetrics } from "../../../src/summary/compare/metrics.js";
import { fetchGrouped, type FetchedGroups } from "../../../src/summary/plan/fetch.js";
import { resolvePeriod } from "../../../src/summary/period/resolve.js";
import {
  comparisonShape,
  groupedShape,
  periodShape,
  storesShape,
} from "../../../src/summary/present/json.js";
import { totalOfGroups, totalOfSummaries } from "../../../src/summary/merge/stores.js";
import type { Window } from "../../../src/summary/period/windows.js";

const summary = (total_order_count: number, total_revenue: number, average_order_value: number) => ({
  total_order_count,
  total_revenue,
  average_order_value,
});
const refused = new ComandaError("token_refused", "The token was refused.");

const windows: readonly Window[] = [
  ["2025-06-01", "2025-10-31"],
  ["2025-11-01", "2026-03-31"],
  ["2026-04-01", "2026-08-31"],
].map(([firstDay = "", lastDay = ""]) => ({ start: firstDay, end: lastDay, firstDay, lastDay }));

function group(key: Group["key"], cents: number, label: string | null = null): Group {
  return { key, label, ...summary(1, cents / 100, cents / 100) };
}

function fetched(dimension: Dimension, ...lists: Group[][]): Promise<FetchedGroups> {
  const answers = lists.values();
  return fetchGrouped({
    windows: windows.slice(0, lists.length),
    dimension,
    fetch: () => Promise.resolve({ group_by: dimension, groups: answers.next().value ?? [] }),
  });
}

describe("several stores", () => {
  it("are summed up over those that answered, and the total says which", () => {
    const results = [
      { store: "centro", figures: { ...summary(2, 0.1, 0.05), extra: 1 } },
      { store: "praia", error: refused },
      { store: "norte", figures: summary(1, 0.2, 0.2) },
    ];
    const total = totalOfSummaries(results);
    expect(storesShape(results, total)).toEqual({
      stores: [
        { store: "centro", ...summary(2, 0.1, 0.05), extra: 1 },
        { store: "praia", error: { exit_code: 3, code: "token_refused", message: "The token was refused." } },
        { store: "norte", ...summary(1, 0.2, 0.2) },
      ],
      total: { stores: ["centro", "norte"], ...summary(3, 0.3, 0.1) },
    });
    expect(total?.failed).toEqual(["praia"]);
  });

  it("have no total where none answered: 0 orders would be a lie", () => {
    const results = [{ store: "praia", error: refused }];
    expect(storesShape(results, totalOfSummaries(results)).total).toBeNull();
  });

  it("merge groups by key; drivers and payment methods only where the label agrees too", async () => {
    const total = async (dimension: Dimension) => {
      const results = [
        {
          store: "a",
          figures: await fetched(dimension, [group(1, 10, "Ana"), group(null, 5, "Não informado")]),
        },
        {
          store: "b",
          figures: await fetched(dimension, [group(1, 20, "Bia"), group(null, 6, "Não informado")]),
        },
      ];
      return totalOfGroups(results, dimension)?.figures.grouped.groups.map(({ key, total_revenue }) => [
        key,
        total_revenue,
      ]);
    };
    expect(await total("driver_id")).toEqual([
      [1, 0.1],
      [1, 0.2],
      [null, 0.11],
    ]);
    expect(await total("customer_origin")).toEqual([
      [1, 0.3],
      [null, 0.11],
    ]);
  });

  it("keep years apart, also where a store has nothing in one of them", async () => {
    const results = [
      { store: "a", figures: await fetched("month", [group(7, 1)], [group(12, 2)], [group(7, 4)]) },
      { store: "b", figures: await fetched("month", [], [], [group(7, 8), group(8, 16)]) },
    ];
    expect(
      totalOfGroups(results, "month")?.figures.grouped.groups.map(({ key, total_revenue }) => [
        key,
        total_revenue,
      ]),
    ).toEqual([
      [7, 0.01],
      [12, 0.02],
      [7, 0.12],
      [8, 0.16],
    ]);
  });
});

describe("shapes", () => {
  const period = resolvePeriod(
    { period: "2026-10" },
    { now: Date.parse("2026-11-20T12:00:00Z"), zone: "UTC" },
  );

  it("write a period as it was asked for", () => {
    expect(periodShape(period)).toEqual({
      label: "2026-10",
      from: "2026-10-01T00:00:00+00:00",
      to: "2026-10-31T23:59:59.999999+00:00",
      zone: "UTC",
    });
    expect(periodShape(period, "scheduled_date")).toMatchObject({ from: "2026-10-01", to: "2026-10-31" });
  });

  it("set two periods side by side", () => {
    const [current, previous] = [summary(2, 10, 5), summary(1, 5, 5)];
    const [now, then] = [
      { ...periodShape(period), label: "now" },
      { ...periodShape(period), label: "then" },
    ];
    const change = compareMetrics(current, previous);
    expect(
      comparisonShape({ period: now, figures: current }, { period: then, figures: previous }, change),
    ).toEqual({
      current: { period: now, ...current },
      previous: { period: then, ...previous },
      change,
    });
  });

  it("add the rest of the groups only where there is one", () => {
    const grouped = { group_by: "status", groups: [] };
    expect(groupedShape(grouped)).toBe(grouped);
    const rest = { group_count: 3, ...summary(1, 1, 1) };
    expect(groupedShape(grouped, rest)).toEqual({ ...grouped, rest });
  });
});
