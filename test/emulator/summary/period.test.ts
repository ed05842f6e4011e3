import { describe, expect, test } from "vitest";

import { chooseReadings } from "../../../src/emulator/readings.js";
import { contextOf, parse } from "./fixture.js";

const instants = (start: string, end: string) =>
  new URLSearchParams({ start_date: start, end_date: end }).toString();
const days = (start: string, end: string) => `date_field=scheduled_date&start_date=${start}&end_date=${end}`;

describe("the span of a period", () => {
  test.each([
    ["six months to the second", instants("2026-05-01T00:00:00-03:00", "2026-11-01T00:00:00-03:00")],
    ["from the 31st to a shorter month's end", days("2025-08-31", "2026-02-28")],
    ["an end in the future", instants("2026-11-01T00:00:00-03:00", "2027-04-01T00:00:00-03:00")],
    // The same instant, written with two offsets.
    ["an end that only looks earlier", instants("2026-05-01T12:00:00+09:00", "2026-05-01T00:00:00-03:00")],
  ])("may be %s", (_, search) => {
    expect(() => parse(search)).not.toThrow();
  });

  test.each([
    [
      "six months and a second",
      instants("2026-05-01T00:00:00-03:00", "2026-11-01T00:00:01-03:00"),
      "at most 6 months",
    ],
    ["six months and a day", days("2026-05-10", "2026-11-11"), "at most 6 months"],
    ["past a shorter month's end", days("2025-08-31", "2026-03-01"), "at most 6 months"],
    ["backwards", instants("2026-05-01T00:00:01Z", "2026-05-01T00:00:00Z"), "must not be before"],
  ])("is not %s", (_, search, details) => {
    expect(() => parse(search)).toThrow(details);
  });

  // From summer to winter time: six months on the wall are an hour more in between.
  const overAutumn = instants("2026-05-15T00:00:00-04:00", "2026-11-15T00:00:00-05:00");
  const ofCaller = instants("2026-05-15T00:00:00-03:00", "2026-11-15T00:00:00-03:00");
  test.each([
    ["written", overAutumn, "America/New_York", true],
    ["written", overAutumn, "UTC", true],
    ["written", ofCaller, "America/New_York", true],
    ["written", ofCaller, "Europe/Lisbon", true],
    ["store", overAutumn, "America/New_York", true],
    ["store", overAutumn, "UTC", false],
    ["store", instants("2026-03-15T00:00:00-03:00", "2026-09-15T00:00:00-03:00"), "Europe/Lisbon", false],
    ["utc", overAutumn, "America/New_York", false],
  ] as const)("by the %s clock may be %s in %s: %s", (six_months_clock, search, zone, accepted) => {
    const readings = chooseReadings({ six_months_clock });
    const read = () => parse(search, { ...contextOf(zone), readings });
    if (accepted) expect(read).not.toThrow();
    else expect(read).toThrow("at most 6 months");
  });
});

describe("how far back", () => {
  // The store's today is 2026-11-20.
  test.each([
    [instants("2023-11-20T00:00:00-03:00", "2023-11-21T00:00:00-03:00"), true],
    [instants("2023-11-19T23:59:59-03:00", "2023-11-21T00:00:00-03:00"), false],
    [days("2023-11-20", "2023-11-21"), true],
    [days("2023-11-19", "2023-11-21"), false],
  ])("%s: %s", (search, accepted) => {
    const read = () => parse(search);
    if (accepted) expect(read).not.toThrow();
    else expect(read).toThrow("start_date must not go back more than 3 years");
  });
});
