import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { runInProcess } from "../support/in-process.js";

/** A program in comanda's place, and a folder for temporary files. */
async function demoWith(program: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-tour-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = path.join(folder, "program.mjs");
  writeFileSync(script, program);
  vi.stubEnv("TMPDIR", folder);
  const ran = await runInProcess(["demo"], [process.execPath, script], { env: { COMANDA_STORE: "mine" } });
  return { ran, left: () => readdirSync(folder) };
}

test("demo shows each command line with its output, and fails where a step doesn't end as it should", async () => {
  const { ran, left } = await demoWith(
    "console.log(`store ${process.env.COMANDA_STORE}`); process.exitCode = process.argv[2] === 'env' ? 0 : 9;",
  );
  const { code, stdout, stderr } = ran;
  expect(code).toBe(1);
  expect(stderr).toContain(
    '"comanda login --store centro --env demo --tz America/Sao_Paulo --no-browser" ended with 9, not with 0.',
  );
  expect(stdout).toMatch(/\n\$ comanda env set demo --base-url http:\S+ .*\nstore undefined\n/);
  expect(stdout).toContain(
    "\n$ comanda login --store centro --env demo --tz America/Sao_Paulo --no-browser\nstore undefined\n",
  );
  expect(left()).toEqual(["program.mjs"]);
});
