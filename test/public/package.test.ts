/** The package as npm would publish it, in other people's programs: both module systems, both type resolutions. */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { build, transform } from "esbuild";
import ts, { type CompilerOptions } from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/public/emulator.js";
import { typeFaults } from "../support/type-faults.js";

const root = path.resolve(import.meta.dirname, "../..");
const modules = path.join(root, "node_modules");
const run = promisify(execFile);

const folder = mkdtempSync(path.join(tmpdir(), "comanda-package-"));
const notCopied = new Set(["node_modules", ".git", path.join("dist", "binary")]);
const installed = path.join(folder, "node_modules", "comanda");
let emulator: Emulator;
let env: Record<string, string>;

beforeAll(async () => {
  // From a copy: npm reads all that is installed beside a package, which takes it longer than packing.
  const source = path.join(folder, "source");
  cpSync(root, source, { recursive: true, filter: (file) => !notCopied.has(path.relative(root, file)) });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: source,
  });
  const archive = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", path.join(folder, archive), "-C", installed, "--strip-components=1"]);
  // Its one dependency, what the types of Node are for TypeScript, and the runner of one example.
  for (const name of ["zod", "@types", "undici-types", "vitest"])
    symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  cpSync(path.join(root, "examples"), path.join(folder, "examples"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module", "private": true }');
  emulator = await startEmulator({ orders: 50, seed: 7 });
  env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    COMANDA_CONFIG_DIR: path.join(folder, "config"),
    COMANDA_BASE_URL: emulator.baseUrl,
    COMANDA_ACCESS_TOKEN: emulator.signIn().accessToken,
  };
});
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rejects with all that was written where the program fails. */
async function node(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, args, { cwd: folder, env });
}

describe("its examples", () => {
  test("are all known here", () => {
    expect(
      readdirSync(path.join(root, "examples"))
        .filter((name) => name !== "node_modules")
        .sort(),
    ).toEqual([
      ...["Containerfile", "dispatch.mjs", "driver.ts", "orders.test.mjs", "pictures"],
      ...["sales.cjs", "sales.test.mjs"],
    ]);
  });

  test("CommonJS: sales", async () => {
    const { stdout, stderr } = await node("examples/sales.cjs");
    expect([stderr, stdout]).toEqual(["", expect.stringMatching(/\d+ channels\n$/)]);
  });

  test("ES module: dispatch, at the store that the command line signed in at", async () => {
    const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    // `emulator exec` signs a store in; here the session is written by the program itself.
    const [bin, ids] = [path.join(installed, "bin", "comanda.js"), [String(id)]];
    const { stdout } = await node(
      bin,
      "emulator",
      "exec",
      "--",
      process.execPath,
      "examples/dispatch.mjs",
      "1",
      "2",
    );
    expect(stdout).toBe("1: there is no such order\n2: there is no such order\n");
    await expect(node("examples/dispatch.mjs", ...ids)).rejects.toMatchObject({
      stderr: expect.stringContaining("not_signed_in") as string,
    });
  });

  test("TypeScript: driver, over somebody else's fetch", async () => {
    const source = readFileSync(path.join(folder, "examples", "driver.ts"), "utf8");
    const { code } = await transform(source, { loader: "ts", format: "esm" });
    writeFileSync(path.join(folder, "driver.mjs"), code);
    const { id } = emulator.createOrder({
      order_type: "delivery",
      delivered_by: "merchant",
      status: "confirmed",
    });
    const { stdout } = await node("driver.mjs", String(id), "11");
    expect(stdout).toMatch(
      new RegExp(`^order ${id}: driver 11, fee 7.5\n\\d\\d fields\nhistory: server_error\n$`),
    );
  });

  test("Node's own test runner", async () => {
    const { stdout } = await node("--test", "examples/orders.test.mjs");
    expect(stdout).toMatch(/# pass 3\n# fail 0/);
  });

  test("vitest", async () => {
    const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
    const { stdout } = await node(vitest, "run", "--root", "examples", "sales", "--reporter=json");
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 2 });
  });
});

/** As printed, at a store that is signed in. */
const readme = readFileSync(path.join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = ""]) => code);

describe("the programs of the README", () => {
  test("are there", () => {
    expect(blocks.length).toBeGreaterThan(1);
  });

  test("run as they are printed", async () => {
    const names = blocks.map((_, index) => `readme-${index}.mjs`);
    for (const [index, name] of names.entries()) writeFileSync(path.join(folder, name), blocks[index] ?? "");
    const bin = path.join(installed, "bin", "comanda.js");
    const line = names.map((name) => `"${process.execPath}" ${name}`).join(" && ");
    const { stdout, stderr } = await node(bin, "emulator", "exec", "--", "sh", "-c", line);
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual(
      blocks.map(() => expect.stringMatching(/^(?:status_conflict 409|\d+)$/) as string),
    );
  });
});

describe("its types", () => {
  const example = readFileSync(path.join(root, "examples", "driver.ts"), "utf8");
  const modern = `
    import { createClient, fileSession, type Client, type Summary } from "comanda";
    import { startEmulator, type Emulator } from "comanda/emulator";
    export const emulator: Emulator = await startEmulator({ faults: ["reset", { kind: "delay", ms: 5 }] });
    const { clientOptions } = await fileSession();
    export const client: Client = createClient(clientOptions);
    export const uncounted: Client = createClient({ ...clientOptions, rateLimiter: false });
    const { summary } = await client.summary({ start_date: "", end_date: "" });
    const exact: Summary["total_order_count"] = summary.total_order_count;
    // @ts-expect-error -- a driver is a number
    await client.assignDriver("1", { driver_id: "2" });
    export { exact };`;
  const commonJs = `
    import comanda = require("comanda");
    export const create: typeof comanda.createClient = comanda.createClient;`;
  const old = `
    import { createClient, type Client } from "comanda";
    import { startEmulator, type Emulator } from "comanda/emulator";
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

  // Both find the types by the same conditions of the package's exports; one of them reads those of CommonJS too.
  test("module and resolution node16: a program that is an ES module has them", () => {
    const options = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
    expect(check(options, { "consumer.mts": modern, "driver.mts": example })).toEqual([]);
  });

  test("module and resolution nodenext: a program that is an ES module has them, and one that is CommonJS", () => {
    const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    const consumers = { "consumer.mts": modern, "consumer.cts": commonJs, "driver.mts": example };
    expect(check(options, consumers)).toEqual([]);
  });

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

describe("loading it", () => {
  test.each([
    ["ES module", ["--input-type=module", "-e"], 'const lib = await import("comanda");'],
    ["CommonJS", ["--input-type=commonjs", "-e"], 'const lib = require("comanda");'],
  ])("%s: nothing happens, nothing of the network or the disk is loaded", async (_, flags, load) => {
    const report = `
      const before = process.getActiveResourcesInfo().length;
      ${load}
      const loaded = process.moduleLoadList.filter((name) => /NativeModule (?:net|http|https|tls|fs\\/promises|undici)$/.test(name));
      console.log(JSON.stringify({ names: Object.keys(lib).length > 30, open: process.getActiveResourcesInfo().length - before, loaded }));`;
    const bare =
      "console.log(JSON.stringify(process.moduleLoadList.filter((name) => /NativeModule (?:net|http|https|tls|fs\\/promises|undici)$/.test(name))))";
    const [{ stdout }, { stdout: floor }] = await Promise.all([node(...flags, report), node(...flags, bare)]);
    expect(JSON.parse(stdout)).toMatchObject({ names: true, loaded: JSON.parse(floor) as unknown });
  });

  test("is one library, whichever way it is loaded, and knows its errors by instanceof", async () => {
    writeFileSync(
      path.join(folder, "both.mjs"),
      `import { createRequire } from "node:module";
       import * as esm from "comanda";
       const cjs = createRequire(import.meta.url)("comanda");
       const told = [];
       for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
         class Mine extends one.ComandaError {}
         const error = new one.ComandaError("not_found", "No.");
         const transport = one.fetchTransport(() => Promise.reject(new Error("down")));
         const options = { baseUrl: "https://api.example", maxRetries: 0, credentials: { bearer: async () => "T" } };
         const call = other.createClient({ ...options, transport }).request({ method: "GET", path: "/x" });
         told.push(
           one.createClient === other.createClient,
           error instanceof other.ComandaError,
           new one.TransportError("reset", true, "x") instanceof other.TransportError,
           error instanceof one.TransportError,
           error instanceof Mine,
           new Mine("not_found", "No.") instanceof Mine,
           new Mine("not_found", "No.") instanceof other.ComandaError,
           [null, "x", {}, new Error()].some((value) => value instanceof other.ComandaError),
           await call.catch(({ code }) => code),
         );
       }
       console.log(JSON.stringify(told));`,
    );
    const { stdout } = await node("both.mjs");
    const each = [true, true, true, false, false, true, true, false, "unreachable"];
    expect(JSON.parse(stdout)).toEqual([...each, ...each]);
  });

  test("takes at most three megabytes, and has no compiled code of the machine that made it", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const sizes = files.map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000_000);
    expect(files.map(({ name }) => name).filter((name) => /\.(cache|wasm|node)$/.test(name))).toEqual([]);
  });

  test("is installed without a script and without a build tool", () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as {
      readonly scripts: object;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const atInstall = /^(pre|post)?install$|^(pre)?prepare$|gyp/;
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.test(name))).toEqual([]);
    for (const name of Object.keys(manifest.dependencies)) {
      const folder = path.join(modules, name);
      const { scripts = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
        readonly scripts?: object;
      };
      expect(Object.keys(scripts).filter((script) => atInstall.test(script))).toEqual([]);
      expect(readdirSync(folder)).not.toContain("binding.gyp");
    }
  });

  test("goes into a program that is bundled", async () => {
    writeFileSync(
      path.join(folder, "to-bundle.mjs"),
      `import { createClient, ComandaError } from "comanda";
       import { startEmulator } from "comanda/emulator";
       const emulator = await startEmulator({ orders: 5 });
       const client = createClient({ baseUrl: emulator.baseUrl, credentials: emulator.signIn().credentials });
       const fault = await client.dispatchOrder("1").catch((error) => error);
       console.log(fault instanceof ComandaError, fault.code);
       await client.close();
       await emulator.close();`,
    );
    await build({
      entryPoints: [path.join(folder, "to-bundle.mjs")],
      outfile: path.join(folder, "bundled.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
      logLevel: "silent",
    });
    const elsewhere = `${installed}-elsewhere`;
    renameSync(installed, elsewhere);
    try {
      expect((await node("bundled.mjs")).stdout).toBe("true not_found\n");
    } finally {
      renameSync(elsewhere, installed);
    }
  });

  test("has one dependency, and no file that it doesn't need", () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8")) as Record<
      string,
      object
    >;
    expect(Object.keys(dependencies ?? {})).toEqual(["zod"]);
    expect(readdirSync(installed).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "bin",
      "dist",
      "package.json",
    ]);
  });
});
