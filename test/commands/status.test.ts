/** What is stored of a store's sign-in, and what is left of it after a logout; both without a call. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Session } from "../../src/state/sessions.js";
import { Desk, start } from "../support/desk.js";
import { parseJson } from "../support/json.js";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.remove());

const keep = (change: (session: Session) => Session) =>
  desk.signIn("centro", "http://127.0.0.1:4100", "token", change);
const withKeyAlone = ({ store, environment }: Session): Session => ({
  version: 1,
  store,
  environment,
  api_key: "key_abc",
});

test.each([
  ["status --format csv", "doesn't take --format"],
  ["status --all-stores", "doesn't take --all-stores"],
  ["status -s a -s b", "more than once"],
  ["logout --all -s centro", "--all and --store contradict each other"],
  ["logout -s a -s b", "more than once"],
])("%s is refused", async (line, message) => {
  const { code, stderr } = await desk.run(line);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

describe("status", () => {
  test("of a store that is signed in is told without a call", async () => {
    await keep((session) => ({
      ...session,
      tokens: { access_token: "token", generation: 1, expires_at: start + 1, scopes: ["orders"] },
    }));
    const { code, stdout, stderr } = await desk.run("status");
    expect(stdout).toMatch(
      /^Store: +centro \(test\)\nState: +signed in\nPermissions: +orders\nToken until: .*\nOrders: +can be changed\nTime zone: +not set, so it is this machine's\n$/,
    );
    expect([code, stderr]).toEqual([0, ""]);
  });

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
      hint: "Sign in: comanda login --store centro --env test\nUntil then the status of orders is changed with its API key.",
    });
  });

  test("of nobody names the command too", async () => {
    const { stdout, error } = await desk.run("status");
    expect(stdout).toBe("State:        signed out\n");
    expect(error).toMatchObject({
      code: "not_signed_in",
      hint: "Sign in: comanda login --store <alias> --env <name>",
    });
  });

  test("of a store with a key alone says what it can't do, and stays a gate that is open", async () => {
    await keep(withKeyAlone);
    const { code, stdout } = await desk.run("status");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^State: +API key only: no sales figures, no drivers$/m);
    expect(stdout).toMatch(/^Orders: +can be changed, with the API key$/m);
    expect((await desk.run("stores list")).stdout).toMatch(/API key only: no sales figures, no drivers$/m);
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

describe("logout", () => {
  test("forgets the key of a store that has a key alone, without a call, and knows the store still", async () => {
    await keep(withKeyAlone);
    await desk.run("stores use centro");
    expect((await desk.run("logout")).stdout).toBe("centro is signed out. Its API key is forgotten, too.\n");
    const { stdout } = await desk.run("stores list --json");
    expect(parseJson(stdout)).toMatchObject([{ store: "centro", has_api_key: false, default: true }]);
  });

  test("of all has nothing to do where no store is known; of one it is an error", async () => {
    expect(await desk.run("logout --all")).toMatchObject({ code: 0, stderr: "No store is signed in.\n" });
    expect((await desk.run("logout")).error?.code).toBe("not_signed_in");
  });
});
