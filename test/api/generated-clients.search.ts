/** Clients that public generators make from `comanda openapi`, tested against the emulator. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

import { fetched } from "../support/fetched.js";
import { temporaryFolder } from "../support/cleanup.js";

const root = path.resolve(import.meta.dirname, "../..");
const generators = fetched("generators", ".bin");
const comanda = [path.join(root, "bin", "comanda.js")];
const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) console.warn("Python isn't installed: its suite against the emulator is skipped.");

describe("a client that is generated from the document", () => {
  let folder: string;
  let isFetched = false;
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  const passes = (...suite: string[]) => {
    const { status, stdout, stderr } = run(process.execPath, ...comanda, "emulator", "exec", "--", ...suite);
    expect(status, stdout + stderr).toBe(0);
    return stdout + stderr;
  };

  beforeAll(() => {
    folder = temporaryFolder();
    cpSync(path.join(root, "examples", "generated"), folder, { recursive: true });
    writeFileSync(path.join(folder, "package.json"), `{ "type": "module" }`);
    // Installed only for this: as packages of the project, they would be a tenth of each `npm ci`.
    const wanted = ["openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "@types/node@20"];
    isFetched = run("npm", "install", "--ignore-scripts", "--no-audit", ...wanted).status === 0;
    if (!isFetched) console.warn(`SKIPPED: ${wanted.join(" ")} could not be fetched from the registry.`);
    const document = execFileSync(process.execPath, [...comanda, "openapi"], { maxBuffer: 1e8 });
    writeFileSync(path.join(folder, "openapi.json"), document);
  });

  test("by openapi-typescript compiles strictly, and its suite passes", ({ skip }) => {
    skip(!isFetched);
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

  /** How a program of each client dispatches an order, assigns a driver, and counts orders; each returns a status and a body. */
  const programs = {
    "hey-api": `
      import { client } from "./hey-api/client.gen";
      import { assignDriver, dispatchOrder, summary } from "./hey-api/sdk.gen";
      client.setConfig({ baseUrl: emulator, auth: ({ scheme }) => (scheme === "bearer" ? token : undefined) });
      const of = ({ response, data, error }) => ({ status: response.status, body: data ?? error });
      const dispatch = async (order_id) => of(await dispatchOrder({ path: { order_id } }));
      const assign = async (order_id, body) => of(await assignDriver({ path: { order_id }, body }));
      const count = async (query) => of(await summary({ query }));`,
    orval: `
      import { assignDriver, dispatchOrder, summary } from "./orval";
      const platformFetch = globalThis.fetch;
      globalThis.fetch = (url, init) => platformFetch(new URL(url, emulator), init);
      const options = { headers: { authorization: "Bearer " + token } };
      const of = ({ status, data }) => ({ status, body: data });
      const dispatch = async (order) => of(await dispatchOrder(order, options));
      const assign = async (order, body) => of(await assignDriver(order, body, options));
      const count = async (query) => of(await summary(query, options));`,
  };

  test.skipIf(generators === undefined).each(Object.entries(programs))(
    "by %s calls the emulator as the specification shows",
    async (name, calls) => {
      const contents = `
        import assert from "node:assert/strict";
        const emulator = process.env.COMANDA_EMULATOR_URL;
        const control = async (path, body) => {
          const headers = { "content-type": "application/json" };
          const init = { method: "POST", headers, body: JSON.stringify(body) };
          return (await fetch(emulator + "/_emulator" + path, init)).json();
        };
        const { access_token: token } = await control("/sign-in", {});
        const order = async (fields) => String((await control("/orders", fields)).id);
        ${calls}
        const id = await order({ order_type: "delivery", delivered_by: "merchant", status: "confirmed" });
        const assigned = await assign(id, { driver_id: 11, driver_fee: 7.5 });
        assert.deepEqual([assigned.status, assigned.body.driver_fee], [200, 7.5]);
        assert.equal((await dispatch(id)).status, 204);
        const again = await dispatch(id);
        assert.deepEqual([again.status, again.body.code], [409, 4002]);
        const period = { start_date: "2026-03-04T00:00:00Z", end_date: "2026-03-04T23:59:59Z" };
        const query = { ...period, "filters[status_in]": ["canceled", "closed"] };
        const before = await count(query);
        await order({ status: "canceled", created_at: "2026-03-04T12:00:00Z" });
        await order({ status: "closed", created_at: "2026-03-04T12:00:00Z" });
        const after = await count(query);
        assert.deepEqual([after.status, after.body.total_order_count], [200, before.body.total_order_count + 2]);
        console.log("done");`;
      const outfile = path.join(folder, `${name}.mjs`);
      await build({
        stdin: { contents, resolveDir: folder, loader: "js" },
        bundle: true,
        platform: "node",
        format: "esm",
        outfile,
      });
      expect(passes(process.execPath, outfile)).toContain("done");
    },
  );

  test.skipIf(!python)("by Python's standard library passes its suite", () => {
    expect(passes("python3", "-B", "-m", "unittest", "test_orders")).toMatch(/Ran 4 tests.*OK/s);
  });
});
