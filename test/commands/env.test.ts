import { describe, expect, test } from "vitest";

import { list, remove, set } from "../../src/commands/env.js";
import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run } from "../support/machine.js";
import { parse } from "../support/parse.js";

const mine = {
  name: "mine",
  base_url: "https://api.example",
  auth_url: "https://portal.example/authorize",
  client_id: "my-app",
  redirect_uri: "http://127.0.0.1:8765/callback",
};
const flags = {
  "--base-url": mine.base_url,
  "--auth-url": mine.auth_url,
  "--client-id": mine.client_id,
};
const local = {
  name: "local",
  base_url: "http://127.0.0.1:4100",
  auth_url: "http://127.0.0.1:4100/portal/authorize",
  client_id: "comanda-local",
  redirect_uri: "http://127.0.0.1:8765/callback",
  source: "built-in",
};
const unset = { base_url: null, auth_url: null, client_id: null, redirect_uri: null, source: "unset" };

const parseSet = (changes: Readonly<Record<string, string>>) =>
  parse(set, "mine", ...Object.entries({ ...flags, ...changes }).flat());

describe("parse", () => {
  test("env set makes an environment with the usual redirect address", async () => {
    await expect(parseSet({})).resolves.toEqual(mine);
  });

  test.each([
    ["a path prefix", "--base-url", "https://api.example/v2/partner", "base_url"],
    ["a query in the auth_url", "--auth-url", "https://portal.example/go?lang=pt&x=1", "auth_url"],
    ["http on 127.0.0.1", "--base-url", "http://127.0.0.1:9000", "base_url"],
    ["http on localhost", "--base-url", "http://localhost:9000", "base_url"],
    ["http on ::1", "--base-url", "http://[::1]:9000", "base_url"],
    ["a redirect address off this machine", "--redirect-uri", "https://app.example/back", "redirect_uri"],
  ])("env set takes %s as it is", async (_, flag, value, field) => {
    await expect(parseSet({ [flag]: value })).resolves.toEqual({ ...mine, [field]: value });
  });

  test("env set lets a test's emulator be another machine's by http, where it is told to", async () => {
    const addresses = {
      "--base-url": "http://emulator:4100",
      "--auth-url": "http://emulator:4100/portal/authorize",
    };
    const words = Object.entries({ ...flags, ...addresses }).flat();
    await expect(parse(set, "emulator", ...words, "--allow-insecure")).resolves.toMatchObject({
      base_url: "http://emulator:4100",
      allow_insecure: true,
    });
    await expect(parse(set, "production", ...words, "--allow-insecure")).rejects.toThrow("never insecure");
  });

  test.each([
    ["a base_url without host", "--base-url", "https://"],
    ["a base_url that is no URL", "--base-url", "api.example"],
    ["http to another machine", "--base-url", "http://api.example"],
    ["http to another machine's portal", "--auth-url", "http://portal.example/authorize"],
    ["a base_url with credentials", "--base-url", "https://me:pass@api.example"],
    ["a base_url with a query", "--base-url", "https://api.example?a=1"],
    ["a base_url of another scheme", "--base-url", "ftp://api.example"],
    ["an empty client_id", "--client-id", ""],
    ["a redirect address with a fragment", "--redirect-uri", "http://127.0.0.1:8765/callback#top"],
  ])("env set refuses %s and names the flag", async (_, flag, value) => {
    await expect(parseSet({ [flag]: value })).rejects.toThrow(flag);
  });

  test.each(Object.keys(flags))("env set asks for %s where it is missing", async (flag) => {
    const others = Object.entries(flags).filter(([name]) => name !== flag);
    await expect(parse(set, "mine", ...others.flat())).rejects.toThrow(flag);
  });

  test("env list and env remove", async () => {
    await expect(parse(list)).resolves.toEqual({});
    await expect(parse(remove, "sandbox")).resolves.toEqual({ name: "sandbox" });
    await expect(parse(remove)).rejects.toThrow("missing required argument");
  });
});

test("env list has the emulator's environment without a setting, and the service's two by name", async () => {
  const { result, stdout } = await run(list, await openMachine(), {});
  expect(result).toEqual([local, { name: "sandbox", ...unset }, { name: "production", ...unset }]);
  expect(stdout).toMatch(/^sandbox +not set: see comanda env set --help *$/m);
});

test("env set keeps an environment, and env remove forgets it", async () => {
  const test = await openMachine();
  const sandbox = { ...mine, name: "sandbox" };
  expect((await run(set, test, sandbox)).stdout).toBe(
    "The environment sandbox is set. Sign in there: comanda login --store <alias> --env sandbox\n",
  );
  const listed = await run(list, test, {});
  expect(listed.result).toEqual([local, { ...sandbox, source: "setting" }, { name: "production", ...unset }]);
  expect(listed.stdout).toMatch(/^sandbox +https:\/\/api\.example +https:/m);
  expect((await run(remove, test, { name: "sandbox" })).stdout).toBe(
    "The environment sandbox is forgotten.\n",
  );
  expect((await run(list, test, {})).result).toEqual([
    local,
    { name: "sandbox", ...unset },
    { name: "production", ...unset },
  ]);
});

test("env set and env remove answer with JSON", async () => {
  const test = await openMachine({ format: "json" });
  expect(parseJson((await run(set, test, mine)).stdout)).toEqual(mine);
  expect(parseJson((await run(remove, test, { name: "mine" })).stdout)).toEqual({
    name: "mine",
    removed: true,
  });
});

test("env set names the stores that go on with the address before", async () => {
  const test = await openMachine();
  await keepSession(test, "centro", { environment: mine });
  await keepSession(test, "loja-2", { environment: { ...mine, name: "other" } });
  expect((await run(set, test, mine)).stderr).toBe("");
  expect((await run(set, test, { ...mine, base_url: "https://api2.example" })).stderr).toBe(
    "warning: Signed in with the address before, and still using it: centro. To move, sign out and in again.\n",
  );
});

test.each([
  ["one that isn't set", "sandbox", { message: expect.stringContaining("is not set") as string }],
  ["one that isn't known", "sanbox", { hint: expect.stringContaining('Did you mean "sandbox"?') as string }],
])("env remove refuses %s and changes nothing", async (_, name, error) => {
  const test = await openMachine();
  await run(set, test, mine);
  const before = snapshot(test.folder);
  await expect(run(remove, test, { name })).rejects.toMatchObject({ code: "invalid_input", ...error });
  expect(snapshot(test.folder)).toEqual(before);
});
