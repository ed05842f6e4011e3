/** A web program's own tests: vitest and jest with jsdom, whose AbortSignal isn't that of Node's fetch. */
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startEmulator, type Emulator } from "../../src/library/emulator.js";
import { fetched } from "../support/fetched.js";
import { installPacked, packageUser } from "../support/package-user.js";

const run = promisify(execFile);
// With a vitest of its own, which finds jsdom next to it.
const vitest = fetched("jsdom", "vitest");
const jest = fetched("jest", "jest/bin/jest.js");
const jestEnvironment = fetched("jest", "jest-environment-jsdom");
const user = packageUser([]);
const { folder } = user;
let emulator: Emulator;

beforeAll(async () => {
  installPacked(user);
  emulator = await startEmulator({ orders: 0 });
  if (vitest !== undefined) symlinkSync(vitest, path.join(folder, "node_modules", "vitest"));
});
afterAll(async () => {
  await emulator.close();
  user.remove();
});

const body = `
  test("dispatches an order, with a signal", async () => {
    const { SERVICE: baseUrl, TOKEN, ORDER } = process.env;
    const client = createClient({ baseUrl, credentials: { bearer: async () => TOKEN } });
    const { signal } = new AbortController();
    expect(await client.dispatchOrder(ORDER, { signal })).toMatchObject({ outcome: "done", attempts: 1 });
    expect(typeof document).toBe("object");
  });`;

function env() {
  const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
  const token = emulator.signIn().accessToken;
  return { PATH: process.env["PATH"], SERVICE: emulator.baseUrl, TOKEN: token, ORDER: String(id) };
}

test.skipIf(vitest === undefined)("vitest's jsdom environment", async () => {
  const imports = 'import { createClient } from "comanda"; import { expect, test } from "vitest";';
  writeFileSync(path.join(folder, "web.test.mjs"), imports + body);
  const line = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "web.test.mjs",
    "--environment=jsdom",
    "--reporter=json",
  ];
  const { stdout } = await run(process.execPath, line, { cwd: folder, env: env() });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
});

test.skipIf(jest === undefined || jestEnvironment === undefined)("jest's jsdom environment", async () => {
  writeFileSync(path.join(folder, "web.test.cjs"), `const { createClient } = require("comanda");${body}`);
  // jest's jsdom has no fetch. A program adds what Node has.
  const web = "fetch, Request, Response, Headers, TextDecoder, TextEncoder, ReadableStream";
  writeFileSync(
    path.join(folder, "environment.cjs"),
    `const { TestEnvironment } = require(${JSON.stringify(jestEnvironment)});
     module.exports = class extends TestEnvironment {
       constructor(...given) {
         super(...given);
         Object.assign(this.global, { ${web} });
       }
     };`,
  );
  const line = [
    jest ?? "",
    "--env=./environment.cjs",
    "--testMatch=**/web.test.cjs",
    "--json",
    "--rootDir=.",
  ];
  const { stdout } = await run(process.execPath, line, { cwd: folder, env: env() });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
});
