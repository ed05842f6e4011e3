import { createServer } from "node:http";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { Bench } from "../support/bench.js";
import { filesIn, snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { readSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
  await bench.setEnvironment();
});
afterEach(() => bench.close());

const report = {
  store: "centro",
  environment: "test",
  state: "valid",
  scopes: ["store", "orders", "drivers", "catalog", "customers", "coupons", "reviews"],
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: true,
  can_change_orders: true,
};
const centro = ["--store", "centro", "--env", "test"];
const apiKey = () => bench.emulator.world.stores.get(501)?.apiKey ?? "";

describe("login without a terminal", () => {
  it("shows the address alone on a line, waits at the redirect address, and stores the session", async () => {
    const result = await bench.login(centro);
    expect(result).toMatchObject({
      code: 0,
      page: 200,
      stdout: `Signed in at centro (test), allowed: ${report.scopes.join(", ")}.\n`,
    });
    const addresses = result.stderr.split("\n").filter((line) => line.startsWith("http"));
    expect(addresses).toHaveLength(1);
    const url = new URL(addresses[0] ?? "");
    expect([...url.searchParams.keys()].sort()).toEqual(
      ["client_id", "code_challenge", "code_challenge_method", "redirect_uri", "state"].sort(),
    );
    expect(url.searchParams.get("redirect_uri")).toBe(bench.emulator.redirectUri);
    expect(snapshot(bench.machine.configFolder)).toMatchObject({
      "sessions/s-centro.json": expect.stringMatching(/^600 /) as string,
    });
  });

  it("prints a report with --json", async () => {
    const { code, stdout } = await bench.login([...centro, "--json"]);
    expect(code).toBe(0);
    const expires_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    expect(parseJson(stdout)).toEqual({ ...report, expires_at });
  });

  it("keeps the query that an auth_url has, and adds the five parameters", async () => {
    const { baseUrl, clientId } = bench.emulator;
    await bench.comanda(
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

  it("signs a known store in again where it was, without --env", async () => {
    await bench.login(centro);
    const before = readSession(bench.machine.configFolder);
    expect((await bench.login(["--store", "centro"])).code).toBe(0);
    const after = readSession(bench.machine.configFolder);
    expect(after.tokens.access_token).not.toBe(before.tokens.access_token);
    expect(after["environment"]).toEqual(before["environment"]);
  });

  it.each([
    ["the owner refuses", { allow: false }, "the owner refused"],
    ["someone else than the owner tries", { personId: "marta" }, "only the owner may authorise an app"],
  ])("ends with 4 where %s, and stores nothing", async (_, decision, said) => {
    const before = snapshot(bench.machine.configFolder);
    const result = await bench.login(centro, decision);
    expect(result).toMatchObject({ code: 4, stdout: "", page: 400 });
    expect(result.stderr).toContain(`error: The service refused the sign-in (access_denied: ${said}).\n`);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });

  it("ends with 3 after --timeout, and stores nothing", async () => {
    const before = snapshot(bench.machine.configFolder);
    const { code, stderr } = await bench.comanda(["login", "--no-browser", ...centro, "--timeout", "300ms"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/\n.*comanda login/);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });

  it("goes on waiting where a request without its state comes, also one that says it is an error", async () => {
    const running = bench.machine.start(["login", "--no-browser", ...centro]);
    const url = await running.lineOn("stderr", /^http:/);
    const forged = await fetch(`${bench.emulator.redirectUri}?error=access_denied&state=forged`);
    expect(forged.status).toBe(400);
    const { authorizeAsOwner } = await import("../../src/emulator/http/portal/scripted-owner.js");
    await authorizeAsOwner(url, { storeId: 501 });
    expect((await running.finished).code).toBe(0);
  });

  it("says at once that the port of the redirect address is in use", async () => {
    const { port } = new URL(bench.emulator.redirectUri);
    const taken = createServer().listen(Number(port), "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    try {
      const before = snapshot(bench.machine.configFolder);
      const { code, stdout, stderr } = await bench.comanda(["login", ...centro]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`Port ${port} of 127.0.0.1`);
      expect(stderr).not.toMatch(/^https?:/m);
      expect(snapshot(bench.machine.configFolder)).toEqual(before);
    } finally {
      await new Promise((resolve) => taken.close(resolve));
    }
  });

  it.each([
    ["which store", "login --env test", /--store/],
    ["which environment", "login --store centro", /--env[\s\S]*local, sandbox, production, test/],
  ])("asks for %s in an error, prompts for nothing", async (_, line, message) => {
    const { code, stdout, stderr } = await bench.comanda(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("login --api-key", () => {
  const storeKey = (input: string) => bench.comanda(["login", "--api-key", ...centro, "--json"], { input });

  it("reads the key from stdin, and the store works with it", async () => {
    const { code, stdout, stderr } = await storeKey(`${apiKey()}\n`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "Commands work at centro without --store from now on.\n",
    });
    expect(parseJson(stdout)).toEqual({
      ...report,
      scopes: [],
      expires_at: null,
      has_api_key: true,
      has_refresh_token: false,
    });
    const order = await bench.order();
    expect((await bench.comanda(`orders dispatch ${order}`)).code).toBe(0);
    expect(bench.stored(order).status).toBe("released");
  });

  it.each([
    ["nothing on stdin", ""],
    ["a key of two lines", "abc\ndef\n"],
    ["a key with characters that no header takes", "clé secrète\n"],
  ])("refuses %s and stores nothing", async (_, input) => {
    const before = snapshot(bench.machine.configFolder);
    const { code, stdout, stderr } = await storeKey(input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toContain("secrète");
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });

  it.each([
    ["key first", true],
    ["sign-in first", false],
  ])("a store holds both kinds of credentials, %s; the token is used first", async (_, keyFirst) => {
    if (keyFirst) await storeKey(apiKey());
    expect((await bench.login(centro)).code).toBe(0);
    if (!keyFirst) await storeKey(apiKey());
    const { stdout } = await bench.comanda("status --json");
    expect(parseJson(stdout)).toMatchObject({ has_api_key: true, has_refresh_token: true, state: "valid" });
    const shown = (await bench.comanda("orders dispatch 1 --dry-run")).stdout;
    expect(shown).toContain("authorization: Bearer ****");
    expect(shown).not.toContain("x-api-key");
  });

  it("never takes the key from the command line", async () => {
    const { code } = await bench.comanda(["login", "--api-key", "my-key", ...centro]);
    expect(code).toBe(2);
    expect(filesIn(bench.machine.configFolder).filter((name) => name.startsWith("sessions"))).toEqual([]);
  });
});

describe("a base_url with a path prefix", () => {
  it("is used with its prefix", async () => {
    const { startStub } = await import("../support/stub-service.js");
    const stub = await startStub();
    try {
      await bench.comanda(
        `env set far --base-url ${stub.url}/v2/partner --auth-url ${stub.url}/authorize --client-id x`,
      );
      await bench.comanda("login --api-key --store far --env far", { input: "secret-key" });
      expect((await bench.comanda("orders dispatch 7 --store far")).code).toBe(0);
      expect(stub.requests.map(({ target }) => target)).toEqual([
        "/v2/partner/api/partner/v1/orders/7/dispatch",
      ]);
    } finally {
      await stub.close();
    }
  });
});
