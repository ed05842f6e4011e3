/** The package in programs of both module systems. */
import { cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { transform } from "esbuild";
import { describe, expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { inSearch, isSearch } from "../support/soak.js";
import { packageUser, root, run, serverIn } from "../support/package-user.js";
import { closing } from "../support/resources.js";
import { matching } from "../support/output.js";

// With its optional dependency. packed.search.ts runs the example for vitest, which takes as long as all others.
const { folder, installed } = packageUser(["@photostructure"], { isPacked: isSearch });
cpSync(path.join(installed, "examples"), path.join(folder, "examples"), { recursive: true });
const emulator = closing(await startEmulator({ orders: 50, seed: 7 }));
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  COMANDA_CONFIG_DIR: path.join(folder, "config"),
  COMANDA_BASE_URL: emulator.baseUrl,
  COMANDA_ACCESS_TOKEN: emulator.signIn().accessToken,
};

/** Runs a program; rejects with its output if it fails. */
const node = (...args: string[]) => run(process.execPath, args, { cwd: folder, env });

describe("an example", () => {
  test("in CommonJS prints sales", async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    emulator.createOrder({ created_at: yesterday, sales_channel: "portal", total: 7.5 });
    const { stdout, stderr } = await node("examples/sales.cjs");
    const sales = /^(.+: orders \d+, revenue \d+\.\d\d\n)+Channels: \d+\n$/;
    expect({ stderr, stdout }).toEqual({ stderr: "", stdout: matching(sales) });
  });

  inSearch("in TypeScript assigns a driver with its own fetch", async () => {
    const source = readFileSync(path.join(folder, "examples", "driver.ts"), "utf8");
    const { code } = await transform(source, { loader: "ts", format: "esm" });
    writeFileSync(path.join(folder, "driver.mjs"), code);
    const order = { order_type: "delivery", delivered_by: "merchant", status: "confirmed" } as const;
    const { id } = emulator.createOrder(order);
    const { stdout } = await node("driver.mjs", String(id), "11");
    const report = `order ${id}: driver 11, fee 7.5\n\\d\\d fields\nhistory: not_found\n`;
    expect(stdout).toMatch(new RegExp(`^${report}$`));
  });

  inSearch("acts for many stores as a server, and shares their tokens in a database", async () => {
    const { address, portal, start, connect } = await serverIn(
      folder,
      "examples/oauth-server.mjs",
      "tokens.db",
    );
    const end = await start();
    for (const file of ["tokens.db", "tokens.db-wal"])
      expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
    const { callback, headers } = await connect("/connect");
    const key = await (await fetch(callback, { headers })).text();
    expect((await fetch(`${address}/callback?code=c&state=s`, { headers })).status).toBe(400);
    await end();
    // The second server finds the tokens, which have expired.
    portal.clock.advance(7_200_000);
    const endSecond = await start();
    const { id } = portal.createOrder({ order_type: "delivery", status: "confirmed" });
    const dispatched = await fetch(`${address}/dispatch?store=${key}&order=${id}`);
    expect(await dispatched.text()).toMatch(/^dispatched \(HTTP 2\d\d\)$/);
    await endSecond();
  });

  inSearch("for Node's test runner passes", async () => {
    const { stdout } = await node("--test", "examples/orders.test.mjs");
    expect(stdout).toMatch(/# pass 3\n# fail 0/);
  });
});

test("an emulator that has closed leaves no timer", async () => {
  const code = `
    import net from "node:net";
    import { startEmulator } from "comanda/testing";
    for (const faults of [[], ["delay=60000"], ["delay=60000,when=after"], ["hang"]]) {
      const emulator = await startEmulator({ orders: 1, faults });
      const { host, port } = new URL(emulator.url);
      // Half of a body.
      const head = \`POST /api/partner/v1/orders/1/cancel HTTP/1.1\\r\\nhost: \${host}\\r\\ncontent-length: 9\\r\\n\\r\\n\`;
      const client = emulator.client({ timeoutMs: 50, maxRetries: 0 });
      const sockets = ["{", "{123456.}"].map((body) => net.connect(port, "127.0.0.1").end(head + body));
      const ends = (socket) => new Promise((end) => socket.on("error", () => {}).on("close", end).resume());
      const closed = sockets.map(ends);
      await client.dispatchOrder(1).catch(() => {});
      await emulator.close();
      await Promise.all(closed);
      console.log(process.getActiveResourcesInfo().filter((name) => name === "Timeout").length);
    }`;
  const { stdout } = await node("--input-type=module", "-e", code);
  expect(stdout).toBe("0\n0\n0\n0\n");
});

test("README's program and the example that dispatches run for a store that the command line signed in to", async () => {
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  const [[, code = ""] = [], ...others] = readme.matchAll(/^```js\n(.*?)^```/gms);
  expect(others).toEqual([]);
  writeFileSync(path.join(folder, "readme.mjs"), code);
  // `emulator exec` signs a store in.
  const bin = path.join(installed, "bin", "comanda.js");
  const example = "examples/dispatch.mjs";
  const line = [`${example} 1 2`, "readme.mjs"].map((words) => `"${process.execPath}" ${words}`).join(" && ");
  const { stdout, stderr } = await node(bin, "emulator", "exec", "--", "sh", "-c", line);
  const printed = "1: order not found\n2: order not found\nrefused 409 4002\n";
  expect({ stderr, stdout }).toEqual({ stderr: "", stdout: printed });
});

describe("loading the package", () => {
  /** All that a program can use, and nothing else. */
  const names = (
    "ComandaError TransportError createClient createMemoryRateLimiter dimensions isComandaError " +
    "orderStatuses orderTimings orderTypes outcomeOf rateLimits request salesFigures"
  ).split(" ");

  test.each([
    ["ES module", ["--input-type=module", "-e"], 'const lib = await import("comanda");'],
    ["CommonJS", ["--input-type=commonjs", "-e"], 'const lib = require("comanda");'],
  ])("as %s loads no module for the network or the disk", async (_, flags, load) => {
    const loaded =
      "process.moduleLoadList.filter((name) => /NativeModule (?:net|http|https|tls|fs\\/promises|undici)$/.test(name))";
    const report = `
      const floor = ${loaded};
      ${load}
      console.log(JSON.stringify({ names: Object.keys(lib).sort(), more: ${loaded}.length - floor.length }));`;
    const { stdout } = await node(...flags, report);
    expect(JSON.parse(stdout)).toEqual({ names, more: 0 });
  });

  test("as both module systems at once lets instanceof recognize the errors of either", async () => {
    writeFileSync(
      path.join(folder, "both.mjs"),
      `import { createRequire } from "node:module";
       import * as esm from "comanda";
       const cjs = createRequire(import.meta.url)("comanda");
       const checks = [];
       for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
         class Mine extends one.ComandaError {}
         checks.push({
           error: new one.ComandaError("not_found", "No.") instanceof other.ComandaError,
           transportError: new one.TransportError("reset", true, "x") instanceof other.TransportError,
           subclass: new Mine("not_found", "No.") instanceof other.ComandaError,
           notOfSubclass: !(new one.ComandaError("not_found", "No.") instanceof Mine),
           notOther: ![null, "x", {}, new Error()].some((value) => value instanceof other.ComandaError),
         });
       }
       console.log(JSON.stringify(checks));`,
    );
    const { stdout } = await node("both.mjs");
    const right = { error: true, transportError: true, subclass: true, notOfSubclass: true, notOther: true };
    expect(JSON.parse(stdout)).toEqual([right, right]);
  });
});
