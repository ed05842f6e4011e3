/** The package as npm packs it: its files, and its example for vitest. `npm run check:package` has its types. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { installPacked, packageUser, root } from "../support/package-user.js";

// What the types of Node are for TypeScript, and the runner of an example.
const user = packageUser(["@types", "undici-types", "vitest"]);
const { folder, installed } = user;

beforeAll(() => {
  installPacked(user);
});
afterAll(user.remove);

describe("its files", () => {
  const manifest = () =>
    JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as {
      readonly scripts: object;
      readonly dependencies?: object;
    };

  test("take at most 5 megabytes, and none is compiled code of the machine that made it", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const sizes = files.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5_000_000);
    expect(files.map(({ name }) => name).filter((name) => /\.(cache|wasm|node)$/.test(name))).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json"]);
  });

  test("are installed without a script, a build tool and another package", () => {
    const { scripts, dependencies } = manifest();
    const atInstall = /^(pre|post)?install$|^(pre)?prepare$|gyp/;
    expect(Object.keys(scripts).filter((name) => atInstall.test(name))).toEqual([]);
    expect(dependencies).toBeUndefined();
  });
});

test("its example for vitest runs", () => {
  cpSync(path.join(root, "examples"), path.join(folder, "examples"), { recursive: true });
  const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--root", "examples", "sales", "--reporter=json"];
  const stdout = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 2 });
});
