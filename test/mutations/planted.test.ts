import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { withFault } from "./plant.js";
import { plantedFaults, type PlantedFault } from "./planted.js";

const decisions = "retry judge transition ask limits leases filters periods windows merge money";

test("each decision has at least three planted faults", () => {
  const names = plantedFaults.map(({ decision }) => decision);
  expect([...new Set(names)].join(" ")).toBe(decisions);
  const tooFew = decisions.split(" ").filter((name) => names.filter((each) => each === name).length < 3);
  expect(tooFew).toEqual([]);
});

test.each(plantedFaults.map((fault) => [fault.fault, fault] as const))(
  "the planted fault matches the code: %s",
  (_name, fault) => {
    const source = readFileSync(path.resolve(import.meta.dirname, "../../src", fault.file), "utf8");
    expect(withFault(source, fault)).not.toBe(source);
  },
);

describe("a planted fault", () => {
  const fault: PlantedFault = {
    ...{ decision: "retry", fault: "It is sent again.", seenBy: { file: "", title: "", group: "" } },
    ...{ file: "a.ts", within: "decide", from: "isSafe(call, 1)", to: "true" },
  };

  test.each([
    ["is gone", "function decide() { return isSafe(call, 2); }", 0],
    ["comes twice", "function decide() { return isSafe(call, 1) && isSafe(call, 1); }", 2],
  ])("is named if its expression %s", (_, source, times) => {
    expect(() => withFault(source, fault)).toThrow(
      `"It is sent again." doesn't fit: decide in src/a.ts has ${times} times: isSafe(call, 1)`,
    );
  });
});
