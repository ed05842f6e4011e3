/** The time zones of cities and states. */
import { expect, test } from "vitest";

import { brazilianZones, zoneNamed, zoneOfCity } from "../../../src/sales/period.js";

test.each([
  ["São Paulo", "America/Sao_Paulo"],
  ["Brasília", "America/Sao_Paulo"],
  ["joao pessoa", "America/Fortaleza"],
  ["Lisbon", "Europe/Lisbon"],
  ["sao paolo", undefined],
  ["Brasil", undefined],
  ["", undefined],
])("the zone of the city %j is %j", (city, zone) => {
  expect(zoneOfCity(city)).toBe(zone);
});

test.each([
  ["SP", "America/Sao_Paulo"],
  ["RN", "America/Fortaleza"],
  // These states have two time zones.
  ["AM", undefined],
  ["PE", undefined],
])("the zone of the state %s is %j", (state, zone) => {
  expect(zoneNamed(state)).toBe(zone);
});

test("brazilianZones contains only existing zones, and each of the 27 capitals once", () => {
  const capitals = Object.values(brazilianZones).flatMap((each) => Object.values(each));
  expect(new Set(capitals).size).toBe(27);
  const zones = Object.keys(brazilianZones);
  expect(zones).toEqual(zones.filter((zone) => Intl.supportedValuesOf("timeZone").includes(zone)));
});
