import { expect, test, vi } from "vitest";

import { machineZone } from "../../../src/sales/preferences.js";

const otherNames = ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Universal", "GMT", "Etc/GMT", "GMT0", "Etc/GMT+3"];

test("the machine's zone is the engine's own, for every zone that there is", () => {
  const told: string[] = [];
  for (const zone of [...Intl.supportedValuesOf("timeZone"), ...otherNames]) {
    vi.stubEnv("TZ", zone);
    told.push(machineZone());
    expect(told.at(-1)).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
  expect(new Set(told).size).toBeGreaterThan(300);
});
