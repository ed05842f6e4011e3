import { expect, test, describe } from "vitest";

import { status } from "../../src/commands/status.js";
import { list as stores } from "../../src/commands/stores/index.js";
import { parseJson } from "../support/json.js";
import { keepSession, openMachine, run, runToFailure } from "../support/machine.js";
import { parse } from "../support/parse.js";

const options = { stores: [], allStores: false, check: false };
const tokens = { access_token: "token", expires_at: 1_000, generation: 1 };

test.each([
  ["nothing", [], options],
  ["--check at a store", ["--check", "-s", "centro"], { ...options, stores: ["centro"], check: true }],
  ["several stores", ["-s", "a", "-s", "b"], { ...options, stores: ["a", "b"] }],
  ["all stores", ["--all-stores"], { ...options, allStores: true }],
])("status takes %s", async (_, words, expected) => {
  await expect(parse(status, ...words)).resolves.toEqual(expected);
});

test.each([["a format", ["--format", "csv"], "doesn't take --format"]])(
  "status refuses %s",
  async (_, words, message) => {
    await expect(parse(status, ...words)).rejects.toThrow(message);
  },
);

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
    expect(result.stores).toMatchObject([{ report: { store: null, state: "valid", has_api_key: true } }]);
  });

  test("of several stores is told of each; where one needs a sign-in the exit code is 10", async () => {
    const test = await openMachine({ format: "json" });
    await keepSession(test, "centro", { tokens });
    await keepSession(test, "praia", { tokens: { ...tokens, expires_at: -1 } });
    const { stdout, error } = await runToFailure(status, test, { ...options, allStores: true });
    expect(parseJson(stdout)).toMatchObject({
      stores: [
        { store: "centro", state: "valid", time_zone: null },
        { store: "praia", state: "expired" },
      ],
    });
    expect(error).toMatchObject({
      code: "some_failed",
      message: "1 of 2 stores are not ready: praia.",
      hint: "praia: praia needs a new sign-in.",
    });
    const named = await run(status, test, { ...options, stores: ["centro", "centro"] });
    expect(parseJson(named.stdout)).toMatchObject({ stores: [{ store: "centro" }] });
  });
});
