import { expect, test, describe } from "vitest";

import { status } from "../../src/commands/status.js";
import { list as stores } from "../../src/commands/stores/index.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run, runToFailure } from "../support/machine.js";
import { parse } from "../support/parse.js";

const options = { store: undefined, check: false };
const tokens = { access_token: "token", expires_at: 1_000, generation: 1 };

test.each([
  ["nothing", [], options],
  ["--check at a store", ["--check", "-s", "centro"], { store: "centro", check: true }],
])("status takes %s", async (_, words, expected) => {
  await expect(parse(status, ...words)).resolves.toEqual(expected);
});

test.each([
  ["a format", ["--format", "csv"], "doesn't take --format"],
  ["all stores", ["--all-stores"], "doesn't take --all-stores"],
  ["two stores", ["-s", "a", "-s", "b"], "more than once"],
])("status refuses %s", async (_, words, message) => {
  await expect(parse(status, ...words)).rejects.toThrow(message);
});

describe("what is stored", () => {
  test("of a store that is signed in is told without a call", async () => {
    const test = await openMachine();
    await keepSession(test, "centro", { tokens: { ...tokens, scopes: ["orders"] } });
    const { stdout, stderr } = await run(status, test, options);
    expect(stdout).toMatch(
      /^Store: +centro \(test\)\nState: +signed in\nPermissions: +orders\nToken until: .*\nOrders: +can be changed\nTime zone: +not set, so it is this machine's\n$/,
    );
    expect(stderr).toBe("");
  });

  test("of a token that has ended names the command that signs in again, environment and all", async () => {
    const test = await openMachine({ format: "json" });
    await keepSession(test, "centro", { tokens: { ...tokens, expires_at: -1 }, api_key: "key_abc" });
    const { stdout, error } = await runToFailure(status, test, options);
    expect(parseJson(stdout)).toMatchObject({ state: "expired", can_change_orders: true });
    expect(error).toMatchObject({
      code: "not_signed_in",
      hint: "Sign in: comanda login --store centro --env test\nUntil then the status of orders is changed with its API key.",
    });
  });

  test("of nobody names the command too", async () => {
    const { stdout, error } = await runToFailure(status, await openMachine(), options);
    expect(stdout).toBe("State:        signed out\n");
    expect(error).toMatchObject({
      code: "not_signed_in",
      hint: "Sign in: comanda login --store <alias> --env <name>",
    });
  });

  test("of a store with a key alone says what it can't do, and stays a gate that is open", async () => {
    const test = await openMachine();
    await keepSession(test, "centro", { api_key: "key_abc" });
    const { stdout } = await run(status, test, options);
    expect(stdout).toMatch(/^State: +API key only: no sales figures, no drivers$/m);
    expect(stdout).toMatch(/^Orders: +can be changed, with the API key$/m);
    expect((await run(stores, test, {})).stdout).toMatch(/API key only: no sales figures, no drivers$/m);
    // A token in the variables signs in, with a key beside it or without.
    const env = {
      COMANDA_BASE_URL: "https://api.example",
      COMANDA_ACCESS_TOKEN: "token",
      COMANDA_API_KEY: "key_abc",
    };
    expect((await run(status, await openMachine({ context: { env } }), options)).stdout).toMatch(
      /^State: +signed in$/m,
    );
  });

  test("in the variables is a credential that works, as far as is known", async () => {
    const env = { COMANDA_BASE_URL: "https://api.example", COMANDA_API_KEY: "key_abc" };
    const { result } = await run(status, await openMachine({ context: { env } }), options);
    expect(result.report).toMatchObject({ store: null, state: "valid", has_api_key: true });
  });
});
