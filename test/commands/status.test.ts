/** `comanda status`: the stored sign-in without a call, and verified by the service with --check. */
import { beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { jumpingClock } from "../client/support/clock.js";
import { Bench } from "../support/bench.js";
import { containing, Desk, errorOf, parseJson, start } from "../support/desk.js";

describe("the status", () => {
  let desk: Desk;
  beforeEach(() => {
    desk = new Desk();
  });

  const keep = (change: (session: Session) => Session) =>
    desk.signIn("centro", "http://127.0.0.1:4100", "token", change);

  test("rejects a key of two lines in a variable, as every call does, and doesn't quote it", async () => {
    const env = { COMANDA_BASE_URL: "http://127.0.0.1:4100", COMANDA_API_KEY: "secret\nlines" };
    for (const line of ["status", "orders dispatch 4711"]) {
      const ran = await desk.run(`${line} --json`, { env });
      expect(ran, line).toMatchObject({ code: 2, stdout: "" });
      const error = { code: "configuration", message: "COMANDA_API_KEY isn't valid." };
      expect(errorOf(ran.stderr)).toMatchObject({ error });
      expect(ran.stderr).not.toContain("secret");
    }
  });

  test.each(["", " --check"])("without a store is signed_out%s (exit code 3), with a hint", async (check) => {
    const { code, stdout, stderr } = await desk.run(`status --json${check}`);
    expect({ code, json: parseJson(stdout) }).toMatchObject({ code: 3, json: { state: "signed_out" } });
    const hint = containing("comanda login --store <alias> --env <name>");
    expect(errorOf(stderr)).toMatchObject({ error: { code: "not_signed_in", hint } });
    expect((await desk.run("status")).stdout).toBe("State:  signed out\n");
  });

  test("of a store whose environment is only for keys leads to a key, as orders do", async () => {
    const environment = {
      name: "test",
      base_url: "http://127.0.0.1:4100",
      redirect_uri: "http://127.0.0.1/",
    };
    await keep(({ store }) => ({ version: 1, store, environment }));
    const hint = "Save the API key: comanda login --api-key --store centro";
    for (const line of ["status --json", "orders dispatch 1 --json"])
      expect(errorOf((await desk.run(line)).stderr), line).toMatchObject({ error: { exit_code: 3, hint } });
  });

  const tokens = { access_token: "token", scopes: ["orders"], generation: 1, expires_at: start + 3_600_000 };
  const renewable = { ...tokens, refresh_token: "refresh" };
  const expired = { expires_at: start - 1 };
  const renewal = /^Token expiry: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \(renewed automatically\)$/m;
  const head = /^Store: +centro \(test\)\nState: +signed in\nPermissions: +orders\n/;
  const [canChange, cantChange] = [/^Can change orders: +yes$/m, /^Can change orders: +no$/m];
  const signAgain = /^State: +the access token has expired: sign in again$/m;
  const refused = /^State: +refused by the service: sign in again$/m;
  const keyOnly = /^State: +API key only: no sales figures, no drivers$/m;
  const noToken = /^(?!.*Token)/s;
  const key = { api_key: "key_abc" };
  test.each<[string, Partial<Session>, exit: number, story: readonly RegExp[]]>([
    ["a token that has its time", { tokens: renewable }, 0, [head, renewal]],
    ["an expired token with a refresh token", { tokens: { ...renewable, ...expired } }, 0, []],
    ["an expired token with a key", { tokens: { ...tokens, ...expired }, ...key }, 3, [signAgain, canChange]],
    ["a refused sign-in", { tokens: renewable, refused_at: start }, 3, [refused, cantChange, noToken]],
    ["a key alone", { tokens: undefined, ...key }, 0, [keyOnly, canChange]],
  ])("of %s has a text that matches its exit code", async (_, stored, exit, story) => {
    await keep((session) => ({ ...session, ...stored }));
    const { code, stdout, stderr } = await desk.run("status");
    expect(code).toBe(exit);
    expect(stderr.includes("\n  Sign in: comanda login --store centro --env test\n")).toBe(exit === 3);
    for (const words of story) expect(stdout).toMatch(words);
  });

  test("of credentials in variables is valid, because --check wasn't requested", async () => {
    const env = { COMANDA_BASE_URL: "https://api.example", COMANDA_API_KEY: "key_abc" };
    const { stdout } = await desk.run("status --json", { env });
    expect(parseJson(stdout)).toMatchObject({ store: null, state: "valid", has_api_key: true });
    // A token is a sign-in, with or without a key.
    const both = { ...env, COMANDA_ACCESS_TOKEN: "token" };
    expect((await desk.run("status", { env: both })).stdout).toMatch(/^State: +signed in$/m);
  });
});

test("only --check calls the service; after the app is uninstalled, the exit code is 3 until the next sign-in", async () => {
  const bench = await Bench.open();
  await bench.signIn();
  bench.forgetRequests();
  const status = async (args = "") => {
    const clock = jumpingClock(Date.now());
    const { code, stdout } = await bench.inProcess(`status --json${args}`, { clock });
    return { code, ...(parseJson(stdout) as object) };
  };
  expect(await status()).toMatchObject({ code: 0, state: "valid" });
  expect(bench.requests()).toEqual([]);
  bench.emulator.service.server.uninstall(501);
  expect(await status()).toMatchObject({ code: 0, state: "valid" });
  expect(await status(" --check")).toMatchObject({ code: 3, state: "refused", can_change_orders: false });
  // The rejection is stored, so no call is needed.
  expect(await status()).toMatchObject({ code: 3, state: "refused" });
  await bench.signIn();
  expect(await status(" --check")).toMatchObject({ code: 0, state: "valid" });
});
