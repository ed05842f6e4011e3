/** The machine's time zone, and the zones of cities. */
import { existsSync, symlinkSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { brazilianZones, zoneNamed, zoneOfCity } from "../../../src/sales/period.js";
import { machineZone } from "../../../src/core/preferences.js";
import { temporaryFolder } from "../../support/cleanup.js";

test.each([
  ["UTC", "UTC"],
  ["Etc/UTC", "UTC"],
  ["Zulu", "UTC"],
  ["GMT", "UTC"],
  ["Etc/GMT+3", "Etc/GMT+3"],
  ["Europe/London", "Europe/London"],
  ["America/Sao_Paulo", "America/Sao_Paulo"],
])("machineZone returns the zone %s as %s, whether TZ or the system sets it", (machine, zone) => {
  vi.stubEnv("TZ", machine);
  expect({ byVariable: machineZone(process), bySystem: machineZone({ env: {} }) }).toEqual({
    byVariable: zone,
    bySystem: zone,
  });
});

test.each([
  ["<-03>3", "-03:00"],
  ["UTC+3", "-03:00"],
  ["BRT3", "-03:00"],
  ["GMT-3", "+03:00"],
  ["<+0530>-5:30", "+05:30"],
  ["UTC0", "UTC"],
  ["", "UTC"],
  [":", "UTC"],
  [":America/Sao_Paulo", "America/Sao_Paulo"],
  ["posix/America/Sao_Paulo", "America/Sao_Paulo"],
  ["junk", undefined],
  ["Etc/Unknown", undefined],
  ["+3", undefined],
  ["CET-1CEST,M3.5.0,M10.5.0/3", undefined],
  ["/nowhere/localtime", undefined],
])("machineZone reads TZ=%j as %s", (TZ, zone) => {
  expect(machineZone({ env: { TZ } })).toBe(zone);
});

test.runIf(existsSync("/usr/share/zoneinfo/America/New_York"))(
  "machineZone returns the zone of a file",
  () => {
    const folder = temporaryFolder();
    const link = path.join(folder, "localtime");
    symlinkSync("/usr/share/zoneinfo/America/New_York", link);
    expect(machineZone({ env: { TZ: `:${link}` } })).toBe("America/New_York");
  },
);

test.each([
  ["São Paulo", "America/Sao_Paulo"],
  ["sao_paulo", "America/Sao_Paulo"],
  ["Brasília", "America/Sao_Paulo"],
  ["CURITIBA", "America/Sao_Paulo"],
  ["salvador", "America/Bahia"],
  ["joao pessoa", "America/Fortaleza"],
  ["Lisbon", "Europe/Lisbon"],
  ["sao paolo", undefined],
  ["Campinas", undefined],
  ["banana", undefined],
  ["Brasil", undefined],
  ["", undefined],
])("the zone of the city %j is %j", (city, zone) => {
  expect(zoneOfCity(city)).toBe(zone);
});

test.each([
  ["SP", "America/Sao_Paulo"],
  ["mt", "America/Cuiaba"],
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
