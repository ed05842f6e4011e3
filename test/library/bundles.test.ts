/** The client in the bundles of programs: their sizes, their contents, and the runtimes that they run in. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import vm from "node:vm";
import { gzipSync } from "node:zlib";

import { build as esbuild, type BuildOptions } from "esbuild";
import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { rowsInSearch } from "../support/soak.js";
import { closing, temporaryFolder } from "../support/resources.js";

const root = path.resolve(import.meta.dirname, "../..");
const folder = temporaryFolder();
const entry = path.join(folder, "program.mjs");
const emulator = closing(await startEmulator({ orders: 0 }));
// A program that has installed the package imports it like this.
writeFileSync(
  entry,
  `import { ComandaError, createClient } from ${JSON.stringify(path.join(root, "dist/library/index.mjs"))};
     export async function main(baseUrl, token, order, fetch) {
       const client = createClient({
         baseUrl,
         credentials: { bearer: async () => token },
         fetch,
       });
       const { httpStatus } = await client.dispatchOrder(order);
       const again = await client.dispatchOrder("999999999", { signal: new AbortController().signal }).catch((error) => error);
       return { httpStatus, isError: again instanceof ComandaError, code: again.code };
     }
     globalThis.main = main;`,
);

async function bundled(options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await esbuild({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "silent",
    ...options,
  });
  return outputFiles[0]?.text ?? "";
}

const done = {
  httpStatus: expect.toSatisfy((status: number) => status >= 200 && status < 300) as number,
  isError: true,
  code: "not_found",
};

/** Globals of the web's standards (workers, Deno, browsers), and none of Node's. */
const webGlobals = {
  fetch,
  ...{ URL, URLSearchParams, Headers, Request, Response, ReadableStream },
  ...{ AbortController, AbortSignal, TextDecoder, TextEncoder },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval },
};

describe.each(["browser", ...rowsInSearch(["node", "neutral"] as const)] as const)(
  "a bundle of esbuild for %s",
  (platform) => {
    test("has at most 24,000 bytes, gzipped, and imports no module of Node", async () => {
      const code = await bundled({ platform });
      expect(gzipSync(code).length).toBeLessThanOrEqual(24_000);
      expect(code).not.toMatch(/["'](?:node:|undici)/);
      expect(code).not.toMatch(/\b(?:pedido|loja|você)\b/i);
    });

    test("runs with only the web's globals", async () => {
      const code = await bundled({ platform, format: "iife" });
      const { id } = emulator.createOrder({ order_type: "takeout", status: "confirmed" });
      const given = [emulator.baseUrl, emulator.signIn().accessToken, String(id), fetch];
      const context = vm.createContext({ ...webGlobals, given });
      expect(await vm.runInContext(`${code}; main(...given);`, context)).toEqual(done);
    });
  },
);

test.each([
  ["oauth", "Response", "createOAuth({})"],
  ["testing", "Request", "startEmulator()"],
])("comanda/%s loads in a runtime without web globals, and names one it lacks", async (name, lacks, call) => {
  const entryPoints = [path.join(root, `dist/library/${name}.mjs`)];
  const code = await bundled({ entryPoints, platform: "node", format: "cjs" });
  const module = { exports: {} };
  const { URL, URLSearchParams, AbortController } = webGlobals;
  const require = createRequire(import.meta.url);
  const context = vm.createContext({ module, require, process, URL, URLSearchParams, AbortController });
  vm.runInContext(code, context);
  Object.assign(context, { exports: module.exports });
  await expect(vm.runInContext(`(async () => exports.${call})()`, context)).rejects.toMatchObject({
    code: "configuration",
    message: `This runtime has no ${lacks}.`,
  });
});

test("a bundle that imports only an error and constants contains no schema", async () => {
  const library = JSON.stringify(path.join(root, "dist/library/index.mjs"));
  const contents = `import { ComandaError, orderStatuses, rateLimits } from ${library};
      console.log(ComandaError, orderStatuses, rateLimits);`;
  const stdin = { contents, resolveDir: folder, loader: "js" } as const;
  const code = await bundled({ entryPoints: [], stdin });
  expect(code).not.toContain("_zod");
  expect(gzipSync(code).length).toBeLessThan(1_500);
});

test("a bundle that imports comanda/oauth contains no module of Node", async () => {
  const entryPoints = [path.join(root, "dist/library/oauth.mjs")];
  // esbuild would fail at the first module that a worker lacks.
  expect((await bundled({ entryPoints, platform: "browser" })).length).toBeGreaterThan(0);
});
