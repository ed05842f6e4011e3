/** `logout`: what the service and this machine know afterwards of a store that was signed in. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { parseJson, parseJsonLines } from "../support/json.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open({ orders: 1 });
  await bench.signIn();
});
afterEach(() => bench.close());

const tokensOf = (store?: string) => readSession(bench.machine.configFolder, store).tokens;
const nothing = { has_api_key: false, has_partner_key: false, has_refresh_token: false, expires_at: null };
const listed = async () => parseJson((await bench.inProcess("stores list --json")).stdout);

test("revokes at the service, and forgets tokens and keys, but not the store", async () => {
  const { access_token, refresh_token } = tokensOf();
  const { server } = bench.emulator.service;
  expect(server.authenticate(access_token)).toBeDefined();
  await bench.inProcess("login --api-key --store centro", { input: bench.keyOf() });
  const { code, stdout } = await bench.inProcess("logout");
  expect([code, stdout]).toEqual([0, "centro is signed out. Also deleted: API key.\n"]);
  expect(await listed()).toMatchObject([{ ...nothing, store: "centro", default: true }]);
  expect(server.authenticate(access_token)).toBeUndefined();
  const { clientId } = bench.emulator;
  expect(() => server.refresh({ client_id: clientId, refresh_token })).toThrow("revoked");
});

test("forgets the tokens, warns and ends with 8 where the service can't be reached", async () => {
  await bench.emulator.close();
  const { code, stdout, stderr } = await bench.inProcess("logout");
  expect({ code, stdout }).toEqual({ code: 8, stdout: "centro is signed out.\n" });
  expect(stderr).toMatch(/warning: centro is signed out on this machine, but its tokens were not revoked/);
  expect(stderr).toMatch(/error: .*\n {2}.*uninstall the app/);
  expect(await listed()).toMatchObject([nothing]);
});

test("--all signs out what it can where one store's file is damaged, and says which it can't", async () => {
  await bench.signIn("loja-2", { store: 502 });
  const { access_token } = tokensOf("loja-2");
  writeFileSync(path.join(bench.machine.configFolder, "sessions", "s-centro.json"), "{");
  const { code, stdout, stderr } = await bench.inProcess("logout --all");
  expect([code, stdout]).toEqual([2, "loja-2 is signed out.\n"]);
  expect(stderr).toMatch(/warning: centro: .* is damaged/);
  expect(bench.emulator.service.server.authenticate(access_token)).toBeUndefined();
});

test("--all signs out everywhere, and names each store", async () => {
  await bench.signIn("loja-2", { store: 502 });
  await bench.inProcess("login --api-key --store loja-3 --env test", { input: bench.keyOf() });
  const tokens = [tokensOf(), tokensOf("loja-2")];
  const { code, stdout } = await bench.inProcess("logout --all --json");
  expect([code, parseJsonLines(stdout)]).toEqual([
    0,
    [
      { store: "centro", revoked: true, forgotten: true },
      { store: "loja-2", revoked: true, forgotten: true },
      { store: "loja-3", revoked: false, forgotten: true },
    ],
  ]);
  expect(await listed()).toMatchObject([nothing, nothing, nothing]);
  for (const { access_token } of tokens)
    expect(bench.emulator.service.server.authenticate(access_token)).toBeUndefined();
  expect((await bench.inProcess("status")).code).toBe(3);
});
