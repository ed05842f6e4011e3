/** The headline of a report is as old as the youngest of the answers that have its total. */
import { expect, test } from "vitest";

import { reportPlan } from "../../../src/sales/report/plan.js";
import { orderOf } from "../../emulator/summary/fixture.js";
import { asking, callsOver, emptyKept } from "../support/oracle.js";

const zone = "America/Sao_Paulo";
const given = { zone, dayStarts: "00:00", from: "2026-10-01", to: "2026-10-31" };
const now = Date.parse("2026-11-20T15:00:00Z");
const hourMs = 3_600_000;
const { signal } = new AbortController();
const order = orderOf({ createdAt: Date.parse("2026-10-15T15:00:00Z"), total: 1_000 });

/** The days were asked two hours ago, and everything else now. */
async function headlineAge({ byStatus = false } = {}) {
  const kept = emptyKept();
  const open = (at: number) =>
    callsOver({ zone, orders: [order] }, at, {
      ...{ kept, freshness: { kind: "usual", maxAgeMs: undefined } },
    });
  const asked = asking(given, { now });
  await open(now - 2 * hourMs).calls.grouped({ period: asked.current, dimension: "day" }, signal);
  if (byStatus)
    await open(now - hourMs).calls.grouped({ period: asked.current, dimension: "status" }, signal);
  const { calls, request } = open(now);
  const options = { ...request, compareSections: false, heatmap: false, keys: false, now };
  const figures = await reportPlan(options).fetch(calls, asked, signal);
  return { headline: figures.summary.current.age, all: figures.age };
}

test("With kept days, a report's headline is as young as the sections that say the same, and the page as old as its days", async () => {
  const { headline, all } = await headlineAge();
  expect(headline).toEqual({ askedAt: now, kept: false });
  expect(all).toEqual({ askedAt: now - 2 * hourMs, kept: true });
});

test("How many of a headline's orders are canceled makes it as old as the answer that tells it", async () => {
  expect((await headlineAge({ byStatus: true })).headline).toEqual({ askedAt: now - hourMs, kept: true });
});
