/** The three programs of examples/shop, compiled and run with only the package. */
import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { modules, packageUser, serverIn } from "../support/package-user.js";

const run = promisify(execFile);
const { folder, installed } = packageUser(["@types", "undici-types", "@photostructure", "vitest"]);
cpSync(path.join(installed, "examples", "shop"), folder, { recursive: true });

const options = ["--module", "nodenext", "--target", "es2022", "--types", "node"];

/** Compiles a program strictly, including the types of libraries. */
async function compile(name: string, ...options: readonly string[]): Promise<void> {
  const compiler = path.join(modules, "typescript", "bin", "tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const args = [compiler, "--ignoreConfig", ...strict, ...options, "--outDir", "built", name];
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: unknown) => {
    if (error instanceof Error && "stdout" in error) return { stdout: String(error.stdout) };
    throw error;
  });
  expect(stdout).toBe("");
}

test("the CommonJS server stores the tokens of its shops in its own table", async () => {
  await compile("server.cts", ...options);
  const { address, portal, start, connect } = await serverIn(folder, "built/server.cjs", "shop.db");
  const end = await start();
  const respond = async (line: string, init?: RequestInit) => {
    const answer = await fetch(address + line, init);
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await respond("/centro/dispatch/1")).toBe("401 centro isn't connected yet.");

  const { callback, headers } = await connect("/centro/connect");
  expect(await respond(callback.slice(address.length), { headers })).toBe("200 centro is connected");

  // Both calls need a new token, and only one requests it.
  portal.clock.advance(7_200_000);
  const { id } = portal.createOrder({ order_type: "delivery", status: "ready" });
  const [from, to] = ["2025-01-01T00:00:00-03:00", "2025-12-31T23:59:59-03:00"];
  expect(
    await Promise.all([respond(`/centro/dispatch/${id}`), respond(`/centro/sales?from=${from}&to=${to}`)]),
  ).toEqual([`200 ${id} is dispatched`, expect.stringMatching(/^200 \d+$/)]);
  const refreshes = portal.received({ path: "/token" });
  expect(refreshes.map(({ status }) => status)).toEqual([200, 200]);
  expect(await respond("/centro/disconnect")).toBe("200 centro is disconnected");
  expect(await respond(`/centro/dispatch/${id}`)).toMatch(/^401 /);
  await end();
});

test("the tests of the worker pass with several readings of the specification", async () => {
  await compile("worker.test.ts", ...options, "--skipLibCheck");
  const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const words = [vitest, "run", "worker.test.ts", "--reporter=json"];
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 12 });
});
