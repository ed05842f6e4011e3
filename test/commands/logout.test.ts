/** `comanda logout`: what the service and this machine store afterwards. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { beforeEach, expect, test } from "vitest";

import { Bench, matching, parseJson, parseJsonLines } from "../support/bench.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open({ orders: 1 });
  await bench.signIn();
});

const tokensOf = (store?: string) => readSession(bench.machine.configFolder, store).tokens;
const nothing = { has_api_key: false, has_partner_key: false, has_refresh_token: false, expires_at: null };
const listed = async () => parseJson((await bench.inProcess("stores list --json")).stdout);

test("logout revokes the tokens, deletes tokens and keys, names the deleted keys, and keeps the store", async () => {
  const { access_token, refresh_token } = tokensOf();
  const { server } = bench.emulator.service;
  expect(server.authenticate(access_token)).toBeDefined();
  await bench.inProcess("login --api-key --store centro", { input: bench.keyOf() });
  await bench.inProcess("login --partner-key --store centro", { input: "partner" });
  const { code, stdout } = await bench.inProcess("logout");
  const keys = "Deleted from this machine, but still valid at the service: API key, partner key.\n";
  expect({ code, stdout }).toEqual({ code: 0, stdout: `centro is signed out.\n${keys}` });
  expect(await listed()).toMatchObject([{ ...nothing, store: "centro", default: true }]);
  expect(server.authenticate(access_token)).toBeUndefined();
  const { clientId } = bench.emulator;
  expect(() => server.refresh({ client_id: clientId, refresh_token })).toThrow("revoked");
});

test("logout deletes the tokens, warns and exits with code 8 if the service can't be reached", async () => {
  await bench.emulator.close();
  const stderr = matching(
    /^warning: .* could not be revoked[^]*\n {2}To revoke this sign-in, .*uninstall the app/,
  );
  expect(await bench.inProcess("logout")).toEqual({ code: 8, stdout: "centro is signed out.\n", stderr });
  expect(await listed()).toMatchObject([nothing]);
});

test("logout without --store is an error if variables contain the credentials, and signs out no store", async () => {
  const stderr = matching(/variables contain the credentials.*\n {2}.*add --store <alias>\.\n$/);
  const env = bench.keyEnvironment();
  expect(await bench.inProcess("logout", { env })).toMatchObject({ code: 2, stdout: "", stderr });
  expect(await bench.inProcess("logout --store centro", { env })).toMatchObject({ code: 0 });
});

test("logout --all signs out the other stores if one store's file is damaged, and names that one", async () => {
  await bench.signIn("loja-2", { store: 502 });
  const { access_token } = tokensOf("loja-2");
  writeFileSync(path.join(bench.machine.configFolder, "sessions", "s-centro.json"), "{");
  const stderr = matching(
    /warning: centro: .* is damaged[^]*again: comanda login --store centro --env <name>\n/,
  );
  const stdout = "loja-2 is signed out.\n";
  expect(await bench.inProcess("logout --all")).toEqual({ code: 2, stdout, stderr });
  expect(bench.emulator.service.server.authenticate(access_token)).toBeUndefined();
});

test("logout --all signs out of every store, and names each", async () => {
  await bench.inProcess("login --api-key --store loja-2 --env test", { input: bench.keyOf() });
  const { stdout } = await bench.inProcess("logout --all --json");
  expect(parseJsonLines(stdout)).toEqual([
    { store: "centro", revoked: true, deleted: true, keys_still_valid: [] },
    { store: "loja-2", revoked: false, deleted: true, keys_still_valid: ["api_key"] },
  ]);
  expect(await listed()).toMatchObject([nothing, nothing]);
  expect((await bench.inProcess("status")).code).toBe(3);
});
