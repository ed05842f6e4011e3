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
  expect(() => server.refresh({ clientId, refreshToken: refresh_token })).toThrow("revoked");
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

test("keeps how a store's days are counted and its figures are shown, until it is removed", async () => {
  const settings = { time_zone: "America/Sao_Paulo", currency: "BRL", day_starts: "04:00", locale: "pt-BR" };
  const known = async () => parseJson((await bench.inProcess("stores list --json")).stdout);
  const told = async () =>
    parseJson((await bench.inProcess("stores set centro --locale pt-BR --json")).stdout);
  const login = async (more = "") =>
    bench.inProcess(`login --api-key --store centro${more}`, { input: bench.keyOf() });
  await bench.inProcess("stores set centro --tz America/Sao_Paulo --currency BRL --day-starts 04:00");
  await told();
  await bench.inProcess("logout");
  expect(await told()).toEqual({ store: "centro", ...settings });
  const gate = await bench.inProcess("status");
  expect([gate.code, gate.stderr]).toEqual([
    3,
    expect.stringContaining("Sign in: comanda login --store centro --env test"),
  ]);
  expect((await bench.inProcess("orders dispatch 1")).code).toBe(3);
  // Its environment needn't be named again.
  await login();
  expect(await known()).toMatchObject([{ environment: "test", has_api_key: true }]);
  expect(await told()).toEqual({ store: "centro", ...settings });
  await bench.inProcess("stores remove CENTRO");
  await login(" --env test");
  expect(await known()).toMatchObject([{ time_zone: null }]);
});
