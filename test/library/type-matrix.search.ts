/** The library's types with other versions of TypeScript, kinds of modules and runtimes. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { isObject } from "../../src/base/basics.js";
import { modules, packageUser, root } from "../support/package-user.js";

const run = promisify(execFile);
const { folder, installed, remove } = packageUser(["undici-types"]);
const nodeTypes = path.join(folder, "node_modules", "@types");
const oldest = path.join(folder, "oldest");

beforeAll(() => {
  cpSync(path.join(root, "package.json"), path.join(installed, "package.json"));
  cpSync(path.join(root, "dist", "library"), path.join(installed, "dist", "library"), { recursive: true });
  cpSync(path.join(modules, "@types", "node"), path.join(nodeTypes, "node"), { recursive: true });
  const install = ["install", "--prefix", oldest, "--ignore-scripts", "--no-audit", "--silent"];
  execFileSync("npm", [...install, "typescript@5.4.5"], { shell: process.platform === "win32" });

  // The same programs that `npm run check:types` compiles against the sources, as an ES module and as CommonJS.
  const source = readFileSync(path.join(root, "test/library/wrong-programs.test.ts"), "utf8");
  const programs = source
    .slice(0, source.indexOf('test("each wrong program'))
    .replaceAll(/^import .* from "(?:node:fs|vitest)";\n/gm, "")
    .replace("../../src/library/index.js", "comanda")
    .replace("../../src/library/emulator.js", "comanda/testing")
    .concat(
      "export { wrong, right };\n",
      "// @ts-expect-error -- only the command line has this code\n",
      'export const code: ErrorCode = "some_failed";\n',
    );
  for (const name of ["programs.mts", "programs.cts"]) writeFileSync(path.join(folder, name), programs);
});
afterAll(remove);

describe.each([
  ["TypeScript 5.4", path.join(oldest, "node_modules/typescript")],
  [`TypeScript ${ts.version}`, path.join(modules, "typescript")],
])("%s", (_, typescript) => {
  /** Returns the compiler's errors about the programs and the declarations that they import. */
  const faults = async (...options: readonly string[]) => {
    const all = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
    const forNode = ["--module", "nodenext", "--target", "es2022"];
    const command = [path.join(typescript, "bin/tsc"), ...all, ...forNode, ...options];
    const files = ["programs.mts", "programs.cts"];
    return run(process.execPath, [...command, ...files], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (isObject(error) ? String(error["stdout"]) : "no compiler"),
    );
  };

  test("accepts right programs and rejects wrong ones, in Node with and without lib: dom", async () => {
    expect(await faults("--lib", "ES2022,DOM", "--types", "node")).toBe("");
    expect(await faults("--lib", "ES2022", "--types", "node")).toBe("");
  });

  test("does the same in a browser or a worker, without the types of Node", async () => {
    const aside = `${nodeTypes}-aside`;
    renameSync(nodeTypes, aside);
    try {
      expect(await faults("--lib", "ES2022,DOM")).toBe("");
    } finally {
      renameSync(aside, nodeTypes);
    }
  });
});
