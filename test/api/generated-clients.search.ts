/** Clients that public generators make from `comanda openapi`, tested against the emulator. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { fetched } from "../support/fetched.js";
import { temporaryFolder } from "../support/resources.js";

const root = path.resolve(import.meta.dirname, "../..");
const generators = fetched("generators", ".bin");
const comanda = [path.join(root, "bin", "comanda.js")];
const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) console.warn("Python isn't installed: its suite against the emulator is skipped.");

const folder = temporaryFolder();
cpSync(path.join(root, "examples", "generated"), folder, { recursive: true });
writeFileSync(path.join(folder, "package.json"), `{ "type": "module" }`);
const document = execFileSync(process.execPath, [...comanda, "openapi"], { maxBuffer: 1e8 });
writeFileSync(path.join(folder, "openapi.json"), document);
const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { cwd: folder, encoding: "utf8" });
const passes = (...suite: string[]) => {
  const { status, stdout, stderr } = run(process.execPath, ...comanda, "emulator", "exec", "--", ...suite);
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
};

describe("a client that is generated from the document", () => {
  test("by openapi-typescript compiles strictly, and its suite passes", ({ skip }) => {
    // Installed only for this: as packages of the project, they would be a tenth of each `npm ci`.
    const wanted = ["openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "@types/node@20"];
    const { status } = run("npm", "install", "--ignore-scripts", "--no-audit", ...wanted);
    skip(status !== 0, `${wanted.join(" ")} could not be fetched from the registry.`);
    const bin = path.join("node_modules", ".bin");
    const made = run(`${bin}/openapi-typescript`, "openapi.json", "-o", "partner-api.d.ts");
    expect(made.status, made.stderr).toBe(0);
    mkdirSync(path.join(folder, "built"));
    const options = "--strict --target es2022 --module nodenext --types node --outDir built".split(" ");
    expect(run(path.join(root, bin, "tsc"), "--ignoreConfig", ...options, "orders.test.ts").stdout).toBe("");
    expect(passes(process.execPath, "--test", "built/")).toMatch(/# pass 3\n# fail 0/);
  });

  // Each command generates another kind of client.
  test.skipIf(generators === undefined).each([
    ["@hey-api/openapi-ts", "openapi-ts", "-i", "openapi.json", "-o", "hey-api"],
    ["orval", "orval", "--input", "openapi.json", "--output", "orval.ts", "--client", "fetch"],
    ["swagger-typescript-api", "swagger-typescript-api", "generate", "-p", "openapi.json", "-o", "swagger"],
    ["openapi-zod-client", "openapi-zod-client", "openapi.json", "-o", "zod.ts"],
  ])("by %s is generated without an error", (_, bin, ...args) => {
    const { status, stdout, stderr } = run(path.join(generators ?? "", bin), ...args);
    expect(status, stdout + stderr).toBe(0);
  });

  test.skipIf(!python)("by Python's standard library passes its suite", () => {
    expect(passes("python3", "-B", "-m", "unittest", "test_orders")).toMatch(/Ran 4 tests.*OK/s);
  });
});
