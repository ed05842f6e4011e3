import { afterEach, beforeEach, describe, expect, test } from "vitest";

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

describe("login without a terminal", () => {
  test("shows the address alone on a line, waits at the redirect address, and stores the session", async () => {
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
    const expires_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    const again = await bench.login([...centro, "--json"]);
    expect([again.code, parseJson(again.stdout)]).toEqual([0, { ...report, expires_at }]);
  });

  test("stores the zone of --tz, and none where nobody says one; a wrong one opens nothing", async () => {
    const zone = async () => parseJson((await bench.inProcess("status --json")).stdout);
    await bench.login(centro);
    expect(await zone()).toMatchObject({ time_zone: null });
    const told = await bench.login([...centro, "--tz", "america/sao_paulo"]);
    expect(told.stderr).toContain("The days of centro are counted in America/Sao_Paulo.\n");
    expect(await zone()).toMatchObject({ time_zone: "America/Sao_Paulo" });
    expect((await bench.login(centro)).stderr).not.toContain("zone");
    const wrong = await bench.login([...centro, "--tz", "America/Sao_Paolo"]);
    expect(wrong).toMatchObject({ code: 2, page: undefined });
    expect(wrong.stderr).toContain('Did you mean "America/Sao_Paulo"?');
  });

  test("signs a known store in again where it was, without --env", async () => {
    await bench.login(centro);
    const before = readSession(bench.machine.configFolder);
    expect((await bench.login(["--store", "centro"])).code).toBe(0);
    const after = readSession(bench.machine.configFolder);
    expect(after.tokens.access_token).not.toBe(before.tokens.access_token);
    expect(after["environment"]).toEqual(before["environment"]);
  });

  test.each([
    ["the owner refuses", { allow: false }, "the owner refused"],
    ["someone else than the owner tries", { person: "marta" }, "only the owner may authorise an app"],
  ])("ends with 4 where %s, and stores nothing", async (_, decision, said) => {
    const before = snapshot(bench.machine.configFolder);
    const result = await bench.login(centro, decision);
    expect(result).toMatchObject({ code: 4, stdout: "", page: 400 });
    expect(result.stderr).toContain(`error: The service refused the sign-in (access_denied: ${said}).\n`);
    expect(snapshot(bench.machine.configFolder)).toEqual(before);
  });
});

describe("login --api-key", () => {
  const storeKey = (input: string) => bench.inProcess(["login", "--api-key", ...centro, "--json"], { input });

  test("reads the key from stdin, and the store works with it", async () => {
    const { code, stdout, stderr } = await storeKey(`${bench.keyOf()}\n`);
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
      checked: [
        { credential: "api_key", call: "deliver", result: "accepted", evidence: "api", message: null },
      ],
    });
    const order = await bench.order();
    expect((await bench.inProcess(`orders dispatch ${order}`)).code).toBe(0);
    expect(bench.stored(order).status).toBe("released");
  });

  test.each([
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

  test("a store holds both kinds of credentials; the token is used first", async () => {
    await storeKey(bench.keyOf());
    expect((await bench.login(centro)).code).toBe(0);
    const { stdout } = await bench.inProcess("status --json");
    expect(parseJson(stdout)).toMatchObject({ has_api_key: true, has_refresh_token: true, state: "valid" });
    const shown = (await bench.inProcess("orders dispatch 1 --dry-run")).stdout;
    expect(shown).toContain("authorization: Bearer ****");
    expect(shown).not.toContain("x-api-key");
  });

  test("never takes the key from the command line", async () => {
    const { code } = await bench.inProcess(["login", "--api-key", "my-key", ...centro]);
    expect(code).toBe(2);
    expect(filesIn(bench.machine.configFolder).filter((name) => name.startsWith("sessions"))).toEqual([]);
  });
});
