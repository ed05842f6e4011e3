import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { demo } from "../../src/commands/demo/index.js";
import { openMachine, runToFailure } from "../support/machine.js";

/** A program in comanda's place, and a folder for temporary files. */
async function machineWith(program: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-tour-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = path.join(folder, "program.mjs");
  writeFileSync(script, program);
  const context = { self: [process.execPath, script] as const, env: { COMANDA_STORE: "mine" } };
  const test = await openMachine({ context });
  vi.stubEnv("TMPDIR", folder);
  return { test, left: () => readdirSync(folder) };
}

test("demo shows each command line with its output, and fails where a step doesn't end as it should", async () => {
  const { test, left } = await machineWith(
    "console.log(`store ${process.env.COMANDA_STORE}`); process.exitCode = process.argv[2] === 'env' ? 0 : 9;",
  );
  const { error, stdout } = await runToFailure(demo, test, {});
  expect(error).toMatchObject({
    code: "internal",
    message:
      '"comanda login --store centro --env demo --tz America/Sao_Paulo --no-browser" ended with 9, not with 0.',
  });
  expect(stdout).toMatch(/\n\$ comanda env set demo --base-url http:\S+ .*\nstore undefined\n/);
  expect(stdout).toContain(
    "\n$ comanda login --store centro --env demo --tz America/Sao_Paulo --no-browser\nstore undefined\n",
  );
  expect(left()).toEqual(["program.mjs"]);
});
