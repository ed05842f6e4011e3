import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { withFault } from "./plant.js";
import { plantedFaults } from "./planted.js";

const decisions = "retry judge transition ask limits leases filters periods windows merge money";

test("each decision has three planted faults or more, which fit the code as it is", () => {
  const names = plantedFaults.map(({ decision }) => decision);
  expect([...new Set(names)].join(" ")).toBe(decisions);
  for (const name of names) expect(names.filter((each) => each === name).length).toBeGreaterThanOrEqual(3);
  for (const fault of plantedFaults) {
    const source = readFileSync(path.resolve(import.meta.dirname, "../../src", fault.file), "utf8");
    expect(withFault(source, fault)).not.toBe(source);
  }
});
