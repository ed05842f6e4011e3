import { expect, test } from "vitest";

import { matrixResult, matrixRuns, presentMatrix } from "../../src/commands/emulator/matrix.js";
import { deviations } from "../../src/emulator/readings.js";
import { createOutput } from "../../src/cli/commander.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const conflict = { reading: "conflict_status", value: 422 };

async function shown(results: Parameters<typeof presentMatrix>[0]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const output = await createOutput(testContext({ stdout, stderr }), testGlobals({ format: "table" }));
  await presentMatrix(results, output);
  await output.finish();
  return { stdout: stdout.text, stderr: stderr.text };
}

test("a matrix runs a command as it is, and then with one thing different each time", () => {
  const [first, ...others] = matrixRuns(false);
  expect(first).toEqual([]);
  expect(others).toEqual(deviations.map((deviation) => [deviation]));
});

test("pairs never set one reading to two values, and never come twice", () => {
  const pairs = matrixRuns(true).filter(({ length }) => length === 2);
  expect(pairs.every(([a, b]) => a?.reading !== b?.reading)).toBe(true);
  expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(pairs.length);
  expect(matrixResult([conflict, { reading: "challenge", value: true }], 0)).toEqual({
    reading: "conflict_status+challenge",
    value: "422+true",
    exit_code: 0,
    ok: true,
  });
});

test("the table names the readings that break a command, and no others", async () => {
  const { stdout, stderr } = await shown([
    matrixResult([], 0),
    matrixResult([conflict], 6),
    matrixResult([{ reading: "challenge", value: true }], 0),
  ]);
  expect(stdout).toMatch(/conflict_status +422 +6/);
  expect(stdout).not.toContain("challenge");
  expect(stdout).toContain("Runs: 3, failed: 1.");
  expect(stderr).toContain("--reading");
});

test("a command that fails without any reading is told to be mended first", async () => {
  const { stderr } = await shown([matrixResult([], 1), matrixResult([conflict], 1)]);
  expect(stderr).toContain("mend that first");
});
