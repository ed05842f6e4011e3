/** One cause is one story, however many stores or dimensions show it. */
import { expect, test, vi } from "vitest";

import { missingStores, sayGuessedZones, storyLines } from "../../../src/sales/ask/say-of-stores.js";
import { createNumberFormat } from "../../../src/sales/present/number-format.js";
import { restatedLines } from "../../../src/sales/present/restated.js";
import { ComandaError } from "../../../src/shared/errors.js";

test("A thousand sign-ins that have ended are one line, and another store's reason is told beside it", () => {
  const ended = Array.from({ length: 1_000 }, (_, index) => ({
    kind: "missing" as const,
    store: `s${index}`,
    error: new ComandaError("not_signed_in", `The sign-in of "s${index}" has ended.`, {
      hint: `Sign in again: comanda login --store s${index}`,
    }),
  }));
  const away = {
    kind: "missing" as const,
    store: "sul",
    error: new ComandaError("unreachable", "No answer."),
  };
  const { message, hint } = missingStores({ stores: [...ended, away] }) ?? {};
  expect(message).toBe(
    "1001 of 1001 stores gave no figures: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 991 more.",
  );
  expect(hint?.split("\n")).toEqual([
    's0: The sign-in of "s0" has ended. Sign in again: comanda login --store s0 So it is with s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 990 more.',
    "sul: No answer.",
  ]);
});

test("One restated order is one notice, whichever dimensions show it; two of one change stay two", () => {
  const change = {
    ...{ label: null, from: "2026-11-05", to: "2026-11-05" },
    before: { total_order_count: 5, total_revenue: 100.1 },
    after: { total_order_count: 5, total_revenue: 90 },
    since: Date.parse("2026-11-10T12:00:00Z"),
  };
  const format = createNumberFormat({ locale: "en", currency: "BRL" });
  const all = [
    { ...change, dimension: "sales_channel", key: "ifood" },
    { ...change, dimension: "driver_id", key: 13 },
    { ...change, dimension: "driver_id", key: 14 },
    { ...change, dimension: "day", key: "2026-11-05" },
    { ...change, dimension: "day", key: "2026-11-06", from: "2026-11-06", to: "2026-11-06" },
  ] as const;
  expect(restatedLines(all, { format, zone: "UTC", now: Date.parse("2026-11-20T12:00:00Z") })).toEqual([
    "5 Nov restated: -R$10.10 since 10 Nov; also by sales_channel, driver_id",
    "6 Nov restated: -R$10.10 since 10 Nov",
    "driver_id 14, 5 Nov restated: -R$10.10 since 10 Nov",
  ]);
  // A sync asks days by the month, and all else day by day.
  const ofMonth = { ...all[3], from: "2026-11-01", to: "2026-11-30" };
  expect(
    restatedLines([all[0], ofMonth], { format, zone: "UTC", now: Date.parse("2026-11-20T12:00:00Z") }),
  ).toEqual(["5 Nov restated: -R$10.10 since 10 Nov; also by sales_channel"]);
});

test("A thousand stores whose zone nobody said are one warning, and their restated days a few lines", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
  const warn = vi.fn();
  const preferences = { zone: "UTC", zoneIsGuessed: true };
  sayGuessedZones(
    { warn },
    names.map((name) => ({ name, preferences })),
  );
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^The days of s0, .*, s9 and 990 more are counted .*, UTC, .* set <alias> --tz/)],
  ]);
  const restated = names.map((store, index) => ({
    store,
    lines: ["5 Nov restated", `${index} Nov restated`],
  }));
  const lines = storyLines(restated, true);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(/^s0, .* and 990 more: 5 Nov restated$/);
  expect(lines[10]).toBe("… and 990 more, of s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 980 more.");
  expect(storyLines(restated.slice(0, 1), false)).toEqual(["5 Nov restated", "0 Nov restated"]);
});
