/** A machine's own zone, and what a person answers where a store's is asked for. */
import { expect, test, vi } from "vitest";

import { spokenZone } from "../../../src/sales/period.js";
import { machineZone } from "../../../src/sales/preferences.js";

test.each(["UTC", "Etc/UTC", "Zulu", "GMT", "Etc/GMT+3", "Europe/London", "America/Sao_Paulo"])(
  "the machine's zone is the engine's own: %s",
  (zone) => {
    vi.stubEnv("TZ", zone);
    expect(machineZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  },
);

test.each([
  ["america/sao_paulo", { zone: "America/Sao_Paulo" }],
  ["São Paulo", { zone: "America/Sao_Paulo" }],
  ["fortaleza", { zone: "America/Fortaleza" }],
  ["Brasília", { zone: "America/Sao_Paulo" }],
  ["utc", { zone: "UTC" }],
  ["America/Sao_Paolo", { near: "America/Sao_Paulo" }],
  ["sao paolo", { near: "America/Sao_Paulo" }],
  ["nowhere at all", { near: undefined }],
])("a zone as a person says it: %s", (answer, meant) => {
  expect(spokenZone(answer)).toEqual(meant);
});
