/** `status`: what is stored of a sign-in without a call, and what the service says of it with --check. */
import { writeFileSync } from "node:fs";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { jumpingClock } from "../client/support/clock.js";
import { Bench } from "../support/bench.js";
import { Desk, start } from "../support/desk.js";
import { parseJson } from "../support/json.js";
import { readSession, sessionFile, type StoredSession } from "../support/stored-session.js";

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

describe("what is stored", () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });
  afterEach(() => desk.remove());

  const keep = (change: (session: Session) => Session) =>
    desk.signIn("centro", "http://127.0.0.1:4100", "token", change);

  test.each(["", " --check"])(
    "of nobody is told%s, exit 3, with the command that signs in",
    async (check) => {
      const { code, stdout, error } = await desk.run(`status --json${check}`);
      expect([code, parseJson(stdout)]).toEqual([3, nobody]);
      expect(error).toMatchObject({
        code: "not_signed_in",
        hint: expect.stringContaining(
          "\nSign in at one: comanda login --store <alias> --env <name>\n",
        ) as string,
      });
      expect((await desk.run("status")).stdout).toBe("State:        signed out\n");
    },
  );

  test("of a token that has ended names the command that signs in again, environment and all", async () => {
    await keep((session) => ({
      ...session,
      api_key: "key_abc",
      tokens: { access_token: "token", generation: 1, expires_at: start - 1 },
    }));
    const { stdout, error } = await desk.run("status --json");
    expect(parseJson(stdout)).toMatchObject({ state: "expired", can_change_orders: true });
    expect(error).toMatchObject({
      code: "not_signed_in",
      hint: "Sign in: comanda login --store centro --env test",
    });
  });

  test("of a store with a key alone says what it can't do, stays an open gate, and goes with logout", async () => {
    await keep(({ store, environment }) => ({ version: 1, store, environment, api_key: "key_abc" }));
    await desk.run("stores use centro");
    const { code, stdout } = await desk.run("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^State: +API key only: no sales figures, no drivers$/m);
    expect(stdout).toMatch(/^Orders: +can be changed$/m);
    expect((await desk.run("logout")).stdout).toBe("centro is signed out. Its API key is forgotten, too.\n");
    const listed = await desk.run("stores list --json");
    expect(parseJson(listed.stdout)).toMatchObject([{ store: "centro", has_api_key: false, default: true }]);
  });

  test("of the variables is a credential that works, as far as is known", async () => {
    const env = { COMANDA_BASE_URL: "https://api.example", COMANDA_API_KEY: "key_abc" };
    const { stdout } = await desk.run("status --json", { env });
    expect(parseJson(stdout)).toMatchObject({ store: null, state: "valid", has_api_key: true });
    // A token signs in, with a key beside it or without.
    const both = { ...env, COMANDA_ACCESS_TOKEN: "token" };
    expect((await desk.run("status", { env: both })).stdout).toMatch(/^State: +signed in$/m);
  });
});

describe("at the service", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await Bench.open();
    await bench.signIn();
    bench.forgetRequests();
  });
  afterEach(() => bench.close());

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

  test("is answered from what is stored without a call, and by the service with --check", async () => {
    const scopes = ["store", "orders", "drivers", "catalog", "customers", "coupons", "reviews"];
    const expires_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
    const { code, report, stderr } = await status();
    expect([code, report, stderr]).toEqual([0, { ...centro, state: "valid", scopes, expires_at }, ""]);
    expect(bench.requests()).toEqual([]);
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" }, stderr: "" });
    expect(bench.requests()).toHaveLength(1);
  });

  const hour = 3_600_000;
  const ended = ({ tokens, ...rest }: StoredSession) => ({
    ...rest,
    tokens: { ...tokens, expires_at: Date.now() - hour },
  });
  test.each<[string, (session: StoredSession) => object, number, RegExp, RegExp]>([
    [
      "a token that has its time",
      (session) => session,
      0,
      /^Store: +centro \(test\)\nState: +signed in\nPermissions: .*$/m,
      /^Token until: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d, then it renews itself$/m,
    ],
    [
      "a token that has expired, with a refresh token",
      ended,
      0,
      /^State: +signed in; the access token has expired and is renewed by the next command$/m,
      /^Token ended: [^,]*$/m,
    ],
    [
      "a token that has expired, without a refresh token",
      (session) => {
        const { tokens, ...rest } = ended(session);
        return { ...rest, tokens: { ...tokens, refresh_token: undefined } };
      },
      3,
      /^State: +the access token has expired, and nothing is stored to renew it with: sign in again$/m,
      /^Token ended: [^,]*$/m,
    ],
    [
      "a refused sign-in",
      (session) => ({ ...ended(session), refused_at: Date.now() }),
      3,
      /^State: +refused by the service: sign in again$/m,
      /^(?!.*renew)(?!.*Token)/s,
    ],
  ])("tells one story of %s: its words and its exit code agree", async (_, change, exit, state, token) => {
    const file = sessionFile(bench.machine.configFolder);
    writeFileSync(file, JSON.stringify(change(readSession(bench.machine.configFolder))));
    const { code, stdout, stderr } = await bench.inProcess("status");
    expect({ code, said: stderr.includes("comanda login") }).toEqual({ code: exit, said: exit === 3 });
    expect(stdout).toMatch(state);
    expect(stdout).toMatch(token);
    expect((await bench.inProcess("orders dispatch 1")).code).toBe(exit === 3 ? 3 : 5);
  });

  test("is refused, exit 3, once the store has uninstalled the app, until it signs in again", async () => {
    bench.emulator.service.server.uninstall(501);
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" } });
    const checked = await status(" --check");
    const refused = { ...centro, state: "refused", can_change_orders: false };
    expect(checked).toMatchObject({ code: 3, report: refused });
    const hint = expect.stringContaining("comanda login --store centro") as string;
    expect(parseJson(checked.stderr)).toMatchObject({ error: { exit_code: 3, code: "token_refused", hint } });
    // It stays known without asking again.
    expect(await status()).toMatchObject({ code: 3, report: { state: "refused" } });
    await bench.signIn();
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" } });
  });
});
