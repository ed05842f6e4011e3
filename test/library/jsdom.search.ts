/** The tests of a web program in vitest and jest with jsdom, whose AbortSignal isn't that of Node's fetch. */
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { startEmulator } from "../../src/library/emulator.js";
import { fetched } from "../support/fetched.js";
import { packageUser, run } from "../support/package-user.js";
import { closing } from "../support/resources.js";

// This vitest finds jsdom next to itself.
const vitest = fetched("jsdom", "vitest");
const jest = fetched("jest", "jest/bin/jest.js");
const jestEnvironment = fetched("jest", "jest-environment-jsdom");
const { folder } = packageUser([]);
if (vitest !== undefined) symlinkSync(vitest, path.join(folder, "node_modules", "vitest"));
const emulator = closing(await startEmulator({ orders: 0 }));

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

test.skipIf(vitest === undefined)("vitest's jsdom environment dispatches", async () => {
  const imports = 'import { createClient } from "comanda"; import { expect, test } from "vitest";';
  writeFileSync(path.join(folder, "web.test.mjs"), imports + body);
  const flags = ["--environment=jsdom", "--reporter=json"];
  const line = ["node_modules/vitest/vitest.mjs", "run", "web.test.mjs", ...flags];
  const { stdout } = await run(process.execPath, line, { cwd: folder, env: env() });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
});

test.skipIf(jest === undefined || jestEnvironment === undefined)(
  "jest's jsdom environment dispatches with the globals that a program adds",
  async () => {
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
    const emulated = `
      test("starts an emulator", async () => {
        const emulator = await require("comanda/testing").startEmulator({ orders: 0 });
        const { id } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
        expect(await emulator.client().dispatchOrder(id)).toMatchObject({ outcome: "done" });
        await emulator.close();
      });`;
    const code = `const { createClient } = require("comanda");${body}${emulated}`;
    writeFileSync(path.join(folder, "web.test.cjs"), code);
    const flags = ["--env=./environment.cjs", "--testMatch=**/web.test.cjs", "--json", "--rootDir=."];
    const { stdout } = await run(process.execPath, [jest ?? "", ...flags], { cwd: folder, env: env() });
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numFailedTests: 0, numPassedTests: 2 });
  },
);
