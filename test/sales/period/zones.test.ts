/** The time zones of the machine, and of states. */
import { existsSync, symlinkSync } from "node:fs";
import path from "node:path";

import { expect, test, vi } from "vitest";

import { machineZone } from "../../../src/core/preferences.js";
import { resolveZone } from "../../../src/sales/period.js";
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

test.each([
  ["america/sao_paulo", "America/Sao_Paulo"],
  ["-03:00", "-03:00"],
  ["SP", "America/Sao_Paulo"],
  ["rn", "America/Fortaleza"],
])("resolveZone returns the zone %s as %s", (name, zone) => {
  expect(resolveZone(name)).toBe(zone);
});

test.each([
  ["AM", "AM has two time zones. Use one of America/Eirunepe, America/Manaus."],
  ["pe", "PE has two time zones. Use one of America/Noronha, America/Recife."],
  [
    "Curitiba",
    expect.stringMatching(/ or a state such as SP\. Time zones in Brazil: America\/Araguaina, /) as string,
  ],
])("resolveZone rejects %s with a hint", (name, hint) => {
  expect(() => resolveZone(name)).toThrow(expect.objectContaining({ code: "invalid_input", hint }) as Error);
});

test("each of the 27 states has an existing zone, except those with two zones", () => {
  const states = "AC AL AP BA CE DF ES GO MA MG MS MT PA PB PI PR RJ RN RO RR RS SC SE SP TO".split(" ");
  const zones = Intl.supportedValuesOf("timeZone");
  expect(states.map((state) => resolveZone(state)).filter((zone) => !zones.includes(zone))).toEqual([]);
});
