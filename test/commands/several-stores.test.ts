import { readFileSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { Bench } from "../support/bench.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { parseJson, parseJsonLines } from "../support/json.js";

/** For what changes nothing. */
let shared: Bench;
let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const storedSchema = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
});
const storedTokens = (store = "centro") => {
  const file = path.join(bench.machine.configFolder, "sessions", `s-${store}.json`);
  return z.parse(storedSchema, parseJson(readFileSync(file, "utf8"))).tokens;
};
/** What the sessions' files hold beside the store's name and its environment. */
const credentials = () => {
  const folder = path.join(bench.machine.configFolder, "sessions");
  const names = filesIn(folder).filter((name) => name.endsWith(".json"));
  const files = names.map((name) => parseJson(readFileSync(path.join(folder, name), "utf8")));
  const known = ["version", "store", "environment"];
  return files.flatMap((file) => Object.keys(file ?? {}).filter((name) => !known.includes(name)));
};
const withKey = async (store: string) => {
  await bench.inProcess(`login --api-key --store ${store} --env test`, { input: bench.keyOf() });
};

describe("stores", () => {
  test("asks which store where there are several and none is chosen", async () => {
    await bench.signIn();
    await withKey("loja-2");
    await bench.inProcess("stores remove centro");
    await withKey("loja-3");
    const { code, stderr } = await bench.inProcess("orders dispatch 1");
    expect(code).toBe(2);
    expect(stderr).toMatch(/several stores[\s\S]*comanda stores use/);
  });
});

describe("a store that can't be meant", () => {
  beforeAll(async () => {
    shared = await Bench.open();
    await shared.signIn();
    await shared.inProcess("login --api-key --store loja-2 --env test", { input: shared.keyOf() });
    shared.forgetRequests();
  });
  afterAll(() => shared.close());

  test.each([
    ["use", "stores use cenrto"],
    ["a command at an unknown store", "orders dispatch 1 --store cenrto"],
    ["one of two stores", "summary --store loja-2 --store cenrto"],
    ["two stores at once", "orders dispatch 1 --store centro --store loja-2"],
    ["status", "status --store cenrto"],
    ["logout", "logout --store cenrto"],
  ])("%s: an error with exit 2 that changes nothing", async (_, line) => {
    const before = snapshot(shared.machine.configFolder);
    const { code, stdout, stderr } = await shared.inProcess(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .+[.?]\n {2}.+/);
    if (line.includes("cenrto")) expect(stderr).toContain('no store "cenrto". Did you mean "centro"?');
    expect(snapshot(shared.machine.configFolder)).toEqual(before);
    expect(shared.requests()).toEqual([]);
  });
});

test("suggests a store for a slip in COMANDA_STORE", async () => {
  await bench.setEnvironment();
  await withKey("centro");
  const { code, stderr } = await bench.inProcess("orders dispatch 1", { env: { COMANDA_STORE: "centor" } });
  expect(code).toBe(2);
  expect(stderr).toContain('no store "centor". Did you mean "centro"?');
});

describe("logout", () => {
  test("revokes at the service: the old tokens are refused from then on", async () => {
    await bench.signIn();
    const { access_token, refresh_token } = storedTokens();
    const { server } = bench.emulator.service;
    expect(server.authenticate(access_token)).toBeDefined();
    expect(await bench.inProcess("logout")).toMatchObject({ code: 0, stdout: "centro is signed out.\n" });
    expect(credentials()).toEqual([]);
    expect(server.authenticate(access_token)).toBeUndefined();
    const clientId = bench.emulator.clientId;
    expect(() => server.refresh({ clientId, refreshToken: refresh_token })).toThrow("revoked");
    const order = await bench.order();
    const env = { COMANDA_BASE_URL: bench.emulator.baseUrl, COMANDA_ACCESS_TOKEN: access_token };
    expect((await bench.inProcess(`orders dispatch ${order}`, { env })).code).toBe(3);
    expect(bench.stored(order).status).toBe("confirmed");
  });

  test("forgets the tokens, warns and ends with 8 where the service can't be reached", async () => {
    await bench.signIn();
    await bench.emulator.close();
    const { code, stdout, stderr } = await bench.inProcess("logout");
    expect({ code, stdout }).toEqual({ code: 8, stdout: "centro is signed out.\n" });
    expect(stderr).toMatch(/warning: centro is signed out here, but its tokens were not revoked/);
    expect(stderr).toMatch(/error: .*\n {2}.*uninstall the app/);
    expect(credentials()).toEqual([]);
  });

  test("--all signs out everywhere", async () => {
    await bench.signIn();
    await bench.signIn("loja-2", { store: 502 });
    await withKey("loja-3");
    const tokens = [storedTokens(), storedTokens("loja-2")];
    const { code, stdout } = await bench.inProcess("logout --all --json");
    expect(code).toBe(0);
    expect(parseJsonLines(stdout)).toEqual([
      { store: "centro", revoked: true, forgotten: true },
      { store: "loja-2", revoked: true, forgotten: true },
      { store: "loja-3", revoked: false, forgotten: true },
    ]);
    expect(credentials()).toEqual([]);
    for (const { access_token } of tokens) {
      expect(bench.emulator.service.server.authenticate(access_token)).toBeUndefined();
    }
    expect((await bench.inProcess("status")).code).toBe(3);
  });

  test("has nothing to do where no store is known", async () => {
    expect((await bench.inProcess("logout --all")).code).toBe(0);
    expect(await bench.inProcess("logout")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("comanda login") as string,
    });
  });
});
