/** The choice of a command's stores and credentials. */
import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { chooseStore, chooseStores, type Store } from "../../src/core/connection.js";
import { Desk, matching } from "../support/desk.js";
import { hinted } from "../support/rejection.js";

const variables = { COMANDA_BASE_URL: "https://api.example/v2/", COMANDA_API_KEY: "key_abc" };

type Env = Record<string, string>;

/** All stores belong to the environment `test`, except `longe`. */
async function deskWith(stores: readonly string[], default_store?: string) {
  const desk = new Desk();
  for (const store of stores)
    await desk.signIn(store, "http://127.0.0.1:4100", "token", (session) => ({
      ...session,
      environment: { ...session.environment, name: store === "longe" ? "far" : "test" },
    }));
  const { workspace } = await desk.context();
  const { settings } = await workspace.state();
  if (default_store !== undefined) await settings.update((current) => ({ ...current, default_store }));
  return { folder: desk.folder, workspaceWith: (env: Env) => ({ ...workspace, env }) };
}

const nameOf = ({ store, baseUrl }: Store) => store ?? baseUrl;

const two = ["norte", "sul"];

describe("The store of a command", () => {
  const both = { COMANDA_STORE: "sul", ...variables };
  const keyOnly = { COMANDA_API_KEY: "k" };

  test.each<[string, string[], string | undefined, Env, string | undefined, string]>([
    ["the flag", two, "sul", both, "norte", "norte"],
    ["the credential variables", two, "norte", both, undefined, "https://api.example/v2"],
    ["COMANDA_STORE", two, "norte", { COMANDA_STORE: "sul" }, undefined, "sul"],
    ["the default", two, "sul", { COMANDA_STORE: "" }, undefined, "sul"],
    ["the only store", ["norte"], undefined, {}, undefined, "norte"],
    ["the only store, if the default store was removed", ["norte"], "sul", {}, undefined, "norte"],
  ])("is chosen by %s", async (_, stores, byDefault, env, store, expected) => {
    const { workspaceWith } = await deskWith(stores, byDefault);
    expect(nameOf(await chooseStore(workspaceWith(env), store))).toBe(expected);
  });

  test.each<[string, string, RegExp, string[], Env?, string?]>([
    ["an unknown alias", "invalid_input", /^Stores: norte, sul\.$/, two, {}, "nrote"],
    ["several stores without a default", "usage", /--store <alias>.*comanda stores use norte/, two],
    ["a misspelled COMANDA_STORE", "invalid_input", /from COMANDA_STORE\./, two, { COMANDA_STORE: "notre" }],
    ["a key without its address", "configuration", /unset COMANDA_ACCESS_TOKEN and/, two, keyOnly],
    ["an http address", "configuration", /BASE_URL/, [], { ...variables, COMANDA_BASE_URL: "http://a.b" }],
  ])("can't be chosen with %s", async (_, code, hint, stores, env = {}, store) => {
    const { workspaceWith } = await deskWith(stores);
    const choosing = hinted(chooseStore(workspaceWith(env), store));
    await expect(choosing).rejects.toMatchObject({ code, hint: matching(hint) });
  });

  // For example, the crontab of another user has no stores.
  test.each([
    [undefined, "No store is set up on this machine."],
    ["centro", 'There is no store "centro" on this machine.'],
  ])("is reported as missing, with the folder and the user, for --store %s", async (store, message) => {
    const { workspaceWith } = await deskWith([]);
    const origin = String.raw`Stores are read from /.* \(user ${userInfo().username}\)\.`;
    await expect(hinted(chooseStore(workspaceWith({}), store))).rejects.toMatchObject({
      message: matching(`^${message} ${origin}$`),
      hint: matching(/Sign in to a store: comanda login .*$/),
    });
  });
});

describe("The stores of a sales command", () => {
  type Machine = Awaited<ReturnType<typeof deskWith>>;
  const names = async ({ workspaceWith }: Machine, stores: readonly string[], env: Env = {}) => {
    const chosen = await chooseStores(workspaceWith(env), { stores, allStores: stores.length === 0 });
    return chosen.map((choice) => ("error" in choice ? `no ${choice.store}` : nameOf(choice)));
  };

  test("are those that --store names, each once, whatever the variables contain", async () => {
    const machine = await deskWith(["norte", "sul", "longe"]);
    expect(await names(machine, ["sul", "norte", "sul"], variables)).toEqual(["sul", "norte"]);
    expect(await names(machine, ["sul", "norte", "Sul"])).toEqual(["sul", "norte"]);
    await expect(names(machine, ["sul", "leste"])).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("are all stores with --all-stores, and include one whose sign-in file is damaged as an error", async () => {
    const machine = await deskWith(["norte", "sul", "longe"]);
    writeFileSync(path.join(machine.folder, "sessions", "s-sul.json"), "{", { mode: 0o600 });
    expect(await names(machine, [])).toEqual(["longe", "norte", "no sul"]);
    expect(await names(machine, ["sul", "norte"])).toEqual(["no sul", "norte"]);
  });
});
