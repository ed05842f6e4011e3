import { expect, test } from "vitest";

import { presentMatrix } from "../../src/commands/emulator/matrix.js";
import { createOutput } from "../../src/cli/context.js";
import { Sink, testContext, testGlobals } from "../support/context.js";

const asItIs = { reading: null, value: null, exit_code: 0, ok: true };
const conflict = { reading: "conflict_status", value: 422, exit_code: 6, ok: false };

async function shown(results: Parameters<typeof presentMatrix>[0]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const output = await createOutput(testContext({ stdout, stderr }), testGlobals({ format: "table" }));
  await presentMatrix(results, output);
  return { stdout: stdout.text, stderr: stderr.text };
}

test("the table names the readings that break a command, and no others", async () => {
  const { stdout, stderr } = await shown([
    asItIs,
    conflict,
    { reading: "challenge", value: true, exit_code: 0, ok: true },
  ]);
  expect(stdout).toMatch(/conflict_status +422 +6/);
  expect(stdout).not.toContain("challenge");
  expect(stdout).toContain("Runs: 3, failed: 1.");
  expect(stderr).toContain("--reading");
});

test("a command that fails without any reading is told to be mended first", async () => {
  const { stderr } = await shown([{ ...asItIs, exit_code: 1, ok: false }]);
  expect(stderr).toContain("mend that first");
});
