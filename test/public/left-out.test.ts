/** What the build takes out of packages: a package that changes ends the build, so that somebody looks at it anew. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { build, type BuildFailure } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";

import { leaveOut } from "../../.config/leave-out.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "comanda-left-out-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** @returns what ends the build of a program that requires `name` */
async function faults(name: string): Promise<readonly string[]> {
  const stdin = { contents: `require("${name}");`, resolveDir: folder };
  const options = { stdin, bundle: true, write: false, platform: "node", logLevel: "silent" } as const;
  try {
    await build({ ...options, plugins: [leaveOut] });
    return [];
  } catch (error) {
    return (error as BuildFailure).errors.map(({ text }) => text);
  }
}

function installPackage(name: string, code: string): void {
  const place = path.join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, "index.js"), code);
}

test("a file of a package that is replaced, and has another text than it had, ends the build", async () => {
  installPackage("semver", "module.exports = 'a new version';");
  expect(await faults("semver")).toContainEqual(expect.stringContaining("semver/index.js has changed"));
});

test("a file that no package loads any more ends the build", async () => {
  installPackage("conf", "module.exports = 'without semver';");
  expect(await faults("conf")).toEqual(
    expect.arrayContaining([
      "nothing loads semver/index.js any more",
      "nothing loads node:http of undici any more",
    ]),
  );
});
