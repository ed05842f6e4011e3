/** What a started process adds to test/commands/login-lines.test.ts: the wait at the redirect address, and its file. */
import { afterEach, beforeEach, expect, test } from "vitest";

import { authorizeAsOwner } from "../../src/emulator/sign-in.js";
import { Bench } from "../support/bench.js";
import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.setEnvironment();
});
afterEach(() => bench.close());

const centro = ["--store", "centro", "--env", "test"];

test("goes on waiting where a request without its state comes, also one that says it is an error", async () => {
  const running = bench.machine.start(["login", "--no-browser", ...centro, "--json"]);
  const url = await running.lineOn("stderr", /^http:/);
  const forged = await fetch(`${bench.emulator.redirectUri}?error=access_denied&state=forged`);
  expect(forged.status).toBe(400);
  await authorizeAsOwner(url, { store: 501 });
  const { code, stdout } = await running.finished;
  expect(code).toBe(0);
  expect(parseJson(stdout)).toMatchObject({ store: "centro", state: "valid", has_refresh_token: true });
  expect(snapshot(bench.machine.configFolder)).toMatchObject({
    "sessions/s-centro.json": expect.stringMatching(/^600 /) as string,
  });
});

test("keeps the query that an auth_url has, and adds the five parameters", async () => {
  const { baseUrl, clientId } = bench.emulator;
  await bench.inProcess(
    `env set other --base-url ${baseUrl} --auth-url https://portal.example/go?lang=pt --client-id ${clientId}` +
      ` --redirect-uri ${bench.emulator.redirectUri}`,
  );
  const running = bench.machine.start(["login", "--no-browser", "--store", "x", "--env", "other"]);
  const url = new URL(await running.lineOn("stderr", /^https:/));
  running.child.kill("SIGINT");
  expect((await running.finished).code).toBe(130);
  expect(url.origin + url.pathname).toBe("https://portal.example/go");
  expect(url.searchParams.get("lang")).toBe("pt");
  expect([...url.searchParams.keys()]).toHaveLength(6);
});
