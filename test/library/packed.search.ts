/** The package as npm packs it: its files, its types for every module system and resolution, and its example for vitest. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import ts, { type CompilerOptions } from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { installPacked, modules, packageUser, root } from "../support/package-user.js";
import { typeFaults } from "../support/type-faults.js";

// What the types of Node are for TypeScript, and the runner of an example.
const user = packageUser(["@types", "undici-types", "vitest"]);
const { folder, installed } = user;

beforeAll(() => {
  installPacked(user);
});
afterAll(user.remove);

const isPacked = (file: string) =>
  !file.endsWith(".map") && !file.startsWith(path.join("cli", "compile-cache"));

describe("its files", () => {
  test("takes at most 5 megabytes, and has no compiled code of the machine that made it", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const sizes = files.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(5_000_000);
    expect(files.map(({ name }) => name).filter((name) => /\.(cache|wasm|node)$/.test(name))).toEqual([]);
  });

  test("is installed without a script and without a build tool", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as {
      readonly scripts: object;
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    const atInstall = /^(pre|post)?install$|^(pre)?prepare$|gyp/;
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.test(name))).toEqual([]);
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const folder = path.join(modules, name);
      const { scripts = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
        readonly scripts?: object;
      };
      expect(Object.keys(scripts).filter((script) => atInstall.test(script))).toEqual([]);
      expect(readdirSync(folder)).not.toContain("binding.gyp");
    }
  });

  test("has no dependency, and no file that it doesn't need", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<
      string,
      object
    >;
    expect(Object.keys(dependencies ?? {})).toEqual([]);
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "package.json"]);
  });

  // test/library/package.test.ts uses a copy of these folders.
  test.each(["bin", "dist"])(
    "all of %s is packed, but source maps and compiled code of the machine that made it",
    (name) => {
      const filesIn = (place: string) => {
        const folder = path.join(place, name);
        return readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
          .filter((file) => name === "bin" || isPacked(file))
          .sort();
      };
      expect(filesIn(installed)).toEqual(filesIn(root));
    },
  );
});

test("its example for vitest runs", () => {
  cpSync(path.join(root, "examples"), path.join(folder, "examples"), { recursive: true });
  const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--root", "examples", "sales", "--reporter=json"];
  const stdout = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 2 });
});

// test/library/type-matrix.search.ts has those of Node, for ES modules and CommonJS.
describe("its types", () => {
  const example = readFileSync(path.join(root, "examples", "driver.ts"), "utf8");
  const modern = `
    import { createClient, type Client, type ErrorCode, type Summary } from "comanda";
    import { fileSession } from "comanda/node";
    import { startEmulator, type Emulator } from "comanda/testing";
    export const emulator: Emulator = await startEmulator({ faults: ["reset", { delay: 5 }] });
    const { clientOptions } = await fileSession();
    export const client: Client = createClient(clientOptions);
    export const uncounted: Client = createClient({ ...clientOptions, rateLimiter: false });
    const { value: summary } = await client.summary({ start_date: "", end_date: "" });
    const exact: Summary["total_order_count"] = summary.total_order_count;
    // @ts-expect-error -- a driver is a number
    await client.assignDriver("1", { driver_id: "2" });
    // @ts-expect-error -- the command line alone ends with it
    export const code: ErrorCode = "some_failed";
    export { exact };`;
  const old = `
    import { createClient, type Client } from "comanda";
    import { startEmulator, type Emulator } from "comanda/testing";
    import { createTransport } from "comanda/node";
    export const transport = createTransport();
    export async function open(): Promise<Client> {
      const emulator: Emulator = await startEmulator();
      const client = createClient({ baseUrl: emulator.baseUrl, credentials: emulator.signIn().credentials });
      // @ts-expect-error -- a driver is a number
      await client.assignDriver("1", { driver_id: "2" });
      return client;
    }`;
  const check = (options: CompilerOptions, consumers: Readonly<Record<string, string>>) => {
    for (const [name, code] of Object.entries(consumers)) writeFileSync(path.join(folder, name), code);
    return typeFaults(Object.keys(consumers), {
      folder,
      installed,
      options: { exactOptionalPropertyTypes: true, ...options },
    });
  };

  test("module esnext, resolution bundler: a program has them, and a mistake in one is found", () => {
    const options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
    const mistaken = modern.replace('"", end_date', "1, end_date");
    expect(
      check(options, { "consumer.mts": modern, "driver.mts": example, "mistaken.mts": mistaken }),
    ).toEqual([expect.stringMatching(/^mistaken\.mts: .* is not assignable to type 'string'/)]);
  });

  test("are found by the oldest resolution too, which looks at no exports", () => {
    const settings = { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" };
    const { options } = ts.convertCompilerOptionsFromJson(settings, folder);
    expect(check(options, { "consumer.ts": old })).toEqual([]);
  });
});
