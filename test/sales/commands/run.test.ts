/** What `summary`, `grouped` and `report` find, with options made by hand. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { grouped, type GroupedOptions } from "../../../src/sales/commands/grouped.js";
import { report } from "../../../src/sales/commands/report.js";
import type { ReportOptions } from "../../../src/sales/commands/report-output.js";
import { summary } from "../../../src/sales/commands/summary.js";
import type { SalesOptions } from "../../../src/sales/ask/options.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { startEmulator } from "../../support/emulators.js";
import { Desk, tokenFor } from "../../support/desk.js";

const desk = new Desk({ COMANDA_RATE_LIMITS: "off" });
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ orders: 300, seed: 3, now: desk.clock, rateLimits: false });
  await desk.signIn("centro", emulator.baseUrl, tokenFor(emulator, 501));
  await desk.signIn("velho", emulator.baseUrl, "a-token-that-nobody-gave");
});
afterAll(async () => {
  await emulator.close();
  desk.remove();
});

const options: SalesOptions = {
  stores: ["centro"],
  allStores: false,
  request: {
    period: { period: "2026-10" },
    dateField: undefined,
    filters: [],
    comparison: undefined,
    comparisonIsOptional: false,
  },
  presentation: { time_zone: "UTC" },
  freshness: { kind: "fresh" },
};
const compared: SalesOptions = { ...options, request: { ...options.request, comparison: "previous" } };

const noAlerts = { rules: [], weeks: undefined };

test("summary finds one store's figures of one period", async () => {
  const result = await summary.run(await desk.machine(), {
    ...options,
    mayAskCanceled: false,
    alerts: noAlerts,
  });
  expect(result).toMatchObject({
    areSeveral: false,
    stores: [
      {
        store: "centro",
        zone: "UTC",
        window: "2026-10-01 to 2026-10-31 (UTC)",
        figures: { current: { period: { label: "2026-10" } } },
      },
    ],
  });
  expect(summary.failure?.(result)).toBeUndefined();
});

test("summary of several stores tells the store that gave no figures from the others, and covers those", async () => {
  const all = { ...compared, stores: [], allStores: true, mayAskCanceled: false, alerts: noAlerts } as const;
  const result = await summary.run(await desk.machine(), all);
  expect(result).toMatchObject({
    areSeveral: true,
    stores: [
      {
        kind: "figures",
        store: "centro",
        figures: { previous: { period: { from: { date: "2026-09-01" } } } },
      },
      { kind: "missing", store: "velho", error: { code: "token_refused" } },
    ],
    totals: [{ covered: ["centro"], figures: { previous: { period: { from: { date: "2026-09-01" } } } } }],
  });
  expect(summary.failure?.(result)).toMatchObject({ code: "some_failed", exitCode: 10 });
});

test("grouped finds the groups of both periods that are compared", async () => {
  const given: GroupedOptions = {
    ...compared,
    dimension: "month",
    ranking: { rest: false },
    chart: undefined,
    fill: true,
    alerts: noAlerts,
  };
  const result = await grouped.run(await desk.machine(), given);
  expect(result).toMatchObject({
    stores: [
      {
        figures: {
          current: { figures: { grouped: { group_by: "month", groups: [{ key: "2026-10" }] } } },
          previous: { figures: { grouped: { groups: [{ key: "2026-09" }] } } },
        },
      },
    ],
  });
});

test("report hands its figures for machines to stdout where no file is named", async () => {
  const given: ReportOptions = {
    ...compared,
    format: "csv",
    out: undefined,
    open: false,
    fill: true,
    compareSections: false,
    heatmap: false,
    filters: [],
    dryRun: false,
  };
  const result = await report.run(await desk.machine(), given);
  expect(result).toMatchObject({ content: expect.stringMatching(/^section,key,label,/) as string });
});

test("report has no hours of scheduled dates", async () => {
  const request = { ...options.request, dateField: "scheduled_date" as const };
  const given: ReportOptions = {
    ...options,
    request,
    format: "json",
    out: "-",
    open: false,
    fill: true,
    compareSections: false,
    heatmap: false,
    filters: [],
    dryRun: false,
  };
  const result = await report.run(await desk.machine(), given);
  const text = result.kind === "report" ? result.content : undefined;
  const { grouped: sections } = JSON.parse(String(text)) as { grouped: object };
  expect(Object.keys(sections)).toContain("day");
  expect(Object.keys(sections)).not.toContain("hour");
});
