import { writeFileSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { jumpingClock } from "../client/support/clock.js";
import { Bench } from "../support/bench.js";
import { parseJson } from "../support/json.js";
import { readSession, sessionFile, type StoredSession } from "../support/stored-session.js";

let bench: Bench;
beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

const nobody = {
  store: null,
  environment: null,
  state: "signed_out",
  scopes: [],
  expires_at: null,
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: false,
  can_change_orders: false,
};
const everyScope = ["store", "orders", "drivers", "catalog", "customers", "coupons", "reviews"];
const centro = {
  store: "centro",
  environment: "test",
  has_api_key: false,
  has_partner_key: false,
  has_refresh_token: true,
  can_change_orders: true,
  time_zone: null,
};

const status = async (args = "") => {
  const clock = jumpingClock(Date.now());
  const { code, stdout, stderr } = await bench.inProcess(`status --json${args}`, { clock });
  return { code, report: parseJson(stdout), stderr };
};
const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

describe("status", () => {
  test.each(["", " --check"])("%s says that nobody is signed in, exit 3", async (check) => {
    const { code, report, stderr } = await status(check);
    expect({ code, report }).toEqual({ code: 3, report: nobody });
    expect(parseJson(stderr)).toMatchObject({ error: { exit_code: 3, code: "not_signed_in" } });
  });

  test("answers from what is stored, without a call", async () => {
    await bench.signIn();
    bench.forgetRequests();
    const { code, report, stderr } = await status();
    expect({ code, report, stderr }).toEqual({
      code: 0,
      stderr: "",
      report: { ...centro, state: "valid", scopes: everyScope, expires_at: anyTime },
    });
    expect(bench.requests()).toEqual([]);
    const { stdout } = await bench.inProcess("status");
    expect(stdout).toMatch(
      /^Store: +centro \(test\)\nState: +signed in\nPermissions: .*\nToken until: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d, then it renews itself$/m,
    );
  });

  test("asks the service with --check", async () => {
    await bench.signIn();
    bench.forgetRequests();
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" }, stderr: "" });
    expect(bench.requests()).toHaveLength(1);
  });

  test("says expired where the token's time is over; commands renew it, so exit 0", async () => {
    bench.emulator.service.server.setLifetimes({ accessTokenSeconds: 0.001 });
    await bench.signIn();
    expect(await status()).toMatchObject({
      code: 0,
      report: { ...centro, state: "expired", expires_at: anyTime },
    });
    bench.emulator.service.server.setLifetimes({ accessTokenSeconds: 7200 });
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" } });
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" } });
    expect(bench.emulator.service.server.counters().refreshes).toBe(1);
  });

  test("says refused, exit 3, once the store has uninstalled the app", async () => {
    await bench.signIn();
    bench.emulator.service.server.uninstall(501);
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" } });
    const checked = await status(" --check");
    expect(checked).toMatchObject({
      code: 3,
      report: { ...centro, state: "refused", can_change_orders: false },
    });
    expect(parseJson(checked.stderr)).toMatchObject({
      error: {
        exit_code: 3,
        code: "token_refused",
        hint: expect.stringContaining("comanda login --store centro") as string,
      },
    });
    // It stays known without asking again, and a new sign-in mends it.
    expect(await status()).toMatchObject({ code: 3, report: { state: "refused" } });
    await bench.signIn();
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" } });
  });

  const hour = 3_600_000;
  test.each<[string, (session: StoredSession) => object, number, RegExp, RegExp]>([
    [
      "a token that has its time",
      (session) => session,
      0,
      /^State: +signed in$/m,
      /^Token until: .*, then it renews itself$/m,
    ],
    [
      "a token that has expired, with a refresh token",
      ({ tokens, ...rest }) => ({ ...rest, tokens: { ...tokens, expires_at: Date.now() - hour } }),
      0,
      /^State: +signed in; the access token has expired and is renewed by the next command$/m,
      /^Token ended: [^,]*$/m,
    ],
    [
      "a token that has expired, without a refresh token",
      ({ tokens, ...rest }) => ({
        ...rest,
        tokens: { ...tokens, expires_at: Date.now() - hour, refresh_token: undefined },
      }),
      3,
      /^State: +the access token has expired, and nothing is stored to renew it with: sign in again$/m,
      /^Token ended: [^,]*$/m,
    ],
    [
      "a refused sign-in",
      ({ tokens, ...rest }) => ({
        ...rest,
        tokens: { ...tokens, expires_at: Date.now() - hour },
        refused_at: Date.now(),
      }),
      3,
      /^State: +refused by the service: sign in again$/m,
      /^(?!.*renew)(?!.*Token)/s,
    ],
  ])("tells one story of %s: its words and its exit code agree", async (_, change, exit, state, token) => {
    await bench.signIn();
    const file = sessionFile(bench.machine.configFolder);
    writeFileSync(file, JSON.stringify(change(readSession(bench.machine.configFolder))));
    const { code, stdout, stderr } = await bench.inProcess("status");
    expect({ code, said: stderr.includes("comanda login") }).toEqual({ code: exit, said: exit === 3 });
    expect(stdout).toMatch(state);
    expect(stdout).toMatch(token);
    expect((await bench.inProcess("orders dispatch 1")).code).toBe(exit === 3 ? 3 : 5);
  });

  test("says unreachable, exit 8, where nobody answers", async () => {
    await bench.signIn();
    await bench.emulator.close();
    const { code, report, stderr } = await status(" --check");
    expect({ code, report }).toMatchObject({ code: 8, report: { ...centro, state: "unreachable" } });
    expect(parseJson(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ error: { exit_code: 8 } });
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" } });
  });

  test.each([
    ["--store", "status --json --store centro", {}],
    ["COMANDA_STORE", "status --json", { COMANDA_STORE: "centro" }],
  ])("takes the store from %s", async (_, line, env) => {
    await bench.signIn();
    await bench.inProcess("login --api-key --store outra --env test", { input: bench.keyOf() });
    await bench.inProcess("stores use outra");
    expect(parseJson((await bench.inProcess("status --json")).stdout)).toMatchObject({ store: "outra" });
    expect(parseJson((await bench.inProcess(line, { env })).stdout)).toMatchObject({ store: "centro" });
  });

  test("lets the flag go before the variable", async () => {
    await bench.signIn();
    await bench.setEnvironment("other");
    await bench.inProcess("login --api-key --store outra --env other", { input: bench.keyOf() });
    const env = { COMANDA_STORE: "outra" };
    expect(parseJson((await bench.inProcess("status --json --store centro", { env })).stdout)).toMatchObject({
      store: "centro",
    });
  });

  test("works without state: address and credential from the environment", async () => {
    const env = {
      COMANDA_BASE_URL: bench.emulator.baseUrl,
      COMANDA_API_KEY: bench.keyOf(),
    };
    const { code, stdout } = await bench.inProcess("status --check --json", { env });
    expect(code).toBe(0);
    expect(parseJson(stdout)).toEqual({
      ...nobody,
      state: "valid",
      has_api_key: true,
      can_change_orders: true,
      checked: [
        { credential: "api_key", call: "deliver", result: "accepted", evidence: "api", message: null },
      ],
    });
  });

  test.each([
    ["COMANDA_ACCESS_TOKEN without an address", { COMANDA_ACCESS_TOKEN: "at_planted" }],
    ["an address without a credential", { COMANDA_BASE_URL: "https://api.example" }],
    ["an address without a host", { COMANDA_BASE_URL: "https://", COMANDA_API_KEY: "k_planted" }],
    ["http to another machine", { COMANDA_BASE_URL: "http://api.example", COMANDA_API_KEY: "k_planted" }],
  ])("refuses %s", async (_, env) => {
    const { code, stdout, stderr } = await bench.inProcess("orders dispatch 1", { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/COMANDA_|base URL/i);
    expect(stderr).not.toContain("planted");
  });
});
