/** The time zone of the machine, which stores without a setting use. */
import { existsSync, symlinkSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { machineZone } from "../../src/core/preferences.js";
import { temporaryFolder } from "../support/resources.js";

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
  ["BRT24", undefined],
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
