/** `logout`: what the service and this machine know afterwards of a store that was signed in. */
import { readFileSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { filesIn } from "../support/folder-state.js";
import { parseJson, parseJsonLines } from "../support/json.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.signIn();
});
afterEach(() => bench.close());

const storedSchema = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
});
const folder = () => path.join(bench.machine.configFolder, "sessions");
const storedTokens = (store = "centro") =>
  z.parse(storedSchema, parseJson(readFileSync(path.join(folder(), `s-${store}.json`), "utf8"))).tokens;
/** What the sessions' files hold beside the store's name and its environment. */
const credentials = () => {
  const names = filesIn(folder()).filter((name) => name.endsWith(".json"));
  const files = names.map((name) => parseJson(readFileSync(path.join(folder(), name), "utf8")));
  const known = ["version", "store", "environment"];
  return files.flatMap((file) => Object.keys(file ?? {}).filter((name) => !known.includes(name)));
};

test("revokes at the service: the old tokens are refused from then on", async () => {
  const { access_token, refresh_token } = storedTokens();
  const { server } = bench.emulator.service;
  expect(server.authenticate(access_token)).toBeDefined();
  expect(await bench.inProcess("logout")).toMatchObject({ code: 0, stdout: "centro is signed out.\n" });
  expect(credentials()).toEqual([]);
  expect(server.authenticate(access_token)).toBeUndefined();
  const { clientId } = bench.emulator;
  expect(() => server.refresh({ client_id: clientId, refresh_token })).toThrow("revoked");
});

test("forgets the tokens, warns and ends with 8 where the service can't be reached", async () => {
  await bench.emulator.close();
  const { code, stdout, stderr } = await bench.inProcess("logout");
  expect({ code, stdout }).toEqual({ code: 8, stdout: "centro is signed out.\n" });
  expect(stderr).toMatch(/warning: centro is signed out here, but its tokens were not revoked/);
  expect(stderr).toMatch(/error: .*\n {2}.*uninstall the app/);
  expect(credentials()).toEqual([]);
});

test("--all signs out everywhere, and names each store", async () => {
  await bench.signIn("loja-2", { store: 502 });
  await bench.inProcess("login --api-key --store loja-3 --env test", { input: bench.keyOf() });
  const tokens = [storedTokens(), storedTokens("loja-2")];
  const { code, stdout } = await bench.inProcess("logout --all --json");
  expect(code).toBe(0);
  expect(parseJsonLines(stdout)).toEqual([
    { store: "centro", revoked: true, forgotten: true },
    { store: "loja-2", revoked: true, forgotten: true },
    { store: "loja-3", revoked: false, forgotten: true },
  ]);
  expect(credentials()).toEqual([]);
  for (const { access_token } of tokens)
    expect(bench.emulator.service.server.authenticate(access_token)).toBeUndefined();
  expect((await bench.inProcess("status")).code).toBe(3);
});
