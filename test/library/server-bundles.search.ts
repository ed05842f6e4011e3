/** A server with `comanda/node`, as bundlers build it: it loads, dispatches, and finds the stores of this machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { build as esbuild, type BuildOptions } from "esbuild";
import { build as vite } from "vite";
import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { fetched } from "../support/fetched.js";
import { packageUser, run } from "../support/package-user.js";
import { closing } from "../support/resources.js";

const { folder, installed } = packageUser(["@photostructure"]);
const entry = path.join(folder, "server.mjs");
const emulator = closing(await startEmulator({ orders: 0 }));

writeFileSync(
  entry,
  `import { createClient } from "comanda";
   import { createTransport, fileSession } from "comanda/node";

   const { BASE_URL: baseUrl, TOKEN, ORDER } = process.env;
   async function main() {
     const transport = createTransport();
     const client = createClient({ baseUrl, credentials: { bearer: async () => TOKEN }, transport });
     const { outcome, attempts } = await client.dispatchOrder(ORDER);
     await transport.close();
     const { store, clientOptions } = await fileSession();
     const { code } = await createClient(clientOptions).dispatchOrder("999999999").catch((error) => error);
     console.log(JSON.stringify({ outcome, attempts, store, code }));
   }
   main().catch((error) => console.log(error, error.cause));`,
);

interface Bundler {
  readonly name: string;
  readonly bundle: (file: string) => Promise<unknown>;
  readonly extension: "cjs" | "mjs";
  readonly isMissing?: boolean;
}

const webpack = fetched("webpack", "webpack");
const rollup = fetched("rollup", "@rollup/plugin-node-resolve");

const quiet: BuildOptions = { entryPoints: [entry], bundle: true, platform: "node", logLevel: "silent" };

const bundlers: readonly Bundler[] = [
  ...(["esm", "cjs"] as const).map((format): Bundler => ({
    name: `esbuild --platform=node --format=${format}`,
    extension: format === "esm" ? "mjs" : "cjs",
    bundle: (outfile) => esbuild({ ...quiet, minify: true, format, outfile }),
  })),
  {
    name: "vite's SSR build",
    extension: "mjs",
    bundle: (file) =>
      vite({
        ...{ root: folder, configFile: false, logLevel: "silent" },
        ssr: { noExternal: true },
        build: {
          ...{ ssr: entry, outDir: path.dirname(file), minify: true },
          rollupOptions: { output: { entryFileNames: path.basename(file) } },
        },
      }),
  },
  {
    name: "webpack, target node",
    extension: "cjs",
    isMissing: webpack === undefined,
    bundle: (file) =>
      new Promise((resolve, reject) => {
        const pack = createRequire(import.meta.url)(webpack ?? "") as (
          options: object,
          done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void,
        ) => void;
        const output = { path: path.dirname(file), filename: path.basename(file) };
        pack({ mode: "production", target: "node", context: folder, entry, output }, (error, stats) => {
          if (error ?? stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
          else resolve(undefined);
        });
      }),
  },
  {
    name: "rollup, CommonJS",
    extension: "cjs",
    isMissing: rollup === undefined,
    bundle: async (file) => {
      const load = createRequire(path.join(rollup ?? "", "package.json"));
      const { rollup: bundle } = load("rollup") as {
        readonly rollup: (options: object) => Promise<{ write(options: object): Promise<unknown> }>;
      };
      const plugins = ["@rollup/plugin-node-resolve", "@rollup/plugin-commonjs"].map((name) =>
        (load(name) as { default: (options: object) => unknown }).default({ preferBuiltins: true }),
      );
      const bundled = await bundle({ input: entry, plugins, onLog: () => undefined });
      await bundled.write({ dir: path.dirname(file), format: "cjs", entryFileNames: path.basename(file) });
    },
  },
];

describe.each(bundlers)("$name", ({ name, bundle, extension, isMissing }) => {
  test.skipIf(isMissing)("builds a program that dispatches with both kinds of credentials", async () => {
    const place = path.join(folder, name.replaceAll(/\W+/g, "-"));
    mkdirSync(place);
    const program = path.join(place, `server.${extension}`);
    await bundle(program);
    const type = extension === "mjs" ? "module" : "commonjs";
    writeFileSync(path.join(place, "package.json"), `{ "type": "${type}" }`);
    const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    // `emulator exec` signs a store in.
    const comanda = path.join(installed, "bin", "comanda.js");
    const line = [comanda, "emulator", "exec", "--", process.execPath, program];
    const { stdout } = await run(process.execPath, line, {
      cwd: folder,
      env: {
        ...{ PATH: process.env["PATH"], HOME: place, COMANDA_CONFIG_DIR: path.join(place, "config") },
        ...{ BASE_URL: emulator.baseUrl, TOKEN: emulator.signIn().accessToken, ORDER: String(id) },
      },
    });
    expect(stdout).toBe('{"outcome":"done","attempts":1,"store":"demo","code":"not_found"}\n');
  });
});
