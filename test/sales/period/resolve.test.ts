import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { ComandaError } from "../../../src/shared/errors.js";
import { describePeriod } from "../../../src/sales/period/period.js";
import { type PeriodRequest, resolvePeriod } from "../../../src/sales/period/resolve.js";
import { zones } from "../support/arbitraries.js";

/** A Friday, 15:17:22.5 in São Paulo. */
const now = Date.parse("2026-11-20T18:17:22.500Z");
const context = { now, zone: "America/Sao_Paulo" };

function refusal(request: PeriodRequest, overrides: Partial<Parameters<typeof resolvePeriod>[1]> = {}) {
  try {
    resolvePeriod(request, { ...context, ...overrides });
  } catch (error) {
    return error as ComandaError;
  }
  throw new Error(`accepted: ${JSON.stringify(request)}`);
}

describe("in Portuguese", () => {
  test.each([
    ["hoje", "today"],
    ["ONTEM", "yesterday"],
    ["esta-semana", "this-week"],
    ["semana passada", "last-week"],
    ["este-mês", "this-month"],
    ["mês-passado", "last-month"],
    ["mes-passado", "last-month"],
    ["este-ano", "this-year"],
    ["ano-passado", "last-year"],
    ["últimos-7-dias", "last-7-days"],
    ["ultimos-7-dias", "last-7-days"],
    ["11/2025", "2025-11"],
    ["5/10/2026", "2026-10-05"],
    ["quinta", "2026-11-19"],
    ["Sexta-feira", "2026-11-20"],
    ["sábado", "2026-11-14"],
    ["monday", "2026-11-16"],
    ["outubro", "2026-10"],
    ["novembro", "2026-11"],
    ["december", "2025-12"],
    ["outubro de 2025", "2025-10"],
    ["05/10", "2026-10-05"],
    ["20/11", "2026-11-20"],
    ["21/11", "2025-11-21"],
    ["Anteontem", "2026-11-18"],
    ["Last month", "last-month"],
    ["last 3 days", "last-3-days"],
  ])("the period %s is %s", (typed, name) => {
    expect(resolvePeriod({ period: typed }, context)).toEqual(resolvePeriod({ period: name }, context));
  });

  test("two dates are a day and a month", () => {
    const typed = resolvePeriod({ from: "01/10/2026", to: "05/10/2026" }, context);
    expect(typed).toEqual(resolvePeriod({ from: "2026-10-01", to: "2026-10-05" }, context));
  });

  test.each([
    [{ from: "ontem" }, { from: "2026-11-19" }],
    [{ from: "last-month" }, { from: "2026-10-01" }],
    [
      { from: "mês-passado", to: "ontem" },
      { from: "2026-10-01", to: "2026-11-19" },
    ],
    [
      { from: "terça", to: "19/11" },
      { from: "2026-11-17", to: "2026-11-19" },
    ],
    [
      { from: "09/2026", to: "last-month" },
      { from: "2026-09-01", to: "2026-10-31" },
    ],
    [
      { from: "últimos-7-dias", to: "hoje" },
      { from: "2026-11-13", to: "2026-11-20" },
    ],
  ])("the edges %j are the days %j", (typed, days) => {
    expect(resolvePeriod(typed, context)).toEqual(resolvePeriod(days, context));
  });

  test.each([
    [{ from: "ontm" }, '--from "ontm" is neither a date nor a date-time with offset. Did you mean "ontem"?'],
    [{ from: "2026-10-01", to: "2026-13" }, "There is no month 2026-13."],
    [{ period: "mes-pasado" }, 'There is no period "mes-pasado". Did you mean "mês-passado"?'],
    [{ period: "otubro" }, 'There is no period "otubro". Did you mean "outubro"?'],
    [{ period: "31/02/2026" }, "There is no day 2026-02-31."],
    [{ period: "31/02" }, "There is no day 2026-02-31."],
    [{ period: "05/13" }, "There is no day 2025-13-05."],
  ])("%j is refused", (request, message) => {
    expect(refusal(request)).toMatchObject({ code: "invalid_input", message });
  });
});

describe("--period", () => {
  test.each([
    ["today", "2026-11-20", "2026-11-20 15:17"],
    ["yesterday", "2026-11-19", "2026-11-19"],
    ["this-week", "2026-11-16", "2026-11-20 15:17"],
    ["last-week", "2026-11-09", "2026-11-15"],
    ["this-month", "2026-11-01", "2026-11-20 15:17"],
    ["last-month", "2026-10-01", "2026-10-31"],
    ["2025", "2025-01-01", "2025-12-31"],
    ["last-1-day", "2026-11-19", "2026-11-19"],
    ["last-7-days", "2026-11-13", "2026-11-19"],
    ["last-30-days", "2026-10-21", "2026-11-19"],
    ["this-year", "2026-01-01", "2026-11-20 15:17"],
    ["last-year", "2025-01-01", "2025-12-31"],
    ["2026-02", "2026-02-01", "2026-02-28"],
    ["2024-02", "2024-02-01", "2024-02-29"],
    ["2026-10-05", "2026-10-05", "2026-10-05"],
  ])("The period %s is %s to %s", (period, from, to) => {
    const resolved = resolvePeriod({ period }, context);
    expect(resolved.label).toBe(period);
    expect(resolved.zone).toBe("America/Sao_Paulo");
    const days = from === to ? from : `${from} to ${to}`;
    expect(describePeriod(resolved)).toBe(`${days} (America/Sao_Paulo)`);
  });

  test("A period that is still running ends now, to the second", () => {
    expect(resolvePeriod({ period: "this-week" }, context)).toMatchObject({
      kind: "running",
      from: { date: "2026-11-16", sent: "2026-11-16T00:00:00-03:00" },
      to: { date: "2026-11-20", sent: "2026-11-20T15:17:22-03:00" },
    });
  });

  test("The last days include today as the first of --from", () => {
    expect(resolvePeriod({ from: "last-6-days" }, context)).toMatchObject({
      kind: "running",
      from: { date: "2026-11-14" },
      to: { sent: "2026-11-20T15:17:22-03:00" },
    });
  });

  test("Today is the day of the zone, not of the machine or UTC", () => {
    const late = Date.parse("2026-11-21T01:00:00Z");
    const today = (zone: string) => resolvePeriod({ period: "today" }, { now: late, zone }).from.sent;
    expect(today("America/Sao_Paulo")).toBe("2026-11-20T00:00:00-03:00");
    expect(today("Europe/Lisbon")).toBe("2026-11-21T00:00:00+00:00");
    expect(today("Pacific/Apia")).toBe("2026-11-21T00:00:00+13:00");
  });

  test("A week begins on Monday, on a Monday and on a Sunday", () => {
    const week = (iso: string) =>
      resolvePeriod({ period: "this-week" }, { now: Date.parse(iso), zone: "UTC" }).from.date;
    expect(week("2026-11-16T00:00:00Z")).toBe("2026-11-16");
    expect(week("2026-11-22T23:59:59Z")).toBe("2026-11-16");
  });

  test.each([
    ["last-mont", "last-month"],
    ["yesteday", "yesterday"],
    ["last-7-dais", "last-7-days"],
  ])("For the period %s the suggestion is %s", (period, meant) => {
    const error = refusal({ period });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(`"${meant}"`);
    expect(error.hint).toContain("last-N-days");
  });

  test.each([
    "",
    "soon",
    "last-0-days",
    "last--1-days",
    "last-1000000-days",
    "20260",
    "2026-13",
    "2026-00",
    "2026-02-30",
  ])("The period %j is refused", (period) => {
    expect(refusal({ period }).code).toBe("invalid_input");
  });

  test("A period is whole days, whatever the zone and the time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2012, 0, 3), max: Date.UTC(2030, 0, 1) }),
        fc.constantFrom("yesterday", "last-week", "last-month", "last-year", "last-10-days"),
        (zone, at, period) => {
          const { start, end, to } = resolvePeriod({ period }, { now: at, zone });
          const before = start.subtract({ microseconds: 1 });
          const after = end.add({ microseconds: 1 });
          expect(before.toPlainDate().equals(start.toPlainDate())).toBe(false);
          expect(after.toPlainDate().toString() > to.date).toBe(true);
          expect(end.epochMilliseconds).toBeLessThan(at);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("A period has days of 23 and 25 hours where the clocks change", () => {
    const hours = (day: string, zone: string) => {
      const { start, end } = resolvePeriod({ period: day }, { now, zone });
      return Math.round(start.until(end).total("hours") * 10) / 10;
    };
    expect(hours("2026-03-29", "Europe/Lisbon")).toBe(23);
    expect(hours("2026-10-25", "Europe/Lisbon")).toBe(25);
    expect(hours("2026-10-04", "Australia/Lord_Howe")).toBe(23.5);
    expect(hours("2026-10-05", "Europe/Lisbon")).toBe(24);
  });
});

describe("--from and --to", () => {
  test("--from and --to include both days", () => {
    expect(resolvePeriod({ from: "2026-10-01", to: "2026-10-05" }, context)).toMatchObject({
      label: "2026-10-01 to 2026-10-05",
      kind: "days",
      from: { sent: "2026-10-01T00:00:00-03:00" },
      to: { sent: "2026-10-05T23:59:59.999999-03:00" },
    });
  });

  test("--from and --to pass date-times on as they were typed", () => {
    const request = { from: "2026-10-01T08:00Z", to: "2026-10-01T22:00:00.50+02:00" };
    const resolved = resolvePeriod(request, context);
    expect(resolved).toMatchObject({
      kind: "instants",
      from: { date: "2026-10-01", sent: request.from },
      to: { date: "2026-10-01", sent: request.to },
    });
    expect(describePeriod(resolved)).toBe(`${request.from} to ${request.to}`);
  });

  test("A period with --from alone runs until now", () => {
    expect(resolvePeriod({ from: "2026-11-10" }, context)).toMatchObject({
      kind: "running",
      to: { sent: "2026-11-20T15:17:22-03:00" },
    });
    expect(resolvePeriod({ from: "2026-11-10T08:00:00-03:00" }, context)).toMatchObject({
      kind: "instants",
      from: { sent: "2026-11-10T08:00:00-03:00" },
      to: { sent: "2026-11-20T15:17:22-03:00" },
    });
  });

  test.each<[string, PeriodRequest]>([
    ["nothing at all", {}],
    ["an end alone", { to: "2026-10-01" }],
    ["a name beside them", { period: "today", from: "2026-10-01" }],
    ["a date and a date-time", { from: "2026-10-01", to: "2026-10-02T00:00:00Z" }],
    ["the end before the start", { from: "2026-10-02", to: "2026-10-01" }],
    ["the end before the start, in time", { from: "2026-10-02T00:00:00Z", to: "2026-10-02T00:00:00+01:00" }],
    ["a day that isn't there", { from: "2026-02-30", to: "2026-03-01" }],
    ["an hour that isn't there", { from: "2026-02-03T25:00:00Z", to: "2026-03-01T00:00:00Z" }],
    ["a date-time without offset", { from: "2026-02-03T10:00:00", to: "2026-03-01T00:00:00" }],
    ["a date-time with a zone's name", { from: "2026-02-03T10:00:00Z[UTC]", to: "2026-03-01T00:00:00Z" }],
    ["another order of the parts", { from: "01-10-2026", to: "02-10-2026" }],
  ])("--from and --to refuse %s", (_, request) => {
    expect(refusal(request).code).toBe("invalid_input");
  });

  test.each<[PeriodRequest, string]>([
    [{}, "No period is given."],
    [{ to: "2026-10-01" }, "--to is given without --from."],
    [{ from: "2026-10-02", to: "2026-10-01" }, "The period ends (2026-10-01) before it starts (2026-10-02)."],
    [
      { from: "2026-10-02T00:00:00Z", to: "2026-10-02T00:00:00+01:00" },
      "The period ends (2026-10-02T00:00:00+01:00) before it starts (2026-10-02T00:00:00Z).",
    ],
  ])("--from and --to say what is wrong with %j", (request, message) => {
    expect(refusal(request).message).toBe(message);
  });
});

describe("zones", () => {
  test("Zones are known in any case, and suggested", () => {
    expect(resolvePeriod({ period: "today" }, { now, zone: "europe/lisbon" }).zone).toBe("Europe/Lisbon");
    const error = refusal({ period: "today" }, { zone: "America/SaoPaulo" });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain('"America/Sao_Paulo"');
  });

  test("A zone can leave a day out", () => {
    const then = { now: Date.parse("2012-03-01T00:00:00Z"), zone: "Pacific/Apia" };
    expect(refusal({ period: "2011-12-30" }, then).message).toContain("no day 2011-12-30");
    expect(resolvePeriod({ from: "2011-12-30", to: "2011-12-31" }, then)).toMatchObject({
      from: { sent: "2011-12-31T00:00:00+14:00" },
      to: { sent: "2011-12-31T23:59:59.999999+14:00" },
    });
  });
});

describe("the service's limits", () => {
  test.each([
    ["2023-11-18", "more than 3 years back"],
    ["2026-11-22", "in the future"],
  ])("A period that starts on %s is refused: %s", (from, why) => {
    const error = refusal({ from, to: "2026-11-30" });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(why);
    expect(error.hint).toBeDefined();
  });

  test.each(["2023-11-19", "2023-11-20", "2026-11-20", "2026-11-21"])(
    "A period that starts on %s is left to the service",
    (from) => {
      expect(resolvePeriod({ from, to: "2026-11-30" }, context).from.date).toBe(from);
    },
  );

  test("Orders can be scheduled for days to come", () => {
    const request = { from: "2026-12-24", to: "2026-12-31" };
    expect(resolvePeriod(request, { ...context, dateField: "scheduled_date" }).from.date).toBe("2026-12-24");
  });
});
