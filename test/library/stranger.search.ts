/** The three programs of examples/shop, compiled and run with only the package. */
import { cpSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { compiled, packageUser, run, serverIn } from "../support/package-user.js";

const { folder, installed } = packageUser(["@types", "undici-types", "@photostructure", "vitest"]);
cpSync(path.join(installed, "examples", "shop"), folder, { recursive: true });

/** Compiles a program into `built`, by default including the types of libraries. */
const compile = (name: string, ...options: readonly string[]) => {
  const strict = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", "node"];
  expect(compiled(folder, [...strict, ...options, "--outDir", "built", name])).toBe("");
};

test("the CommonJS server stores the tokens of its shops in its own table", async () => {
  compile("server.cts");
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
  compile("worker.test.ts", "--skipLibCheck");
  const vitest = path.join(folder, "node_modules", "vitest", "vitest.mjs");
  const words = [vitest, "run", "worker.test.ts", "--reporter=json"];
  const { stdout } = await run(process.execPath, words, { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 12 });
});
