/** What a person answers where a store's time zone is asked for. */
import { describe, expect, test } from "vitest";

import { spokenZone } from "../../../src/sales/period.js";

describe("a zone as a person says it", () => {
  test.each([
    ["America/Sao_Paulo", { zone: "America/Sao_Paulo" }],
    ["america/sao_paulo", { zone: "America/Sao_Paulo" }],
    ["São Paulo", { zone: "America/Sao_Paulo" }],
    ["fortaleza", { zone: "America/Fortaleza" }],
    ["Brasília", { zone: "America/Sao_Paulo" }],
    ["America/Sao_Paolo", { near: "America/Sao_Paulo" }],
    ["sao paolo", { near: "America/Sao_Paulo" }],
    ["nowhere at all", { near: undefined }],
  ])("%s", (answer, meant) => {
    expect(spokenZone(answer)).toEqual(meant);
  });
});
