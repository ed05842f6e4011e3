/** The time zones of the machine, of cities and of states. */
import { existsSync, symlinkSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { machineZone } from "../../../src/core/preferences.js";
import { brazilianZones, zoneNamed, zoneOfCity } from "../../../src/sales/period.js";
import { temporaryFolder } from "../../support/resources.js";

test.each([
  ["UTC", "UTC"],
  ["GMT", "UTC"],
  ["Etc/GMT+3", "Etc/GMT+3"],
  ["America/Sao_Paulo", "America/Sao_Paulo"],
])("machineZone returns the zone %s as %s, whether TZ or the system sets it", (machine, zone) => {
  vi.stubEnv("TZ", machine);
  const chosen = { byVariable: machineZone(process), bySystem: machineZone({ env: {} }) };
  expect(chosen).toEqual({ byVariable: zone, bySystem: zone });
});

test.each([
  ["<-03>3", "-03:00"],
  ["BRT3", "-03:00"],
  ["<+0530>-5:30", "+05:30"],
  ["", "UTC"],
  [":America/Sao_Paulo", "America/Sao_Paulo"],
  ["posix/America/Sao_Paulo", "America/Sao_Paulo"],
  ["Etc/Unknown", undefined],
  ["CET-1CEST,M3.5.0,M10.5.0/3", undefined],
  ["/nowhere/localtime", undefined],
])("machineZone reads TZ=%j as %s", (TZ, zone) => {
  expect(machineZone({ env: { TZ } })).toBe(zone);
});

test.runIf(existsSync("/usr/share/zoneinfo/America/New_York"))("machineZone returns a file's zone", () => {
  const folder = temporaryFolder();
  const link = path.join(folder, "localtime");
  symlinkSync("/usr/share/zoneinfo/America/New_York", link);
  expect(machineZone({ env: { TZ: `:${link}` } })).toBe("America/New_York");
});

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
