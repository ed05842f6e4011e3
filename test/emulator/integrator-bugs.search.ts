import { describe, expect, test } from "vitest";

import { deviations } from "../../src/emulator/readings.js";
import { bugs, runProgram, type Bug, type Readings } from "./integrator-bugs.js";

const differing = deviations.map(({ reading, value }) => ({ [reading]: value }));

/** The first service that the program fails at. */
async function foundBy(services: readonly Readings[], bug: Bug): Promise<Readings | undefined> {
  for (const readings of services) {
    const isFound = await runProgram(bug, readings).then(
      () => false,
      () => true,
    );
    if (isFound) return readings;
  }
  return undefined;
}

describe("bugs of integrators", () => {
  test("a program without a bug holds under every reading", async () => {
    for (const readings of [{}, ...differing]) await runProgram(undefined, readings);
  });

  test("of 24 the emulator as it is finds 5", async () => {
    const found = await Promise.all(bugs.map(async (bug) => ((await foundBy([{}], bug)) ? [bug] : [])));
    expect(found.flat()).toEqual([
      "refreshes with the first refresh token for ever",
      "sends a fee as a text",
      "leaves the plus sign of an offset in the query",
      "goes on when it was refused with 429",
      "never looks at when its token expires",
    ]);
    expect(bugs).toHaveLength(24);
  });

  test.each(bugs)("the matrix finds a program that %s", async (bug) => {
    expect(await foundBy([{}, ...differing], bug)).toBeDefined();
  });
});
