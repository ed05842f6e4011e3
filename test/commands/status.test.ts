/** `status`: what is stored of a sign-in without a call, and what the service says of it with --check. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { jumpingClock } from "../client/support/clock.js";
import { Bench } from "../support/bench.js";
import { Desk, start } from "../support/desk.js";
import { errorOf, parseJson } from "../support/json.js";

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
      const { code, stdout, stderr } = await desk.run(`status --json${check}`);
      expect([code, parseJson(stdout)]).toEqual([
        3,
        {
          store: null,
          environment: null,
          state: "signed_out",
          scopes: [],
          expires_at: null,
          has_api_key: false,
          has_partner_key: false,
          has_refresh_token: false,
          can_change_orders: false,
        },
      ]);
      const hint = expect.stringContaining("comanda login --store <alias> --env <name>\n") as string;
      expect(errorOf(stderr)).toMatchObject({ error: { code: "not_signed_in", hint } });
      expect((await desk.run("status")).stdout).toBe("State:        signed out\n");
    },
  );

  const tokens = { access_token: "token", scopes: ["orders"], generation: 1, expires_at: start + 3_600_000 };
  const renewable = { ...tokens, refresh_token: "refresh" };
  test.each<[string, Partial<Session>, exit: number, story: readonly RegExp[]]>([
    [
      "a token that has its time",
      { tokens: renewable },
      0,
      [
        /^Store: +centro \(test\)\nState: +signed in\nPermissions: +orders\n/,
        /^Token until: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \(renewed automatically\)$/m,
      ],
    ],
    [
      "a token that has expired, with a refresh token",
      { tokens: { ...renewable, expires_at: start - 1 } },
      0,
      [/^State: +signed in; the next command renews the expired access token$/m, /^Token ended: [^,]*$/m],
    ],
    [
      "a token that has expired, with a key",
      { tokens: { ...tokens, expires_at: start - 1 }, api_key: "key_abc" },
      3,
      [/^State: +the access token has expired: sign in again$/m, /^Orders: +can be changed$/m],
    ],
    [
      "a refused sign-in",
      { tokens: renewable, refused_at: start },
      3,
      [/^State: +rejected by the service: sign in again$/m, /^Orders: +can't be changed$/m, /^(?!.*Token)/s],
    ],
    [
      "a key alone",
      { tokens: undefined, api_key: "key_abc" },
      0,
      [/^State: +API key only: no sales figures, no drivers$/m, /^Orders: +can be changed$/m],
    ],
  ])("of %s tells one story: its words and its exit code agree", async (_, stored, exit, story) => {
    await keep((session) => ({ ...session, ...stored }));
    const { code, stdout, stderr } = await desk.run("status");
    expect(code).toBe(exit);
    expect(stderr.includes("\n  Sign in: comanda login --store centro --env test\n")).toBe(exit === 3);
    for (const words of story) expect(stdout).toMatch(words);
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

test("the service is asked with --check alone; once the app is uninstalled: exit 3, until it signs in again", async () => {
  const bench = await Bench.open();
  try {
    await bench.signIn();
    bench.forgetRequests();
    const status = async (args = "") => {
      const { code, stdout, stderr } = await bench.inProcess(`status --json${args}`, {
        clock: jumpingClock(Date.now()),
      });
      return { code, report: parseJson(stdout), stderr };
    };
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" }, stderr: "" });
    expect(bench.requests()).toEqual([]);
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" }, stderr: "" });
    expect(bench.requests()).toHaveLength(1);

    bench.emulator.service.server.uninstall(501);
    expect(await status()).toMatchObject({ code: 0, report: { state: "valid" } });
    const checked = await status(" --check");
    const refused = { store: "centro", state: "refused", can_change_orders: false };
    expect(checked).toMatchObject({ code: 3, report: refused });
    const hint = expect.stringContaining("comanda login --store centro") as string;
    expect(parseJson(checked.stderr)).toMatchObject({ error: { exit_code: 3, code: "token_refused", hint } });
    // It stays known without asking again.
    expect(await status()).toMatchObject({ code: 3, report: { state: "refused" } });
    await bench.signIn();
    expect(await status(" --check")).toMatchObject({ code: 0, report: { state: "valid" } });
  } finally {
    await bench.close();
  }
});
