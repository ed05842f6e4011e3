import { expect, test } from "vitest";

import { splitPeriod } from "../../../src/sales/period/windows.js";
import { syncQuestions } from "../../../src/sales/plan/sync.js";

const zone = "America/Sao_Paulo";
/** Noon in São Paulo. */
const now = Date.parse("2026-11-20T15:00:00Z");

function windows(since: string, ...dimensions: Parameters<typeof syncQuestions>[0]["dimensions"]) {
  return syncQuestions({ since, dimensions }, { now, zone }).flatMap(({ dimension, period }) =>
    splitPeriod(period).map(({ start, end }) => `${dimension} ${start.slice(0, 10)} ${end.slice(0, 10)}`),
  );
}

test("By day whole months are asked, the one that lasts too, so that the question stays the same", () => {
  expect(windows("2026-10-11", "day")).toEqual(["day 2026-11-01 2026-11-30", "day 2026-10-01 2026-10-31"]);
  expect(windows("2026-11-20", "day")).toEqual(["day 2026-11-01 2026-11-30"]);
});

test("By anything else each day that is over is asked by itself", () => {
  expect(windows("2026-11-18", "hour", "status")).toEqual([
    "hour 2026-11-19 2026-11-19",
    "status 2026-11-19 2026-11-19",
    "hour 2026-11-18 2026-11-18",
    "status 2026-11-18 2026-11-18",
  ]);
});

test("Nothing is asked that lies more than 3 years back", () => {
  const all = windows("2020-01-01", "day");
  expect(all).toHaveLength(37);
  expect(all.at(-1)).toBe("day 2023-11-21 2023-11-30");
  expect(windows("2020-01-01", "hour")).toHaveLength(365 + 366 + 365 - 1);
});
