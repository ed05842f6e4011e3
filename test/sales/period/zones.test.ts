/** The time zones of typed names and of states. */
import { expect, test } from "vitest";

import { resolveZone } from "../../../src/sales/period.js";

test.each([
  ["america/sao_paulo", "America/Sao_Paulo"],
  ["-03:00", "-03:00"],
  ["SP", "America/Sao_Paulo"],
  ["rn", "America/Fortaleza"],
])("resolveZone returns the zone %s as %s", (name, zone) => {
  expect(resolveZone(name)).toBe(zone);
});

test.each([
  ["AM", "AM has two time zones. Use America/Manaus or America/Eirunepe."],
  ["pe", "PE has two time zones. Use America/Recife or America/Noronha."],
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
