/** The package as npm packs it: its files, its examples, and what it prints. `npm run check:package` checks its types. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { compiled, packageUser, root } from "../support/package-user.js";

// The types of Node, and what the examples import.
const { folder, installed } = packageUser(["@types", "undici-types", "@photostructure", "vitest"]);
cpSync(path.join(installed, "examples"), path.join(folder, "examples"), { recursive: true });

describe("the files of the package", () => {
  test("have at most 5 megabytes, and contain no code compiled for one machine", () => {
    const entries = readdirSync(installed, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = files.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5_000_000);
    expect(files.map(({ name }) => name).filter((name) => /\.(cache|wasm|node)$/.test(name))).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual([
      ...["CHANGELOG.md", "CONTRIBUTING.md", "LEIAME.md", "LICENSE", "README.md", "SECURITY.md"],
      ...["THIRD-PARTY-NOTICES.md", "bin", "dist", "examples", "package.json"],
    ]);
  });

  test.each(["README.md", "LEIAME.md"])("include what %s links to", (name) => {
    const links = readFileSync(path.join(installed, name), "utf8").matchAll(/\]\(([^)#]+)\)/g);
    const missing = [...links].filter(([, link = ""]) => !existsSync(path.join(installed, link)));
    expect(missing).toEqual([]);
  });

  // `npm run build` writes none; the quick build of the tests does, for --debug.
  test.skipIf(existsSync(path.join(root, "dist/library/node.mjs.map")))("name no source map", () => {
    const names = readdirSync(path.join(installed, "dist"), { recursive: true, encoding: "utf8" });
    const scripts = names.filter((name) => /\.[cm]?js$/.test(name));
    const text = (name: string) => readFileSync(path.join(installed, "dist", name), "utf8");
    expect(scripts.filter((name) => text(name).includes("sourceMappingURL"))).toEqual([]);
  });

  test("are installed without a script, a build tool or another package", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as object;
    const atInstall = /^(pre|post)?install$|^(pre)?prepare$|gyp/;
    expect(manifest).not.toHaveProperty("dependencies");
    const { scripts } = manifest as { readonly scripts: object };
    expect(Object.keys(scripts).filter((name) => atInstall.test(name))).toEqual([]);
  });
});

test("an error of the emulator shows the line of the program, and no minified one", () => {
  const code = `import { startEmulator } from "comanda/testing";
    const emulator = await startEmulator({ orders: 0 });
    emulator.setFaults("statu=503");`;
  writeFileSync(path.join(folder, "typo.mjs"), code);
  const { stderr } = spawnSync(process.execPath, ["typo.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toContain("typo.mjs:3");
  expect(stderr).not.toMatch(/.{1000}/);
});

test("the help names only files of the package", () => {
  const help = path.join(installed, "dist", "cli");
  const names = readdirSync(help)
    .filter((name) => name.endsWith(".js"))
    .flatMap((name) => readFileSync(path.join(help, name), "utf8").match(/\bexamples\/[\w/-]+\.\w+/g) ?? []);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !existsSync(path.join(installed, name)))).toEqual([]);
});

test("the examples compile strictly, JavaScript included", () => {
  const names = readdirSync(path.join(folder, "examples"), { recursive: true, encoding: "utf8" });
  // test/api/generated-clients.search.ts generates what the others import.
  const sources = names.filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.startsWith("generated"));
  expect(sources).toEqual(expect.arrayContaining(["dispatch.mjs", "sales.cjs", "shop/server.cts"]));
  const options = ["--allowJs", "--checkJs", "--noEmit", "--skipLibCheck", "--types", "node"];
  const files = sources.map((name) => path.join("examples", name));
  expect(compiled(folder, [...options, "--target", "es2023", ...files])).toBe("");
});

test("the example for vitest passes", () => {
  const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--root", "examples", "sales", "--reporter=json"];
  const stdout = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 2 });
});
