import { beforeAll, describe, expect, test } from "vitest";

import { minutes } from "../support/soak.js";
import { play, type TrialResult } from "./plant.js";
import { plantedFaults } from "./planted.js";

let sound: readonly TrialResult[];
let faulty: readonly TrialResult[];

beforeAll(async () => {
  const results = await play([
    ...plantedFaults.map(({ seenBy }) => ({ seenBy })),
    ...plantedFaults.map((fault) => ({ seenBy: fault.seenBy, fault })),
  ]);
  sound = results.slice(0, plantedFaults.length);
  faulty = results.slice(plantedFaults.length);
}, 5 * minutes);

describe("the named test finds the planted fault:", () => {
  test.each(plantedFaults.map(({ decision, fault }, index) => [decision, fault, index] as const))(
    "%s. %s",
    (_decision, _fault, index) => {
      expect({ sound: sound[index], faulty: faulty[index] }).toEqual({ sound: "green", faulty: "red" });
    },
  );
});
